package vec

import (
	"math"
	"sync"
)

// A sparse vector of n elements has the element x[k] at index at[k], and 0 elsewhere. Its indexes
// ascend.

// DotSparse returns [Dot] of w and a sparse vector, bit for bit, if w is finite: in Dot, the
// vector's zeros would add ±0 to a lane, which changes no bit. DotSparse returns NaN if the
// vector is not valid: if at and x differ in length, if at does not ascend, or if an index is
// len(w) or more. It takes O(len(x)) and allocates nothing.
func DotSparse(w []float64, at []uint32, x []float64) float64 { return dotAt(w, at, x, 0) }

// The elements of wide sparse vectors may be renumbered, so that w needs memory only for indexes that
// occur. Index j gets a place p in w with p mod 32 = j mod 32. The last indexes, whose products step 3
// of Dot's order adds, get the last places. A row lists its places in the order of its indexes, so
// the places need not ascend. Thus every lane adds the same products in the same order as before.

// DotPlaces is [DotSparse] of a renumbered vector: at has places, which need not ascend.
func DotPlaces(w []float64, at []uint32, x []float64) float64 { return dotAt(w, at, x, -1) }

// dotAt is DotSparse if unordered is 0, and DotPlaces if it is −1. With −1, last stays −1, so that any
// order of the indexes is accepted.
func dotAt(w []float64, at []uint32, x []float64, unordered int) float64 {
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
		last = j | unordered
	}
	v := l.fold()
	for ; k < len(at); k++ { // step 3
		j := int(at[k])
		if j <= last || j >= len(w) {
			return math.NaN()
		}
		v[j&7] += float64(w[j] * x[k])
		last = j | unordered
	}
	return v.sum()
}

// SquareSparse returns [Dot] of a sparse vector of n elements and itself, bit for bit.
func SquareSparse(n int, at []uint32, x []float64) float64 {
	return sumSparse(n, at, x, true, func(k int, _ uint32) float64 { return x[k] })
}

// NormSparse returns [Norm] of a sparse vector of n elements, bit for bit.
func NormSparse(n int, at []uint32, x []float64) float64 {
	return math.Ldexp(scaledNorm(SquareSparse(n, at, x), x))
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

// Scatter sets the elements that Gather reads: it copies from, except its last element, to the
// elements of a strided vector at the indexes, and the last element of from to the vector's last.
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

// mostScores is the largest number of scores that SparseScores computes at once. It is so small that
// their lanes stay in the first-level cache.
const mostScores = 24

// lanesOfScores has arrays for SparseScores. It spares SparseScores the zeroing of a whole new array.
var lanesOfScores = sync.Pool{New: func() any { return new([40 * mostScores]float64) }}

// SparseScores sets scores[i] to ⟨w, x⟩ + b for the sparse vector (at, x), where (w, b) is vector
// first + i of the k vectors side by side in m. The product has the bits of [DotSparse], or of
// [DotPlaces] if ordered is false. If ordered is true and the sparse vector is not valid, all scores
// are NaN. If ordered is false, the caller ensures that the places are valid. SparseScores takes
// O(len(x)) for each score. It allocates only if lanesOfScores is empty.
func SparseScores(scores, m []float64, first, k int, at []uint32, x []float64, ordered bool) {
	d := len(m)/k - 1
	whole, ok := inLanes(d, at, x, ordered)
	memory := lanesOfScores.Get().(*[40 * mostScores]float64)
	for ok && len(scores) > 0 {
		n := min(len(scores), mostScores)
		lanes, last := memory[:32*n], memory[32*n:40*n]
		clear(lanes)
		addRows(lanes, m[first:], n, k, at[:whole], x, 31)       // step 1 of Dot's order
		foldRows(lanes, last)                                    // step 2
		addRows(last, m[first:], n, k, at[whole:], x[whole:], 7) // step 3
		for c, b := range m[k*d+first:][:n] {                    // step 4
			v := last[c:]
			scores[c] = ((v[0] + v[4*n]) + (v[2*n] + v[6*n])) + ((v[n] + v[5*n]) + (v[3*n] + v[7*n])) + b
		}
		scores, first = scores[n:], first+n
	}
	lanesOfScores.Put(memory)
	for c := range scores {
		scores[c] = math.NaN()
	}
}
