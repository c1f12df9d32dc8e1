package vec

import "math"

// A sparse vector of n elements has the element x[k] at index at[k], and 0 elsewhere. Its indexes
// ascend.

// DotSparse returns [Dot] of w and a sparse vector, bit for bit: the products of its zeros would
// add ±0 to a lane, which changes no bit. It returns NaN if the vector is not valid: if at
// and x differ in length, if at does not ascend, or if an index is len(w) or more. It takes
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

// SquareSparse returns [Dot] of a sparse vector of n elements and itself, bit for bit.
func SquareSparse(n int, at []uint32, x []float64) float64 {
	return sumSparse(n, at, x, func(k int, _ uint32) float64 { return x[k] })
}

// The k vectors of a model may be side by side in a slice m: m[j·k + c] is element j of vector c.
// A strided vector w is the part of m from the first to the last element of one vector: its
// element j is w[j·k], and k is the stride.

// Gather appends to dst the elements of a strided vector at the indexes, and then its last element.
func Gather(dst, w []float64, stride int, at []uint32) []float64 {
	for _, j := range at {
		dst = append(dst, w[int(j)*stride])
	}
	return append(dst, w[len(w)-1])
}

// Scatter sets what Gather reads: the elements of a strided vector at the indexes, and its last
// element.
func Scatter(w []float64, stride int, at []uint32, from []float64) {
	for k, v := range from[:len(at)] {
		w[int(at[k])*stride] = v
	}
	w[len(w)-1] = from[len(at)]
}

// Join returns k vectors side by side: element j of vectors[c] becomes element j·k + c.
func Join(vectors [][]float64) []float64 {
	k, n := len(vectors), len(vectors[0])
	m := make([]float64, n*k)
	for j := range n {
		row := m[j*k:][:k]
		for c, v := range vectors {
			row[c] = v[j]
		}
	}
	return m
}

// Split returns the k vectors that are side by side in m.
func Split(m []float64, k int) [][]float64 {
	n := len(m) / k
	vectors := make([][]float64, k)
	for c := range vectors {
		vectors[c] = make([]float64, n)
	}
	for j := range n {
		row := m[j*k:][:k]
		for c, v := range vectors {
			v[j] = row[c]
		}
	}
	return vectors
}

// SparseDots returns the dot products of a sparse vector with k vectors side by side, without their
// last elements. Each has the bits of [DotSparse]. SparseDots writes to scratch, and replaces it if
// it is too short. The result is valid until the next call with the same scratch. SparseDots takes
// O(k·len(x)).
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
