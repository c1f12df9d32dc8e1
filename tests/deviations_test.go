package tests_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"perceptron"
	"perceptron/internal/naive"
)

// vectorIn returns (w, b), or w in Linear space.
func vectorIn(h perceptron.Hyperplane, s perceptron.Space) []float64 {
	if s == perceptron.Linear {
		return slices.Clone(h.Weights)
	}
	return vector(h)
}

// deviations returns D and L as one value.
func deviations(h perceptron.Hyperplane, X [][]float64, y []int, s perceptron.Space, gamma float64) ([2]float64, error) {
	D, L, err := perceptron.Deviations(h, X, y, s, gamma)
	return [2]float64{D, L}, err
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

// TestRadius compares R with exact arithmetic: it is never too small, and too large by few units.
func TestRadius(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 6))
	for _, e := range []int{0, 0, 0, 3, -3, 100, -100, 130, -130, 300, -300} {
		for _, spread := range []int{0, 3, 20} {
			for _, s := range []perceptron.Space{perceptron.Affine, perceptron.Linear} {
				checkRadius(t, scaled(r, 1+r.IntN(5), 1+r.IntN(40), min(e, 307-spread), spread), s, 3)
			}
		}
	}
	for range share(200) { // float64 sums cannot order lengths that differ by few units
		X := [][]float64{naive.Gaussian(r, 100)}
		for range 20 {
			x := slices.Clone(X[0])
			x[r.IntN(100)] *= 1 + float64(r.IntN(9)-4)*0x1p-52
			X = append(X, x)
		}
		checkRadius(t, X, perceptron.Affine, 3)
	}
	for _, x := range [][]float64{
		{3, 4}, {0, 0}, {2, 2}, {0x3p1000, 0x4p1000}, {0x3p-1070, 0x4p-1070}, {1, 0x1p-60}, {5e-324, 5e-324},
	} {
		checkRadius(t, [][]float64{x, {0, 0}}, perceptron.Linear, 1)
		checkRadius(t, [][]float64{x, {0, 0}}, perceptron.Affine, 1)
	}
	checkRadius(t, [][]float64{{0, -math.MaxFloat64}}, perceptron.Linear, 1)
}

// checkRadius fails unless R is at least the longest norm, and R minus a few units is less.
func checkRadius(t *testing.T, X [][]float64, s perceptron.Space, units int) {
	t.Helper()
	R, longest := must(perceptron.Radius(X, s))(t), new(big.Rat)
	for _, z := range homogeneous(X, s) {
		if q := naive.RatDot(z, z); q.Cmp(longest) > 0 {
			longest = q
		}
	}
	less := R
	for range units {
		less = math.Nextafter(less, 0)
	}
	if naive.RatSquare(naive.Rat(R)).Cmp(longest) < 0 || R > 0 && naive.RatSquare(naive.Rat(less)).Cmp(longest) >= 0 {
		t.Fatalf("%v, %v: R² is %v, want √%v and at most %d units more", X, s, R, longest, units)
	}
}

// TestGamma and TestMulticlassGamma compare γ with exact arithmetic: it is never above, and near.
func TestGamma(t *testing.T) { compareGammas(t, 1) }

func TestMulticlassGamma(t *testing.T) { compareGammas(t, 2, 3, 4, 5) }

// compareGammas draws hyperplanes and rows of one magnitude, and of all magnitudes that float64
// has.
func compareGammas(t *testing.T, counts ...int) {
	r := rand.New(rand.NewPCG(21, 6))
	var checked, positive int
	for i := range share(4000) {
		s, d, k, n := perceptron.Space(i%2), 1+r.IntN(12), counts[r.IntN(len(counts))], 1+r.IntN(5)
		e := []int{0, 0, 2, -2, 140, -140, 290, -290}[r.IntN(8)]
		h := drawPlanes(r, k, d, []int{0, -e, e, -e / 2, 200, -200}[r.IntN(6)], s)
		X := scaled(r, n, d, e, 2)
		if r.IntN(2) == 0 {
			for c := range h.Planes {
				h.Planes[c] = planeOf(mixed(r, d+1), d)
				h.Planes[c].Bias *= float64(1 - s)
			}
			X = [][]float64{mixed(r, d)}
		}
		if k == 1 {
			h = withOpposite(h.Planes[0], 0)
		}
		y := make([]int, len(X))
		for i, x := range X { // mostly right, so that γ is of either sign
			label, err := h.Predict(x)
			if y[i] = label; err != nil || r.IntN(8) == 0 {
				y[i] = h.Classes[r.IntN(len(h.Classes))]
			}
		}
		if gamma, err := perceptron.MulticlassGamma(h, X, y, s); err == nil { // else it overflows
			if k == 1 {
				gamma = must(perceptron.Gamma(h.Planes[1], X, y, s))(t)
			}
			checkGamma(t, gamma, h, X, y, s, 8)
			if checked++; gamma > 0 {
				positive++
			}
		}
	}
	if checked < share(2500) || positive < checked/5 || positive > checked*4/5 {
		t.Errorf("%d margins are finite, and %d of these positive", checked, positive)
	}
}

// drawPlanes draws k hyperplanes with magnitudes around 10ᵉ, and ascending classes.
func drawPlanes(r *rand.Rand, k, d, e int, s perceptron.Space) perceptron.Hyperplanes {
	h := perceptron.Hyperplanes{Classes: []int{-300, -1, 0, 7, 1 << 30}[:k]}
	for range k {
		p := perceptron.Hyperplane{Weights: scaled(r, 1, d, e, 1)[0]}
		if s == perceptron.Affine {
			p.Bias = r.NormFloat64()
		}
		h.Planes = append(h.Planes, p)
	}
	return h
}

// withOpposite returns hyperplanes of −1 and +1: c·h and h. For c = 0 their margin is that of h
// alone, and for c = −1 it is √2 times as much.
func withOpposite(h perceptron.Hyperplane, c float64) perceptron.Hyperplanes {
	low := perceptron.Hyperplane{Bias: c * h.Bias}
	for _, v := range h.Weights {
		low.Weights = append(low.Weights, c*v)
	}
	return perceptron.Hyperplanes{Classes: []int{-1, +1}, Planes: []perceptron.Hyperplane{low, h}}
}

// checkGamma fails unless γ is at most the least difference of scores over ‖W‖, and less by fewer
// units. It compares squares that keep the sign. Products that vanish beside R only widen the
// bounds.
func checkGamma(t *testing.T, gamma float64, h perceptron.Hyperplanes, X [][]float64, y []int, s perceptron.Space, units int) {
	t.Helper()
	var least *big.Rat
	square := new(big.Rat)
	for _, p := range h.Planes {
		square.Add(square, naive.RatDot(vectorIn(p, s), vectorIn(p, s)))
	}
	for i, z := range homogeneous(X, s) {
		own := naive.RatDot(vectorIn(h.Planes[slices.Index(h.Classes, y[i])], s), z)
		for c, p := range h.Planes {
			ahead := new(big.Rat).Sub(own, naive.RatDot(vectorIn(p, s), z))
			if h.Classes[c] != y[i] && (least == nil || ahead.Cmp(least) < 0) {
				least = ahead
			}
		}
	}
	exact := signedSquare(least)
	exact.Quo(exact, square)
	if signedSquare(naive.Rat(gamma)).Cmp(exact) > 0 {
		t.Fatalf("%v of %v: γ = %v is above the exact value %v / √%v", h, X, gamma, least, square)
	}
	vanishing := units > 1 && math.Abs(gamma) <= 1e-250*must(perceptron.Radius(X, s))(t)
	if signedSquare(naive.Rat(up(gamma, units))).Cmp(exact) <= 0 && !vanishing {
		t.Fatalf("%v of %v: γ = %v is %d units below the exact value %v / √%v", h, X, gamma, units, least, square)
	}
}

func signedSquare(v *big.Rat) *big.Rat { return naive.RatMul(v, new(big.Rat).Abs(v)) }

// mixed draws magnitudes from all of float64's range.
func mixed(r *rand.Rand, n int) []float64 {
	v := make([]float64, n)
	for j := range v {
		v[j] = math.Ldexp(r.NormFloat64(), r.IntN(2040)-1040)
	}
	return v
}

// TestGammaExact: where no sum is rounded, γ is the largest float64 that is not above the exact
// value. Gamma is MulticlassGamma where the other hyperplane is zero.
func TestGammaExact(t *testing.T) {
	X, y := [][]float64{{1, 0}, {3, 5}, {-2, 1}}, []int{+1, +1, -1}
	check := func(h perceptron.Hyperplanes, X [][]float64, y []int) {
		for s := range perceptron.Linear + 1 {
			if s == perceptron.Affine || !slices.ContainsFunc(h.Planes, func(p perceptron.Hyperplane) bool { return p.Bias != 0 }) {
				checkGamma(t, must(perceptron.MulticlassGamma(h, X, y, s))(t), h, X, y, s, 1)
			}
		}
	}
	for _, w := range [][]float64{{1, 0, 0}, {-2, 0, 0}, {3, 4, 0}, {0, 0, 2}, {0x1p-1000, 0, 0}, {0x1p1000, 0, 0}} {
		h := planeOf(w, 2)
		check(withOpposite(h, 0), X, y)
		diff(t, "Gamma", must(perceptron.Gamma(h, X, y, perceptron.Affine))(t), must(perceptron.MulticlassGamma(withOpposite(h, 0), X, y, perceptron.Affine))(t))
	}
	for _, w := range [][9]float64{
		{1, 0, 0, 0, 1, 0, -1, -1, 0},  // least 1, ‖W‖ = 2
		{1, 0, 0, 0, 0, 0, 0, 0, 0},    // the last two tie
		{-1, 0, 0, 0, 1, 0, -1, -1, 0}, // row 0: −1 against 0
		{1, 0, 0, 0, 1, 0, 1, 1, 0},    // row 2: −7 against −3
		{1, 0, 2, 0, 1, 1, -1, -1, 0},  // row 1: 3 against 2
		{1, 0, 1, 0, 1, -2, -1, -1, 0}, // row 1: 0 against 1
		{0, 0, 3, 0, 0, 0, 0, 0, 4},    // row 1: 0 against 4
		{0x1p1000, 0, 0, 0, 0x1p1000, 0, -0x1p1000, -0x1p1000, 0},
		{0x1p-1000, 0, 0, 0, 0x1p-1000, 0, -0x1p-1000, -0x1p-1000, 0},
	} {
		h := perceptron.Hyperplanes{Classes: []int{2, 5, 9}, Planes: []perceptron.Hyperplane{planeOf(w[:3], 2), planeOf(w[3:6], 2), planeOf(w[6:], 2)}}
		check(h, [][]float64{{1, 0}, {0, 2}, {-3, -4}}, h.Classes)
	}
	for _, c := range [][2][]float64{{{0x1p1000, -0x1p-100}, {0x1p-800, 0x1p380}}, {{0, 0x1p399}, {0x1p1000, 0x1.8p-61}}} {
		h, rows := perceptron.Hyperplane{Weights: c[0]}, c[1:]
		checkGamma(t, must(perceptron.Gamma(h, rows, []int{1}, perceptron.Linear))(t), withOpposite(h, 0), rows, []int{1}, perceptron.Linear, 8)
	}
}

// TestMulticlassGammaKesler: γ is what Gamma returns for Kesler's construction, and at
// most the margin of the data, which Separate's hyperplane has.
func TestMulticlassGammaKesler(t *testing.T) {
	for seed := range uint64(8) {
		s, k := perceptron.Space(seed%2), 3+int(seed%3)
		set := naive.Multi(seed, 20, 6, k)
		h := drawPlanes(rand.New(rand.NewPCG(seed, 7)), k, 6, 0, s)
		h.Classes = slices.Sorted(slices.Values(set.Y[:k]))
		near := func(want float64) {
			t.Helper()
			if got := must(perceptron.MulticlassGamma(h, set.X, set.Y, s))(t); math.Abs(got-want) > 1e-12*math.Abs(want) {
				t.Errorf("seed %d: γ = %v, want %v", seed, got, want)
			}
		}
		var stacked perceptron.Hyperplane // of all classes, in Linear space
		for _, p := range h.Planes {
			stacked.Weights = append(stacked.Weights, vectorIn(p, s)...)
		}
		rows := keslerRows(set, s)
		near(must(perceptron.Gamma(stacked, rows.X, rows.Y, perceptron.Linear))(t))
		sep := must(perceptron.Separate(rows.X, rows.Y, perceptron.Linear))(t)
		width := len(stacked.Weights) / k
		for c := range h.Planes {
			h.Planes[c] = planeOf(append(slices.Clone(sep.Hyperplane.Weights[c*width:][:width]), 0), 6)
		}
		if sep.Lower <= 0 {
			t.Fatalf("seed %d: the set is not separable, so the test shows little", seed)
		}
		near(sep.Lower)
	}
}

// TestDeviations compares D and L with the formula in float64.
func TestDeviations(t *testing.T) {
	set := naive.Noisy(3, 30, 4)
	h := perceptron.Hyperplane{Weights: []float64{3, 0, 4, 0}, Bias: 12}
	for _, s := range []perceptron.Space{perceptron.Affine, perceptron.Linear} {
		length := 13.0
		if s == perceptron.Linear {
			h.Bias, length = 0, 5
		}
		for _, gamma := range []float64{0, 0.5, 3} {
			var squares, sum float64
			for i, x := range set.X {
				short := max(0, gamma-float64(set.Y[i])*must(h.Score(x))(t)/length)
				squares += short * short
				sum += short
			}
			got := must(deviations(h, set.X, set.Y, s, gamma))(t)
			for k, want := range []float64{math.Sqrt(squares), sum} {
				if math.Abs(got[k]-want) > 1e-14*want {
					t.Errorf("γ = %v: %v, want %v", gamma, got[k], want)
				}
			}
		}
	}
}

// TestDeviationsUp: in one dimension D² and L are exact in rationals. The results are not below the
// exact ones, and only a few units above them, even if γ, the rows and the shortfalls have very
// different sizes.
func TestDeviationsUp(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 8))
	for i := range 400 {
		e := []int{0, 0, 0, 300, -300, -1070, 1000}[i%7]
		x := make([]float64, 1+r.IntN(4))
		for i := range x {
			x[i] = math.Ldexp(r.NormFloat64(), e+r.IntN(3))
		}
		checkDeviations(t, math.Ldexp(math.Abs(r.NormFloat64()), e)*float64(r.IntN(3))/2, 8, x...)
	}
	checkDeviations(t, 2, 1, 1, -2, 5)
	checkDeviations(t, 0x1p600, 0, 0x1p600, -0x1p600)
	checkDeviations(t, 0x1p-664, 2, 0, 0, 0, 0)         // a tiny γ beside no rows
	checkDeviations(t, 0x1p-664, 2, 1, 0, 0, 1, 0, 0)   // beside rows near 1
	checkDeviations(t, 0x1p-664, 2, 0x1p830, 0)         // beside rows near 10²⁵⁰
	checkDeviations(t, 0x1p-664, 2, -0x3p830, -0x4p830) // rows near 10²⁵⁰ fall short
	checkDeviations(t, 0, 2, 0x1p830, -0x1p-664)        // a tiny row falls short
	checkDeviations(t, 0.5, 0, 1, 2)                    // none falls short
}

// checkDeviations compares D and L of rows of one feature, every second one with the label −1.
func checkDeviations(t *testing.T, gamma float64, units int, x ...float64) {
	t.Helper()
	var X [][]float64
	var y []int
	squares, sum := new(big.Rat), new(big.Rat)
	for i, v := range x {
		sign := 1 - 2*(i%2)
		X, y = append(X, []float64{v * float64(sign)}), append(y, sign)
		if short := new(big.Rat).Sub(naive.Rat(gamma), naive.Rat(v)); short.Sign() > 0 {
			squares.Add(squares, naive.RatSquare(short))
			sum.Add(sum, short)
		}
	}
	got := must(deviations(perceptron.Hyperplane{Weights: []float64{1}}, X, y, perceptron.Linear, gamma))(t)
	D, L := got[0], got[1]
	less := func(v float64) *big.Rat {
		for range units {
			v = max(0, below(v))
		}
		return naive.Rat(v)
	}
	if naive.RatSquare(naive.Rat(D)).Cmp(squares) < 0 || naive.Rat(L).Cmp(sum) < 0 || naive.RatSquare(less(D)).Cmp(squares) > 0 || less(L).Cmp(sum) > 0 {
		t.Fatalf("rows %v, γ = %v: D = %v, L = %v; exactly √%v and %v", x, gamma, D, L, squares, sum)
	}
}
