// Package dataset has the rows of a file as a model receives them: divided into those to train on and those
// held out, scaled, and with missing values filled in.
//
// A training begins with two passes. [New] finds the columns. [Dataset.Survey] counts the rows, and finds the
// classes and the deviations. The source keeps the parsed rows for all later passes: those of New, or those of
// Survey if the file has words or text. [Dataset.Load] copies the scaled rows into memory.
package dataset

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

// A Dataset is the rows of a file, divided into those to train on and those held out,
// as a model receives them.
//
// Nothing here depends on whether the rows fit in memory. A pass over the file and a pass
// over the rows in memory yield the same numbers in the same order, so they train
// bit-identical models.
type Dataset struct {
	Src *table.Source
	*modelfile.File
	Folds, Fold int             // of a cross-validation; without one, Folds is 0
	Within      *split.Division // whose training rows are the rows; nil for those that are not held out
	Parts       map[string]int  // rows of each class; the folds are consecutive parts of them; nil for folds that are drawn
	Named       bool            // --category names the label, so that its numbers are names of classes
	Options     table.RowOptions
	ScalesWords bool // the features of words are standardized as numbers are
	WeighsText  bool // the features of text are weighted by how rare they are

	Alive func() error // if set, its error ends a pass

	Rows    [split.Parts]int // rows of each part in the last pass; zeros before the first pass
	LeftOut int              // rows that the last pass left out because a value is missing
	Lacks   map[string]int   // these rows by the first column without its value
	Unseen  Novelty          // rows of the last pass with words that training did not see
	Bytes   int              // memory for the rows as the model gets them
	Absent  []string         // classes without a row held out, though others have some
	run     streak           // the longest run of rows to train on with one class
	units   []float64        // if the squares of a feature overflow, the powers of two that make all of them smaller

	// If Loaded is true, the scaled rows are in memory: in NonZeros if Schema.Sparse is set, else in X.
	Loaded   bool
	X        [split.Parts][][]float64
	NonZeros [split.Parts][]perceptron.Sparse
	Y        [split.Parts][]int
}

// New finds the columns of a source, for a new model.
func New(src *table.Source, c table.Choice) (*Dataset, error) {
	schema, err := table.Discover(src, c)
	if err != nil {
		return nil, err
	}
	return &Dataset{Src: src, File: &modelfile.File{Details: modelfile.Details{Schema: *schema}}, Named: slices.Contains(c.Category, schema.Label.Name)}, nil
}

// Free drops the rows in memory.
func (d *Dataset) Free() {
	d.X, d.NonZeros = [split.Parts][][]float64{}, [split.Parts][]perceptron.Sparse{}
}

// errStop ends a scan early, when the caller wants no more rows.
var errStop = errors.New("stop")

// Scan makes one pass over the file. It calls do for each row in the order of the file, except
// rows that are left out. The argument class is the index of the row's class, or -1 if the classes
// are not known yet. Scan ends at the first error, and adds the row's position to it.
//
// Each pass divides the rows anew. Every Divider assigns a row to the same part, so that the parts
// need not be stored.
func (d *Dataset) Scan(purpose string, do func(r *table.Row, class int, part split.Part) error) error {
	d.LeftOut, d.Lacks, d.Unseen = 0, map[string]int{}, NewNovelty(d.Data)
	var n [split.Parts]int
	rows := 0
	divider := d.Division().Divider()
	o := d.Options
	if o.Purpose, o.NeedLabel, o.Classes = purpose, true, d.Classes; d.Data.Holdout > 0 || d.Folds > 0 || d.Within != nil {
		o.ID = d.Data.Group
	}
	for r, err := range d.Src.Rows(&d.Schema, o) {
		if rows++; err == nil && rows%block == 0 && d.Alive != nil {
			err = d.Alive()
		}
		if err != nil {
			return err
		}
		// A row that is left out is not given to the divider: it would change the parts of later rows.
		if r.Class == "" || r.Missing && d.Schema.Missing == table.MissingDrop {
			d.LeftOut++
			d.Lacks[d.lacking(r)]++
			continue
		}
		class, part := d.Place(r.Class), divider.Part(r.Class, r.ID)
		if slices.Contains(d.Data.Kept, r.Class) {
			part = split.Training
		}
		if part == split.Neither {
			continue
		}
		n[part]++
		d.Unseen.Add(r)
		if class < 0 && d.Classes != nil {
			return r.At(Unknown(d.Classes, r.Class))
		}
		if err := do(r, class, part); err != nil {
			return r.At(err)
		}
	}
	// If the file changed between two passes, the model would belong to neither version of the
	// file. This cheap check finds rows that were added or removed.
	if d.Rows != [split.Parts]int{} && n != d.Rows {
		return fmt.Errorf("%s: the file has changed since it was first read", d.Src.Name)
	}
	d.Rows = n // for the next pass to compare with
	return nil
}

// block is the number of rows after which a pass asks whether it should end.
const block = 1 << 10

// lacking returns the first column whose value a row lacks.
func (d *Dataset) lacking(r *table.Row) string {
	at, k := 0, slices.IndexFunc(r.X.Value, math.IsNaN)
	for _, c := range d.Schema.Columns {
		if at += c.Width(); r.Class != "" && k >= 0 && r.X.Feature(k) < at {
			return c.Name
		}
	}
	return d.Schema.Label.Name
}

// mostClasses limits the size of the model and of the confusion matrix. The wrong column may be
// taken as the label, for example a measured number that differs in each row.
const mostClasses = 1000

// Up to fewClasses classes are accepted in any number of rows, unless most of them are numbers.
const fewClasses = 20

// Up to fewNumbers whole numbers are accepted as classes in any number of rows. Up to mostCodes
// consecutive numbers from 0 or 1 may be codes, which doubt accepts more easily.
const (
	fewNumbers = 5
	mostCodes  = 100
)

// ErrNoRows reports that no row is left to train on.
var ErrNoRows = errors.New("no rows to train on")

// RowHead is the number of bytes for the headers of a row's two slices and for its label.
const RowHead = 24 + 24 + 8

// Survey reads the file to count its rows. For a new model it also collects the classes, and the
// means and deviations that scaling and missing values need. A model whose training continues
// keeps its classes, means and deviations, because its weights depend on them.
func (d *Dataset) Survey(standardize bool) error {
	m, kept := make(moments, d.Schema.Features()), d.Data.Kept != nil
	for j := range m {
		m[j].unit = 1
		if d.units != nil {
			m[j].unit = d.units[j]
		}
	}
	seen, now := map[string]*[split.Parts]int{}, streak{}
	d.run = streak{}
	err := d.Scan("counting the rows", func(r *table.Row, _ int, part split.Part) error {
		if seen[r.Class] == nil {
			if len(seen) == mostClasses {
				return fmt.Errorf("class %q is one more than the limit of %d%s; is %q the label's column?%s", r.Class, mostClasses, tagged(slices.Collect(maps.Keys(seen))), d.Schema.Label.Name, d.another(""))
			}
			// The class is a substring of the line. Without a copy, the map would keep the whole line.
			seen[strings.Clone(r.Class)] = new([split.Parts]int)
		}
		seen[r.Class][part]++
		if part == split.Training {
			now.add(r.Class)
			if now.rows > d.run.rows {
				d.run = now
			}
		}
		d.Bytes += RowHead + 8*(len(r.X.Value)+d.Waves.Count) + 4*len(r.X.Index)
		if part == split.Training {
			m.add(r.X)
		}
		return nil
	})
	d.Absent = slices.DeleteFunc(slices.SortedFunc(maps.Keys(seen), table.CompareClasses), func(name string) bool {
		return d.Data.Holdout == 0 || d.Folds > 0 || seen[name][split.HeldOut] > 0
	})
	switch {
	case err != nil:
		return err
	case d.Rows[split.Training] == 0:
		return fmt.Errorf("%s: %w", d.Src.Name, ErrNoRows)
	case d.Classes != nil:
		return nil
	}
	// The order of the classes must not depend on the order of the rows: the second of two
	// classes is the positive class.
	d.Classes = slices.SortedFunc(maps.Keys(seen), table.CompareClasses)
	if len(d.Classes) < 2 {
		return fmt.Errorf("%s: column %q: every row has class %q, want at least two classes;%s", d.Src.Name, d.Schema.Label.Name, d.Classes[0], d.another(""))
	}
	if err := d.doubt(seen); err != nil {
		return err
	}
	// If all rows of a class were held out, no model could learn the class. So its rows become
	// training rows. The means must then include them, so that Survey counts everything again.
	for _, name := range d.Classes {
		if seen[name][split.Training] == 0 {
			d.Data.Kept = append(d.Data.Kept, name)
		}
	}
	d.run.of = seen[d.run.class][split.Training]
	if d.Data.Kept != nil && !kept || m.overflow(&d.units) {
		d.Classes, d.Bytes, d.Rows = nil, 0, [split.Parts]int{}
		return d.Survey(standardize)
	}
	return d.scales(m, standardize)
}

// scales stores the means and deviations that the model needs. They come from the training rows
// only, because the rows held out must not influence the model.
func (d *Dataset) scales(m moments, standardize bool) error {
	mean := d.Schema.Missing == table.MissingMean
	means, deviations, filled := make([]float64, len(m)), make([]float64, len(m)), make([]int, len(m))
	if d.Schema.Sparse {
		m.addZeros(float64(d.Rows[split.Training]))
	}
	for j, one := range m {
		// The deviation of a feature without a value is NaN. Only scaling and missing means need a
		// finite deviation. Without both, values of any size are accepted.
		v := min(math.Sqrt(one.s/one.n)/one.unit, math.MaxFloat64) // more would be a rounding error
		if math.IsNaN(v) && (standardize || mean) {
			return fmt.Errorf("%s: column %q: the rows to train on have no value; --drop leaves it out", d.Src.Name, d.Schema.Names()[j])
		}
		means[j], deviations[j], filled[j] = one.mean/one.unit, cmp.Or(v, 1), one.filled // a constant feature is divided by 1
	}
	if mean {
		d.Fill = slices.Clone(means)
	}
	if d.Schema.Sparse { // no mean is subtracted, so that zeros stay zeros
		clear(means)
	}
	at, scaled := 0, false
	columns := slices.Clone(d.Schema.Columns) // all folds share the slice in the Schema
	for i, c := range columns {
		n := c.Width()
		// Features of text and words are not standardized. The features of a text already have length
		// 1. A word's feature is 0 or 1. Divided by its deviation, the feature of a rare word would be
		// large, although few rows show what the word means.
		word := c.Text != nil || len(c.Categories) > 0 && !d.ScalesWords
		if c.Text != nil && d.WeighsText {
			columns[i].Text = c.Text.Weighted(d.Rows[split.Training], filled[at:at+n])
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
	filled              int     // values that are not 0
	unit                float64 // a power of two: mean and s are those of the values times unit
}

// overflow reports whether the squares of a feature overflow in units of 1. Then it sets the units for
// another pass.
func (all moments) overflow(units *[]float64) bool {
	if *units != nil {
		return false
	}
	odd := false
	for _, m := range all {
		*units = append(*units, 1)
		if m.n > 0 && !(m.s <= math.MaxFloat64) {
			odd, (*units)[len(*units)-1] = true, 0x1p-600
		}
	}
	return odd
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
		d := v*m.unit - m.mean
		m.mean += d / m.n
		m.s += float64(d * (v*m.unit - m.mean)) // rounded, so that no machine fuses the product and the sum
	}
}

// addZeros adds the zeros that sparse rows leave out, all at once (Chan, Golub and LeVeque 1983).
// Adding them one by one would take as long as for dense rows.
func (all moments) addZeros(rows float64) {
	for j := range all {
		m := &all[j]
		n := rows - m.missing
		m.s += float64(m.mean * m.mean * m.n * (n - m.n) / max(1, n))
		m.mean, m.n = m.mean*m.n/max(1, n), n
	}
}

// Load reads the scaled rows into memory. It sets Loaded at the end, because Examples reads from
// memory once Loaded is true.
func (d *Dataset) Load() error {
	err := d.stream("loading the rows", func(part split.Part, x table.Vector, label int) error {
		if d.Y[part] = append(d.Y[part], label); d.Schema.Sparse {
			d.NonZeros[part] = append(d.NonZeros[part], perceptron.Sparse{Index: slices.Clone(x.Index), Value: slices.Clone(x.Value)})
		} else {
			d.X[part] = append(d.X[part], slices.Clone(x.Value))
		}
		return nil
	})
	d.Loaded = true
	return err
}

// Examples yields the scaled rows of a part with the model's labels. They come from memory, or
// from the file, through a buffer that the next row overwrites. A dense row has a Value, and no
// Index. An error ends the sequence. The library's Learn takes a sequence without errors, so the
// error is stored in failed for the caller of Learn.
func (d *Dataset) Examples(part split.Part, failed *error) iter.Seq2[perceptron.Sparse, int] {
	return func(yield func(x perceptron.Sparse, label int) bool) {
		for i := 0; d.Loaded && i < len(d.Y[part]); i++ {
			x := perceptron.Sparse{} // copies only the slice headers; nobody writes to the rows
			if d.Schema.Sparse {
				x = d.NonZeros[part][i]
			} else {
				x.Value = d.X[part][i]
			}
			if !yield(x, d.Y[part][i]) {
				return
			}
		}
		if d.Loaded {
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

// stream calls do for each row, with its scaled features x and the model's label. The next row
// overwrites x. Missing values are replaced before scaling, because Fill has the means of raw rows.
func (d *Dataset) stream(purpose string, do func(part split.Part, x table.Vector, label int) error) error {
	labels, z := d.Labels(), table.Vector{}
	return d.Scan(purpose, func(r *table.Row, class int, part split.Part) (err error) {
		table.Fill(r.X, d.Fill)
		if z, err = d.Scaled(z, r.X); err != nil {
			return err
		}
		return do(part, z, labels[class])
	})
}
