// Package hull finds the point of a convex hull that is nearest the origin.
//
// The convex hull of points z₁ … zₙ has all points Σλᵢzᵢ with λ ≥ 0 and Σλᵢ = 1. The one
// nearest the origin, p, is the only one with ⟨p, zᵢ⟩ ≥ ‖p‖² for every i. If p ≠ 0, take the
// plane through the origin at right angles to p: all zᵢ are on one side of it, at a distance of
// at least ‖p‖, and no plane through the origin has a larger distance. If p = 0, no plane has
// all zᵢ strictly on one side (Gordan 1873).
package hull

import "perceptron/internal/exact"

// A Point is the point Σλᵢzᵢ of a hull.
type Point struct {
	// Support has the indexes i with λᵢ > 0, in the order in which the search found them. There
	// are at most as many as a point has coordinates, plus one.
	Support []int
	// Lambda has λᵢ for each index in Support.
	Lambda []float64
	// Direction is a vector of length 1. Of all those that the search has tried, it has the
	// largest minimum of ⟨Direction, zᵢ⟩ over i. If 0 is not in the hull, Direction is p/‖p‖, up to
	// rounding.
	Direction []float64
}

// Nearest returns the point of the hull of p that is nearest the origin. p has at least one point,
// with at least one coordinate. longest is finite, positive and at least the length of each point;
// the search scales the points by it.
//
// Nearest does not change or keep the rows. For n rows of d coordinates and s points in the support
// it uses O(s² + sd + n) memory. It makes a small multiple of s steps of O(s² + sd), and for up to
// eight steps together a pass over all rows, O(nd). If the support is large, the steps are in
// float64. If its points are nearly dependent, they are in double-double, which takes about ten
// times as long.
func Nearest(p Points, longest float64) Point {
	s := newSearch(p, longest)
	s.run()
	return s.point()
}

// point returns the point that the search has found.
func (s *search) point() Point {
	length := exact.Dot(s.best, s.best).Root()
	return Point{s.support, quotients(s.u, s.sum), quotients(s.best, length)}
}

// quotients returns v/by, rounded to float64.
func quotients(v []exact.Double, by exact.Double) []float64 {
	q := make([]float64, len(v))
	for j, x := range v {
		q[j] = x.Over(by).Hi
	}
	return q
}
