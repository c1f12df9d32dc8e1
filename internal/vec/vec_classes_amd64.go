//go:build !purego

package vec

import "unsafe"

// groupOf returns the size of the groups for k vectors. For up to four AVX2 is as good: they fill
// half of AVX-512's registers, and a processor may take twice as long for a whole one.
func groupOf(k int) int {
	return [...]int{generic: 1, avx2: 4, avx512: 8}[min(int(kernel), (k+3)/4)]
}

func classesKernel(dst, w, x []float64, group int) {
	pd, pw, px := unsafe.SliceData(dst), unsafe.SliceData(w), unsafe.SliceData(x)
	if group == 8 {
		classesAVX512(pd, pw, px, len(x), len(dst))
	} else {
		classesAVX2(pd, pw, px, len(x), len(dst))
	}
}

// classesAVX512 scores the d elements at x with k vectors, in groups of eight:
//
//	for i := range k {
//		dst[i] = dotAVX512(w[i], x, d, nil) + b[i]
//	}
//
// Element j of the vectors of a group is the j-th register at w, and b is the d-th.
//
//go:noescape
func classesAVX512(dst, w, x *float64, d, k int)

// classesAVX2 is classesAVX512 in AVX2's instructions, in groups of four.
//
//go:noescape
func classesAVX2(dst, w, x *float64, d, k int)
