package train

import (
	"cmp"
	"fmt"

	"perceptron/internal/vec"
)

// Before training, rows are checked in O(n): their widths and labels. Their values are
// checked in training, by the score: a NaN or an infinity anywhere in a row makes it
// not finite. So no check reads the data a second time.

// CheckRows checks in O(n) that there are rows, and that X and y have one length. Every
// row must have width d, or the first row's width if d is 0.
func CheckRows(X [][]float64, y []int, d int) error {
	switch {
	case len(X) != len(y):
		return fmt.Errorf("%w: len(X) is %d, but len(y) is %d", ErrDimension, len(X), len(y))
	case len(X) == 0:
		return fmt.Errorf("%w: no rows", ErrEmpty)
	case d == 0:
		d = len(X[0])
	}
	for i, x := range X {
		if len(x) != d || d == 0 {
			return &ExampleError{i, checkWidth(d, &Row{Value: x})}
		}
	}
	return nil
}

// check is CheckRows of rows of either kind. The indexes of sparse rows are checked in training,
// as the values are.
func (r *Rows) check(y []int, d int) error {
	if r.Sparse == nil {
		return CheckRows(r.X, y, d)
	}
	switch n := r.n(); {
	case n != len(y):
		return fmt.Errorf("%w: len(X) is %d, but len(y) is %d", ErrDimension, n, len(y))
	case n == 0:
		return fmt.Errorf("%w: no rows", ErrEmpty)
	case d == 0:
		d = r.Width
	}
	r.nonZeros = 0
	for i := range y {
		x := r.at(i)
		if x.Width != d || len(x.Index) != len(x.Value) {
			return &ExampleError{i, cmp.Or(checkWidth(d, &x), x.checkIndexes())}
		}
		r.nonZeros += len(x.Index)
	}
	return nil
}

// checkWidth checks that a row has d features, and at least one.
func checkWidth(d int, x *Row) error {
	switch n := x.width(); {
	case n == 0:
		return fmt.Errorf("%w: the row has no features", ErrEmpty)
	case n != d:
		return fmt.Errorf("%w: width %d, want %d", ErrDimension, n, d)
	}
	return nil
}

// CheckSigns checks that every label is +1 or −1.
func CheckSigns(y []int) error {
	for i, label := range y {
		if !isSign(label) {
			return &ExampleError{i, checkSign(label)}
		}
	}
	return nil
}

// isSign reports whether the label is one of a binary model.
func isSign(label int) bool { return label == +1 || label == -1 }

// checkSign checks a label of a binary model.
func checkSign(label int) error {
	if !isSign(label) {
		return fmt.Errorf("%w: %d, want +1 or -1", ErrLabel, label)
	}
	return nil
}

// ScoreError returns the reason why x has no finite score under d weights. Only now
// does a call look at each feature: the score has shown that something is wrong.
func ScoreError(d int, x []float64) error { return (&Row{Value: x}).ScoreError(d) }

// ScoreError is ScoreError of a row of either kind.
func (x *Row) ScoreError(d int) error {
	if err := checkWidth(d, x); err != nil {
		return err
	}
	if err := x.checkIndexes(); x.sparse() && err != nil {
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
