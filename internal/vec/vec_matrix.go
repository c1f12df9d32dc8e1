package vec

import "math"

// SparseDots returns the dot products of a sparse vector with k vectors side by side, without their
// last elements. Each has the bits of [DotSparse]. The result is valid until the next call with this
// scratch, which is replaced where it is too short. SparseDots takes O(k·len(x)).
func SparseDots(scratch *[]float64, m []float64, k int, at []uint32, x []float64) []float64 {
	if len(*scratch) < 40*k {
		*scratch = make([]float64, 40*k)
	}
	lanes, last := (*scratch)[:32*k], (*scratch)[32*k:40*k]
	whole, ok := split(len(m)/k-1, at, x)
	if !ok {
		for c := range k {
			last[c] = math.NaN()
		}
		return last[:k]
	}
	clear(lanes)
	addRows(lanes, m, k, at[:whole], x, 31) // step 1 of Dot's order
	for q := range last {                   // step 2
		last[q] = (lanes[q] + lanes[q+8*k]) + (lanes[q+16*k] + lanes[q+24*k])
	}
	addRows(last, m, k, at[whole:], x[whole:], 7) // step 3
	for c := range k {                            // step 4
		v := last[c:]
		v[0] = ((v[0] + v[4*k]) + (v[2*k] + v[6*k])) + ((v[k] + v[5*k]) + (v[3*k] + v[7*k]))
	}
	return last[:k]
}

// split returns how many elements of a sparse vector of n elements belong to step 1 of Dot's order,
// and whether the vector is valid.
func split(n int, at []uint32, x []float64) (whole int, ok bool) {
	next := uint64(0)
	for _, j := range at {
		if uint64(j) < next {
			return 0, false
		}
		if next = uint64(j) + 1; next <= uint64(n)&^31 {
			whole++
		}
	}
	return whole, len(at) == len(x) && next <= uint64(n)
}
