//go:build !purego

package vec

import "unsafe"

// groupOf returns the size of the groups for k vectors: two registers.
func groupOf(int) int {
	if kernel == neon {
		return 4
	}
	return 1
}

func classesKernel(dst, w, x []float64, _ int) {
	classesNEON(unsafe.SliceData(dst), unsafe.SliceData(w), unsafe.SliceData(x), len(x), len(dst))
}

// classesNEON scores the d elements at x with k vectors, in groups of four:
//
//	for i := range k {
//		dst[i] = dotNEON(w[i], x, d, nil) + b[i]
//	}
//
// Element j of the vectors of a group is the j-th pair of registers at w, and b is the d-th.
//
//go:noescape
func classesNEON(dst, w, x *float64, d, k int)
