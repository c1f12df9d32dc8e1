package perceptron

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"text/tabwriter"
)

// Accuracy returns the share of the rows of X whose predicted label is that of y. The rows are
// []float64 or [Sparse]: whatever p predicts, in a call of Predict each. It returns ErrConfig for a
// nil p, ErrEmpty for no rows, ErrDimension if X and y differ in length, and p's errors with the
// index.
func Accuracy[R any](p interface{ Predict(R) (int, error) }, X []R, y []int) (float64, error) {
	predicted, err := predictAll(p, X, y)
	if err != nil {
		return 0, err
	}
	right := 0
	for i, label := range predicted {
		if label == y[i] {
			right++
		}
	}
	return float64(right) / float64(len(y)), nil
}

// Evaluate counts the predictions of each class. The errors are Accuracy's.
func Evaluate[R any](p interface{ Predict(R) (int, error) }, X []R, y []int) (Confusion, error) {
	predicted, err := predictAll(p, X, y)
	if err != nil {
		return Confusion{}, err
	}
	c := Confusion{Classes: slices.Compact(slices.Sorted(slices.Values(slices.Concat(y, predicted))))}
	c.Counts = make([][]int, len(c.Classes))
	for t := range c.Counts {
		c.Counts[t] = make([]int, len(c.Classes))
	}
	for i, label := range predicted {
		t, _ := slices.BinarySearch(c.Classes, y[i])
		p, _ := slices.BinarySearch(c.Classes, label)
		c.Counts[t][p]++
	}
	return c, nil
}

// predictAll returns the label that p predicts for each row, after it has checked the arguments.
func predictAll[R any](p interface{ Predict(R) (int, error) }, X []R, y []int) ([]int, error) {
	v := reflect.ValueOf(p)
	if err := cmp.Or(
		require(p != nil && (v.Kind() != reflect.Pointer || !v.IsNil()), ErrConfig, "the predictor is nil"),
		require(len(X) == len(y), ErrDimension, "len(X) is %d, but len(y) is %d", len(X), len(y)),
		require(len(X) > 0, ErrEmpty, "no rows"),
	); err != nil {
		return nil, err
	}
	predicted := make([]int, len(X))
	for i, x := range X {
		label, err := p.Predict(x)
		if err != nil {
			return nil, &ExampleError{i, err}
		}
		predicted[i] = label
	}
	return predicted, nil
}

// Confusion counts predictions by class: Counts[t][p] rows of class Classes[t] were predicted to be
// of class Classes[p]. [Evaluate] lists all classes in y and the predictions. A figure is 0 for
// 0/0, and for a class not in Classes.
type Confusion struct {
	Classes []int // ascending
	Counts  [][]int
}

// Accuracy returns the share of all rows that were predicted right.
func (c Confusion) Accuracy() float64 {
	right, all := 0, 0
	for t, row := range c.Counts {
		for p, n := range row {
			all += n
			if t == p {
				right += n
			}
		}
	}
	return share(right, all)
}

// Precision returns the share of the rows predicted as class that are of it.
func (c Confusion) Precision(class int) float64 {
	right, predicted, _ := c.sums(class)
	return share(right, predicted)
}

// Recall returns the share of the rows of class that were predicted as it.
func (c Confusion) Recall(class int) float64 {
	right, _, actual := c.sums(class)
	return share(right, actual)
}

// F1 returns the harmonic mean of the precision and recall of class.
func (c Confusion) F1(class int) float64 {
	right, predicted, actual := c.sums(class)
	return share(2*right, predicted+actual)
}

// MacroF1 returns the mean of F1 over Classes.
func (c Confusion) MacroF1() float64 {
	sum := 0.0
	for _, class := range c.Classes {
		sum += c.F1(class)
	}
	return sum / float64(max(1, len(c.Classes)))
}

// String returns a table of each class's counts, precision, recall and F1.
func (c Confusion) String() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "true\\predicted\t")
	for _, class := range c.Classes {
		fmt.Fprintf(w, "%d\t", class)
	}
	fmt.Fprint(w, "precision\trecall\tF1\t\n")
	for t, class := range c.Classes {
		fmt.Fprintf(w, "%d\t", class)
		for _, n := range c.Counts[t] {
			fmt.Fprintf(w, "%d\t", n)
		}
		fmt.Fprintf(w, "%.3f\t%.3f\t%.3f\t\n", c.Precision(class), c.Recall(class), c.F1(class))
	}
	w.Flush()
	return b.String()
}

// sums returns how many rows of the class are right, how many were predicted to be of it, and how
// many are of it.
func (c Confusion) sums(class int) (right, predicted, actual int) {
	k, found := slices.BinarySearch(c.Classes, class)
	if !found {
		return 0, 0, 0
	}
	for t, row := range c.Counts {
		predicted += row[k]
		actual += c.Counts[k][t]
	}
	return c.Counts[k][k], predicted, actual
}

// share returns a/b, or 0 for 0/0.
func share(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}
