package train

import (
	"cmp"
	"errors"
	"fmt"

	"perceptron/internal/saved"
	"perceptron/internal/vec"
)

// The kinds of errors. Package perceptron exports them under the same names, so their texts begin
// with its name.
var (
	ErrDimension = errors.New("perceptron: dimension mismatch")
	ErrLabel     = errors.New("perceptron: bad label")
	ErrNotFinite = errors.New("perceptron: not finite")
	ErrEmpty     = errors.New("perceptron: empty")
	ErrUntrained = errors.New("perceptron: untrained model")
	ErrConfig    = errors.New("perceptron: bad configuration")
)

// ErrorAt returns an error about the example with this index: of its row in X, or its number in a stream. Package
// perceptron sets ErrorAt, because its users read the index from a type of that package.
var ErrorAt func(index int, err error) error

// Rows are the dense rows X or, if Sparse is not nil, sparse rows of Width features.
type Rows struct {
	X      [][]float64
	Sparse []vec.Sparse
	Width  int

	// nonZeros is the number of non-zeros of all sparse rows. check counts them, to estimate the
	// work of an epoch.
	nonZeros int
}

// at returns the i-th row.
func (r *Rows) at(i int) vec.Row {
	if r.Sparse == nil {
		return vec.Row{Value: r.X[i], Width: r.Width}
	}
	return r.Sparse[i].Row(r.Width)
}

// checkIndexes returns an error unless the indexes of a sparse row ascend and are below its width,
// and there is one value for each.
func checkIndexes(x *vec.Row) error {
	if x.Index != nil && len(x.Index) != len(x.Value) {
		return fmt.Errorf("%w: Index has length %d, but Value has %d", ErrDimension, len(x.Index), len(x.Value))
	}
	for k, j := range x.Index {
		switch {
		case uint64(j) >= uint64(x.Width):
			return fmt.Errorf("%w: index %d at %d, want less than the width %d", ErrDimension, j, k, x.Width)
		case k > 0 && j <= x.Index[k-1]:
			return fmt.Errorf("%w: index %d at %d follows index %d, want indexes that ascend; call Sort", saved.ErrFormat, j, k, x.Index[k-1])
		}
	}
	return nil
}

// Before training, the widths of rows and their labels are checked, in O(n). The features are
// checked during training, by the score: a NaN or an infinity anywhere in a row makes the score not
// finite. So no check has to read all features a second time.

// check returns the width of the rows. It returns an error unless there are rows, y has as many
// labels, and each row has d features. If d is 0, each row must have as many as the first row.
//
// Training checks the indexes of a sparse row when it reads the row. There are two exceptions. The
// first row is checked here, before planes of its width are allocated. If the order is Sampled, all
// rows are checked here, because training may never read some of them.
func (r *Rows) check(y []int, d int, sampled bool) (width int, err error) {
	n := len(r.X) + len(r.Sparse)
	if err := CheckLengths(n, len(y)); err != nil {
		return 0, err
	}
	if d == 0 {
		first := r.at(0)
		d = first.Features()
	}
	for i, x := range r.X {
		if len(x) != d || d == 0 {
			return 0, ErrorAt(i, checkWidth(d, len(x)))
		}
	}
	r.nonZeros = 0
	for i := range r.Sparse {
		x := r.at(i)
		if x.Width != d || len(x.Index) != len(x.Value) || (sampled || i == 0) && checkIndexes(&x) != nil {
			return 0, ErrorAt(i, cmp.Or(checkWidth(d, x.Width), checkIndexes(&x)))
		}
		r.nonZeros += len(x.Index)
	}
	return d, nil
}

// CheckLengths returns an error unless there are rows, and a label for each.
func CheckLengths(rows, labels int) error {
	switch {
	case rows != labels:
		return fmt.Errorf("%w: len(X) is %d, but len(y) is %d", ErrDimension, rows, labels)
	case rows == 0:
		return fmt.Errorf("%w: no rows", ErrEmpty)
	}
	return nil
}

// checkWidth returns an error unless a row of n features has d, and at least one.
func checkWidth(d, n int) error {
	switch {
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
			return ErrorAt(i, checkSign(label))
		}
	}
	return nil
}

// isSign reports whether label is +1 or −1.
func isSign(label int) bool { return label == +1 || label == -1 }

// checkSign returns an error unless label is +1 or −1.
func checkSign(label int) error {
	if !isSign(label) {
		return fmt.Errorf("%w: %d, want +1 or -1; Multiclass takes any int, and Classifier any string", ErrLabel, label)
	}
	return nil
}

// ScoreError returns the error about a row x whose score by d weights is not finite: a wrong width,
// a feature that is not finite, or else an overflow of the score. It searches the row in O(d), which
// costs nothing as long as rows are good.
func ScoreError(d int, x []float64) error { return scoreError(&vec.Row{Value: x}, d) }

// CheckRow returns an error unless x has d features, all finite.
func CheckRow(x *vec.Row, d int) error {
	if d == 0 || x.Features() != d || checkIndexes(x) != nil || !vec.Finite(x.Value) {
		return scoreError(x, d)
	}
	return nil
}

// scoreError is [ScoreError] for a dense or sparse row. In a sparse row it also checks the indexes.
func scoreError(x *vec.Row, d int) error {
	if err := cmp.Or(checkWidth(d, x.Features()), checkIndexes(x)); err != nil {
		return err
	}
	if k := vec.FirstInfinite(x.Value); k >= 0 {
		return fmt.Errorf("%w: feature %d is %v", ErrNotFinite, x.At(k), x.Value[k])
	}
	return fmt.Errorf("%w: the score overflows, though every feature is finite", ErrNotFinite)
}
