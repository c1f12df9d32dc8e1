//go:build !purego

package vec

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

// dots5Kernel is five dots: NEON's registers hold no more than one sum of 32 lanes
// and its factors.
func dots5Kernel(out *[5]float64, x []float64, w *[5][]float64, _ []float64) {
	if kernel != neon {
		dots5Generic(out, x, w)
		return
	}
	for i, v := range w {
		out[i] = dotNEON(unsafe.SliceData(x), unsafe.SliceData(v), len(x))
	}
}

func prefetchKernel(x []float64) {
	if kernel == neon {
		prefetchLines(unsafe.SliceData(x), len(x))
	}
}

//go:noescape
func dotNEON(a, b *float64, n int) float64

//go:noescape
func axpyNEON(dst, w *float64, c float64, x *float64, n int) bool

//go:noescape
func prefetchLines(p *float64, n int)
