package main

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"slices"
	"strconv"
)

// columns describes the columns of a file and how the model uses them. It is saved
// with the model.
type columns struct {
	layout
	Classes []string  `json:"classes"` // ascending
	Labels  []int     `json:"labels"`  // of the model, one for each class; ascending too
	Mean    []float64 `json:"mean,omitempty"`
	Scale   []float64 `json:"scale,omitempty"` // standard deviations; 1 if the deviation is 0
	Fill    []float64 `json:"fill,omitempty"`  // replaces a missing value: the mean of the training rows
	Holdout float64   `json:"holdout"`         // share of the rows held out
	Seed    uint64    `json:"seed"`            // selects the rows held out

	// Threshold is the score from which a model of two classes predicts the second one.
	Threshold float64 `json:"threshold"`
}

// A table holds the rows of a file as the model receives them.
type table struct {
	file string
	columns
	reading
	spooled     *os.File // the copy of standard input, if the data is from there
	watch       watch
	folds, fold int // of a cross-validation; 0 folds for none

	rows    [parts]int
	dropped int                // rows left out because a value is missing
	X       [parts][][]float64 // nil if the file is read again for each pass
	y       [parts][]int
}

// count finds the number of features of a LIBSVM file. This takes a pass over the
// file, because no line states the number.
func (t *table) count() error {
	text, f, err := t.open("finding the highest feature")
	if err != nil {
		return err
	}
	defer f.Close()
	t.Features, err = countFeatures(text, t.file)
	if err == nil && t.Features == 0 {
		err = fmt.Errorf("%s: no row has a feature", t.file)
	}
	return err
}

// A row is one row of the file.
type row struct {
	x     []float64 // overwritten by the next row
	class string
	part  part
	at    func(error) error // adds the row's position to an error
}

// scan yields the rows in the order of the file. It ends at the first error.
func (t *table) scan(purpose string) iter.Seq2[row, error] {
	return func(yield func(row, error) bool) {
		text, f, err := t.open(purpose)
		if err != nil {
			yield(row{}, err)
			return
		}
		defer f.Close()
		r, err := newReader(text, t.file, &t.layout, t.reading)
		if err != nil {
			yield(row{}, err)
			return
		}
		t.dropped = 0
		rows := division{t.Holdout, t.folds, t.fold, t.Seed}.divider()
		at := r.at
		for {
			x, class, err := r.read()
			if err == io.EOF {
				return
			}
			if err == nil && !t.unlabelled {
				drop := t.Missing == missingDrop
				switch {
				case drop && (class == "" || slices.ContainsFunc(x, math.IsNaN)):
					t.dropped++
					continue
				case class == "":
					err = r.at(errors.New("no label; -missing drop leaves out the row"))
				}
			}
			if err != nil {
				yield(row{}, err)
				return
			}
			if !yield(row{x, class, rows.part(class), at}, nil) {
				return
			}
		}
	}
}

// mostClasses limits the size of the model and of the confusion matrix when the label
// column is wrong.
const mostClasses = 1000

// survey reads the file once to count its rows. For a new model it also collects the
// classes and, if standardise is true or missing values need them, the means and
// deviations.
func (t *table) survey(standardise bool) error {
	var m moments
	known := t.Classes != nil
	fill := !known && t.Missing == missingMean
	seen := map[string]*[parts]int{}
	t.rows = [parts]int{}
	for r, err := range t.scan("counting the rows") {
		if err != nil {
			return err
		}
		t.rows[r.part]++
		if known {
			if _, err := t.label(r); err != nil {
				return err
			}
		} else if err := t.meet(r, seen); err != nil {
			return err
		}
		if (standardise || fill) && r.part == training {
			m.add(r.x)
		}
	}
	if t.rows[training] == 0 {
		return fmt.Errorf("%s: no rows to train on", t.file)
	}
	if known {
		return nil
	}
	sortClasses(t.Classes)
	for _, name := range t.Classes {
		if n := seen[name]; n[training] == 0 {
			return fmt.Errorf("%s: class %q has no row to train on, with %s held out", t.file, name, counted(n[heldOut], "row"))
		}
	}
	return t.scales(&m, standardise, fill)
}

// meet counts a row of a new model's file and collects its class.
func (t *table) meet(r row, seen map[string]*[parts]int) error {
	n := seen[r.class]
	if n == nil {
		if len(t.Classes) == mostClasses {
			return r.at(fmt.Errorf("class %q is one more than the limit of %d classes; is this the label column? -label selects another", r.class, mostClasses))
		}
		n = new([parts]int)
		seen[r.class] = n
		t.Classes = append(t.Classes, r.class)
	}
	n[r.part]++
	return nil
}

// scales stores the means and deviations that the model needs.
func (t *table) scales(m *moments, standardise, fill bool) error {
	mean, scale, err := m.scales()
	if err != nil {
		return fmt.Errorf("%s: %w", t.file, err)
	}
	if standardise {
		t.Mean, t.Scale = mean, scale
	}
	if fill {
		t.Fill = mean
	}
	return nil
}

// moments holds running means and sums of squared deviations (Welford 1962) of the
// values that are not missing.
type moments struct{ n, mean, s []float64 }

func (m *moments) add(x []float64) {
	if m.mean == nil {
		m.n, m.mean, m.s = make([]float64, len(x)), make([]float64, len(x)), make([]float64, len(x))
	}
	for j, v := range x {
		if math.IsNaN(v) {
			continue
		}
		m.n[j]++
		d := v - m.mean[j]
		m.mean[j] += d / m.n[j]
		m.s[j] += float64(d * (v - m.mean[j]))
	}
}

// scales returns the means and standard deviations. A constant feature gets 1, so that
// dividing by it is safe.
func (m *moments) scales() (mean, scale []float64, err error) {
	for j, s := range m.s {
		if m.n[j] == 0 {
			return nil, nil, fmt.Errorf("feature %d has no value in any training row; -drop leaves it out", j+1)
		}
		d := math.Sqrt(s / m.n[j])
		if math.IsInf(d, 0) || math.IsNaN(d) {
			return nil, nil, fmt.Errorf("the values of feature %d are too large to standardise", j+1)
		}
		if d == 0 {
			d = 1
		}
		scale = append(scale, d)
	}
	return m.mean, scale, nil
}

// standardise sets dst to the standardised x, or to x if the model does not
// standardise. It fills in missing values.
func (c *columns) standardise(dst, x []float64) {
	copy(dst, x)
	for j := range c.Fill {
		if math.IsNaN(x[j]) {
			dst[j] = c.Fill[j]
		}
	}
	for j := range c.Mean {
		dst[j] = (dst[j] - c.Mean[j]) / c.Scale[j]
	}
}

// number assigns a label to each class. For a binary model, the labels are −1 and +1.
// Otherwise they are the classes themselves if all are integers, or else 0, 1, 2, ….
func (c *columns) number(binary bool) error {
	if len(c.Classes) < 2 {
		return fmt.Errorf("every row has class %q, want at least two classes", c.Classes[0])
	}
	c.Labels = nil
	if binary {
		if len(c.Classes) != 2 {
			return fmt.Errorf("%d classes, want two, or use -model onevsrest or multiclass: %q", len(c.Classes), c.Classes[:min(10, len(c.Classes))])
		}
		c.Labels = []int{-1, +1}
		return nil
	}
	for _, name := range c.Classes {
		if label, err := strconv.Atoi(name); err == nil && strconv.Itoa(label) == name {
			c.Labels = append(c.Labels, label)
		}
	}
	if len(c.Labels) == len(c.Classes) {
		return nil
	}
	c.Labels = nil
	for i := range c.Classes {
		c.Labels = append(c.Labels, i)
	}
	return nil
}

// label returns the label of the row's class.
func (t *table) label(r row) (int, error) {
	i := slices.Index(t.Classes, r.class)
	if i < 0 {
		return 0, r.at(fmt.Errorf("class %q is not among the model's %q", r.class, t.Classes))
	}
	return t.Labels[i], nil
}

// bytes returns the memory that the rows need.
func (t *table) bytes() float64 {
	const head = 24 + 8 // a slice header and the label
	return float64(t.rows[training]+t.rows[heldOut]) * float64(8*t.Features+head)
}

// load reads the rows into memory.
func (t *table) load() error {
	var n [parts]int
	var X [parts][][]float64
	for p, n := range t.rows {
		all := make([]float64, n*t.Features)
		X[p], t.y[p] = make([][]float64, n), make([]int, n)
		for i := range n {
			X[p][i] = all[i*t.Features : (i+1)*t.Features : (i+1)*t.Features]
		}
	}
	err := t.stream("loading the rows", func(p part, x []float64, label int) bool {
		if n[p] == len(X[p]) {
			return true // too many rows: stream reports this
		}
		copy(X[p][n[p]], x)
		t.y[p][n[p]] = label
		n[p]++
		return true
	})
	t.X = X
	return err
}

// pass yields every row, standardised if needed. The rows come from memory or, through
// one buffer, from the file.
func (t *table) pass(yield func(p part, x []float64, label int) bool) error {
	if t.X[training] == nil {
		return t.stream("", yield)
	}
	for p := range parts {
		for i, x := range t.X[p] {
			if !yield(p, x, t.y[p][i]) {
				return nil
			}
		}
	}
	return nil
}

// stream is pass from the file.
func (t *table) stream(purpose string, yield func(p part, x []float64, label int) bool) error {
	var n [parts]int
	x := make([]float64, t.Features)
	for r, err := range t.scan(purpose) {
		if err != nil {
			return err
		}
		label, err := t.label(r)
		if err != nil {
			return err
		}
		t.standardise(x, r.x)
		n[r.part]++
		if !yield(r.part, x, label) {
			return nil
		}
	}
	if n != t.rows {
		return fmt.Errorf("%s: the file has changed since it was first read", t.file)
	}
	return nil
}

// place returns the index of the class with the label.
func (c *columns) place(label int) int {
	i, _ := slices.BinarySearch(c.Labels, label)
	return i
}

// counts returns a matrix of zeros, one row and one column for each class.
func (c *columns) counts() [][]int {
	counts := make([][]int, len(c.Classes))
	for i := range counts {
		counts[i] = make([]int, len(c.Classes))
	}
	return counts
}
