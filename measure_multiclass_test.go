package perceptron

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"perceptron/internal/naive"
)

// vector returns (w, b), or w in Linear space.
func (h Hyperplane) vector(s Space) []float64 {
	if s == Linear {
		return slices.Clone(h.Weights)
	}
	return vector(h)
}

// TestMulticlassGammaKesler: γ is what Gamma returns for Kesler's construction, and at
// most the margin of the data, which Separate's hyperplane has.
func TestMulticlassGammaKesler(t *testing.T) {
	for seed := range uint64(8) {
		s, k := Space(seed%2), 3+int(seed%3)
		set := naive.Multi(seed, 20, 6, k)
		h := drawPlanes(rand.New(rand.NewPCG(seed, 7)), k, 6, 0, s)
		h.Classes = slices.Sorted(slices.Values(set.Y[:k]))
		near := func(want float64) {
			t.Helper()
			if got := must(MulticlassGamma(h, set.X, set.Y, s))(t); math.Abs(got-want) > 1e-12*math.Abs(want) {
				t.Errorf("seed %d: γ = %v, want %v", seed, got, want)
			}
		}
		var stacked Hyperplane // of all classes, in Linear space
		for _, p := range h.Planes {
			stacked.Weights = append(stacked.Weights, p.vector(s)...)
		}
		rows := KeslerRows(set, s)
		near(must(Gamma(stacked, rows.X, rows.Y, Linear))(t))
		sep := must(Separate(rows.X, rows.Y, Linear))(t)
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

// TestMulticlassGammaBinary: for two classes γ is √2 times the γ of Gamma.
func TestMulticlassGammaBinary(t *testing.T) {
	r := rand.New(rand.NewPCG(24, 6))
	for i := range 100 {
		set, s := naive.Noisy(uint64(i), 1+r.IntN(3), 4), Space(i%2)
		h := drawPlanes(r, 1, 4, 0, s).Planes[0]
		want := math.Sqrt2 * must(Gamma(h, set.X, set.Y, s))(t)
		got := must(MulticlassGamma(withOpposite(h, -1), set.X, set.Y, s))(t)
		if math.Abs(got-want) > 8*0x1p-53*math.Abs(want) {
			t.Errorf("set %d: γ = %v, want √2·γ = %v", i, got, want)
		}
	}
}
