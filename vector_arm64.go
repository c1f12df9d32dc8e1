//go:build !purego

package perceptron

import "unsafe"

// A form is a way to compute the kernels, all to the same bits.
type form uint8

const (
	generic form = iota
	neon
)

// kernel is neon, which every arm64 has. Tests set it to generic.
var kernel = neon

func dotKernel(a, b []float64) float64 {
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

// dots2x3Kernel is six dots: a NEON core has too few registers to hold six sums
// of 32 lanes, and loads as fast as it multiplies.
func dots2x3Kernel(out *[6]float64, a0, a1, b0, b1, b2 []float64) {
	*out = [6]float64{
		dotKernel(a0, b0), dotKernel(a0, b1), dotKernel(a0, b2),
		dotKernel(a1, b0), dotKernel(a1, b1), dotKernel(a1, b2),
	}
}

//go:noescape
func dotNEON(a, b *float64, n int) float64

//go:noescape
func axpyNEON(dst, w *float64, c float64, x *float64, n int) bool
