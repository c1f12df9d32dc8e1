// Package hull finds the point of a convex hull that is nearest the origin.
//
// The convex hull of points z₁ … zₙ has all points Σλᵢzᵢ with λ ≥ 0 and Σλᵢ = 1. The one
// nearest the origin, p, is the only one with ⟨p, zᵢ⟩ ≥ ‖p‖² for every i. If p ≠ 0, take the
// plane through the origin at right angles to p: all zᵢ are on one side of it, at a distance of
// at least ‖p‖, and no plane through the origin has a larger distance. If p = 0, no plane has
// all zᵢ strictly on one side (Gordan 1873).
package hull

// A Point is the point Σλᵢzᵢ of a hull.
type Point struct {
	// Support has the indexes i with λᵢ > 0. An active set returns at most d + 1 of them, for points
	// of d coordinates. A descent may return more.
	Support []int
	// Lambda has λᵢ for each index in Support.
	Lambda []float64
	// Direction is a vector of length 1. If 0 is not in the hull, the Directions approach p/‖p‖, and
	// the last one is p/‖p‖ up to rounding. If 0 is in the hull, the last Direction has the largest
	// minimum of ⟨Direction, zᵢ⟩ over i that has been found.
	Direction []float64
}
