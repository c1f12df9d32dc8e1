package main

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"

	"perceptron"
	"perceptron/cmd/perceptron/internal/modelfile"
	"perceptron/cmd/perceptron/internal/split"
	"perceptron/cmd/perceptron/internal/table"
)

// A dataset is the rows of a file, divided into those to train on and those held out,
// as a model receives them.
//
// Nothing here depends on whether the rows fit in memory. A pass over the file and a pass
// over the rows in memory yield the same numbers in the same order, so they train
// bit-identical models.
//
// A training parses the file once, or twice if it has words or text: Discover finds the columns, and
// survey counts the rows, and finds classes and deviations. The source keeps the rows as they are
// parsed the last time, for all later passes. load scales them in memory. After the training, measure
// predicts the raw rows, as another program will.
type dataset struct {
	src *table.Source
	*modelfile.File
	folds, fold int  // of a cross-validation; folds is 0 without one
	named       bool // the user says that the numbers of the label are names of classes
	options     table.RowOptions
	calibrates  bool   // the scores of the rows held out are collected
	scalesWords bool   // the features of words are standardized as numbers are
	weighsText  bool   // the features of text are weighted by how rare they are
	positive    string // class whose scores are measured; "" is the second of two

	rows    [split.Parts]int // in the last pass, if there was one
	leftOut int              // rows with a missing value, in the last pass
	unseen  unseen           // words, in the last pass
	bytes   int              // that the scaled rows take in memory

	// The rows in memory are in X, or in sparse if those of the Schema are.
	loaded bool
	X      [split.Parts][][]float64
	sparse [split.Parts][]perceptron.Sparse
	y      [split.Parts][]int
}

// errStop ends a scan early, when the caller wants no more rows.
var errStop = errors.New("stop")

// scan makes one pass over the file. It calls do with the complete rows in the order of
// the file, and with the place of each class, or -1 if the classes are not known yet. It ends at
// the first error, to which it adds the position.
//
// Each pass divides the rows anew. A Divider gives each row the same part again, so no pass
// must remember the part of any row.
func (d *dataset) scan(purpose string, do func(r *table.Row, class int, part split.Part) error) error {
	d.leftOut, d.unseen = 0, unseen{}
	var n [split.Parts]int
	divider := split.Division{Share: d.Data.Holdout, Folds: d.folds, Fold: d.fold, Seed: d.Data.Seed}.Divider()
	o := d.options
	o.Purpose, o.NeedLabel = purpose, true
	for r, err := range d.src.Rows(&d.Schema, o) {
		if err != nil {
			return err
		}
		// Rows that are left out belong to no part. They must not change the parts of other rows.
		if r.Class == "" || r.Missing && d.Schema.Missing == table.MissingDrop {
			d.leftOut++
			continue
		}
		class, part := d.Place(r.Class), divider.Part(r.Class)
		if slices.Contains(d.Data.Kept, r.Class) {
			part = split.Training
		}
		if part == split.Neither {
			continue
		}
		n[part]++
		d.unseen.add(r)
		if class < 0 && d.Classes != nil {
			return r.At(fmt.Errorf("class %q is not among the model's %s", r.Class, table.Short(d.Classes)))
		}
		if err := do(r, class, part); err != nil {
			return r.At(err)
		}
	}
	// Training again and again on a file that somebody writes to would give a model of
	// no data at all. The check is cheap, and finds rows that were added or removed.
	if d.rows != [split.Parts]int{} && n != d.rows {
		return fmt.Errorf("%s: the file has changed since it was first read", d.src.Name)
	}
	d.rows = n // for the next pass to compare with
	return nil
}

// mostClasses limits the size of the model and of the confusion matrix when the label's
// column is wrong, for example a measured number with a different value in each row.
const mostClasses = 1000

// fewClasses are accepted in any number of rows, also if most classes have one row.
const fewClasses = 20

// fewNumbers are accepted as classes in any number of rows, and mostCodes if they count the
// classes.
const (
	fewNumbers = 5
	mostCodes  = 100
)

var errNoRows = errors.New("no rows to train on")

// rowHead is the number of bytes of the headers of a row's slices, and of its label.
const rowHead = 24 + 24 + 8

// survey reads the file once to count its rows. For a new model it also collects the
// classes, and the means and deviations that scaling and missing values need. A model that
// continues has them all, and must keep them: its weights belong to them.
func (d *dataset) survey(standardize bool) error {
	m, kept := make(moments, d.Schema.Features()), d.Data.Kept != nil
	seen := map[string]*[split.Parts]int{}
	err := d.scan("counting the rows", func(r *table.Row, _ int, part split.Part) error {
		if seen[r.Class] == nil {
			if len(seen) == mostClasses {
				return fmt.Errorf("class %q is one more than the limit of %d; is %q the label's column? --label names another", r.Class, mostClasses, d.Schema.Label.Name)
			}
			// The class is a part of the line, which the map would keep in memory.
			seen[strings.Clone(r.Class)] = new([split.Parts]int)
		}
		seen[r.Class][part]++
		d.bytes += rowHead + 8*len(r.X.Value) + 4*len(r.X.Index)
		if part == split.Training {
			m.add(r.X)
		}
		return nil
	})
	switch {
	case err != nil:
		return err
	case d.rows[split.Training] == 0:
		return fmt.Errorf("%s: %w", d.src.Name, errNoRows)
	case d.Classes != nil:
		return nil
	}
	// The order of the classes must not depend on that of the rows: it decides which of two
	// classes is the positive one.
	d.Classes = slices.SortedFunc(maps.Keys(seen), table.CompareClasses)
	if len(d.Classes) < 2 {
		return fmt.Errorf("%s: column %q: every row has class %q, want at least two classes", d.src.Name, d.Schema.Label.Name, d.Classes[0])
	}
	if err := d.doubt(seen); err != nil {
		return err
	}
	// If all rows of a class were held out, no model could learn it. So these rows are trained on
	// instead. The means must then include them, and everything is counted again.
	for _, name := range d.Classes {
		if seen[name][split.Training] == 0 {
			d.Data.Kept = append(d.Data.Kept, name)
		}
	}
	if d.Data.Kept != nil && !kept {
		d.Classes, d.bytes, d.rows = nil, 0, [split.Parts]int{}
		return d.survey(standardize)
	}
	return d.scales(m, standardize)
}

// doubt returns an error for a label that looks measured: each of its values would become a
// class. A model of such classes can be trained, but nobody wants it.
func (d *dataset) doubt(seen map[string]*[split.Parts]int) error {
	rows, n := d.rows[split.Training]+d.rows[split.HeldOut], len(d.Classes)
	first, _ := table.Number(d.Classes[0])
	numbers, whole, codes := 0, true, n <= mostCodes && (first == 0 || first == 1)
	seldom := 0 // classes with less than a hundredth of the rows
	for i, name := range d.Classes {
		v, ok := table.Number(name)
		if !ok && !table.LooksNumeric(name) {
			continue // such as "unknown" among ages
		}
		numbers, whole = numbers+1, whole && v == math.Trunc(v)
		// Codes, for example of letters, count the classes, and each has its rows. Ages and
		// counts have gaps, begin elsewhere, or have few rows of the last ones.
		count := seen[name][split.Training] + seen[name][split.HeldOut]
		codes = codes && v == first+float64(i) && 5*n*count >= rows
		if 100*count < rows {
			seldom++
		}
	}
	rare := 2*n > rows // one row of a class teaches nothing about the next
	what := ""
	switch {
	case d.named:
	// Numbers that are no codes need many rows to count as classes: the more different numbers, the
	// more rows.
	case 2*numbers > n && (!whole || n > fewClasses && 2*seldom > n || !codes && (n > fewClasses || numbers == n && n > fewNumbers && n*n > 2*rows)):
		what = "numbers that look measured or counted"
	case n > fewClasses && rare:
		what = "classes, more than one for two rows"
	}
	if what == "" {
		return nil
	}
	return fmt.Errorf("%s: column %q has %d %s, such as %s; is it the label's column? --label names another, %s accepts it", d.src.Name, d.Schema.Label.Name, n, what, table.Short(d.Classes[n/2:min(n, n/2+3)]), table.Flag("category", d.Schema.Label.Name))
}

// scales stores the means and deviations that the model needs. They come from the rows
// to train on only: those held out must not influence the model.
func (d *dataset) scales(m moments, standardize bool) error {
	mean := d.Schema.Missing == table.MissingMean
	means, deviations, filled := make([]float64, len(m)), make([]float64, len(m)), make([]int, len(m))
	if d.Schema.Sparse {
		m.addZeros(float64(d.rows[split.Training]))
	}
	for j, one := range m {
		// Without a value, this is NaN. Only scaling and means need it, so that raw rows may
		// have values of any size.
		v := math.Sqrt(one.s / one.n)
		if finite := v <= math.MaxFloat64; !finite && (standardize || mean) {
			return fmt.Errorf("%s: column %q: the standard deviation is not a finite number: the rows to train on have no value, or too large ones; --drop leaves it out", d.src.Name, d.Schema.Names()[j])
		}
		means[j], deviations[j], filled[j] = one.mean, cmp.Or(v, 1), one.filled // a constant feature becomes 0
	}
	if mean {
		d.Fill = slices.Clone(means)
	}
	if d.Schema.Sparse { // without its mean, a feature of 0 stays 0
		clear(means)
	}
	at, scaled := 0, false
	columns := slices.Clone(d.Schema.Columns) // folds share them
	for i, c := range columns {
		n := c.Width()
		// The rows of a text have length 1. A word that is 0 or 1 has as much weight as any other: divided
		// by its deviation, a rare one would have more, and its few rows teach little.
		word := c.Text != nil || len(c.Categories) > 0 && !d.scalesWords
		if c.Text != nil && d.weighsText {
			columns[i].Text = c.Text.Weighted(d.rows[split.Training], filled[at:at+n])
		}
		if scaled = scaled || !word; word {
			copy(means[at:at+n], make([]float64, n))
			copy(deviations[at:at+n], slices.Repeat([]float64{1}, n))
		}
		at += n
	}
	d.Schema.Columns = columns
	if standardize && scaled {
		d.Scaling = perceptron.Scaling{Mean: means, Scale: deviations}
	}
	return nil
}

// moments holds running means and sums of squared deviations (Welford 1962) of the
// values that are not missing. Sums of squares would lose all digits of a feature whose
// deviation is small beside its mean.
type moments []struct {
	n, mean, s, missing float64
	filled              int // values that are not 0
}

func (all moments) add(x table.Vector) {
	for k, v := range x.Value {
		m := &all[x.Feature(k)]
		if math.IsNaN(v) {
			m.missing++
			continue
		}
		m.n++
		if v != 0 {
			m.filled++
		}
		d := v - m.mean
		m.mean += d / m.n
		m.s += float64(d * (v - m.mean)) // rounded, so that no machine fuses the two
	}
}

// addZeros adds the zeros that sparse rows leave out (Chan, Golub and LeVeque 1983). To add them
// one by one would take as long as dense rows do.
func (all moments) addZeros(rows float64) {
	for j := range all {
		m := &all[j]
		n := rows - m.missing
		m.s += float64(m.mean * m.mean * m.n * (n - m.n) / max(1, n))
		m.mean, m.n = m.mean*m.n/max(1, n), n
	}
}

// load reads the rows into memory. It sets loaded at the end, because passes read the file
// until then.
func (d *dataset) load() error {
	err := d.stream("loading the rows", func(part split.Part, x table.Vector, label int) error {
		if d.y[part] = append(d.y[part], label); d.Schema.Sparse {
			d.sparse[part] = append(d.sparse[part], perceptron.Sparse{Index: slices.Clone(x.Index), Value: slices.Clone(x.Value)})
		} else {
			d.X[part] = append(d.X[part], slices.Clone(x.Value))
		}
		return nil
	})
	d.loaded = true
	return err
}

// examples yields the rows of a part, scaled, with the model's labels. They come from
// memory or, through one buffer, from the file. A dense row has only the Value. An error ends them.
// The library's Learn takes a sequence without errors, so failed carries it past Learn to the
// caller.
func (d *dataset) examples(part split.Part, failed *error) iter.Seq2[perceptron.Sparse, int] {
	return func(yield func(x perceptron.Sparse, label int) bool) {
		for i := 0; d.loaded && i < len(d.y[part]); i++ {
			x := perceptron.Sparse{} // a copy of two headers; nobody writes to the rows themselves
			if d.Schema.Sparse {
				x = d.sparse[part][i]
			} else {
				x.Value = d.X[part][i]
			}
			if !yield(x, d.y[part][i]) {
				return
			}
		}
		if d.loaded {
			return
		}
		err := d.stream("reading the rows", func(of split.Part, x table.Vector, label int) error {
			if of == part && !yield(perceptron.Sparse(x), label) {
				return errStop
			}
			return nil
		})
		if !errors.Is(err, errStop) {
			*failed = err
		}
	}
}

// stream calls do with the rows, scaled, and the model's labels.
// The next row overwrites x. Missing values are replaced before scaling, because the means are
// those of raw rows.
func (d *dataset) stream(purpose string, do func(part split.Part, x table.Vector, label int) error) error {
	labels, z := d.Labels(), table.Vector{}
	return d.scan(purpose, func(r *table.Row, class int, part split.Part) (err error) {
		table.Fill(r.X, d.Fill)
		if z, err = d.Scaled(z, r.X); err != nil {
			return err
		}
		return do(part, z, labels[class])
	})
}
