package perceptron

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"perceptron/internal/naive"
)

// The exact values are squares in rational arithmetic, so no root is needed.

func rat(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }

func ratDot(a, b []float64) *big.Rat {
	sum := new(big.Rat)
	for i := range a {
		sum.Add(sum, new(big.Rat).Mul(rat(a[i]), rat(b[i])))
	}
	return sum
}

func ratMul(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }

func ratSquare(v *big.Rat) *big.Rat { return ratMul(v, v) }

// homogeneous returns a copy of the rows, with a 1 appended in Affine space.
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
		X[i] = naive.Gaussian(r, d)
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

// TestRadiusExact: R is exact if the norm is a float64.
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

// TestRadiusNearlyEqual: no filter hides the longest row, though float64 sums cannot
// order lengths that differ by few units.
func TestRadiusNearlyEqual(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 6))
	for range 200 {
		X := [][]float64{naive.Gaussian(r, 100)}
		var want float64
		for range 20 {
			x := slices.Clone(X[0])
			x[r.IntN(100)] *= 1 + float64(r.IntN(9)-4)*0x1p-52
			X = append(X, x)
		}
		for _, x := range X {
			want = max(want, must(Radius([][]float64{x}, Affine))(t))
		}
		if got := must(Radius(X, Affine))(t); got != want {
			t.Fatalf("R = %v, want %v", got, want)
		}
	}
}

// TestGamma compares Gamma with exact arithmetic: it is never above, and near.
func TestGamma(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 6))
	for range Share(20) {
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
	w := h.vector(s)
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
	checkQuotient(t, gamma, least, length, must(Radius(X, s))(t))
}

// checkQuotient fails unless γ is at most least/√square, and less by few units. Products that
// vanish beside R only widen the bounds.
func checkQuotient(t *testing.T, gamma float64, least, square *big.Rat, R float64) {
	t.Helper()
	exact := signedSquare(least)
	exact.Quo(exact, square)
	if signedSquare(rat(gamma)).Cmp(exact) > 0 {
		t.Fatalf("γ = %v is above the exact value %v / √%v", gamma, least, square)
	}
	if signedSquare(rat(up(gamma, 8))).Cmp(exact) < 0 && math.Abs(gamma) > 1e-250*R {
		t.Fatalf("γ = %v is eight units below the exact value %v / √%v", gamma, least, square)
	}
}

func signedSquare(v *big.Rat) *big.Rat {
	s := ratSquare(v)
	if v.Sign() < 0 {
		s.Neg(s)
	}
	return s
}

// mixed draws magnitudes from all of float64's range.
func mixed(r *rand.Rand, n int) []float64 {
	v := make([]float64, n)
	for j := range v {
		v[j] = math.Ldexp(r.NormFloat64(), r.IntN(2040)-1040)
	}
	return v
}

// TestGammaMixed: one vector has magnitudes from all of float64's range. Gamma is
// never above the exact value, since a false sign would be a false proof.
func TestGammaMixed(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	cases := [][2][]float64{{{0x1p1000, -0x1p-100}, {0x1p-800, 0x1p380}}, {{0, 0x1p399}, {0x1p1000, 0x1.8p-61}}}
	for range Share(3000) {
		n := 1 + r.IntN(3)
		cases = append(cases, [2][]float64{mixed(r, n), mixed(r, n)})
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

// TestDeviations compares D and L with the formula in float64.
func TestDeviations(t *testing.T) {
	set := naive.Noisy(3, 30, 4)
	h := Hyperplane{[]float64{3, 0, 4, 0}, 12}
	for _, s := range []Space{Affine, Linear} {
		length := 13.0
		if s == Linear {
			h.Bias, length = 0, 5
		}
		for _, gamma := range []float64{0, 0.5, 3} {
			var squares, sum float64
			for i, x := range set.X {
				short := max(0, gamma-float64(set.Y[i])*must(h.Score(x))(t)/length)
				squares += short * short
				sum += short
			}
			D, L, err := Deviations(h, set.X, set.Y, s, gamma)
			if want := math.Sqrt(squares); err != nil || D < want*(1-1e-14) || D > want*(1+1e-14) {
				t.Errorf("γ = %v: D = %v, want %v", gamma, D, want)
			}
			if L < sum*(1-1e-14) || L > sum*(1+1e-14) {
				t.Errorf("γ = %v: L = %v, want %v", gamma, L, sum)
			}
		}
	}
	D, L, err := Deviations(Hyperplane{Weights: []float64{1}}, [][]float64{{1}, {-2}, {5}}, []int{1, 1, 1}, Linear, 2)
	if want := math.Sqrt(17); D < want || D > above(want) || L != 5 || err != nil {
		t.Errorf("D = %v, L = %v, want √17 and 5", D, L)
	}
	D, L, err = Deviations(Hyperplane{Weights: []float64{1}}, [][]float64{{0x1p600}, {-0x1p600}}, []int{1, 1}, Linear, 0x1p600)
	if D != 0x1p601 || L != 0x1p601 || err != nil {
		t.Errorf("D = %v, L = %v, %v, want 2⁶⁰¹", D, L, err)
	}
}

// TestDeviationsUp: in one dimension D² and L are exact in rationals. The results are
// not below them, and above them by few units.
func TestDeviationsUp(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 8))
	for i := range 400 {
		e := []int{0, 0, 0, 300, -300, -1070, 1000}[i%7]
		X, y := make([][]float64, 1+r.IntN(4)), []int{}
		for i := range X {
			X[i] = []float64{math.Ldexp(r.NormFloat64(), e+r.IntN(3))}
			y = append(y, 1-2*r.IntN(2))
		}
		gamma := math.Ldexp(math.Abs(r.NormFloat64()), e) * float64(r.IntN(3)) / 2
		D, L, err := Deviations(Hyperplane{Weights: []float64{1}}, X, y, Linear, gamma)
		if err != nil {
			t.Fatal(err)
		}
		squares, sum := new(big.Rat), new(big.Rat)
		for i, x := range X {
			if short := new(big.Rat).Sub(rat(gamma), rat(float64(y[i])*x[0])); short.Sign() > 0 {
				squares.Add(squares, ratSquare(short))
				sum.Add(sum, short)
			}
		}
		near := func(v float64) *big.Rat { return rat(max(0, v-8*(above(v)-v))) }
		if ratSquare(rat(D)).Cmp(squares) < 0 || rat(L).Cmp(sum) < 0 || ratSquare(near(D)).Cmp(squares) > 0 || near(L).Cmp(sum) > 0 {
			t.Fatalf("2^%d: D = %v, L = %v; exactly √%v and %v", e, D, L, squares, sum)
		}
	}
}

// TestDeviationsSizes: γ, the rows and the shortfalls have very different sizes.
func TestDeviationsSizes(t *testing.T) {
	for _, c := range []struct {
		x     []float64
		gamma float64
		D, L  float64
	}{
		{[]float64{0, 0, 0, 0}, 0x1p-664, 0x2p-664, 0x4p-664},                     // a tiny γ beside no rows
		{[]float64{1, 0, 0, 1, 0, 0}, 0x1p-664, 0x2p-664, 0x4p-664},               // beside rows near 1
		{[]float64{0x1p830, 0}, 0x1p-664, 0x1p-664, 0x1p-664},                     // beside rows near 10²⁵⁰
		{[]float64{-0x3p830, -0x4p830}, 0x1p-664, above(0x5p830), above(0x7p830)}, // rows near 10²⁵⁰ fall short
		{[]float64{0x1p830, -0x1p-664}, 0, 0x1p-664, 0x1p-664},                    // a tiny row falls short
		{[]float64{1, 2}, 0.5, 0, 0},                                              // none falls short
	} {
		var X [][]float64
		for _, x := range c.x {
			X = append(X, []float64{x})
		}
		D, L, err := Deviations(Hyperplane{Weights: []float64{1}}, X, slices.Repeat([]int{1}, len(X)), Linear, c.gamma)
		if D < c.D || D > up(c.D, 2) || L < c.L || L > up(c.L, 2) || err != nil {
			t.Errorf("rows %v, γ = %v: D = %v, L = %v, %v, want %v and %v", c.x, c.gamma, D, L, err, c.D, c.L)
		}
	}
}

// TestDeviationsErrors: arguments that Deviations rejects.
func TestDeviationsErrors(t *testing.T) {
	h, X := Hyperplane{Weights: []float64{1}}, [][]float64{{math.MaxFloat64}, {math.MaxFloat64}}
	for _, c := range []struct {
		gamma float64
		y     []int
		want  string
	}{
		{1, []int{-1, -1}, "perceptron: not finite: the deviations overflow, though every feature is finite"},
		{-1, []int{1, 1}, "perceptron: bad configuration: gamma is -1, want a finite number of at least 0"},
		{inf, []int{1, 1}, "perceptron: bad configuration: gamma is +Inf, want a finite number of at least 0"},
		{1, []int{1, 3}, "perceptron: example 1: bad label: 3, want +1 or -1"},
	} {
		D, L, err := Deviations(h, X, c.y, Linear, c.gamma)
		if D != 0 || L != 0 || err == nil || err.Error() != c.want {
			t.Errorf("γ = %v: %v, %v, %v, want %s", c.gamma, D, L, err, c.want)
		}
	}
	third := []float64{-math.MaxFloat64 / 3} // D is √4 times as much, and L four times
	if _, L, err := Deviations(h, [][]float64{third, third, third, third}, []int{1, 1, 1, 1}, Linear, 0); !errors.Is(err, ErrNotFinite) {
		t.Errorf("L overflows: %v, %v", L, err)
	}
}
