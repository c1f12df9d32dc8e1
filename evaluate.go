package perceptron

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"text/tabwriter"
)

// Accuracy returns the share of the rows of X whose predicted label is that of y. A row R is
// []float64 or [Sparse], and a label L int or string: whatever p takes and returns. It calls
// Predict for each row. ErrConfig is for a nil p, ErrEmpty for no rows, and ErrDimension if X and y
// differ in length.
func Accuracy[R any, L cmp.Ordered](p interface{ Predict(R) (L, error) }, X []R, y []L) (float64, error) {
	predicted, err := predictAll(p, X, y)
	if err != nil {
		return 0, err
	}
	right := 0
	for i, label := range predicted {
		if cmp.Compare(label, y[i]) == 0 { // a NaN is a label, too
			right++
		}
	}
	return float64(right) / float64(len(y)), nil
}

// Evaluate counts the predictions of each class. The errors are Accuracy's.
func Evaluate[R any, L cmp.Ordered](p interface{ Predict(R) (L, error) }, X []R, y []L) (Confusion[L], error) {
	predicted, err := predictAll(p, X, y)
	if err != nil {
		return Confusion[L]{}, err
	}
	c := newConfusion(y, predicted)
	for i, label := range predicted {
		t, _ := slices.BinarySearch(c.Classes, y[i])
		p, _ := slices.BinarySearch(c.Classes, label)
		c.Counts[t][p]++
	}
	return c, nil
}

// newConfusion returns counts of 0 for all classes in the two lists.
func newConfusion[L cmp.Ordered](a, b []L) (c Confusion[L]) {
	equal := func(a, b L) bool { return cmp.Compare(a, b) == 0 }
	c.Classes = slices.CompactFunc(slices.Sorted(slices.Values(slices.Concat(a, b))), equal)
	c.Counts = make([][]int, len(c.Classes))
	for t := range c.Counts {
		c.Counts[t] = make([]int, len(c.Classes))
	}
	return c
}

// predictAll returns the label that p predicts for each row, after it has checked the arguments.
func predictAll[R any, L cmp.Ordered](p interface{ Predict(R) (L, error) }, X []R, y []L) ([]L, error) {
	v := reflect.ValueOf(p)
	if err := cmp.Or(
		require(p != nil && (v.Kind() != reflect.Pointer || !v.IsNil()), ErrConfig, "the predictor is nil"),
		require(len(X) == len(y), ErrDimension, "len(X) is %d, but len(y) is %d", len(X), len(y)),
		require(len(X) > 0, ErrEmpty, "no rows"),
	); err != nil {
		return nil, err
	}
	predicted := make([]L, len(X))
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
type Confusion[L cmp.Ordered] struct {
	Classes []L // ascending
	Counts  [][]int
}

// Add returns the sum of the counts of c and d, for example of the folds of a cross-validation. The
// zero Confusion is a sum of nothing. A class may be missing in one of them. The sum is a copy.
func (c Confusion[L]) Add(d Confusion[L]) Confusion[L] {
	sum := newConfusion(c.Classes, d.Classes)
	for _, part := range []Confusion[L]{c, d} {
		for t, row := range part.Counts {
			k, _ := slices.BinarySearch(sum.Classes, part.Classes[t])
			for p, n := range row {
				j, _ := slices.BinarySearch(sum.Classes, part.Classes[p])
				sum.Counts[k][j] += n
			}
		}
	}
	return sum
}

// Accuracy returns the share of all rows that were predicted right.
func (c Confusion[L]) Accuracy() float64 {
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
func (c Confusion[L]) Precision(class L) float64 {
	right, predicted, _ := c.sums(class)
	return share(right, predicted)
}

// Recall returns the share of the rows of class that were predicted as it.
func (c Confusion[L]) Recall(class L) float64 {
	right, _, actual := c.sums(class)
	return share(right, actual)
}

// F1 returns the harmonic mean of the precision and recall of class.
func (c Confusion[L]) F1(class L) float64 {
	right, predicted, actual := c.sums(class)
	return share(2*right, predicted+actual)
}

// MacroF1 returns the mean of F1 over Classes.
func (c Confusion[L]) MacroF1() float64 {
	sum := 0.0
	for _, class := range c.Classes {
		sum += c.F1(class)
	}
	return sum / float64(max(1, len(c.Classes)))
}

// String returns a table of each class's counts, precision, recall and F1.
func (c Confusion[L]) String() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "true\\predicted\t")
	for _, class := range c.Classes {
		fmt.Fprintf(w, "%v\t", class)
	}
	fmt.Fprint(w, "precision\trecall\tF1\t\n")
	for t, class := range c.Classes {
		fmt.Fprintf(w, "%v\t", class)
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
func (c Confusion[L]) sums(class L) (right, predicted, actual int) {
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
