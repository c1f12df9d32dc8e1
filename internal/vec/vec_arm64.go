//go:build !purego

package vec

import (
	"math"
	"unsafe"
)

// A form is an implementation of the kernels. All forms give the same bits.
type form uint8

const (
	generic form = iota
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

// dotNEON returns ⟨a, b⟩, for the n elements at a and b. Meanwhile it prefetches the n
// elements at next, unless that is nil. Prefetching never faults, whatever the address:
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

// groupOf returns how many of k vectors of d elements are scored as one group: four short ones,
// whose scores fill two registers, else one.
func groupOf(k, d int) int {
	if kernel == neon && k > 1 && d <= 31 {
		return 4
	}
	return 1
}
