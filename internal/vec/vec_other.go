//go:build (!amd64 && !arm64) || purego

package vec

import "math"

// Here the generic kernels are the only ones.

func dotKernel(a, b []float64) float64 {
	if len(a) != len(b) {
		return math.NaN()
	}
	return dotGeneric(a, b)
}

func axpyKernel(dst, w []float64, c float64, x []float64) bool { return axpyGeneric(dst, w, c, x) }

func dots5Kernel(out *[5]float64, x []float64, w *[5][]float64, _ []float64) {
	dots5Generic(out, x, w)
}

func prefetchKernel([]float64) {}
