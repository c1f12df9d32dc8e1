package train

import (
	"cmp"
	"fmt"

	"perceptron/internal/vec"
)

// A Row is a vector of features, dense or sparse. In a dense row Width is 0, and Value has all
// features. A sparse row has Width features: feature Index[k] is Value[k], and all others are 0. A
// dense and a sparse row with equal features give results with equal bits.
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

	// nonZeros is the number of non-zeros of all sparse rows. check counts them, to estimate the
	// work of an epoch.
	nonZeros int
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

// Score does what the function [Score] does, for a dense or sparse row. For a sparse row it returns
// NaN if an index is not valid: so the check of the score finds that, too.
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

// Before training, the widths of rows and their labels are checked, in O(n). The features are
// checked during training, by the score: a NaN or an infinity anywhere in a row makes the score not
// finite. So no check reads the features a second time.

// check returns the width of the rows, or an error unless there are rows, y has as many labels, and
// each row has d features. If d is 0, each must have as many as the first one. Training checks the indexes
// of sparse rows when it reads a row, as it checks the features. There are two exceptions. The first
// row is checked here, before planes of its width are allocated. If the order is Sampled, all rows
// are checked here, because training may never read some of them.
func (r *Rows) check(y []int, d int, sampled bool) (width int, err error) {
	n := len(r.X)
	if r.Sparse != nil {
		n = r.Sparse.Len()
	}
	switch {
	case n != len(y):
		return 0, fmt.Errorf("%w: len(X) is %d, but len(y) is %d", ErrDimension, n, len(y))
	case n == 0:
		return 0, fmt.Errorf("%w: no rows", ErrEmpty)
	case d == 0:
		first := r.at(0)
		d = first.width()
	}
	for i, x := range r.X {
		if len(x) != d || d == 0 {
			return 0, &ExampleError{i, checkWidth(d, &Row{Value: x})}
		}
	}
	r.nonZeros = 0
	for i := 0; r.Sparse != nil && i < n; i++ {
		x := r.at(i)
		if x.Width != d || len(x.Index) != len(x.Value) || (sampled || i == 0) && x.checkIndexes() != nil {
			return 0, &ExampleError{i, cmp.Or(checkWidth(d, &x), x.checkIndexes())}
		}
		r.nonZeros += len(x.Index)
	}
	return d, nil
}

// checkWidth returns an error unless x has d features, and at least one. It takes O(1).
func checkWidth(d int, x *Row) error {
	switch n := x.width(); {
	case n == 0:
		return fmt.Errorf("%w: the row has no features", ErrEmpty)
	case n != d:
		return fmt.Errorf("%w: width %d, want %d", ErrDimension, n, d)
	}
	return nil
}

// CheckSigns returns an error unless every label is +1 or −1.
func CheckSigns(y []int) error {
	for i, label := range y {
		if !isSign(label) {
			return &ExampleError{i, checkSign(label)}
		}
	}
	return nil
}

// isSign reports whether label is +1 or −1.
func isSign(label int) bool { return label == +1 || label == -1 }

// checkSign returns an error unless label is +1 or −1.
func checkSign(label int) error {
	if !isSign(label) {
		return fmt.Errorf("%w: %d, want +1 or -1", ErrLabel, label)
	}
	return nil
}

// ScoreError returns the reason why x has no finite score under d weights: its width, a feature
// that is not finite, or an overflow. It is called only after a score was not finite. So the search
// for the reason, in O(d), costs nothing as long as rows are good.
func ScoreError(d int, x []float64) error { return (&Row{Value: x}).ScoreError(d) }

// Check returns an error unless x has d features, all finite.
func (x *Row) Check(d int) error {
	if d == 0 || x.width() != d || x.checkIndexes() != nil || !vec.Finite(x.Value) {
		return x.ScoreError(d)
	}
	return nil
}

// ScoreError does what the function [ScoreError] does, for a dense or sparse row. Of a sparse row
// it also checks the indexes.
func (x *Row) ScoreError(d int) error {
	if err := cmp.Or(checkWidth(d, x), x.checkIndexes()); err != nil {
		return err
	}
	for j, v := range x.Value {
		if !vec.IsFinite(v) {
			if x.sparse() {
				j = int(x.Index[j])
			}
			return fmt.Errorf("%w: feature %d is %v", ErrNotFinite, j, v)
		}
	}
	return fmt.Errorf("%w: the score overflows, though every feature is finite", ErrNotFinite)
}
