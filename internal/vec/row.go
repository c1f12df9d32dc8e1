package vec

// A Row is a dense row, whose Index is nil, or a sparse one: element Index[k] is Value[k].
type Row struct {
	Index []uint32
	Value []float64
}

// At returns the index of the k-th element.
func (x *Row) At(k int) int {
	if x.Index == nil {
		return k
	}
	return int(x.Index[k])
}

// Dot returns ⟨w, x⟩, with the same bits for a dense and a sparse row.
func (x *Row) Dot(w []float64) float64 {
	if x.Index == nil {
		return Dot(w[:len(x.Value)], x.Value)
	}
	return DotSparse(w, x.Index, x.Value)
}

// AddTo adds c·x to w. Each product is rounded before it is added.
func (x *Row) AddTo(w []float64, c float64) {
	if x.Index == nil {
		Axpy(w, w, c, x.Value)
		return
	}
	for k, j := range x.Index {
		w[j] += float64(c * x.Value[k])
	}
}
