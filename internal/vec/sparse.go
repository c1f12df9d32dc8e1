package vec

import "math"

// A sparse vector of n elements has the element x[k] at index at[k], and 0 elsewhere. Its indexes
// ascend. It sees another vector w through a window: the elements of w at its indexes, in their
// order. All arithmetic on a sparse vector is that of the vectors above on x and the window, which
// have len(x) elements. So a sparse vector gives the bits of the vector without its zeros, and not
// those of the vector with them: with the zeros, Dot adds in another order.

// DotSparse returns [Dot] of x and the window of w at the indexes at. It returns NaN if the sparse
// vector is not valid: if at and x differ in length, if an index is len(w) or more, or if at does not
// ascend. It takes O(len(x)) and allocates nothing.
func DotSparse(w []float64, at []uint32, x []float64) float64 {
	if len(at) != len(x) {
		return math.NaN()
	}
	return dotSparse(w, at, x)
}

// AddSparse adds c·x to w at the indexes, and reports whether every sum is finite. Each product is
// rounded before it is added. The sparse vector is valid: otherwise AddSparse panics at the first index
// beyond w, after it has changed elements before that index, and never changes anything outside w.
func AddSparse(w []float64, at []uint32, c float64, x []float64) bool {
	x = x[:len(at)]
	largest := uint64(0) // of the sums' bits, without their signs
	for k, j := range at {
		s := w[j] + float64(c*x[k])
		w[j], largest = s, max(largest, math.Float64bits(s)<<1)
	}
	return largest < math.Float64bits(math.Inf(1))<<1
}

// DotMeans is [DotSparse] of the vector of means, whose element j is [Mean] of elements j of w, sum and low,
// and of n. These are strided vectors, as below. It computes only the means at the indexes.
func DotMeans(w, sum, low []float64, stride int, n float64, at []uint32, x []float64) float64 {
	if len(at) != len(x) || !ascends(at) {
		return math.NaN()
	}
	const most = 128
	if z := len(at); stride > 1 && z <= most { // copies, because the kernel has no stride
		var copies [3][most]float64
		var order [most]uint32
		for k, j := range at {
			i := uint64(j) * uint64(stride)
			if i >= uint64(len(w)) {
				return math.NaN()
			}
			order[k], copies[0][k], copies[1][k], copies[2][k] = uint32(k), w[i], sum[i], low[i]
		}
		return dotMeans(copies[0][:z], copies[1][:z], copies[2][:z], n, order[:z], x)
	}
	if stride > 1 {
		return dotMeansGeneric(w, sum, low, stride, n, at, x)
	}
	return dotMeans(w, sum[:len(w)], low[:len(w)], n, at, x)
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

// Scatter stores what Gather has read: the last element of from in the vector's last element, and the others
// at the indexes.
func Scatter(w []float64, stride int, at []uint32, from []float64) {
	for k, v := range from[:len(at)] {
		w[int(at[k])*stride] = v
	}
	w[len(w)-1] = from[len(at)]
}

// SparseScores sets scores[i] to ⟨w, x⟩ + b for the sparse vector (at, x), where (w, b) is vector
// first + i of the k vectors side by side in m. The product is [DotSparse]. If the sparse vector is not
// valid, all scores are NaN. SparseScores takes O(len(x)) for each score, and allocates nothing.
func SparseScores(scores, m []float64, first, k int, at []uint32, x []float64) {
	if len(at) != len(x) || !ascends(at) {
		for c := range scores {
			scores[c] = math.NaN()
		}
		return
	}
	sparseScores(scores, m, first, k, len(m)/k-1, at, x)
}

// ascends reports whether the indexes ascend.
func ascends(at []uint32) bool {
	next := uint64(0)
	for _, j := range at {
		if uint64(j) < next {
			return false
		}
		next = uint64(j) + 1
	}
	return true
}
