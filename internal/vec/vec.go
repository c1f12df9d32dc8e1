// Package vec has the loops in which training spends its time.
//
// Some need only vectors: [Dot], [Axpy], [Accumulate] and [Norm], and [DotSparse] and [SparseScores]
// for sparse vectors. Others also compare scores or update a perceptron, because for short rows one
// loop that keeps the vector in registers is fastest. [Lesson.Learn] trains one vector with labelled
// rows. [Classes.Scan] scores rows with the vectors of several classes, and finds the next row that
// may be wrong.
//
// The same input bits give the same output bits on every machine, with every kernel: generic Go,
// AVX2, AVX-512 and NEON. Only the payload of a NaN may differ. Therefore the order in which [Dot]
// adds is part of its contract. No product is fused with an addition, except to find its rounding
// error.
//
// The files are:
//
//	types.go    the types and their fields
//	vec.go      products, sums and norms of vectors
//	number.go   one number: whether it is finite, its sign, an element of the mean
//	sparse.go   sparse vectors, and vectors side by side
//	row.go      rows that are dense or sparse
//	block.go    four rows that are multiplied with many vectors together
//	lesson.go   labelled rows and a rule, to train one vector
//	classes.go  the vectors of several classes, and the search for a row that they have wrong
//	generic.go  the kernels in Go
//	kernels_*   the choice of a kernel, and the declarations of those in assembly
//	sparse_*    the same for sparse vectors, and requests of memory ahead of time
//	cpu_amd64   what the processor can do, and how it fetches rows
//
// The files that end in .s have the assembly, with macros in those that end in .h. The build tag
// purego leaves out all assembly.
package vec

import (
	"math"
	"unsafe"
)

// Dot returns ⟨a, b⟩, or NaN if the lengths differ. So a caller that checks whether the result is
// finite need not compare the lengths.
//
// Every product is rounded before it is added. The order of summation, with
// n = 32q + r, r < 32, is:
//
//  1. The first 32q products go to 32 lanes, the i-th to lane i mod 32.
//  2. The lanes are folded into 8: v[j] = (l[j] + l[j+8]) + (l[j+16] + l[j+24]).
//  3. The last r products go to the 8 lanes, the i-th of them to v[i mod 8].
//  4. The 8 lanes are folded: u[j] = v[j] + v[j+4], t[j] = u[j] + u[j+2],
//     and the sum is t[0] + t[1].
//
// The 32 lanes fill four AVX-512, eight AVX2 or sixteen NEON registers, and each step works on
// whole registers. A short row needs only 8 lanes. A lane starts at +0, so it is never −0.
// Therefore a kernel may add +0 to a lane after the last product: this changes no bit.
//
// Dot takes O(n) and allocates nothing.
func Dot(a, b []float64) float64 {
	return dotKernel(a, b, nil) // dotKernel checks the lengths, so that the compiler can inline Dot
}

// dotFetch returns Dot(a, b). While it computes, it may prefetch the elements of next into the
// second-level cache. next is nil or has the length of a.
func dotFetch(a, b, next []float64) float64 { return dotKernel(a, b, unsafe.SliceData(next)) }

// Axpy sets dst = w + c·x, and reports whether every element of dst is finite. Each product is
// rounded before it is added. dst may be w. Axpy panics if the lengths differ. It takes O(n) and
// allocates nothing.
func Axpy(dst, w []float64, c float64, x []float64) bool {
	if len(dst) != len(x) || len(w) != len(x) {
		panic("vec: Axpy of different lengths")
	}
	return axpyKernel(dst, w, c, x)
}

// Accumulate adds c·(w − v) to a compensated sum. With d = w[i] − v[i] and p = c·d rounded,
// dst[i] is sum[i] + p rounded. dstLow[i] is low[i] + ((r + e) + c·f), where r, e and f are the
// rounding errors of dst[i], p and d. Where w[i] = v[i], the sum keeps its value, but −0 may become 0.
// Accumulate reports whether every element of dst and dstLow is finite. dst may be sum, and
// dstLow may be low. It panics if the lengths differ. It takes O(n) and allocates nothing.
func Accumulate(dst, dstLow, sum, low []float64, c float64, v, w []float64) bool {
	if n := len(w); len(dst) != n || len(dstLow) != n || len(sum) != n || len(low) != n || len(v) != n {
		panic("vec: Accumulate of different lengths")
	}
	return accumulateKernel(dst, dstLow, sum, low, c, v, w)
}

// Norm returns ‖v‖ = √⟨v, v⟩ up to rounding, even if ⟨v, v⟩ overflows or underflows.
func Norm(v []float64) float64 {
	m, e := ScaledNorm(v)
	return math.Ldexp(m, e)
}

// ScaledNorm returns ‖v‖ as m·2ᵉ up to rounding, even if ‖v‖ overflows. If an element is infinite
// or NaN, m is infinite or NaN.
//
// If ‖v‖² is far from 1, ScaledNorm first scales v by a power of two, which rounds only
// elements that are too small to matter. Then it adds the squares in plain order.
func ScaledNorm(v []float64) (m float64, e int) {
	const small, large = 0x1p-900, 0x1p1000
	s := Dot(v, v)
	if s >= small && s <= large {
		return math.Sqrt(s), 0
	}
	_, e = math.Frexp(Largest(v)) // e is 0 for 0, an infinity and NaN
	s = 0
	for _, x := range v {
		x = math.Ldexp(x, -e)
		s += float64(x * x)
	}
	return math.Sqrt(s), e
}

// Largest returns max |vⱼ|, 0 for no elements, and NaN if an element is NaN.
func Largest(v []float64) float64 {
	var top float64
	for _, x := range v {
		top = max(top, math.Abs(x))
	}
	return top
}
