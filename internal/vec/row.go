package vec

// A Row is a vector of features. In a dense row, Index is nil and Value has all features. In a sparse
// row, feature Index[k] is Value[k], and all others are 0. Width is the number of features of a
// sparse row. A sparse row gives the bits of the dense row Value with those elements of w that
// are at Index.
type Row struct {
	Index []uint32
	Value []float64
	Width int
}

// noIndex is the index of a sparse row without elements: a Row with a nil Index is dense.
var noIndex = []uint32{}

// Row returns x as a Row of width features. It shares x's memory.
func (x Sparse) Row(width int) Row {
	if x.Index == nil {
		x.Index = noIndex
	}
	return Row{Index: x.Index, Value: x.Value, Width: width}
}

// At returns the index of the feature that Value[k] holds.
func (x *Row) At(k int) int {
	if x.Index == nil {
		return k
	}
	return int(x.Index[k])
}

// Features returns the number of features.
func (x *Row) Features() int {
	if x.Index == nil {
		return len(x.Value)
	}
	return x.Width
}

// Dot returns ⟨w, x⟩, or NaN if x does not fit w: see [Dot] and [DotSparse].
func (x *Row) Dot(w []float64) float64 {
	if x.Index == nil {
		return Dot(w, x.Value)
	}
	return DotSparse(w, x.Index, x.Value)
}

// Score returns ⟨w, x⟩ + b, where b is the last element of w.
func (x *Row) Score(w []float64) float64 {
	d := len(w) - 1
	return x.Dot(w[:d]) + w[d]
}

// Square returns ‖x‖².
func (x *Row) Square() float64 { return Dot(x.Value, x.Value) }

// AddTo adds c·x to w. Each product is rounded before it is added.
func (x *Row) AddTo(w []float64, c float64) {
	if x.Index == nil {
		Axpy(w, w, c, x.Value)
	} else {
		AddSparse(w, x.Index, c, x.Value)
	}
}
