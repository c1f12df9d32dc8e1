//go:build (!amd64 && !arm64) || purego

package perceptron

func dotKernel(a, b []float64) float64 { return dotGeneric(a, b) }

func axpyKernel(dst, w []float64, c float64, x []float64) bool { return axpyGeneric(dst, w, c, x) }

func dots2x3Kernel(out *[6]float64, a0, a1, b0, b1, b2 []float64) {
	dots2x3Generic(out, a0, a1, b0, b1, b2)
}
