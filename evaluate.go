package perceptron

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"text/tabwriter"

	"perceptron/internal/train"
)

// Accuracy returns the share of the rows of X for which p predicts the label in y. R is the type of the rows
// that p takes, such as []float64, and L that of the labels that it returns, such as string. For a
// [Classifier] c, p is &c.
func Accuracy[R any, L cmp.Ordered](p interface{ Predict(R) (L, error) }, X []R, y []L) (float64, error) {
	predicted, err := predictAll(p, X, y)
	if err != nil {
		return 0, err
	}
	right := 0
	for i, label := range predicted {
		if cmp.Compare(label, y[i]) == 0 { // unlike ==, it finds two NaN labels equal
			right++
		}
	}
	return float64(right) / float64(len(y)), nil
}

// Evaluate counts the predictions of each class, in O(K²) memory.
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

// Validate is a cross-validation: for each fold, from 2 to len(X) of them, it fits a fresh Classifier with
// the fields of c on all other rows, and counts its predictions of the fold's rows. Fold i has the i-th
// consecutive part of each label's rows. Rows in the order of time or of groups resemble their neighbours. In
// consecutive parts, most rows are tested without these, as later rows will be. Folds drawn by chance promise
// too much.
func (c *Classifier[R]) Validate(X []R, labels []string, folds int) (sum Confusion[string], err error) {
	if err := cmp.Or(train.CheckLengths(len(X), len(labels)),
		require(folds >= 2 && folds <= len(X), ErrConfig, "%d folds of %d rows", folds, len(X))); err != nil {
		return sum, err
	}
	width := cmp.Or(c.Width, leastWidth(X)) // the rows that a fold leaves out are checked too
	for k := range folds {
		var part Confusion[string]
		learn, test := fold(labels, folds, k)
		if len(test) == 0 { // every label has fewer rows than there are folds
			continue
		}
		rows, fresh := learn, Classifier[R]{c.Model, c.Scaling, c.Waves, c.Raw, width, nil}
		if _, err = fresh.Fit(at(X, learn), at(labels, learn)); err == nil {
			rows = test
			part, err = Evaluate(&fresh, at(X, test), at(labels, test))
		}
		if bad := (*ExampleError)(nil); errors.As(err, &bad) {
			err = &ExampleError{rows[bad.Index], bad.Err}
		}
		if err != nil {
			return Confusion[string]{}, err
		}
		sum = sum.Add(part)
	}
	return sum, nil
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

// PredictAll appends the label that p predicts for each row to dst, and returns the extended slice. For a p
// of this package, up to GOMAXPROCS goroutines share many rows, and each takes less time than alone. An error
// is an [ExampleError] about the first bad row.
func PredictAll[R any, L cmp.Ordered](dst []L, p interface{ Predict(R) (L, error) }, X []R) ([]L, error) {
	v := reflect.ValueOf(p)
	if err := require(p != nil && (v.Kind() != reflect.Pointer || !v.IsNil()), ErrConfig, "the predictor is nil"); err != nil {
		return dst, err
	}
	labels := make([]L, len(X))
	i := 0
	if len(X) >= leastTogether {
		i = labelRows(labels, p, X)
	}
	for ; i < len(X); i++ { // few rows, rows of another package's predictor, or those from the first bad row on
		label, err := p.Predict(X[i])
		if err != nil {
			return dst, &ExampleError{i, err}
		}
		labels[i] = label
	}
	return append(dst, labels...), nil
}

// leastTogether is the least number of rows that are labelled together. The preparation takes as
// long as several predictions.
const leastTogether = 32

// shareOfRows is the least number of rows for which a goroutine is started. Labelling so many rows
// takes as long as starting several goroutines, even if the rows are short.
const shareOfRows = 512

// labelRows labels rows up to the first for which p has no label, and returns their number. For a
// predictor of another package it labels none, because its Predict may not allow several
// goroutines.
func labelRows[R any, L cmp.Ordered](labels []L, p any, X []R) int {
	return inParts(len(X), shareOfRows, func(first, end int) int {
		if f, ok := labeler(p).(func(labels []L, X []R) int); ok {
			return f(labels[first:end], X[first:end])
		}
		return 0
	})
}

// labeler returns a func(labels []L, X []R) int if p is a predictor of this package, else nil. It
// may also return nil if p cannot predict. The func labels rows as p does, up to the first row for
// which p has no label, and returns their number. Only one goroutine may use it.
func labeler(p any) any {
	switch p.(type) {
	case *SparseModel, *Hyperplane, *Hyperplanes:
		p = reflect.ValueOf(p).Elem().Interface()
	}
	switch p := p.(type) {
	case *Classifier[[]float64]:
		if p.now != nil {
			return p.now.labelRows
		}
	case *Classifier[Sparse]:
		if p.now != nil {
			return p.now.labelRows
		}
	case SparseModel:
		if e, err := p.readable(); err == nil {
			return func(labels []int, X []Sparse) int { return e.SparseLabels(labels, sparseRows(X)) }
		}
	case Hyperplane:
		if len(p.Weights) > 0 {
			return train.Signs(p.vector())
		}
	case Hyperplanes:
		if p.check() == nil {
			var vectors [][]float64
			for _, h := range p.Planes {
				vectors = append(vectors, h.vector())
			}
			return train.Highest(p.Classes, vectors)
		}
	case Model:
		if isModel(p) {
			return p.learned().Labeler()
		}
	}
	return nil
}

// labelRows labels rows as Predict does, in blocks that are scaled together, up to the first that has
// no label. It returns their number.
func (f *fitted[R]) labelRows(labels []string, X []R) (n int) {
	label := labeler(f.model)
	if isSparse[R]() {
		label = labeler(SparseModel{f.model, f.width})
	}
	classify, ok := label.(func(labels []int, X []R) int)
	memory := scratch.Get().(*[]float64)
	defer scratch.Put(memory)
	var classes [128]int
	Z := make([]R, 0, len(classes))
	for n < len(X) && ok {
		Z, *memory = Z[:0], (*memory)[:0]
		for _, x := range X[n:min(n+len(classes), len(X))] {
			z, all, err := f.appendScaled(*memory, x)
			if err != nil {
				break
			}
			Z, *memory = append(Z, z), all
		}
		k := classify(classes[:len(Z)], Z)
		for i, class := range classes[:k] {
			labels[n+i] = f.label(class)
		}
		n, ok = n+k, k == len(classes)
	}
	return n
}

// predictAll returns the predictions of PredictAll. It returns an error unless there are rows, and
// a label in y for each.
func predictAll[R any, L cmp.Ordered](p interface{ Predict(R) (L, error) }, X []R, y []L) ([]L, error) {
	if err := train.CheckLengths(len(X), len(y)); err != nil {
		return nil, err
	}
	return PredictAll(nil, p, X)
}

// Confusion counts predictions by class: Counts[t][p] rows of class Classes[t] were predicted to be of class
// Classes[p]. Evaluate lists all classes that occur in y or are predicted. Methods return 0 where the divisor
// is 0.
type Confusion[L cmp.Ordered] struct {
	Classes []L // ascending
	Counts  [][]int
}

// Add returns the sum of c and d. Begin with the zero value.
func (c Confusion[L]) Add(d Confusion[L]) Confusion[L] {
	sum := newConfusion(c.Classes, d.Classes)
	for _, part := range []Confusion[L]{c, d} {
		for t, class := range part.Classes {
			k, _ := slices.BinarySearch(sum.Classes, class)
			for p, predicted := range part.Classes {
				j, _ := slices.BinarySearch(sum.Classes, predicted)
				sum.Counts[k][j] += part.count(t, p)
			}
		}
	}
	return sum
}

// count returns Counts[t][p], or 0 if it is missing or negative.
func (c Confusion[L]) count(t, p int) int {
	if t < len(c.Counts) && p < len(c.Counts[t]) {
		return max(0, c.Counts[t][p])
	}
	return 0
}

// Accuracy returns the share of all rows that were predicted right.
func (c Confusion[L]) Accuracy() float64 {
	right, all := 0, 0
	for t := range c.Classes {
		right += c.count(t, t)
		for p := range c.Classes {
			all += c.count(t, p)
		}
	}
	return share(right, all)
}

// Precision returns the share of rows predicted as class that are of class.
func (c Confusion[L]) Precision(class L) float64 {
	right, predicted, _ := c.sums(class)
	return share(right, predicted)
}

// Recall returns the share of rows of class that were predicted as class.
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
		for p := range c.Classes {
			fmt.Fprintf(w, "%d\t", c.count(t, p))
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
	for t := range c.Classes {
		predicted += c.count(t, k)
		actual += c.count(k, t)
	}
	return c.count(k, k), predicted, actual
}

// share returns a/b, or 0 for 0/0.
func share(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}
