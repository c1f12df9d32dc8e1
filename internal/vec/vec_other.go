//go:build (!amd64 && !arm64) || purego

package vec

import "math"

// Here the generic kernels are the only ones.

func dotKernel(a, b []float64, _ *float64) float64 {
	if len(a) != len(b) {
		return math.NaN()
	}
	return dotGeneric(a, b)
}

func axpyKernel(dst, w []float64, c float64, x []float64) bool { return axpyGeneric(dst, w, c, x) }

func accumulateKernel(dst, dstLow, sum, low []float64, c float64, v, w []float64) bool {
	return accumulateGeneric(dst, dstLow, sum, low, c, v, w)
}

func blockKernel(b *block, x, _ *[blockRows][]float64) { blockGeneric(b, x) }

// groupOf returns the size of the groups.
func groupOf(_, _ int) int { return 1 }
