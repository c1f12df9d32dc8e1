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

func dotKernel(a, b []float64) float64 {
	if len(a) != len(b) {
		return math.NaN()
	}
	if kernel == neon {
		return dotNEON(unsafe.SliceData(a), unsafe.SliceData(b), len(a))
	}
	return dotGeneric(a, b)
}

func axpyKernel(dst, w []float64, c float64, x []float64) bool {
	if kernel == neon {
		return axpyNEON(unsafe.SliceData(dst), unsafe.SliceData(w), c, unsafe.SliceData(x), len(x))
	}
	return axpyGeneric(dst, w, c, x)
}

// dots5Kernel computes one dot product after another: the registers hold the 32
// lanes of one sum and its factors, and no more.
func dots5Kernel(out *[5]float64, x []float64, w *[5][]float64, _ []float64) {
	if kernel != neon {
		dots5Generic(out, x, w)
		return
	}
	for i, v := range w {
		out[i] = dotNEON(unsafe.SliceData(x), unsafe.SliceData(v), len(x))
	}
}

func prefetchKernel(x []float64) { prefetchLines(unsafe.SliceData(x), len(x)) }

// dotNEON returns ⟨a, b⟩, for the n elements at a and b:
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
func dotNEON(a, b *float64, n int) float64

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

// prefetchLines prefetches each cache line of the n elements at p, and one if n is 0.
// Prefetching never faults, whatever the address:
//
//	prefetch(&p[0])
//	for i := 8; i < n; i += 8 {
//		prefetch(&p[i])
//	}
//
//go:noescape
func prefetchLines(p *float64, n int)
