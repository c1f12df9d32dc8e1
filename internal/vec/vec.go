// Package vec has the loops in which training spends its time.
//
// Some know vectors of float64s alone: [Dot], [Axpy], [Accumulate] and [Norm], and for sparse
// vectors [DotSparse] and [SparseDots]. Others know the rule of a perceptron too, because for rows
// of few elements score, comparison and update are one loop in registers: a [Lesson] shows labelled
// rows to one vector, and [Classes] has a vector for each class label, and finds the next row that
// these vectors, scored together, have wrong.
//
// The same input bits give the same output bits on every machine, with every
// kernel: generic Go, AVX2, AVX-512 and NEON. So the order in which [Dot] adds is
// part of its contract, and no product is fused with an addition, except to find its
// rounding error. A NaN may have any payload.
//
// The build tag purego selects the generic Go alone. The files are:
//
//	vec.go          products and sums of vectors, and of a block; norm.go and finite.go: of one vector
//	vec_block.go    a block: four rows that are multiplied with many vectors
//	vec_classes.go  the vectors of several classes; vec_scan.go: the next row that they have wrong
//	vec_lesson.go   labelled rows and a rule; vec_learn.go: one vector learns them
//	vec_sparse.go   sparse vectors, and vectors side by side
//	vec_generic.go  the kernels in Go; the files of a processor call those in assembly
package vec

import "unsafe"

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
	return dotKernel(a, b, nil) // dotKernel checks the lengths, so that the compiler can inline Dot
}

// dotFetch returns Dot(a, b). Meanwhile the processor may request the elements of next into its
// second cache. next is nil or has the length of a. dotFetch does not read its elements.
func dotFetch(a, b, next []float64) float64 { return dotKernel(a, b, unsafe.SliceData(next)) }

// Axpy sets dst = w + c·x, each product rounded before it is added, and reports
// whether every element of dst is finite. dst may be w. Axpy panics if the
// lengths differ. It takes O(n) and allocates nothing.
func Axpy(dst, w []float64, c float64, x []float64) bool {
	if len(dst) != len(x) || len(w) != len(x) {
		panic("vec: Axpy of different lengths")
	}
	return axpyKernel(dst, w, c, x)
}

// dots returns the dot products of the rows x with the vectors: that of x[j] with the k-th vector
// is element blockRows·k + j, and has the bits of [Dot]. The result is valid until the next call.
// dots panics if a row has another length than the vectors. It takes O(n·k) for k vectors of n
// elements.
//
// Meanwhile the processor may fetch the rows next, of the same length, into its second cache. dots
// does not read them. next may be nil.
func (b *block) dots(x, next *[blockRows][]float64) []float64 {
	for _, row := range x {
		if len(row) != b.n {
			panic("vec: rows of other lengths than the vectors")
		}
	}
	blockKernel(b, x, next)
	return b.sums[:blockRows*b.k]
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
