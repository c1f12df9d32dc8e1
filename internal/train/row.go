package train

import (
	"fmt"

	"perceptron/internal/vec"
)

// A Row is a vector of features, dense or sparse. In a dense row Width is 0, and Value has all
// features. A sparse row has Width features: feature Index[k] is Value[k], and all others are 0.
// A dense and a sparse row with equal features give equal bits.
type Row struct {
	Index []uint32
	Value []float64
	Width int
}

// Rows are the dense rows X or, if Sparse is not nil, sparse rows of Width features.
type Rows struct {
	X      [][]float64
	Sparse SparseRows
	Width  int

	nonZeros int // the sparse rows have, as check has counted them
}

// SparseRows are a caller's sparse rows.
type SparseRows interface {
	Len() int
	At(i int) (index []uint32, value []float64)
	Fetch(i int) // requests from memory what At reads
}

// at returns the i-th row.
func (r *Rows) at(i int) (x Row) {
	if x.Width = r.Width; r.Sparse == nil {
		x.Value = r.X[i]
	} else {
		x.Index, x.Value = r.Sparse.At(i)
	}
	return x
}

// sparse reports whether x is a sparse row.
func (x *Row) sparse() bool { return x.Width > 0 }

// width returns the number of features.
func (x *Row) width() int {
	if x.sparse() {
		return x.Width
	}
	return len(x.Value)
}

// Score is the function [Score] for a dense or sparse row. It returns NaN if the indexes of a
// sparse row are not valid.
func (x *Row) Score(w []float64) float64 {
	d := len(w) - 1
	if x.sparse() {
		return vec.DotSparse(w[:d], x.Index, x.Value) + w[d]
	}
	return vec.Dot(w[:d], x.Value) + w[d]
}

// square returns ‖x‖².
func (x *Row) square() float64 {
	if !x.sparse() {
		return vec.Dot(x.Value, x.Value)
	}
	return vec.SquareSparse(x.Width, x.Index, x.Value)
}

// checkIndexes returns an error unless the indexes of a sparse row ascend and are below its width,
// and there is one value for each.
func (x *Row) checkIndexes() error {
	if x.sparse() && len(x.Index) != len(x.Value) {
		return fmt.Errorf("%w: %d indexes, but %d values", ErrDimension, len(x.Index), len(x.Value))
	}
	for k, j := range x.Index {
		switch {
		case uint64(j) >= uint64(x.Width):
			return fmt.Errorf("%w: index %d at %d, want less than the width %d", ErrDimension, j, k, x.Width)
		case k > 0 && j <= x.Index[k-1]:
			return fmt.Errorf("%w: index %d at %d follows index %d, want indexes that ascend", ErrDimension, j, k, x.Index[k-1])
		}
	}
	return nil
}
