// Package hull finds the point of a convex hull that is nearest the origin.
//
// The hull is that of points z₁ … zₙ. Its nearest point p = Σλᵢzᵢ, with λ ≥ 0 and
// Σλᵢ = 1, is the only one with ⟨p, zᵢ⟩ ≥ ‖p‖² for every i. If p ≠ 0, the plane
// through the origin at right angles to p has all points on one side, at the
// distance ‖p‖ or more, and no plane has them farther away. If p = 0, no plane has
// all points strictly on one side (Gordan 1873).
package hull

import "perceptron/internal/exact"

// A Point of the hull is Σλᵢzᵢ.
type Point struct {
	// Support lists the points with λᵢ > 0, in the order in which the search met
	// them. There are no more than coordinates plus one.
	Support []int
	// Lambda has λᵢ for each point in Support.
	Lambda []float64
	// Direction has length 1, to rounding. Of all vectors that the search met, it
	// has the largest min ⟨Direction, zᵢ⟩. If 0 is not in the hull, it is p/‖p‖, to
	// rounding.
	Direction []float64
}

// Nearest returns the point of the hull nearest the origin. longest is finite,
// positive and at least the length of every point. It fixes the scale of the
// computation only. There is at least one point, and it has coordinates.
//
// Nearest does not modify or retain the rows. Beside them it uses O(s² + sd + n)
// memory for n rows of d coordinates and s support points. A step takes O(s² + sd)
// time, in float64 if s is large. There are few times s steps, and a pass over all
// rows, O(nd), serves up to eight. A support whose points are too close to dependent
// needs double-double throughout, which takes about ten times as long.
func Nearest(p Points, longest float64) Point {
	s := newSearch(p, longest)
	s.run()
	return s.point()
}

func (s *search) point() Point {
	length := exact.Dot(s.best, s.best).Root()
	return Point{s.support, quotients(s.u, s.sum), quotients(s.best, length)}
}

// quotients returns v/by, rounded.
func quotients(v []exact.Double, by exact.Double) []float64 {
	q := make([]float64, len(v))
	for j, x := range v {
		q[j] = x.Over(by).Hi
	}
	return q
}
