//go:build purego || !amd64

package vec

func (m Matrix) addRows(lanes []float64, at []uint32, x []float64, mask int) {
	m.addRowsGeneric(lanes, at, x, mask)
}
