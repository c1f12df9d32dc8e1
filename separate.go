package perceptron

import (
	"cmp"
	"fmt"
	"slices"

	"perceptron/internal/exact"
	"perceptron/internal/hull"
	"perceptron/internal/vec"
)

// A Separation says whether a hyperplane separates the rows, and how widely: see [Separate]. It has
// the proof: Verify checks all numbers from the data alone. Saving and loading have the errors of
// [Hyperplane], and ErrConfig if fields contradict each other.
type Separation struct {
	Space        Space
	Separable    bool       // a hyperplane with Lower > 0 was found
	Hyperplane   Hyperplane // the best found, never all zero. Lower is its Gamma, or −R
	Lower, Upper float64    // Lower ≤ γ ≤ Upper, with all rounding counted. Both are finite
	Radius       float64    // R, as the function Radius returns it
	Multipliers  []float64  // λ ≥ 0, one for each row. They prove Upper: ‖Σ λᵢyᵢxᵢ‖/Σλᵢ ≤ Upper
}

// Separate finds the hyperplane with the largest margin
//
//	γ = max over w of min yᵢ⟨w, xᵢ⟩/‖w‖
//
// through the origin, or in Affine space with (x, 1) for x and (w, b) for w; or the proof that none
// separates the rows. Multipliers λ prove Upper:
//
//	min yᵢ⟨w, xᵢ⟩ ≤ Σλᵢyᵢ⟨w, xᵢ⟩/Σλᵢ ≤ ‖w‖·‖Σλᵢyᵢxᵢ‖/Σλᵢ.
//
// In Affine space this is not the hyperplane with the widest Euclidean margin. It comes close if
// all features are first multiplied by a small number, such as 10⁻⁴. If the rows are separable,
// Lower and Upper meet, but for rounding, and λ is positive for at most as many rows as w has
// coordinates, the support vectors. If they are not, Σλᵢyᵢxᵢ = 0 for a λ that is positive for at
// most one row more (Gordan 1873): these rows contradict each other.
//
// Both bounds hold with all rounding counted, so Separable == true is a proof. Separable == false
// says that no separating hyperplane was found: train a model instead. Upper = 0 proves that none
// exists, but is rare: rounding λ nearly always leaves an Upper below 10⁻¹⁶R. That proves that any
// separating hyperplane has a margin too small for training. For γ below 10⁻¹⁵R there may be no
// float64 weights that separate. For larger γ, (Upper − Lower)/Upper is near 10⁻¹⁵, but up to about
// 10⁻¹⁶·R/γ if rounding the weights costs more, and larger for γ below 10⁻³⁰⁷.
//
// The search is an active-set method (Lawson & Hanson 1974; Wolfe 1976). It takes O(s² + sd + n)
// memory for s support vectors, and about s steps, or a few times as many, of O(s² + sd) time. Up
// to eight steps share a pass over all rows, O(nd). Beyond some thousand support vectors, a run of
// [Margin] and its Result.Upper bracket γ in less time. It returns ErrEmpty, ErrDimension, ErrLabel
// and ErrNotFinite as [Online.Fit] does, ErrNotFinite also if R overflows, and ErrConfig if s is
// unknown. One class alone is legal.
func Separate(X [][]float64, y []int, s Space) (Separation, error) {
	if err := cmp.Or(checkRows(X, y, 0), checkSigns(y)); err != nil {
		return Separation{}, err
	}
	R, err := Radius(X, s) // which checks the features
	if err != nil {
		return Separation{}, err
	}
	sep := Separation{Space: s, Radius: R, Multipliers: make([]float64, len(X))}
	if R == 0 { // the margin of every hyperplane is 0, and each row proves it
		sep.Hyperplane.Weights = make([]float64, len(X[0]))
		sep.Hyperplane.Weights[0], sep.Multipliers[0] = 1, 1
		return sep, nil
	}
	p := hull.Nearest(hull.Points{X: X, Y: y, Ones: s == Affine}, R)
	w := append(p.Direction, 0) // in Linear space there is no bias
	sep.Hyperplane = planeOf(w, len(X[0]))
	for k, i := range p.Support {
		sep.Multipliers[i] = p.Lambda[k]
	}
	sep.evaluate(X, y, p.Support)
	return sep, nil
}

// MistakeBound bounds the mistakes of [Online] on the rows, as the function [MistakeBound] does
// from Radius and Lower. It is +Inf if Lower ≤ 0.
func (s Separation) MistakeBound() float64 { return MistakeBound(s.Radius, s.Lower) }

// evaluate computes Lower and Upper. No row is farther than R from a hyperplane on
// either side, so ±R replace what overflows.
//
// The combination of the rows by the rounded multipliers is a hyperplane too, and
// exact if float64 can hold it. It may separate rows that the search did not.
func (s *Separation) evaluate(X [][]float64, y []int, support []int) {
	combined, length := s.combine(X, y, support)
	s.Upper = min(s.Radius, length)
	s.Lower = -s.Radius
	s.improve(s.Hyperplane, X, y)
	if s.Lower <= 0 {
		s.improve(combined, X, y)
	}
	s.Separable = s.Lower > 0
}

// improve makes h the Hyperplane if its margin is at least Lower.
func (s *Separation) improve(h Hyperplane, X [][]float64, y []int) {
	if gamma, err := Gamma(h, X, y, s.Space); err == nil && gamma >= s.Lower {
		s.Hyperplane, s.Lower = h, gamma+0 // which makes −0 a plain 0
	}
}

// combine returns Σ λᵢyᵢxᵢ over the support, up to rounding, and ‖Σ λᵢyᵢxᵢ‖/Σλᵢ,
// rounded up.
func (s *Separation) combine(X [][]float64, y []int, support []int) (h Hyperplane, length float64) {
	d := len(X[0])
	z, bounds := make([]float64, d+1), make([]float64, d+1)
	signed := make([]float64, len(support)) // λᵢyᵢ
	var square, sum exact.Sum
	for k, i := range support {
		signed[k] = float64(y[i]) * s.Multipliers[i]
		sum.Add(s.Multipliers[i])
	}
	column := slices.Repeat([]float64{appended(s.Space)}, len(support))
	z[d], bounds[d] = coordinate(signed, column)
	for j := range d {
		for k, i := range support {
			column[k] = X[i][j]
		}
		z[j], bounds[j] = coordinate(signed, column)
	}
	scale := exact.PowerScale(vec.Largest(bounds))
	square.AddDot(bounds, scale, bounds, scale)
	length = exact.DivideUp(square.SqrtUp(), sum.Lower())
	return planeOf(z, d), exact.UnscaledUp(length, scale)
}

// coordinate returns ⟨signed, column⟩, rounded, and an upper bound on its magnitude.
func coordinate(signed, column []float64) (v, bound float64) {
	scale := exact.PowerScale(vec.Largest(column))
	var sum exact.Sum
	sum.AddDot(signed, 1, column, scale)
	return sum.Value() / scale, exact.UnscaledUp(max(sum.Upper(), sum.Negated().Upper()), scale)
}

// validate checks all that needs no data. Whether the claims are true only the data
// can show: see Verify.
func (s *Separation) validate() error {
	return cmp.Or(
		s.checkNumbers(),
		require(s.Radius >= 0, ErrConfig, "Radius is %v, want at least 0", s.Radius),
		require(s.Lower <= s.Upper, ErrConfig, "Lower is %v, more than Upper, %v", s.Lower, s.Upper),
		require(s.Separable == (s.Lower > 0), ErrConfig, "Separable is %v, but Lower is %v", s.Separable, s.Lower),
	)
}

// checkNumbers checks each field by itself.
func (s *Separation) checkNumbers() error {
	if err := cmp.Or(checkSpace(s.Space), s.Hyperplane.checkNumbers(s.Space)); err != nil {
		return err
	}
	for i, v := range s.Multipliers {
		switch {
		case !vec.IsFinite(v):
			return fmt.Errorf("%w: multiplier %d is %v", ErrNotFinite, i, v)
		case v < 0:
			return fmt.Errorf("%w: multiplier %d is %v, want at least 0", ErrConfig, i, v)
		}
	}
	return cmp.Or(
		require(vec.IsFinite(s.Radius), ErrNotFinite, "Radius is %v", s.Radius),
		require(vec.IsFinite(s.Lower), ErrNotFinite, "Lower is %v", s.Lower),
		require(vec.IsFinite(s.Upper), ErrNotFinite, "Upper is %v", s.Upper),
	)
}
