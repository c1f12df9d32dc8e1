package perceptron

import (
	"math"

	"perceptron/internal/vec"
)

// A Separation tells whether a hyperplane separates the rows, and how widely, with
// what proves it: anybody can check every number from the data alone, as Verify
// does. See [Separate].
type Separation struct {
	Space        Space
	Separable    bool       // a hyperplane with Lower > 0 was found
	Hyperplane   Hyperplane // the best found; never all zero
	Lower, Upper float64    // Lower ≤ γ ≤ Upper, rounding accounted for; both are finite
	Radius       float64    // R, as the function Radius returns it
	Multipliers  []float64  // λ ≥ 0, one a row: ‖Σ λᵢyᵢxᵢ‖/Σλᵢ ≤ Upper; the proof of Upper
}

// Separate finds the hyperplane with the largest margin
//
//	γ = max over w of min yᵢ⟨w, xᵢ⟩/‖w‖
//
// through the origin, or in Affine space with (x, 1) for x and (w, b) for w; or the
// proof that none separates the rows. Its Hyperplane has margin Lower, as [Gamma]
// tells it, and its Multipliers λ prove that no hyperplane has more than Upper:
//
//	min yᵢ⟨w, xᵢ⟩ ≤ Σλᵢyᵢ⟨w, xᵢ⟩/Σλᵢ ≤ ‖w‖·‖Σλᵢyᵢxᵢ‖/Σλᵢ.
//
// Where the rows are separable, the two meet (duality), in the point of the convex
// hull of the yᵢxᵢ nearest the origin. Few rows carry it, no more than a w has
// coordinates: the support vectors, those with λᵢ > 0. Where they are not, 0 is in
// the hull (Gordan 1873): Σλᵢyᵢxᵢ = 0 for at most one row more, and these contradict
// each other. Upper is then at the level of rounding beside R, and Lower the best
// margin met on the way, at most 0.
//
// Both bounds hold with all rounding counted, whatever the search did: hyperplane and
// multipliers are rounded to float64 first, and then evaluated anew. Sums are taken
// in pairs of float64s, what a pair cannot hold is added up and taken off Lower or
// added to Upper, and each root and quotient is rounded outwards. So Separable is a
// proof. That it is false says that no separating hyperplane was found, and Upper
// what margin one could have at most: where γ/R is below about 10⁻¹⁵ its weights
// may be beyond float64, and the bracket is all that there is.
//
// The search is the active-set method of Lawson & Hanson (1974), or Wolfe's (1976),
// with QR factors that are updated, in double-double arithmetic: features of very
// different size keep their digits. No feature is scaled by another factor than the
// rest, since γ depends on them. The search ends when no row is below the nearest
// point, to a part in 10¹⁵, or when a step gains nothing, which only rounding can
// cause. What is left of (Upper − Lower)/Upper is near 10⁻¹⁵, or up to about
// 10⁻¹⁶·R/γ where the weights suffer from being rounded to float64.
//
// It takes O(d² + n) memory beside the data, and O(ds) time a step for s support
// vectors; the steps are few times s, and a look at all the rows, O(nd), serves up to
// eight of them. 10,000 rows of 784 features with 272 support vectors take about a
// second, 200,000 of 500 with 501 a minute. The steps, O(ds²) in all, are what grows:
// beyond some thousand support vectors, a run of [Margin] and its Result.Upper
// bracket γ for less.
//
// It returns ErrEmpty, ErrDimension, ErrLabel and ErrNotFinite as [Online.Fit] does,
// ErrNotFinite also if R overflows, and ErrConfig for a Space that there is not. One
// class alone is legal.
func Separate(X [][]float64, y []int, s Space) (Separation, error) {
	if err := checkRows(X, y, 0); err != nil {
		return Separation{}, err
	}
	if err := checkBinary(y); err != nil {
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
	h := newNearest(X, y, s, R)
	h.solve()
	sep.Hyperplane = h.hyperplane()
	for k, i := range h.support {
		sep.Multipliers[i] = h.u[k].over(h.sum).hi
	}
	sep.bound(X, y, h.support)
	return sep, nil
}

// MistakeBound returns (R/Lower)² rounded up, which no run of [Online] from zero
// exceeds on the rows, in any order (Novikoff 1962); +Inf if they were not separated.
func (s Separation) MistakeBound() float64 { return MistakeBound(s.Radius, s.Lower) }

// bound evaluates the hyperplane and the multipliers. No row has more than R to
// either side of a hyperplane, so that ±R bound what overflows. The combination of
// the rows that the rounded multipliers make is a hyperplane too, and exact where
// float64 holds it: it may separate rows between which the search saw nothing.
func (s *Separation) bound(X [][]float64, y []int, support []int) {
	combined, length := s.combined(X, y, support)
	s.Upper = min(s.Radius, length)
	s.Lower = -s.Radius
	s.consider(s.Hyperplane, X, y)
	if s.Lower <= 0 {
		s.consider(combined, X, y)
	}
	s.Separable = s.Lower > 0
}

// consider takes h for the Hyperplane if it is no worse than Lower.
func (s *Separation) consider(h Hyperplane, X [][]float64, y []int) {
	if gamma, err := Gamma(h, X, y, s.Space); err == nil && gamma >= s.Lower {
		s.Hyperplane, s.Lower = h, gamma+0 // which makes −0 a plain 0
	}
}

// combined returns Σ λᵢyᵢxᵢ over the support, near enough, and ‖Σ λᵢyᵢxᵢ‖/Σλᵢ, rounded
// up.
func (s *Separation) combined(X [][]float64, y []int, support []int) (h Hyperplane, length float64) {
	d := len(X[0])
	w, bounds := make([]float64, d+1), make([]float64, d+1)
	for j := range d {
		w[j], bounds[j] = s.coordinate(y, support, func(i int) float64 { return X[i][j] })
	}
	if s.Space == Affine {
		w[d], bounds[d] = s.coordinate(y, support, func(int) float64 { return 1 })
	}
	var sum enclosure
	for _, i := range support {
		sum.add(s.Multipliers[i])
	}
	scale := powerScale(vec.Largest(bounds))
	length = exactDot(bounds, scale, bounds, scale).sqrtUp()
	return Hyperplane{w[:d:d], w[d]}, unscaledUp(divideUp(length, sum.lower()), scale)
}

// coordinate returns Σ λᵢyᵢxᵢ for one coordinate of the rows, rounded, and what its
// magnitude is at most.
func (s *Separation) coordinate(y, support []int, x func(i int) float64) (v, bound float64) {
	var top float64
	for _, i := range support {
		top = max(top, math.Abs(x(i)))
	}
	scale := powerScale(top)
	var e enclosure
	for _, i := range support {
		e.addProduct(float64(y[i])*s.Multipliers[i], 1, x(i), scale)
	}
	return e.hi / scale, unscaledUp(max(e.upper(), e.negated().upper()), scale)
}
