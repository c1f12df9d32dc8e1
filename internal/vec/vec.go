// Package vec computes with vectors of float64s: dot products, w + c·x and norms.
//
// The same input bits give the same output bits on every machine, with every
// kernel: generic Go, AVX2, AVX-512 and NEON. So the order in which [Dot] adds is
// part of its contract, and no product is fused with an addition. A NaN may have
// any payload.
//
// The build tag purego selects the generic Go alone.
package vec

// Dot returns ⟨a, b⟩. Slices of different lengths give NaN. So a caller that
// checks the result for a non-finite row needs no second check in its hot loop.
//
// Every product is rounded before it is added. The order of summation, with
// n = 32q + r, r < 32, is:
//
//  1. The first 32q products go to 32 lanes, the i-th to lane i mod 32.
//  2. The lanes are folded into 8: v[j] = (l[j] + l[j+8]) + (l[j+16] + l[j+24]).
//  3. The last r products go to the 8 lanes, the t-th of them to v[t mod 8].
//  4. The 8 lanes are folded: u[j] = v[j] + v[j+4], t[j] = u[j] + u[j+2],
//     and the sum is t[0] + t[1].
//
// So 32 lanes are four AVX-512, eight AVX2 or sixteen NEON registers, each step
// is whole registers, and a short row pays for 8 lanes only. A lane starts at
// +0 and so is never −0: adding a masked-out +0 to it changes no bit.
//
// Dot takes O(n) and allocates nothing.
func Dot(a, b []float64) float64 {
	return dotKernel(a, b) // which checks the lengths, so that Dot is inlined wherever it is called
}

// Axpy sets dst = w + c·x, each product rounded before it is added, and reports
// whether every element of dst is finite. dst may be w. Axpy panics if the
// lengths differ. It takes O(n) and allocates nothing.
func Axpy(dst, w []float64, c float64, x []float64) bool {
	if len(dst) != len(x) || len(w) != len(x) {
		panic("vec: Axpy of different lengths")
	}
	return axpyKernel(dst, w, c, x)
}

// Dots5 sets out to ⟨x, w[0]⟩, …, ⟨x, w[4]⟩, each as Dot computes it, and reads x
// once. It panics if the lengths differ. next is a hint: the processor may fetch
// it into its cache meanwhile.
func Dots5(out *[5]float64, x []float64, w *[5][]float64, next []float64) {
	for _, v := range w {
		if len(v) != len(x) {
			panic("vec: Dots5 of different lengths")
		}
	}
	dots5Kernel(out, x, w, next)
}

// Prefetch asks the processor to fetch x into its cache. It changes no result.
func Prefetch(x []float64) { prefetchKernel(x) }
