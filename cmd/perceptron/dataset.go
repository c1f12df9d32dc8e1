package main

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"

	"perceptron"
	"perceptron/cmd/perceptron/internal/modelfile"
	"perceptron/cmd/perceptron/internal/split"
	"perceptron/cmd/perceptron/internal/table"
)

// A dataset is the rows of a file, divided into those to train on and those held out,
// as a model receives them.
type dataset struct {
	src *table.Source
	*modelfile.File
	folds, fold int // of a cross-validation
	options     table.RowOptions

	rows    [split.Parts]int
	leftOut int                      // rows with a missing value, in the last pass
	X       [split.Parts][][]float64 // nil if the file is read again for each pass
	y       [split.Parts][]int
}

// A row is a complete row of the file, and its part.
type row struct {
	*table.Row
	part split.Part
}

// scan yields the complete rows in the order of the file. It ends at the first error.
func (d *dataset) scan(purpose string) iter.Seq2[row, error] {
	return func(yield func(row, error) bool) {
		d.leftOut = 0
		divider := split.Division{Share: d.Data.Holdout, Folds: d.folds, Fold: d.fold, Seed: d.Data.Seed}.Divider()
		o := d.options
		o.Purpose, o.NeedLabel = purpose, true
		for r, err := range d.src.Rows(&d.Schema, o) {
			complete := false
			if err == nil {
				complete, err = d.Schema.Complete(r)
			}
			switch {
			case err != nil:
				yield(row{}, err)
				return
			case !complete:
				d.leftOut++
			case !yield(row{r, divider.Part(r.Class)}, nil):
				return
			}
		}
	}
}

// mostClasses limits the size of the model and of the confusion matrix when the label's
// column is wrong.
const mostClasses = 1000

// survey reads the file once to count its rows. For a new model it also collects the
// classes, and the means and deviations that scaling and missing values need.
func (d *dataset) survey(standardise bool) error {
	var m moments
	known := d.Classes != nil
	seen := map[string]*[split.Parts]int{}
	d.rows = [split.Parts]int{}
	for r, err := range d.scan("counting the rows") {
		if err != nil {
			return err
		}
		d.rows[r.part]++
		if known {
			_, err = d.label(r)
		} else if err = d.meet(r, seen); err == nil && r.part == split.Training {
			m.add(r.X)
		}
		if err != nil {
			return err
		}
	}
	switch {
	case d.rows[split.Training] == 0:
		return fmt.Errorf("%s: no rows to train on", d.src.Name)
	case known:
		return nil
	case len(d.Classes) < 2:
		return fmt.Errorf("%s: column %q: every row has class %q, want at least two classes", d.src.Name, d.Schema.Label.Name, d.Classes[0])
	}
	table.SortClasses(d.Classes)
	for _, name := range d.Classes {
		if n := seen[name]; n[split.Training] == 0 {
			return fmt.Errorf("%s: class %q has no row to train on, with %s held out", d.src.Name, name, table.Counted(n[split.HeldOut], "row"))
		}
	}
	return d.scales(&m, standardise)
}

// meet counts a row of a new model's file and collects its class.
func (d *dataset) meet(r row, seen map[string]*[split.Parts]int) error {
	n := seen[r.Class]
	if n == nil {
		if len(d.Classes) == mostClasses {
			return r.At(fmt.Errorf("class %q is one more than the limit of %d; is %q the label's column? --label names another", r.Class, mostClasses, d.Schema.Label.Name))
		}
		n = new([split.Parts]int)
		seen[r.Class] = n
		d.Classes = append(d.Classes, r.Class)
	}
	n[r.part]++
	return nil
}

// scales stores the means and deviations that the model needs.
func (d *dataset) scales(m *moments, standardise bool) error {
	names := d.Schema.Names()
	deviations := make([]float64, len(m.s))
	for j, s := range m.s {
		v := math.Sqrt(s / m.n[j])
		switch {
		case m.n[j] == 0:
			return fmt.Errorf("%s: column %q has no value in any row to train on; --drop leaves it out", d.src.Name, names[j])
		case math.IsInf(v, 0) || math.IsNaN(v):
			return fmt.Errorf("%s: the values of %q are too large to standardise", d.src.Name, names[j])
		case v == 0:
			v = 1
		}
		deviations[j] = v
	}
	if standardise {
		d.Scaling = perceptron.Scaling{Mean: m.mean, Scale: deviations}
	}
	if d.Schema.Missing == table.MissingMean {
		d.Fill = slices.Clone(m.mean)
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

// label returns the model's label of the row's class.
func (d *dataset) label(r row) (int, error) {
	i := d.Place(r.Class)
	if i < 0 {
		return 0, r.At(fmt.Errorf("class %q is not among the model's %s", r.Class, table.Short(d.Classes)))
	}
	return i, nil
}

// bytes returns the memory that the rows need.
func (d *dataset) bytes() float64 {
	const head = 24 + 8 // a slice header and the label
	return float64(d.rows[split.Training]+d.rows[split.HeldOut]) * float64(8*d.Schema.Features()+head)
}

// load reads the rows into memory, where those of a part lie one after another.
func (d *dataset) load() error {
	width := d.Schema.Features()
	var all [split.Parts][]float64
	var X [split.Parts][][]float64
	for p, n := range d.rows {
		all[p], X[p], d.y[p] = make([]float64, 0, n*width), make([][]float64, 0, n), make([]int, 0, n)
	}
	err := d.stream("loading the rows", func(p split.Part, x []float64, label int) bool {
		all[p] = append(all[p], x...)
		X[p] = append(X[p], all[p][len(all[p])-width:])
		d.y[p] = append(d.y[p], label)
		return true
	})
	d.X = X
	return err
}

// pass yields every row, scaled, with the model's label. The rows come from memory or,
// through one buffer, from the file.
func (d *dataset) pass(yield func(p split.Part, x []float64, label int) bool) error {
	if d.X[split.Training] == nil {
		return d.stream("", yield)
	}
	for p := range split.Parts {
		for i, x := range d.X[p] {
			if !yield(p, x, d.y[p][i]) {
				return nil
			}
		}
	}
	return nil
}

var errChanged = errors.New("the file has changed since it was first read")

// stream is pass from the file.
func (d *dataset) stream(purpose string, yield func(p split.Part, x []float64, label int) bool) error {
	var n [split.Parts]int
	labels := d.Labels()
	z := make([]float64, 0, d.Schema.Features())
	for r, err := range d.scan(purpose) {
		if err != nil {
			return err
		}
		class, err := d.label(r)
		if err != nil {
			return err
		}
		if d.Fill != nil {
			table.Fill(r.X, d.Fill)
		}
		if z, err = d.Scaling.Apply(z[:0], r.X); err != nil {
			return r.At(err)
		}
		n[r.part]++
		if !yield(r.part, z, labels[class]) {
			return nil
		}
	}
	if n != d.rows {
		return fmt.Errorf("%s: %w", d.src.Name, errChanged)
	}
	return nil
}
