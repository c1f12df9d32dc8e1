//go:build !purego

package vec

import "unsafe"

func addRows(lanes, rows []float64, k int, at []uint32, x []float64, mask int) {
	if kernel == generic || len(at) == 0 {
		addRowsGeneric(lanes, rows, k, at, x, mask)
		return
	}
	addRowsAVX2(unsafe.SliceData(lanes), unsafe.SliceData(rows), k, unsafe.SliceData(at), unsafe.SliceData(x), len(at), mask)
}

// addRowsAVX2 computes, for n > 0 indexes and k vectors:
//
//	for t := range n {
//		for c := range k {
//			lanes[(at[t]&mask)*k+c] += float64(x[t] * rows[at[t]*k+c])
//		}
//	}
//
//go:noescape
func addRowsAVX2(lanes, rows *float64, k int, at *uint32, x *float64, n, mask int)
