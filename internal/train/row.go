package train

import (
	"fmt"

	"perceptron/internal/vec"
)

// A Row is a vector of features. A dense row has Width 0, and Value has all features. A sparse
// row has Width features: Value[k] is that at Index[k], and the others are 0. Both kinds give the
// same bits.
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

	nonZeros int // of the sparse rows, as the last check found
}

// SparseRows are a caller's sparse rows.
type SparseRows interface {
	Len() int
	At(i int) (index []uint32, value []float64)
	Fetch(i int) // asks the processor for what At reads
}

// n returns the number of rows.
func (r *Rows) n() int {
	if r.Sparse != nil {
		return r.Sparse.Len()
	}
	return len(r.X)
}

// features returns the width of the first row.
func (r *Rows) features() int {
	if r.Sparse != nil {
		return r.Width
	}
	return len(r.X[0])
}

// at returns the i-th row.
func (r *Rows) at(i int) Row {
	if r.Sparse == nil {
		return Row{Value: r.X[i]}
	}
	index, value := r.Sparse.At(i)
	return Row{index, value, r.Width}
}

func (x *Row) sparse() bool { return x.Width > 0 }

// width returns the number of features.
func (x *Row) width() int {
	if x.sparse() {
		return x.Width
	}
	return len(x.Value)
}

// Score is [Score] of a row of either kind. For a sparse row that is not valid it returns NaN.
func (x *Row) Score(w []float64) float64 {
	d := len(w) - 1
	if x.sparse() {
		return vec.DotSparse(w[:d], x.Index, x.Value) + w[d]
	}
	return vec.Dot(w[:d], x.Value) + w[d]
}

// square returns ‖x‖².
func (x *Row) square() float64 {
	if x.sparse() {
		s := vec.SparseSum{N: x.Width}
		s.Add(x.Index, x.Value, x.Value)
		return s.Sum()
	}
	return vec.Dot(x.Value, x.Value)
}

// checkIndexes returns the first reason why a sparse row is not valid.
func (x *Row) checkIndexes() error {
	if len(x.Index) != len(x.Value) {
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
