package vec

import "math"

// A sparse vector of n elements has the element x[k] at index at[k], and 0 elsewhere. Its indexes
// ascend.

// DotSparse returns [Dot] of w and a sparse vector, bit for bit: the products of its zeros would add
// ±0 to a lane, which changes no bit. Like Dot, it returns NaN if the vector is none of len(w)
// elements: if at and x differ in length, or if at does not ascend or reaches len(w). It takes
// O(len(x)) and allocates nothing.
func DotSparse(w []float64, at []uint32, x []float64) float64 {
	if len(at) != len(x) {
		return math.NaN()
	}
	var l lanes
	k, last, whole := 0, -1, len(w)&^31
	for ; k < len(at); k++ { // step 1 of Dot's order
		j := int(at[k])
		if uint(j) >= uint(whole) {
			break
		}
		if j <= last {
			return math.NaN()
		}
		l[j&31] += float64(w[j] * x[k])
		last = j
	}
	v := l.fold()
	for ; k < len(at); k++ { // step 3
		j := int(at[k])
		if j <= last || j >= len(w) {
			return math.NaN()
		}
		v[j&7] += float64(w[j] * x[k])
		last = j
	}
	return v.sum()
}

// A SparseSum computes [DotSparse] of a vector of N elements in parts.
type SparseSum struct {
	N      int
	lanes  lanes
	last   lastLanes
	folded bool // whether lanes are in last
}

// Add adds the products of w[k] and x[k] at index at[k]. The indexes ascend from call to call, and
// are less than N.
func (s *SparseSum) Add(at []uint32, w, x []float64) {
	k, whole := 0, uint(s.N)&^31
	for ; k < len(at) && uint(at[k]) < whole; k++ {
		s.lanes[at[k]&31] += float64(w[k] * x[k])
	}
	if k == len(at) {
		return
	}
	s.fold()
	for ; k < len(at); k++ {
		s.last[at[k]&7] += float64(w[k] * x[k])
	}
}

func (s *SparseSum) fold() {
	if !s.folded {
		s.last, s.folded = s.lanes.fold(), true
	}
}

// Sum returns the sum.
func (s *SparseSum) Sum() float64 {
	s.fold()
	return s.last.sum()
}
