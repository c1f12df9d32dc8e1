//go:build purego || !amd64

package vec

func addRows(lanes, rows []float64, k int, at []uint32, x []float64, mask int) {
	addRowsGeneric(lanes, rows, k, at, x, mask)
}
