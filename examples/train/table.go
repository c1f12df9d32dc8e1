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

// Columns is what a saved model knows of its data besides the weights.
type columns struct {
	layout
	Classes []string  `json:"classes"` // ascending
	Labels  []int     `json:"labels"`  // that the model has for them; ascending too
	Mean    []float64 `json:"mean,omitempty"`
	Scale   []float64 `json:"scale,omitempty"` // standard deviations; 1 where that is 0
	Holdout float64   `json:"holdout"`         // the share of rows that is held out
	Seed    uint64    `json:"seed"`            // of the choice of these rows
}

// A part of the rows.
type part int

const (
	training part = iota
	heldOut
	parts
)

// A table is the rows of a file as a model sees them.
type table struct {
	file string
	columns
	unlabelled bool // rows without a label are good
	reading    func(f *os.File) io.Reader

	rows [parts]int
	X    [parts][][]float64 // nil if the file is read again for each pass
	y    [parts][]int
}

// open opens the file for one pass over its text.
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

// count finds the number of features of a LIBSVM file, which no line of it tells.
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

// A row of the file.
type row struct {
	x     []float64 // overwritten by the next
	class string
	part  part
	at    func(error) error
}

// scan yields the rows as the file has them. An error ends it.
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
		// A stream of its own: Order's is PCG(Seed, 0).
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

// mostClasses bounds what a wrong column can make of a model, and of the square of
// counts that a confusion matrix is.
const mostClasses = 1000

// survey reads the file once: for its size, and for its classes and its columns'
// mean and deviation if the model has none yet.
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
				return r.at(fmt.Errorf("%q is one class more than the most, %d: is this the label's column?", r.class, mostClasses))
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

// Moments are running means and sums of squared deviations (Welford 1962).
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

// scales returns means and standard deviations, 1 for that of a constant.
func (m *moments) scales() (mean, scale []float64, err error) {
	for j, s := range m.s {
		d := math.Sqrt(s / m.n)
		if math.IsInf(d, 0) || math.IsNaN(d) {
			return nil, nil, fmt.Errorf("feature %d is too large to be standardised", j+1)
		}
		if d == 0 {
			d = 1
		}
		scale = append(scale, d)
	}
	return m.mean, scale, nil
}

// standardise sets dst to x as the model takes it.
func (c *columns) standardise(dst, x []float64) {
	copy(dst, x)
	for j := range c.Mean {
		dst[j] = (x[j] - c.Mean[j]) / c.Scale[j]
	}
}

// number gives the classes their labels: −1 and +1 for a binary model; else the
// numbers that they are, or where one is none, their places.
func (c *columns) number(binary bool) error {
	if len(c.Classes) < 2 {
		return fmt.Errorf("every row is of class %q, want at least two classes", c.Classes[0])
	}
	c.Labels = nil
	if binary {
		if len(c.Classes) != 2 {
			return fmt.Errorf("%d classes, want two, or -model onevsrest: %q", len(c.Classes), c.Classes[:min(10, len(c.Classes))])
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

// label is the model's for a row.
func (t *table) label(r row) (int, error) {
	i := slices.Index(t.Classes, r.class)
	if i < 0 {
		return 0, r.at(fmt.Errorf("class %q is none of the model's %q", r.class, t.Classes))
	}
	return t.Labels[i], nil
}

// bytes is what the rows take in memory.
func (t *table) bytes() float64 {
	const head = 24 + 8 // a slice, and the label
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
			return true // a row more, of which stream tells
		}
		copy(X[p][n[p]], x)
		t.y[p][n[p]] = label
		n[p]++
		return true
	})
	t.X = X
	return err
}

func (t *table) changed() error {
	return fmt.Errorf("%s: its rows are not those that were there before", t.file)
}

// pass yields every row as the model sees it: from memory, or through one buffer
// from the file.
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
		return t.changed()
	}
	return nil
}

// place is the index of a label's class.
func (c *columns) place(label int) int {
	i, _ := slices.BinarySearch(c.Labels, label)
	return i
}

// counts returns no rows yet by true and predicted class.
func (c *columns) counts() [][]int {
	counts := make([][]int, len(c.Classes))
	for i := range counts {
		counts[i] = make([]int, len(c.Classes))
	}
	return counts
}
