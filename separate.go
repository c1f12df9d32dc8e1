package perceptron

import (
	"cmp"
	"fmt"
	"slices"

	"perceptron/internal/exact"
	"perceptron/internal/hull"
	"perceptron/internal/vec"
)

// A Separation says whether a hyperplane separates the rows, and how widely. It
// contains the proof: Verify checks every number from the data alone. See
// [Separate].
//
// Coq checks that what Verify accepts is true: verified_true, upper_bound,
// margin_upper_bound, margin_lower_bound and contradiction in proofs/Separation.v,
// and gordan in proofs/Gordan.v.
type Separation struct {
	Space Space
	// Separable: a hyperplane with Lower > 0 was found.
	Separable bool
	// Hyperplane is the best that was found. It is never all zero.
	Hyperplane Hyperplane
	// Lower ≤ γ ≤ Upper, with all rounding counted. Both are finite.
	Lower, Upper float64
	// Radius is R, as the function Radius returns it.
	Radius float64
	// Multipliers are λ ≥ 0, one for each row. They prove Upper:
	// ‖Σ λᵢyᵢxᵢ‖/Σλᵢ ≤ Upper.
	Multipliers []float64
}

// Separate finds the hyperplane with the largest margin
//
//	γ = max over w of min yᵢ⟨w, xᵢ⟩/‖w‖
//
// through the origin, or in Affine space with (x, 1) for x and (w, b) for w; or the
// proof that none separates the rows. Its Hyperplane has a margin of at least Lower.
// [Gamma] returns Lower for it, unless Lower = −R: then rounding can take Gamma below
// −R, or make it overflow. Its Multipliers λ prove that no hyperplane has a larger
// margin than Upper:
//
//	min yᵢ⟨w, xᵢ⟩ ≤ Σλᵢyᵢ⟨w, xᵢ⟩/Σλᵢ ≤ ‖w‖·‖Σλᵢyᵢxᵢ‖/Σλᵢ.
//
// If the rows are separable, the two meet (duality) in the point of the convex hull
// of the yᵢxᵢ nearest the origin. This point is a mixture of few rows, at most as many
// as w has coordinates: the support vectors, those with λᵢ > 0. If the rows are not
// separable, 0 is in the hull (Gordan 1873): Σλᵢyᵢxᵢ = 0 for at most one row more,
// and these rows contradict each other. Lower is then the best margin that the search
// met, at most 0.
//
// Both bounds hold with all rounding counted, whatever the search did. Hyperplane and
// multipliers are rounded to float64 first, and then evaluated anew. Sums are taken
// in pairs of float64s. What a pair cannot hold is added up, and then subtracted from
// Lower or added to Upper. Each root and quotient is rounded outwards.
//
// So Separable == true is a proof. Separable == false says that no separating
// hyperplane was found; no hyperplane has a margin above Upper. Upper = 0 proves that
// none separates the rows. Rounding the multipliers to float64 often leaves an
// Upper near 10⁻¹⁷R instead. Then the rows are not separable, or only by a margin of
// at most Upper. If γ is below about 10⁻¹⁵R, there may be no float64 weights that
// separate the rows, and Lower and Upper are all that is known.
//
// The search is the active-set method of Lawson & Hanson (1974), or Wolfe's (1976),
// with QR factors that are updated. Its answer is computed in double-double
// arithmetic, so features of very different size keep their digits. The factors of a
// large support are float64s, and the answer is refined from them (Björck 1967). If
// the rows are too close to dependent for that, they are double-double too. All
// rows are scaled by one common power of two, because γ depends on the scale of each
// feature. The search ends when every row satisfies ⟨p, yᵢxᵢ⟩ ≥ ‖p‖² for the nearest
// point p, to a part in 10¹⁵, or when a step gains nothing, which only rounding can
// cause. The remaining (Upper − Lower)/Upper is near 10⁻¹⁵, or up to
// about 10⁻¹⁶·R/γ if rounding the weights to float64 costs more. Below 10⁻³⁰⁷ float64 has
// fewer digits, and the bounds are rounded to multiples of 5·10⁻³²⁴. For such a γ they
// stay valid, but they may be some √d of these multiples farther apart.
//
// Separate takes O(s² + sd + n) memory beside the data, for s support vectors. A step
// takes O(s² + sd) time. The search needs about s steps, or a few times as
// many, so O(s²d) in all, about two nanoseconds for each unit of it. A refinement takes as long as about ten steps, and
// few are needed. A pass over all rows, O(nd), serves up to eight steps. Rows that
// need double-double factors take some ten times as long.
//
// 10,000 rows of 784 features with 272 support vectors take half a second. 2,000 rows
// of 5,000 features with 1,800 take 11 seconds, and 4,000 of 6,500 with 3,200 take 48.
// Beyond some thousand support vectors, a run of [Margin] and its Result.Upper bracket
// γ in less time.
//
// It returns ErrEmpty, ErrDimension, ErrLabel and ErrNotFinite as [Online.Fit] does,
// ErrNotFinite also if R overflows, and ErrConfig if s is neither Affine nor Linear.
// One class alone is legal.
func Separate(X [][]float64, y []int, s Space) (Separation, error) {
	if err := checkLabelled(X, y, 0, s); err != nil {
		return Separation{}, err
	}
	R, err := Radius(X, s)
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

// MistakeBound returns (R/Lower)², rounded up; +Inf if the rows were not separated.
// No run of [Online] from zero makes more mistakes on the rows, in any order
// (Novikoff 1962). It has the conditions of the function [MistakeBound].
// Coq checks this: verified_mistakes in proofs/Separation.v.
func (s Separation) MistakeBound() float64 { return MistakeBound(s.Radius, s.Lower) }

// planeOf returns the hyperplane of d weights whose coordinates are z.
func planeOf(z []float64, d int) Hyperplane { return Hyperplane{Weights: z[:d:d], Bias: z[d]} }

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
	for j, v := range []float64{s.Radius, s.Lower, s.Upper} {
		if !vec.IsFinite(v) {
			return fmt.Errorf("%w: %s is %v", ErrNotFinite, []string{"Radius", "Lower", "Upper"}[j], v)
		}
	}
	return nil
}
