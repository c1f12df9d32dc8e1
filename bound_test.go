package perceptron

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// The exact values are computed in rational arithmetic, and squared, so that no
// root is needed: R is right if it is the least float64 with R² ≥ max ‖x‖², or
// at most one above it.

func rat(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }

func ratDot(a, b []float64) *big.Rat {
	sum := new(big.Rat)
	for i := range a {
		sum.Add(sum, new(big.Rat).Mul(rat(a[i]), rat(b[i])))
	}
	return sum
}

func ratSquare(v *big.Rat) *big.Rat { return new(big.Rat).Mul(v, v) }

// homogeneous returns a copy of the rows as the space takes them.
func homogeneous(X [][]float64, s Space) [][]float64 {
	var Z [][]float64
	for _, x := range X {
		z := append([]float64(nil), x...)
		if s == Affine {
			z = append(z, 1)
		}
		Z = append(Z, z)
	}
	return Z
}

// scaled returns rows of mixed magnitude around 10ᵉ.
func scaled(r *rand.Rand, n, d, e, spread int) [][]float64 {
	X := make([][]float64, n)
	for i := range X {
		X[i] = gaussian(r, d)
		for j := range X[i] {
			X[i][j] *= math.Pow(10, float64(e+r.IntN(2*spread+1)-spread))
		}
	}
	return X
}

func TestRadius(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 6))
	for _, e := range []int{0, 0, 0, 3, -3, 100, -100, 130, -130, 300, -300} {
		for _, spread := range []int{0, 3, 20} {
			for _, s := range []Space{Affine, Linear} {
				X := scaled(r, 1+r.IntN(5), 1+r.IntN(40), min(e, 307-spread), spread)
				R := must(Radius(X, s))(t)
				longest := new(big.Rat)
				for _, z := range homogeneous(X, s) {
					if q := ratDot(z, z); q.Cmp(longest) > 0 {
						longest = q
					}
				}
				if ratSquare(rat(R)).Cmp(longest) < 0 {
					t.Fatalf("10^%d: R = %v is too small", e, R)
				}
				below := math.Nextafter(math.Nextafter(math.Nextafter(R, 0), 0), 0)
				if ratSquare(rat(below)).Cmp(longest) >= 0 {
					t.Fatalf("10^%d: R = %v is three units too large", e, R)
				}
			}
		}
	}
}

// TestRadiusExact: no unit is given away where the norm is a float64.
func TestRadiusExact(t *testing.T) {
	for _, c := range []struct {
		X    [][]float64
		s    Space
		want float64
	}{
		{[][]float64{{3, 4}, {1, 1}}, Linear, 5},
		{[][]float64{{0, 0}}, Affine, 1},
		{[][]float64{{0, 0}}, Linear, 0},
		{[][]float64{{2, 2}, {-2, 2}}, Affine, 3},
		{[][]float64{{0x3p1000, 0x4p1000}}, Linear, 0x5p1000},
		{[][]float64{{0x3p-1070, 0x4p-1070}}, Linear, 0x5p-1070},
		{[][]float64{{1, 0x1p-60}}, Linear, math.Nextafter(1, 2)},
		{[][]float64{{5e-324, 5e-324}}, Linear, 2 * 5e-324},
		{[][]float64{{0, -math.MaxFloat64}}, Linear, math.MaxFloat64},
	} {
		if got := must(Radius(c.X, c.s))(t); got != c.want {
			t.Errorf("Radius(%v, %v) = %v, want %v", c.X, c.s, got, c.want)
		}
	}
}

// TestGamma holds Gamma against exact arithmetic: never above, and near.
func TestGamma(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 6))
	for range 20 {
		for _, e := range []int{0, 0, 2, -2, 140, -140, 290, -290} {
			for _, s := range []Space{Affine, Linear} {
				d := 1 + r.IntN(40)
				X := scaled(r, 1+r.IntN(6), d, e, 2)
				h := Hyperplane{Weights: scaled(r, 1, d, []int{0, -e, e, 200, -200}[r.IntN(5)], 1)[0]}
				if s == Affine {
					h.Bias = r.NormFloat64()
				}
				y := make([]int, len(X))
				for i := range y {
					y[i] = 1 - 2*r.IntN(2)
					if l, err := h.Predict(X[i]); err == nil && r.IntN(8) > 0 {
						y[i] = l // mostly right, so that γ is of either sign
					}
				}
				checkGamma(t, h, X, y, s)
			}
		}
	}
}

// checkGamma compares y·score/‖w‖ with γ through squares that keep the sign.
func checkGamma(t *testing.T, h Hyperplane, X [][]float64, y []int, s Space) {
	t.Helper()
	gamma, err := Gamma(h, X, y, s)
	if err != nil {
		t.Fatal(err)
	}
	w := append([]float64(nil), h.Weights...)
	if s == Affine {
		w = append(w, h.Bias)
	}
	length := ratDot(w, w)
	var least *big.Rat
	for i, z := range homogeneous(X, s) {
		score := ratDot(w, z)
		if y[i] < 0 {
			score.Neg(score)
		}
		if least == nil || score.Cmp(least) < 0 {
			least = score
		}
	}
	exact := signedSquare(least)
	exact.Quo(exact, length)
	if signedSquare(rat(gamma)).Cmp(exact) > 0 {
		t.Fatalf("γ = %v is above the exact value %v", gamma, least)
	}
	above := gamma
	for range 8 {
		above = next(above)
	}
	// Products that vanish beside R are accounted for, but not resolved.
	if R := must(Radius(X, s))(t); signedSquare(rat(above)).Cmp(exact) < 0 && math.Abs(gamma) > 1e-250*R {
		t.Fatalf("γ = %v is eight units below the exact value of %v / √%v", gamma, least, length)
	}
}

func signedSquare(v *big.Rat) *big.Rat {
	s := ratSquare(v)
	if v.Sign() < 0 {
		s.Neg(s)
	}
	return s
}

// TestGammaMixed: magnitudes from one end of float64's range to the other in one
// vector. Never above the exact value: a false sign would be a false proof.
func TestGammaMixed(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	mixed := func(n int) []float64 {
		v := make([]float64, n)
		for j := range v {
			v[j] = math.Ldexp(r.NormFloat64(), r.IntN(2040)-1040)
		}
		return v
	}
	cases := [][2][]float64{{{0x1p1000, -0x1p-100}, {0x1p-800, 0x1p380}}, {{0, 0x1p399}, {0x1p1000, 0x1.8p-61}}}
	for range 3000 {
		n := 1 + r.IntN(3)
		cases = append(cases, [2][]float64{mixed(n), mixed(n)})
	}
	for _, c := range cases {
		h, x := Hyperplane{Weights: c[0]}, c[1]
		gamma, err := Gamma(h, [][]float64{x}, []int{1}, Linear)
		if err != nil {
			continue // it overflows
		}
		exactly := signedSquare(ratDot(h.Weights, x))
		exactly.Quo(exactly, ratDot(h.Weights, h.Weights))
		if signedSquare(rat(gamma)).Cmp(exactly) > 0 {
			t.Fatalf("Gamma(%b, %b) = %v is above the exact value", h.Weights, x, gamma)
		}
	}
}

// TestDivideDown: also where the quotient's error is lost to underflow.
func TestDivideDown(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for range 3000 {
		a, b := math.Ldexp(r.NormFloat64(), r.IntN(2000)-1070), math.Abs(math.Ldexp(r.NormFloat64(), r.IntN(1000)-500))
		q := divideDown(a, b)
		if !math.IsInf(q, 0) && mul(rat(q), rat(b)).Cmp(rat(a)) > 0 {
			t.Fatalf("%v / %v is rounded up to %v", a, b, q)
		}
	}
}

// TestEnclosure: the exact sum is within the enclosure and its rounded bounds,
// also where more than two float64s are needed to hold it.
func TestEnclosure(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 6))
	lossy := 0
	for range 2000 {
		var e enclosure
		exactly := new(big.Rat)
		for range 1 + r.IntN(12) {
			v := math.Ldexp(float64(r.IntN(2001)-1000), -r.IntN(200))
			w := math.Ldexp(r.NormFloat64(), -r.IntN(100))
			e.add(v)
			e.addProduct(v, 1, w, 0.5)
			exactly.Add(exactly, add(rat(v), mul(rat(v), rat(w/2))))
		}
		middle := add(rat(e.hi), rat(e.lo))
		if off := new(big.Rat).Sub(middle, exactly); off.Abs(off).Cmp(rat(e.err)) > 0 {
			t.Fatalf("%+v does not hold %v", e, exactly)
		}
		if e.err > 0 {
			lossy++
		}
		if rat(e.upper()).Cmp(exactly) < 0 || rat(e.lower()).Cmp(exactly) > 0 {
			t.Fatalf("[%v, %v] does not hold %v", e.lower(), e.upper(), exactly)
		}
		checkRoots(t, e, exactly)
	}
	if lossy == 0 {
		t.Fatal("no sum needed more than two float64s: the test shows nothing")
	}
	var e enclosure
	for _, v := range []float64{1, 0x1p-60, 0x1p-120, -0x1p-60} {
		e.add(v)
	}
	if e.upper() != next(1) || e.lower() > 1 {
		t.Errorf("1 + 2⁻¹²⁰ is in [%v, %v]", e.lower(), e.upper())
	}
}

// checkRoots: rounded up and down, to the last bit where the sum is exact.
func checkRoots(t *testing.T, e enclosure, exactly *big.Rat) {
	t.Helper()
	if e.lower() <= 0 {
		return
	}
	up, down := e.sqrtUp(), e.sqrtDown()
	if square(rat(up)).Cmp(exactly) < 0 || square(rat(down)).Cmp(exactly) > 0 {
		t.Fatalf("√%v is not in [%v, %v]", exactly, down, up)
	}
	if e.err == 0 && (up != down && up != next(down) || up != down && square(rat(up)).Cmp(exactly) == 0) {
		t.Fatalf("√%v is rounded to %v and %v", exactly, down, up)
	}
}

func TestGammaExact(t *testing.T) {
	X, y := [][]float64{{1, 0}, {3, 5}, {-2, 1}}, []int{+1, +1, -1}
	for _, c := range []struct {
		h    Hyperplane
		s    Space
		want float64
	}{
		{Hyperplane{[]float64{1, 0}, 0}, Linear, 1},
		{Hyperplane{[]float64{1, 0}, 0}, Affine, 1},
		{Hyperplane{[]float64{-2, 0}, 0}, Linear, -3},
		{Hyperplane{[]float64{3, 4}, 0}, Linear, 2.0 / 5},
		{Hyperplane{[]float64{0, 0}, 2}, Affine, -1},
		{Hyperplane{[]float64{0x1p-1000, 0}, 0}, Linear, 1},
		{Hyperplane{[]float64{0x1p1000, 0}, 0}, Linear, 1},
	} {
		if got := must(Gamma(c.h, X, y, c.s))(t); got != c.want && got != math.Nextafter(c.want, -1) || got > c.want {
			t.Errorf("Gamma(%v, %v) = %v, want %v", c.h, c.s, got, c.want)
		}
	}
}

// TestMistakeBound: the least float64 that is at least the exact quotient.
func TestMistakeBound(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct{ R, gamma, want float64 }{
		{5, 1, 25}, {1, 0.25, 16}, {3, 2, 2.25}, {0, 1, 0}, {1, 0, inf}, {1, -1, inf}, {1, -inf, inf},
		{0, 0, inf}, {inf, 1, inf}, {inf, inf, inf}, {1, inf, 0}, {-1, 1, nan}, {-1, 0, nan}, {-1, -1, nan},
		{nan, 1, nan}, {1, nan, nan}, {nan, -1, nan}, {1e-200, 1e200, 5e-324}, {1e200, 1e-200, inf}, {1, 3, next(1.0 / 9)},
	} {
		if got := MistakeBound(c.R, c.gamma); !same(got, c.want) {
			t.Errorf("MistakeBound(%v, %v) = %v, want %v", c.R, c.gamma, got, c.want)
		}
	}
	r := rand.New(rand.NewPCG(3, 6))
	for range 2000 {
		R, gamma := math.Abs(r.NormFloat64()), math.Abs(r.NormFloat64())
		exact := new(big.Rat).Quo(ratSquare(rat(R)), ratSquare(rat(gamma)))
		k := MistakeBound(R, gamma)
		if rat(k).Cmp(exact) < 0 || rat(math.Nextafter(k, 0)).Cmp(exact) >= 0 {
			t.Fatalf("MistakeBound(%v, %v) = %v, exactly %v", R, gamma, k, exact)
		}
	}
}

// TestMistakes: on data with a known margin no run makes more mistakes than
// the bound says, and γ is what the runs' Upper and their hyperplanes bracket.
func TestMistakes(t *testing.T) {
	for seed := range uint64(40) {
		set := separable(seed, 60, 3, 0.05*float64(1+seed%5))
		gamma := bracketed(t, set, Linear, 1e-13).Lower
		for _, order := range []Order{Cyclic, Shuffled, Sampled} {
			for _, rate := range []float64{1, 0.1, 8} {
				p := &Online{Order: order, Rate: rate, Space: Linear, Seed: seed, MaxEpochs: 1e6}
				res := must(p.Fit(set.X, set.y))(t)
				R := must(Radius(set.X, Linear))(t)
				if bound := MistakeBound(R, gamma); float64(res.Mistakes) > bound || res.Stop != Converged {
					t.Fatalf("%+v, with a bound of %v", res, bound)
				}
				achieved := must(Gamma(p.Hyperplane(), set.X, set.y, Linear))(t)
				if !(achieved > 0) || achieved > res.Upper || res.Upper < gamma {
					t.Fatalf("γ achieved %v, Upper %v, γ at least %v", achieved, res.Upper, gamma)
				}
			}
		}
	}
	// Unit vectors reach the bound, so that one below it would fail.
	X, y := make([][]float64, 30), make([]int, 30)
	for i := range X {
		X[i] = make([]float64, 30)
		X[i][i], y[i] = 1, 1
	}
	p := &Online{Space: Linear}
	res := must(p.Fit(X, y))(t)
	gamma := must(Gamma(p.Hyperplane(), X, y, Linear))(t)
	if bound := MistakeBound(1, gamma); res.Mistakes != 30 || bound < 30 || bound > 30.0000001 {
		t.Fatalf("%d mistakes, bound %v", res.Mistakes, bound)
	}
}

// TestThirdOfMargin holds Margin's default to its two promises, in many orders and
// in streams: at most 3(R/γ)² updates, and at least a third of the margin.
func TestThirdOfMargin(t *testing.T) {
	for seed := range uint64(30) {
		set := separable(seed, 50, 3, 0.1*float64(1+seed%4))
		gamma := bracketed(t, set, Linear, 1e-13).Lower
		R := must(Radius(set.X, Linear))(t)
		for _, order := range []Order{Cyclic, Shuffled, Sampled} {
			p := &Margin{Order: order, Space: Linear, Seed: seed, MaxEpochs: 1e6, Rate: []float64{1, 0.3, 16}[seed%3]}
			res := must(p.Fit(set.X, set.y))(t)
			checkThird(t, p, set, res.Mistakes, R, gamma)
		}
		p, updates := &Margin{Space: Linear}, 0
		for {
			e := must(p.Learn(stream(set)))(t)
			if updates += e.Mistakes; e.Mistakes == 0 {
				break
			}
		}
		checkThird(t, p, set, updates, R, gamma)
	}
}

func checkThird(t *testing.T, p *Margin, set dataset, updates int, R, gamma float64) {
	t.Helper()
	if bound := 3 * MistakeBound(R, gamma); float64(updates) > bound {
		t.Fatalf("%d updates, bound %v", updates, bound)
	}
	if achieved := must(Gamma(p.Hyperplane(), set.X, set.y, p.Space))(t); achieved < gamma/3 {
		t.Fatalf("margin %v, want at least a third of %v", achieved, gamma)
	}
}
