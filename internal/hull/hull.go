// Package hull finds the point of a convex hull that is nearest the origin.
//
// The convex hull of points z₁ … zₙ has all points Σλᵢzᵢ with λ ≥ 0 and Σλᵢ = 1. The one
// nearest the origin, p, is the only one with ⟨p, zᵢ⟩ ≥ ‖p‖² for every i. If p ≠ 0, take the
// plane through the origin at right angles to p: all zᵢ are on one side of it, at a distance of
// at least ‖p‖, and no plane through the origin has a larger distance. If p = 0, no plane has
// all zᵢ strictly on one side (Gordan 1873).
package hull

import (
	"cmp"
	"iter"
	"math"
	"slices"

	"perceptron/internal/exact"
)

// Approach yields points that approach the point of the hull of p that is nearest the origin. It yields
// a point whenever the total work has about doubled. The last point is as near as rounding permits, and
// is yielded with true. p has at least one point, with at least one coordinate. longest is finite,
// positive and at least the length of each point. Approach does not change or keep the rows. The
// last bits of the points may differ between dense rows and the same rows in sparse form.
//
// Approach has two methods. Let n rows of d coordinates have s points in the support. An active set
// uses O(s² + sd + n) memory, and makes a small multiple of s steps of O(s² + sd). It makes a pass over
// all rows for every step, or for up to eight steps together. A descent uses O(n + d) memory beside the
// rows, and reads the busy rows some hundreds or thousands of times. Approach tries a descent first if
// s²d may be much larger than the number of non-zeros. If the descent proves slow, Approach starts
// again with an active set.
func Approach(p Points, longest float64) iter.Seq2[Point, bool] {
	return func(yield func(p Point, last bool) bool) {
		all, shown, direction, score := p.pass(), 0.0, []exact.Double(nil), math.Inf(-1)
		if exact.PowerScale(longest) == 1 && p.wide(all) {
			p = p.compact()
			d := newDescent(p)
			if d.run(longest, yield) {
				return
			}
			shown, direction, score = d.work, d.best, d.bestScore
		}
		s := newSearch(p, longest)
		s.all, s.best, s.bestScore = all, direction, score*s.scale[0]*s.scale[1]
		for !s.step() {
			if !s.vanished() && s.work >= 2*shown {
				if shown = s.work; !yield(s.point(s.w), false) {
					return
				}
			}
		}
		yield(s.point(s.best), true)
	}
}

// wide reports whether a descent may be faster than an active set. all is the work of a pass over the
// rows.
func (p *Points) wide(all float64) bool {
	n, dims := float64(len(p.X)), float64(p.dims())
	s := min(n, dims)
	return n*dims > cheapPass && s*s*dims > 256*all
}

// run makes sweeps until the bracket of ‖p‖ is narrow, or until it finds a few rows whose hull contains
// 0. It yields points meanwhile, and ends if yield returns false. It reports false if it gives up
// because the descent is slow.
func (d *descent) run(longest float64, yield func(p Point, last bool) bool) (done bool) {
	shown := 16 * d.all
	for n := 1; ; n++ {
		for range d.sweeps {
			d.sweep()
		}
		d.pass()
		if n >= leapless {
			d.leap()
			d.pass()
		}
		if n == 1 && d.width >= 1 {
			if q, ok := d.opposite(); ok {
				yield(q, true)
				return true
			}
		}
		switch {
		case d.width <= narrow || d.upper <= negligibleLength*longest:
			yield(d.point(), true)
			return true
		case d.slow():
			return false
		case d.width <= d.settles:
			d.settle()
		case d.width >= 1 && n&(n-1) == 0:
			if q, ok := d.contradiction(longest); ok {
				yield(q, true)
				return true
			}
		}
		if d.work >= 2*shown {
			if shown = d.work; !yield(d.point(), false) {
				return true
			}
		}
	}
}

// narrow is the relative width of a bracket at which a descent ends.
const narrow = 0x1p-50

// leapless is the number of the first round of run with a leap. In earlier rounds, the support is far
// too large for one.
const leapless = 4

// negligibleLength is a share of the longest point's length. If ‖p‖ is at most this share, p may be 0,
// because rounding errors alone can have this length.
const negligibleLength = 0x1p-50

// slow reports whether an active set that began now would probably end before the descent. It assumes
// that the width of the bracket shrinks by a constant factor for each unit of work.
func (d *descent) slow() bool {
	if !(d.width < math.Inf(1)) {
		return true // something has overflowed
	}
	active := activeWork(min(d.support, d.dims()+1), d.dims()) + float64(d.support)*d.all/4
	if d.work < d.patient*active {
		return false
	}
	_, e := math.Frexp(d.width) // not a logarithm, which machines may round differently
	return d.work > max(1, d.patient)*active || e >= 0 || d.work*50/float64(-e) > active
}

// activeWork estimates the work of the active-set search until its support has s rows.
func activeWork(s, dims int) float64 { return float64(dims) * float64(s) * float64(2*s+50) }

// contradiction selects the rows whose α has grown most since the last call, and reports whether 0 is
// in their hull. If so, q is a combination of these rows that is 0 up to rounding. The number of rows
// is limited, so that the search takes less work than the descent so far. run calls contradiction only
// if the last w does not separate.
func (d *descent) contradiction(longest float64) (q Point, ok bool) {
	grown, rows := make([]float64, len(d.before)), make([]int, 0, len(d.before))
	for i, was := range d.before {
		d.before[i] = d.alpha(i)
		if grown[i] = d.before[i] - was; grown[i] > 0 {
			rows = append(rows, i)
		}
	}
	slices.SortFunc(rows, func(a, b int) int { return cmp.Compare(grown[b], grown[a]) })
	most := 0
	for k := 1; k <= len(rows) && float64(64*k*k)*float64(k) <= d.work; k++ {
		most = k
	}
	rows = rows[:most]
	d.work += 10 * d.all
	if len(rows) == 0 {
		return q, false
	}
	some := d.among(rows)
	s := newSearch(some, longest)
	s.all = some.pass()
	for !s.step() && !(s.least > 0) { // if s.least > 0, a plane separates these rows
	}
	d.work += s.work
	q = s.point(s.best)
	q.Direction = d.point().Direction
	for k, i := range q.Support {
		q.Support[k] = rows[i]
	}
	return q, s.vanished()
}
