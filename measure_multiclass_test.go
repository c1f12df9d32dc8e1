package perceptron

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"perceptron/internal/naive"
)

// checkMulticlassGamma compares the least difference of scores, over ‖W‖, with γ through
// squares that keep the sign. It returns γ.
func checkMulticlassGamma(t *testing.T, h []Hyperplane, classes []int, X [][]float64, y []int, s Space) float64 {
	t.Helper()
	gamma, err := MulticlassGamma(Hyperplanes{classes, h}, X, y, s)
	if err != nil {
		t.Fatal(err)
	}
	length := new(big.Rat)
	for _, p := range h {
		length.Add(length, ratDot(p.vector(s), p.vector(s)))
	}
	var least *big.Rat
	for i, z := range homogeneous(X, s) {
		own := ratDot(h[slices.Index(classes, y[i])].vector(s), z)
		for c, p := range h {
			ahead := new(big.Rat).Sub(own, ratDot(p.vector(s), z))
			if classes[c] != y[i] && (least == nil || ahead.Cmp(least) < 0) {
				least = ahead
			}
		}
	}
	checkQuotient(t, gamma, least, length, must(Radius(X, s))(t))
	return gamma
}

// vector returns (w, b), or w in Linear space.
func (h Hyperplane) vector(s Space) []float64 {
	if s == Linear {
		return h.Weights
	}
	return append(slices.Clone(h.Weights), h.Bias)
}

// drawPlanes draws k hyperplanes with magnitudes around 10ᵉ, and ascending classes.
func drawPlanes(r *rand.Rand, k, d, e int, s Space) (h []Hyperplane, classes []int) {
	for c := range k {
		p := Hyperplane{Weights: scaled(r, 1, d, e, 1)[0]}
		if s == Affine {
			p.Bias = r.NormFloat64()
		}
		h, classes = append(h, p), append(classes, []int{-300, -1, 0, 7, 1 << 30}[c])
	}
	return h, classes
}

// predicted returns the class with the highest score.
func predicted(t *testing.T, h []Hyperplane, classes []int, x []float64) int {
	best, high := 0, math.Inf(-1)
	for c, p := range h {
		if s := must(p.Score(x))(t); s > high {
			best, high = c, s
		}
	}
	return classes[best]
}

// TestMulticlassGamma compares MulticlassGamma with exact arithmetic: it is never above, and near.
func TestMulticlassGamma(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 6))
	positive := 0
	for range Share(24) {
		for _, e := range []int{0, 0, 2, -2, 140, -140, 290, -290} {
			for _, s := range []Space{Affine, Linear} {
				d, k := 1+r.IntN(12), 2+r.IntN(4)
				h, classes := drawPlanes(r, k, d, []int{0, -e, -e / 2}[r.IntN(3)], s)
				X := scaled(r, 1+r.IntN(5), d, e, 2)
				y := make([]int, len(X))
				for i, x := range X {
					if y[i] = predicted(t, h, classes, x); r.IntN(12) == 0 {
						y[i] = classes[r.IntN(k)]
					}
				}
				if checkMulticlassGamma(t, h, classes, X, y, s) > 0 {
					positive++
				}
			}
		}
	}
	if positive < Share(100) || positive > Share(340) {
		t.Errorf("%d of %d margins are positive, so one sign is hardly tested", positive, Share(384))
	}
}

// TestMulticlassGammaMixed: one set has magnitudes from all of float64's range. MulticlassGamma is
// never above the exact value, since a false sign would be a false proof.
func TestMulticlassGammaMixed(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 6))
	checked := 0
	for i := range Share(500) {
		s, d := Space(i%2), 1+r.IntN(3)
		h, classes := drawPlanes(r, 2+r.IntN(3), d, 0, s)
		for c := range h {
			h[c].Weights = mixed(r, d)
			if s == Affine {
				h[c].Bias = mixed(r, 1)[0]
			}
		}
		X := [][]float64{mixed(r, d)}
		for c := range classes {
			if _, err := MulticlassGamma(Hyperplanes{classes, h}, X, classes[c:c+1], s); err == nil { // else it overflows
				checkMulticlassGamma(t, h, classes, X, classes[c:c+1], s)
				checked++
			}
		}
	}
	if checked < Share(1000) {
		t.Errorf("only %d margins are finite", checked)
	}
}

func TestMulticlassGammaExact(t *testing.T) {
	X, y := [][]float64{{1, 0}, {0, 2}, {-3, -4}}, []int{2, 5, 9}
	planes := func(w ...float64) (h []Hyperplane) {
		for c := 0; c < len(w); c += 3 {
			h = append(h, Hyperplane{w[c : c+2], w[c+2]})
		}
		return h
	}
	for _, c := range []struct {
		h    []Hyperplane
		s    Space
		want float64
	}{
		{planes(1, 0, 0, 0, 1, 0, -1, -1, 0), Linear, 1.0 / 2}, // least 1, ‖W‖ = 2
		{planes(1, 0, 0, 0, 1, 0, -1, -1, 0), Affine, 1.0 / 2},
		{planes(1, 0, 0, 0, 0, 0, 0, 0, 0), Linear, 0},                  // the last two tie
		{planes(-1, 0, 0, 0, 1, 0, -1, -1, 0), Linear, -1.0 / 2},        // row 0: −1 against 0
		{planes(1, 0, 0, 0, 1, 0, 1, 1, 0), Linear, -4.0 / 2},           // row 2: −7 against −3
		{planes(1, 0, 2, 0, 1, 1, -1, -1, 0), Affine, 1.0 / 3},          // row 1: 3 against 2
		{planes(1, 0, 1, 0, 1, -2, -1, -1, 0), Affine, below(-1.0 / 3)}, // row 1: 0 against 1
		{planes(0, 0, 3, 0, 0, 0, 0, 0, 4), Affine, -4.0 / 5},           // row 1: 0 against 4
		{planes(0x1p1000, 0, 0, 0, 0x1p1000, 0, -0x1p1000, -0x1p1000, 0), Linear, 1.0 / 2},
		{planes(0x1p-1000, 0, 0, 0, 0x1p-1000, 0, -0x1p-1000, -0x1p-1000, 0), Linear, 1.0 / 2},
	} {
		got := must(MulticlassGamma(Hyperplanes{[]int{2, 5, 9}, c.h}, X, y, c.s))(t)
		if got != c.want {
			t.Errorf("MulticlassGamma(%v, %v) = %v, want %v", c.h, c.s, got, c.want)
		}
	}
}

// keslerRows returns the vectors z of all rows and rivals in Linear space, where one
// hyperplane stacks those of all classes.
func keslerRows(h []Hyperplane, classes []int, set naive.Set, s Space) (stacked Hyperplane, Z [][]float64) {
	for _, p := range h {
		stacked.Weights = append(stacked.Weights, p.vector(s)...)
	}
	for i, x := range homogeneous(set.X, s) {
		for r, class := range classes {
			if class == set.Y[i] {
				continue
			}
			z := make([]float64, len(stacked.Weights))
			for j, v := range x {
				z[slices.Index(classes, set.Y[i])*len(x)+j], z[r*len(x)+j] = v, -v
			}
			Z = append(Z, z)
		}
	}
	return stacked, Z
}

// TestMulticlassGammaKesler: γ is what Gamma returns for Kesler's construction, and at
// most the margin of the data, which Separate's hyperplane has.
func TestMulticlassGammaKesler(t *testing.T) {
	for seed := range uint64(8) {
		s, k := Space(seed%2), 3+int(seed%3)
		set := naive.Multi(seed, 20, 6, k)
		classes := slices.Sorted(slices.Values(set.Y[:k]))
		h, _ := drawPlanes(rand.New(rand.NewPCG(seed, 7)), k, 6, 0, s)
		one, Z := keslerRows(h, classes, set, s)
		signs := slices.Repeat([]int{1}, len(Z))
		near := func(got, want float64) {
			t.Helper()
			if math.Abs(got-want) > 1e-12*math.Abs(want) {
				t.Errorf("seed %d: γ = %v, want %v", seed, got, want)
			}
		}
		near(must(MulticlassGamma(Hyperplanes{classes, h}, set.X, set.Y, s))(t), must(Gamma(one, Z, signs, Linear))(t))
		sep := must(Separate(Z, signs, Linear))(t)
		width := len(one.Weights) / k
		for c := range h {
			h[c] = Hyperplane{Weights: sep.Hyperplane.Weights[c*width:][:6]}
			if s == Affine {
				h[c].Bias = sep.Hyperplane.Weights[c*width+6]
			}
		}
		if sep.Lower <= 0 {
			t.Fatalf("seed %d: the set is not separable, so the test shows little", seed)
		}
		near(must(MulticlassGamma(Hyperplanes{classes, h}, set.X, set.Y, s))(t), sep.Lower)
	}
}

// TestMulticlassGammaBinary: for two classes γ is √2 times the γ of Gamma.
func TestMulticlassGammaBinary(t *testing.T) {
	r := rand.New(rand.NewPCG(24, 6))
	for i := range 100 {
		set, s := naive.Noisy(uint64(i), 1+r.IntN(3), 4), Space(i%2)
		h := Hyperplane{Weights: naive.Gaussian(r, 4)}
		if s == Affine {
			h.Bias = r.NormFloat64()
		}
		opposite := Hyperplane{make([]float64, 4), -h.Bias}
		for j, v := range h.Weights {
			opposite.Weights[j] = -v
		}
		want := math.Sqrt2 * must(Gamma(h, set.X, set.Y, s))(t)
		got := must(MulticlassGamma(Hyperplanes{[]int{-1, +1}, []Hyperplane{opposite, h}}, set.X, set.Y, s))(t)
		if math.Abs(got-want) > 8*0x1p-53*math.Abs(want) {
			t.Errorf("set %d: γ = %v, want √2·γ = %v", i, got, want)
		}
	}
}

// TestMulticlassGammaErrors: arguments that MulticlassGamma rejects.
func TestMulticlassGammaErrors(t *testing.T) {
	nan, top := math.NaN(), math.MaxFloat64
	X, y, two := [][]float64{{1, 2}, {3, 4}}, []int{7, 8}, []int{7, 8}
	plane := func(b float64, w ...float64) Hyperplane { return Hyperplane{w, b} }
	planes := func(h ...Hyperplane) []Hyperplane { return h }
	good := planes(plane(0, 1, 0), plane(0, 0, 1))
	for _, c := range []struct {
		h       []Hyperplane
		classes []int
		X       [][]float64
		y       []int
		s       Space
		want
	}{
		{good, []int{7}, X, y, Affine, want{ErrDimension, -1, "dimension mismatch: 2 hyperplanes, but 1 classes"}},
		{nil, two, X, y, Affine, want{ErrDimension, -1, "dimension mismatch: 0 hyperplanes, but 2 classes"}},
		{nil, nil, X, y, Affine, want{ErrUntrained, -1, "untrained model: no hyperplanes, or no weights in the first"}},
		{good[:1], []int{7}, X, y, Affine, want{ErrLabel, -1, "bad label: 7 is the only class, want at least two classes"}},
		{good, []int{8, 7}, X, y, Affine, want{ErrConfig, -1, "bad configuration: class 7 follows class 8, want ascending classes"}},
		{good, []int{7, 7}, X, y, Affine, want{ErrConfig, -1, "bad configuration: class 7 follows class 7, want ascending classes"}},
		{planes(plane(0), plane(0)), two, X, y, Affine, want{ErrUntrained, -1, "untrained model: no hyperplanes, or no weights in the first"}},
		{planes(plane(0, 1), plane(0, 1, 2)), two, X, y, Affine, want{ErrDimension, -1, "dimension mismatch: the hyperplane of class 8 has 2 weights, want 1"}},
		{planes(plane(0, 1, 2), plane(0, 1, nan)), two, X, y, Affine, want{ErrNotFinite, -1, "not finite: weight 1 is NaN, in the hyperplane of class 8"}},
		{planes(plane(-inf, 1, 2), good[0]), two, X, y, Affine, want{ErrNotFinite, -1, "not finite: the bias is -Inf, in the hyperplane of class 7"}},
		{planes(good[0], plane(1, 1, 2)), two, X, y, Linear, want{ErrConfig, -1, "bad configuration: the bias is 1 in Linear space, want 0, in the hyperplane of class 8"}},
		{planes(plane(0, 0, 0), plane(0, 0, 0)), two, X, y, Affine, want{ErrNotFinite, -1, "not finite: every hyperplane is all zero, and they have no margin"}},
		{good, two, nil, nil, Affine, want{ErrEmpty, -1, "empty: no rows"}},
		{good, two, X, y[:1], Affine, want{ErrDimension, -1, "dimension mismatch: len(X) is 2, but len(y) is 1"}},
		{good, two, [][]float64{{1, 2}, {}}, y, Affine, want{ErrEmpty, 1, "empty: the row has no features"}},
		{good, two, [][]float64{{1, 2}, {1}}, y, Affine, want{ErrDimension, 1, "dimension mismatch: width 1, want 2"}},
		{good, two, [][]float64{{1, 2, 3}, {1, 2, 3}}, y, Affine, want{ErrDimension, 0, "dimension mismatch: width 3, want 2"}},
		{good, two, [][]float64{{1, 2}, {1, inf}}, y, Affine, want{ErrNotFinite, 1, "not finite: feature 1 is +Inf"}},
		{good, two, X, []int{7, 9}, Affine, want{ErrLabel, 1, "bad label: 9, want one of the classes"}},
		{good, two, X, y, 2, want{ErrConfig, -1, "bad configuration: Space is 2, want one of Affine, Linear"}},
		{good, two, [][]float64{{-top, top}, {-top, top}}, y, Linear, want{ErrNotFinite, -1, "not finite: the margin overflows, though every feature is finite"}},
	} {
		gamma, err := MulticlassGamma(Hyperplanes{c.classes, c.h}, c.X, c.y, c.s)
		if c.check(t, err); gamma != 0 {
			t.Errorf("γ = %v beside %v", gamma, err)
		}
	}
	for _, h := range [][]Hyperplane{planes(plane(0, -1, 0), plane(0, 0, 0)), planes(plane(0, 0, 0), good[0])} {
		if gamma := must(MulticlassGamma(Hyperplanes{two, h}, X, []int{8, 8}, Linear))(t); gamma != 1 {
			t.Errorf("γ = %v with a hyperplane of zeros, want 1", gamma)
		}
	}
}
