package perceptron

import (
	"math"
	"slices"
	"testing"

	"perceptron/internal/naive"
)

// tampered returns a changed deep copy of sep.
func tampered(sep Separation, change func(*Separation)) Separation {
	sep.Hyperplane = sep.Hyperplane.clone()
	sep.Multipliers = slices.Clone(sep.Multipliers)
	change(&sep)
	return sep
}

func above(v float64) float64 { return math.Nextafter(v, inf) }
func below(v float64) float64 { return math.Nextafter(v, -inf) }

// up moves v up by some units.
func up(v float64, units int) float64 {
	for range units {
		v = above(v)
	}
	return v
}

// certified has a certificate that float64 holds: γ = 1, R = 5.
var certified = naive.Set{Name: "certified", X: [][]float64{{3, 1}, {-3, 1}, {-4, -3}}, Y: []int{+1, +1, -1}}

const smaller = ", but the hyperplane has a smaller margin on the row"

// TestVerifyFalse changes one field at a time, most by the least that makes its claim
// false, or such that it is not about these rows. The error names the claim.
func TestVerifyFalse(t *testing.T) {
	sep := bracketed(t, certified, Linear, 0)
	same(t, "γ and R", []float64{sep.Lower, sep.Upper, sep.Radius}, []float64{1, 1, 5})
	nan := math.NaN()
	for _, c := range []struct {
		change func(*Separation)
		want
	}{
		{func(s *Separation) { s.Radius = below(5) }, want{ErrConfig, 2, "bad configuration: Radius is 4.999999999999999, but the row is longer"}},
		{func(s *Separation) { s.Radius = up(5, 5) }, want{ErrConfig, -1, "bad configuration: Radius is 5.000000000000004, but every row is shorter"}},
		{func(s *Separation) { s.Radius = -5 }, want{ErrConfig, 0, "bad configuration: Radius is -5, but the row is longer"}},
		{func(s *Separation) { s.Lower = above(1) }, want{ErrConfig, 0, "bad configuration: Lower is 1.0000000000000002" + smaller}},
		{func(s *Separation) { s.Hyperplane.Weights[0] = -0x1p-30 }, want{ErrConfig, 0, "bad configuration: Lower is 1" + smaller}},
		{func(s *Separation) { s.Hyperplane.Weights[0] = 0x1p-30 }, want{ErrConfig, 1, "bad configuration: Lower is 1" + smaller}},
		{func(s *Separation) { s.Hyperplane.Weights[1] *= -1 }, want{ErrConfig, 0, "bad configuration: Lower is 1" + smaller}},
		{func(s *Separation) { s.Upper = below(1) }, want{ErrConfig, -1, "bad configuration: Upper is 0.9999999999999999, but the Multipliers prove only a larger bound"}},
		{func(s *Separation) { s.Upper = -1 }, want{ErrConfig, -1, "bad configuration: Upper is -1, but…"}},
		{func(s *Separation) { s.Multipliers[0] += 0x1p-30 }, want{ErrConfig, -1, "bad configuration: Upper is 1, but…"}},
		{func(s *Separation) { s.Multipliers[1] = 0 }, want{ErrConfig, -1, "bad configuration: Upper is 1, but…"}},
		{func(s *Separation) { s.Multipliers[2] = 0x1p-30 }, want{ErrConfig, -1, "bad configuration: Upper is 1, but…"}},
		{func(s *Separation) { clear(s.Multipliers) }, want{ErrConfig, -1, "bad configuration: Upper is 1, but all Multipliers are 0"}},
		{func(s *Separation) { s.Separable = false }, want{ErrConfig, -1, "bad configuration: Separable is false, but Lower is 1"}},
		{func(s *Separation) { s.Space = Affine }, want{ErrConfig, 2, "bad configuration: Radius is 5, but the row is longer"}},
		{func(s *Separation) { s.Lower, s.Upper = 2, 0 }, want{ErrConfig, 0, "bad configuration: Lower is 2" + smaller}},

		// Fields that cannot be about such rows.
		{func(s *Separation) { *s = Separation{} }, want{ErrUntrained, -1, "untrained model: the hyperplane has no weights"}},
		{func(s *Separation) { s.Space = 2 }, want{ErrConfig, -1, "bad configuration: Space is 2, want one of Affine, Linear"}},
		{func(s *Separation) { s.Hyperplane.Bias = 1 }, want{ErrConfig, -1, "bad configuration: the bias is 1 in Linear space, want 0"}},
		{func(s *Separation) { s.Hyperplane.Bias = -1 }, want{ErrConfig, -1, "bad configuration: the bias is -1 in Linear space, want 0"}},
		{func(s *Separation) { s.Hyperplane.Weights[1] = nan }, want{ErrNotFinite, -1, "not finite: weight 1 is NaN"}},
		{func(s *Separation) { clear(s.Hyperplane.Weights) }, want{ErrNotFinite, -1, "not finite: the hyperplane is all zero and has no margin"}},
		{func(s *Separation) { s.Hyperplane.Weights = []float64{1} }, want{ErrDimension, -1, "dimension mismatch: Hyperplane has 1 weights, but the rows have 2 features"}},
		{func(s *Separation) { s.Multipliers = nil }, want{ErrDimension, -1, "dimension mismatch: 0 Multipliers, but 3 rows"}},
		{func(s *Separation) { s.Multipliers = append(s.Multipliers, 0) }, want{ErrDimension, -1, "dimension mismatch: 4 Multipliers, but 3 rows"}},
		{func(s *Separation) { s.Multipliers[2] = inf }, want{ErrNotFinite, -1, "not finite: multiplier 2 is +Inf"}},
		{func(s *Separation) { s.Multipliers[2] = -5e-324 }, want{ErrConfig, -1, "bad configuration: multiplier 2 is -5e-324, want at least 0"}},
		{func(s *Separation) { s.Radius = inf }, want{ErrNotFinite, -1, "not finite: Radius is +Inf"}},
		{func(s *Separation) { s.Lower = nan }, want{ErrNotFinite, -1, "not finite: Lower is NaN"}},
		{func(s *Separation) { s.Upper = inf }, want{ErrNotFinite, -1, "not finite: Upper is +Inf"}},
	} {
		c.check(t, tampered(sep, c.change).Verify(certified.X, certified.Y))
	}
	// The same certificate for other data.
	X := [][]float64{{3, 1}, {-3, 0.5}, {-4, -3}}
	want{ErrConfig, 1, "bad configuration: Lower is 1" + smaller}.check(t, sep.Verify(X, certified.Y))
	want{ErrConfig, 2, "bad configuration: Lower is 1" + smaller}.check(t, sep.Verify(certified.X, []int{+1, +1, +1}))
}

// TestVerifyTrue: other claims that are true too, or weaker.
func TestVerifyTrue(t *testing.T) {
	sep := bracketed(t, certified, Linear, 0)
	for name, change := range map[string]func(*Separation){
		"a smaller Lower":       func(s *Separation) { s.Lower = 0.5 },
		"a larger Upper":        func(s *Separation) { s.Upper = 3 },
		"R up by four units":    func(s *Separation) { s.Radius = up(5, 4) },
		"a longer normal":       func(s *Separation) { s.Hyperplane.Weights[1] *= 3 },
		"multipliers times 2":   func(s *Separation) { s.Multipliers[0] *= 2; s.Multipliers[1] *= 2 },
		"no claim to separable": func(s *Separation) { s.Lower, s.Separable = -1, false },
	} {
		same(t, name, tampered(sep, change).Verify(certified.X, certified.Y), nil)
	}
	// Not separable: Lower is negative.
	sep = contradictory(t, XOR, Affine)
	want{ErrConfig, -1, "bad configuration: Separable is true, but Lower is -…"}.check(t,
		tampered(sep, func(s *Separation) { s.Separable = true }).Verify(XOR.X, XOR.Y))
	want{ErrConfig, -1, "bad configuration: Upper is 0, but…"}.check(t,
		tampered(sep, func(s *Separation) { s.Multipliers[0] = above(s.Multipliers[0]) }).Verify(XOR.X, XOR.Y))
	want{ErrConfig, 2, "bad configuration: Lower is -0.707106781186547" + smaller}.check(t,
		tampered(sep, func(s *Separation) { s.Lower *= 1 - 1e-15 }).Verify(XOR.X, XOR.Y))
}
