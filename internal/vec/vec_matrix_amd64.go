//go:build !purego

package vec

import "unsafe"

func (m Matrix) addRows(lanes []float64, at []uint32, x []float64, mask int) {
	if kernel == generic || len(at) == 0 {
		m.addRowsGeneric(lanes, at, x, mask)
		return
	}
	addRowsAVX2(unsafe.SliceData(lanes), unsafe.SliceData(m.Elements), m.Stride, unsafe.SliceData(at), unsafe.SliceData(x), len(at), mask)
}

// addRowsAVX2 computes, for n indexes, of which there is at least one, and k vectors:
//
//	for t := range n {
//		for c := range k {
//			lanes[(at[t]&mask)*k+c] += float64(x[t] * rows[at[t]*k+c])
//		}
//	}
//
//go:noescape
func addRowsAVX2(lanes, rows *float64, k int, at *uint32, x *float64, n, mask int)
