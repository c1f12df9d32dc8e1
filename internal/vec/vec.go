// Package vec computes with vectors of float64s: dot products, w + c·x and norms.
//
// The same input bits give the same output bits on every machine, with every
// kernel: generic Go, AVX2, AVX-512 and NEON. So the order in which [Dot] adds is
// part of its contract, and no product is fused with an addition, except to find its
// rounding error. A NaN may have any payload.
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
	return dotKernel(a, b) // which checks the lengths, so that Dot is inlined
}

// DotFetch returns Dot(a, b). Meanwhile the processor may fetch next, of the same length,
// into its second cache. It is a hint: DotFetch does not read it. If next is nil, nothing is
// fetched.
func DotFetch(a, b, next []float64) float64 { return dotFetchKernel(a, b, next) }

// Axpy sets dst = w + c·x, each product rounded before it is added, and reports
// whether every element of dst is finite. dst may be w. Axpy panics if the
// lengths differ. It takes O(n) and allocates nothing.
func Axpy(dst, w []float64, c float64, x []float64) bool {
	if len(dst) != len(x) || len(w) != len(x) {
		panic("vec: Axpy of different lengths")
	}
	return axpyKernel(dst, w, c, x)
}

// Dots returns the dot products of the rows x with the vectors: that of x[j] with
// the k-th vector is element BlockRows·k + j, and has the bits of [Dot]. The result is valid
// until the next call. Dots panics if a row has another length than the vectors.
//
// next is a hint: the processor may fetch these rows, of the same length, into its second
// cache meanwhile. It is not read, and may be nil.
//
// Dots takes O(n·k) for k vectors of n elements, and allocates nothing.
func (b *Block) Dots(x, next *[BlockRows][]float64) []float64 {
	if b.k == 0 {
		return nil
	}
	for _, row := range x {
		if len(row) != b.n {
			panic("vec: Dots of different lengths")
		}
	}
	blockKernel(b, x, next)
	return b.sums[:BlockRows*b.k]
}

// Accumulate adds c·(w − v) to a compensated sum. With d = w[i] − v[i] and p = c·d rounded,
// dst[i] is sum[i] + p rounded. dstLow[i] is low[i] + ((r + e) + c·f), where r, e and f are the
// rounding errors of dst[i], p and d. Where w[i] = v[i] the sum stays as it is, but a −0 becomes 0.
// Accumulate reports whether every element of dst and dstLow is finite. dst may be sum, and
// dstLow may be low. It panics if the lengths differ. It takes O(n) and allocates nothing.
func Accumulate(dst, dstLow, sum, low []float64, c float64, v, w []float64) bool {
	if n := len(w); len(dst) != n || len(dstLow) != n || len(sum) != n || len(low) != n || len(v) != n {
		panic("vec: Accumulate of different lengths")
	}
	return accumulateKernel(dst, dstLow, sum, low, c, v, w)
}

// SecondCache is the number of float64s that a processor's second cache holds.
const SecondCache = 1 << 17

// Ahead returns how many rows ahead a row of n elements should be requested. That is 16 KiB
// or more, so that the memory has time to answer, and at least four rows. But it is at most
// 1 MiB, or one row, so that a second cache still holds the row when it is needed.
func Ahead(n int) int { return max(1, min(4*(511/n+1), SecondCache/n)) }
