package perceptron

import (
	"cmp"
	"reflect"
	"slices"
)

// Accuracy returns the share of the rows of X whose predicted label is that of y. It calls Predict
// once for each row. It returns ErrConfig if p is nil or a nil pointer, ErrEmpty if there are no
// rows, ErrDimension if X and y differ in length, and p's own errors with the index of the row.
func Accuracy(p Predictor, X [][]float64, y []int) (float64, error) {
	right := 0
	err := predictAll(p, X, y, func(i, label int) {
		if label == y[i] {
			right++
		}
	})
	if err != nil {
		return 0, err
	}
	return float64(right) / float64(len(X)), nil
}

// Confusion counts predictions: counts[t][p] rows of class classes[t] were predicted to be of class
// classes[p]. The classes are all labels that occur in y or are predicted, ascending. Calls and
// errors are those of Accuracy.
func Confusion(p Predictor, X [][]float64, y []int) (classes []int, counts [][]int, err error) {
	predicted := make([]int, len(X))
	if err := predictAll(p, X, y, func(i, label int) { predicted[i] = label }); err != nil {
		return nil, nil, err
	}
	classes = slices.Compact(slices.Sorted(slices.Values(slices.Concat(y, predicted))))
	counts = make([][]int, len(classes))
	for t := range counts {
		counts[t] = make([]int, len(classes))
	}
	for i, label := range predicted {
		t, _ := slices.BinarySearch(classes, y[i])
		p, _ := slices.BinarySearch(classes, label)
		counts[t][p]++
	}
	return classes, counts, nil
}

// predictAll calls each with every row's index and predicted label.
func predictAll(p Predictor, X [][]float64, y []int, each func(i, label int)) error {
	v := reflect.ValueOf(p)
	if err := cmp.Or(
		require(p != nil && (v.Kind() != reflect.Pointer || !v.IsNil()), ErrConfig, "the predictor is nil"),
		require(len(X) == len(y), ErrDimension, "len(X) is %d, but len(y) is %d", len(X), len(y)),
		require(len(X) > 0, ErrEmpty, "no rows"),
	); err != nil {
		return err
	}
	for i, x := range X {
		label, err := p.Predict(x)
		if err != nil {
			return &ExampleError{i, err}
		}
		each(i, label)
	}
	return nil
}
