//go:build !purego

package vec

import "unsafe"

// scoresKernel sets the scores of a row.
func scoresKernel(c *Classes, x []float64) {
	if len(x) != c.d {
		panic("vec: Scan of a row of another length")
	}
	scoresNEON(unsafe.SliceData(c.scores), unsafe.SliceData(c.w), unsafe.SliceData(x), c.d, c.groups)
}

// scoresNEON scores the d elements at x with vectors in groups of four:
//
//	for i := range 4 * groups {
//		scores[i] = dotNEON(w[i], x, d, nil) + b[i]
//	}
//
// Element j of the vectors of a group is the j-th pair of registers at w, and b is the d-th.
//
//go:noescape
func scoresNEON(scores, w, x *float64, d, groups int)
