package main

import (
	"errors"
	"fmt"
	"iter"
	"maps"
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
		if err == nil && seen[r.Class] == nil {
			err = d.meet(r, known, len(seen))
			seen[r.Class] = new([split.Parts]int)
		}
		if err != nil {
			return err
		}
		d.rows[r.part]++
		seen[r.Class][r.part]++
		if r.part == split.Training && !known {
			m.add(r.X)
		}
	}
	if d.rows[split.Training] == 0 {
		return fmt.Errorf("%s: no rows to train on", d.src.Name)
	}
	if known {
		return nil
	}
	d.Classes = slices.Collect(maps.Keys(seen))
	table.SortClasses(d.Classes)
	if len(d.Classes) < 2 {
		return fmt.Errorf("%s: column %q: every row has class %q, want at least two classes", d.src.Name, d.Schema.Label.Name, d.Classes[0])
	}
	for _, name := range d.Classes {
		if n := seen[name]; n[split.Training] == 0 {
			return fmt.Errorf("%s: class %q has no row to train on, with %s held out", d.src.Name, name, table.Counted(n[split.HeldOut], "row"))
		}
	}
	return d.scales(&m, standardise)
}

// meet returns an error if the first row of a class has one that the model does not
// know, or one class too many.
func (d *dataset) meet(r row, known bool, classes int) error {
	if known {
		_, err := d.label(r)
		return err
	}
	if classes == mostClasses {
		return r.At(fmt.Errorf("class %q is one more than the limit of %d; is %q the label's column? --label names another", r.Class, mostClasses, d.Schema.Label.Name))
	}
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

// label returns the place of the row's class among those of the model.
func (d *dataset) label(r row) (int, error) {
	i := d.Place(r.Class)
	if i < 0 {
		return 0, r.At(fmt.Errorf("class %q is not among the model's %s", r.Class, table.Short(d.Classes)))
	}
	return i, nil
}

// load reads the rows into memory, where those of a part lie one after another.
func (d *dataset) load() error {
	width := d.Schema.Features()
	var all [split.Parts][]float64
	var X [split.Parts][][]float64
	for p, n := range d.rows {
		all[p], X[p], d.y[p] = make([]float64, 0, n*width), make([][]float64, 0, n), make([]int, 0, n)
	}
	for e, err := range d.stream("loading the rows") {
		if err != nil {
			return err
		}
		p := e.part
		all[p] = append(all[p], e.x...)
		X[p] = append(X[p], all[p][len(all[p])-width:])
		d.y[p] = append(d.y[p], e.label)
	}
	d.X = X
	return nil
}

// examples yields the rows of a part, scaled, with the model's labels. They come from
// memory or, through one buffer, from the file. An error ends them.
func (d *dataset) examples(part split.Part, failed *error) iter.Seq2[[]float64, int] {
	if d.X[part] != nil {
		return perceptron.Examples(d.X[part], d.y[part])
	}
	return func(yield func(x []float64, label int) bool) {
		for e, err := range d.stream("reading the rows") {
			if err != nil {
				*failed = err
				return
			}
			if e.part == part && !yield(e.x, e.label) {
				return
			}
		}
	}
}

// An example is a scaled row of the file, with the model's label.
type example struct {
	part  split.Part
	x     []float64
	label int
}

var errChanged = errors.New("the file has changed since it was first read")

// stream yields the rows of the file. The next one overwrites x.
func (d *dataset) stream(purpose string) iter.Seq2[example, error] {
	return func(yield func(example, error) bool) {
		var n [split.Parts]int
		labels := d.Labels()
		z := make([]float64, 0, d.Schema.Features())
		for r, err := range d.scan(purpose) {
			class := 0
			if err == nil {
				class, err = d.label(r)
			}
			if err == nil {
				z, err = d.scaled(z[:0], r)
			}
			if err != nil {
				yield(example{}, err)
				return
			}
			n[r.part]++
			if !yield(example{r.part, z, labels[class]}, nil) {
				return
			}
		}
		if n != d.rows {
			yield(example{}, fmt.Errorf("%s: %w", d.src.Name, errChanged))
		}
	}
}

// scaled appends the scaled features of a row to z.
func (d *dataset) scaled(z []float64, r row) ([]float64, error) {
	if d.Fill != nil {
		table.Fill(r.X, d.Fill)
	}
	z, err := d.Scaling.Apply(z, r.X)
	if err != nil {
		err = r.At(err)
	}
	return z, err
}
