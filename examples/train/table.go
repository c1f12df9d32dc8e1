package main

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
)

// columns describes the columns of a file and how the model uses them. It is saved
// with the model.
type columns struct {
	layout
	Classes []string  `json:"classes"` // ascending
	Labels  []int     `json:"labels"`  // of the model, one for each class; ascending too
	Mean    []float64 `json:"mean,omitempty"`
	Scale   []float64 `json:"scale,omitempty"` // standard deviations; 1 if the deviation is 0
	Holdout float64   `json:"holdout"`         // share of the rows held out
	Seed    uint64    `json:"seed"`            // selects the rows held out
}

// A part of the rows: every row is either trained on or held out.
type part int

const (
	training part = iota
	heldOut
	parts
)

// A table holds the rows of a file as the model receives them.
type table struct {
	file string
	columns
	unlabelled bool                       // rows may lack a label
	reading    func(f *os.File) io.Reader // wraps the file, to show a bar

	rows [parts]int
	X    [parts][][]float64 // nil if the file is read again for each pass
	y    [parts][]int
}

// open opens the file for one pass and decompresses its text if needed.
func (t *table) open() (io.Reader, io.Closer, error) {
	f, err := os.Open(t.file)
	if err != nil {
		return nil, nil, err
	}
	r := t.reading(f)
	if strings.HasSuffix(t.file, ".gz") {
		if r, err = gzip.NewReader(r); err != nil {
			return nil, nil, errors.Join(fmt.Errorf("%s: %w", t.file, err), f.Close())
		}
	}
	return r, f, nil
}

// count finds the number of features of a LIBSVM file. This takes a pass over the
// file, because no line states the number.
func (t *table) count() error {
	text, f, err := t.open()
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
func (t *table) scan() iter.Seq2[row, error] {
	return func(yield func(row, error) bool) {
		text, f, err := t.open()
		if err != nil {
			yield(row{}, err)
			return
		}
		defer f.Close()
		r, err := newReader(text, t.file, &t.layout, t.unlabelled)
		if err != nil {
			yield(row{}, err)
			return
		}
		// The library draws the order from PCG(Seed, 0). Another random stream keeps the
		// choice of the rows held out independent of the order.
		draw := rand.New(rand.NewPCG(t.Seed, 1))
		at := r.at
		for {
			x, class, err := r.read()
			if err == io.EOF {
				return
			}
			p := training
			if draw.Float64() < t.Holdout {
				p = heldOut
			}
			if !yield(row{x, class, p, at}, err) || err != nil {
				return
			}
		}
	}
}

// mostClasses limits the size of the model and of the confusion matrix when the label
// column is wrong.
const mostClasses = 1000

// survey reads the file once to count its rows. For a new model it also collects the
// classes and, if standardise is true, the means and deviations.
func (t *table) survey(standardise bool) error {
	var m moments
	known := t.Classes != nil
	seen := map[string]bool{}
	for r, err := range t.scan() {
		if err != nil {
			return err
		}
		t.rows[r.part]++
		switch {
		case known:
			if _, err := t.label(r); err != nil {
				return err
			}
		case !seen[r.class]:
			if len(t.Classes) == mostClasses {
				return r.at(fmt.Errorf("class %q is one more than the limit of %d classes; is this the label column?", r.class, mostClasses))
			}
			seen[r.class] = true
			t.Classes = append(t.Classes, r.class)
		}
		if standardise && r.part == training {
			m.add(r.x)
		}
	}
	if t.rows[training] == 0 {
		return fmt.Errorf("%s: no rows to train on", t.file)
	}
	if !known {
		sortClasses(t.Classes)
	}
	if !standardise {
		return nil
	}
	var err error
	t.Mean, t.Scale, err = m.scales()
	if err != nil {
		return fmt.Errorf("%s: %w", t.file, err)
	}
	return nil
}

// moments holds running means and sums of squared deviations (Welford 1962).
type moments struct {
	n       float64
	mean, s []float64
}

func (m *moments) add(x []float64) {
	if m.mean == nil {
		m.mean, m.s = make([]float64, len(x)), make([]float64, len(x))
	}
	m.n++
	for j, v := range x {
		d := v - m.mean[j]
		m.mean[j] += d / m.n
		m.s[j] += float64(d * (v - m.mean[j]))
	}
}

// scales returns the means and standard deviations. A constant feature gets 1, so that
// dividing by it is safe.
func (m *moments) scales() (mean, scale []float64, err error) {
	for j, s := range m.s {
		d := math.Sqrt(s / m.n)
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
// standardise.
func (c *columns) standardise(dst, x []float64) {
	copy(dst, x)
	for j := range c.Mean {
		dst[j] = (x[j] - c.Mean[j]) / c.Scale[j]
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
			return fmt.Errorf("%d classes, want two, or use -model onevsrest: %q", len(c.Classes), c.Classes[:min(10, len(c.Classes))])
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
	err := t.stream(func(p part, x []float64, label int) bool {
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
		return t.stream(yield)
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
func (t *table) stream(yield func(p part, x []float64, label int) bool) error {
	var n [parts]int
	x := make([]float64, t.Features)
	for r, err := range t.scan() {
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
