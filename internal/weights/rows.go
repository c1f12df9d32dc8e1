package weights

import (
	"slices"

	"perceptron/internal/vec"
)

// RowPlaces are the places of the rows of an epoch. The zero value is for planes without places, where
// the places are the indexes.
type RowPlaces struct {
	// places has the places of each row's non-zeros, and met has a copy of the row's indexes. If the
	// row's indexes differ from the copy, its places are outdated.
	places, met [][]uint32
}

// Set sets the places of x, the i-th row.
func (v *RowPlaces) Set(x *vec.Row, i int) {
	if v.places != nil {
		x.Places = &v.places[i]
	}
}

// at returns the places of the i-th row of X: see [vec.Row.Where].
func (v *RowPlaces) at(X []vec.Sparse, i int) (at []uint32, ordered bool) {
	if v.places != nil {
		return v.places[i], false
	}
	return X[i].Index, true
}

// LocateAll prepares the rows of an epoch, which has n non-zeros: dense rows, for which X is nil, give
// up the places. Sparse rows get theirs. In a later epoch of a range, rows that have changed get new
// ones. In the first epoch, the places are given up if they do not pay, or if those of the rows would
// take more memory than whole vectors may.
func (p *Planes) LocateAll(v *RowPlaces, X []vec.Sparse, n int, first bool) {
	s := p.places
	if s == nil {
		return
	}
	if X == nil || first && float64(n) > s.most*float64(len(p.all)) {
		p.spread()
		return
	}
	if first {
		v.allocate(X, n)
	}
	for i := range X {
		if slices.Equal(v.met[i], X[i].Index) {
			continue
		}
		v.met[i] = append(v.met[i][:0], X[i].Index...)
		x := vec.Row{Index: X[i].Index, Value: X[i].Value, Width: p.width}
		if v.places[i], _ = s.locate(v.places[i], &x, true); first && !s.saves() {
			v.places = nil
			p.spread()
			return
		}
	}
	if len(p.all[0].w) != s.length() {
		p.remake(s.widen)
	}
}

// allocate makes room for the places and indexes of the rows, with n non-zeros in all.
func (v *RowPlaces) allocate(X []vec.Sparse, n int) {
	v.met, v.places = make([][]uint32, len(X)), make([][]uint32, len(X))
	memory := make([]uint32, 2*n)
	for i := range X {
		z := len(X[i].Index)
		v.met[i], v.places[i], memory = memory[:0:z], memory[z:z:2*z], memory[2*z:]
	}
}
