//go:build !purego

package vec

import (
	"math"
	"unsafe"
)

// A version is an implementation of the kernels. All versions give the same bits.
type version uint8

const (
	generic version = iota
	neon
)

// kernel is neon, which every arm64 supports. Tests set it to generic.
var kernel = neon

func dotKernel(a, b []float64, next *float64) float64 {
	if len(a) != len(b) {
		return math.NaN()
	}
	if kernel == neon {
		return dotNEON(unsafe.SliceData(a), unsafe.SliceData(b), len(a), next)
	}
	return dotGeneric(a, b)
}

func axpyKernel(dst, w []float64, c float64, x []float64) bool {
	if kernel == neon {
		return axpyNEON(unsafe.SliceData(dst), unsafe.SliceData(w), c, unsafe.SliceData(x), len(x))
	}
	return axpyGeneric(dst, w, c, x)
}

func accumulateKernel(dst, dstLow, sum, low []float64, c float64, v, w []float64) bool {
	if kernel == neon {
		return accumulateNEON(unsafe.SliceData(dst), unsafe.SliceData(dstLow),
			unsafe.SliceData(sum), unsafe.SliceData(low), unsafe.SliceData(v), unsafe.SliceData(w), c, len(w))
	}
	return accumulateGeneric(dst, dstLow, sum, low, c, v, w)
}

// dotNEON returns ⟨a, b⟩, for the n elements at a and b. While it computes, it prefetches the
// n elements at next, unless next is nil. A prefetch never faults, whatever the address. The
// sum is
//
//	for i := range n &^ 31 {
//		l[i%32] += float64(a[i] * b[i])
//	}
//	v := folded(l) // see Dot for the folds
//	for i := n &^ 31; i < n; i++ {
//		v[i%8] += float64(a[i] * b[i])
//	}
//	return sum(v)
//
//go:noescape
func dotNEON(a, b *float64, n int, next *float64) float64

// axpyNEON computes, for the n elements at dst, w and x:
//
//	var s float64
//	for i := range n {
//		dst[i] = w[i] + float64(c*x[i])
//		s += dst[i] - dst[i]
//	}
//	return s == 0
//
//go:noescape
func axpyNEON(dst, w *float64, c float64, x *float64, n int) bool

// accumulateNEON computes, for the n elements at each pointer:
//
//	var s float64
//	for i := range n {
//		d, f := exact.TwoSum(w[i], -v[i])
//		p := float64(c * d)
//		e := math.FMA(c, d, -p)
//		a, r := exact.TwoSum(sum[i], p)
//		dst[i], dstLow[i] = a, low[i]+((r+e)+float64(c*f))
//		s += dstLow[i] - dstLow[i]
//	}
//	return s == 0
//
//go:noescape
func accumulateNEON(dst, dstLow, sum, low, v, w *float64, c float64, n int) bool

// blockKernel multiplies two rows with two vectors at a time: the registers hold 8 lanes of each of
// the four sums. Each of the first four calls of blockNEON prefetches one row of next. If the number
// of vectors is odd, the last vector is multiplied twice.
func blockKernel(b *block, x, next *[blockRows][]float64) {
	if kernel == generic {
		blockGeneric(b, x)
		return
	}
	lanes := (*[64]float64)(b.lanes)
	for k := 0; k < b.k; k += 2 {
		w0, w1 := b.w[k], b.w[min(k+1, b.k-1)]
		for j := 0; j < blockRows; j += 2 {
			var fetch *float64
			if i := k + j/2; next != nil && i < len(next) {
				fetch = unsafe.SliceData(next[i])
			}
			blockNEON(&b.sums[blockRows*k+j], lanes, unsafe.SliceData(x[j]), unsafe.SliceData(x[j+1]), w0, w1, b.n, fetch)
		}
	}
}

// blockNEON computes the dot products of two rows and two vectors of n elements:
//
//	sums[0] = dotNEON(x0, w0, n, nil)
//	sums[1] = dotNEON(x1, w0, n, nil)
//	sums[4] = dotNEON(x0, w1, n, nil)
//	sums[5] = dotNEON(x1, w1, n, nil)
//
// lanes is for partial sums. Meanwhile the kernel prefetches the elements at next, unless
// next is nil.
//
//go:noescape
func blockNEON(sums *float64, lanes *[64]float64, x0, x1, w0, w1 *float64, n int, next *float64)

// scoresKernel sets c.scores to the scores of the row x with all vectors.
func scoresKernel(c *Classes, x []float64) {
	if len(x) != c.d {
		panic("vec: Scan of a row of another length")
	}
	scoresNEON(unsafe.SliceData(c.scores), unsafe.SliceData(c.w), unsafe.SliceData(x), c.d, c.groups)
}

// scoresNEON scores the d elements at x with vectors in groups of four:
//
//	for i := range 4 * groups {
//		scores[i] = dotNEON(w[i], x, d, nil) + b[i]
//	}
//
// The memory at w has 4·(d+1) numbers for each group: the first elements of its four vectors, then
// their second elements, and so on. The last four numbers are their biases b.
//
//go:noescape
func scoresNEON(scores, w, x *float64, d, groups int)

// learnKernel and scanKernel report that here no kernel does the whole loop of Learn or Scan.

func learnKernel(*Outcome, *Lesson, []float64, int, int) bool { return false }

func scanKernel(_ *Classes, _ *Lesson, pos, _ int) (next int, done bool) { return pos, false }

// groupOf returns the size of the groups that k vectors of d elements form. If k ≥ 2 and d ≤ 31, a
// group has four vectors, because four scores fill two registers. Reset pads the last group.
// Otherwise, and without NEON, each vector is a group.
func groupOf(k, d int) int {
	if kernel == neon && k > 1 && d <= 31 {
		return 4
	}
	return 1
}
