// Package pipeline trains the models of the command perceptron in a Go program, and predicts with them. A table, such as
// a CSV file, has columns of numbers, words and text, and one of classes. The command itself uses this package: the same
// rows and flags give the same bits.
//
//	p, r, err := pipeline.Train(ctx, file, pipeline.Options{Label: "outcome", Missing: "mean", Holdout: 0.2})
//	fmt.Println(r.HeldOut.Accuracy, p.Save("churn.perceptron"))
//	p, err = pipeline.Load("churn.perceptron")
//	class, err := p.Predict(map[string]string{"age": "31", "plan": "basic", "note": "called twice"})
//
// The model knows its columns, words, scaling, missing values, classes and threshold. Values are as in a CSV file,
// without quotes: spaces around a value do not count, and numbers have a decimal point. Missing values, such as "" and
// "NA", are treated as in training. A word that training did not see is none of the known ones. A model of LIBSVM rows
// has the columns x1, x2, …, or if its rows are sparse one column x, whose value is a line without its label.
//
// Nothing changes a [Predictor], so any number of goroutines may use one. A service replaces its pointer to the
// Predictor, as the examples do: by one that Load reads, that Train trains in the background, or that Continue returns.
//
// Predict takes time in proportion to the row and, for numbers and words, the features.
package pipeline

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"perceptron/cmd/perceptron/internal/dataset"
	"perceptron/cmd/perceptron/internal/modelfile"
	"perceptron/cmd/perceptron/internal/table"
)

// A Predictor is a model that predicts. Nothing changes it.
type Predictor struct {
	Model *modelfile.Predictor // for the command, as File: their types are internal
	File  *modelfile.File

	strict bool
	rows   *sync.Pool // of *row
}

// A row has memory for the features of one record.
type row struct {
	*table.Encoder
	x table.Vector
}

// Load reads a model file of the command, or of perceptron.Classifier[[]float64].
func Load(path string) (*Predictor, error) { return load(path, modelfile.Read) }

// LoadReadonly is Load for predictions only: a model of text takes a fraction of the memory, but cannot learn, or Save.
func LoadReadonly(path string) (*Predictor, error) { return load(path, modelfile.ReadPredictor) }

func load(path string, read func(string) (*modelfile.File, error)) (*Predictor, error) {
	f, err := read(path)
	if err != nil {
		return nil, err
	}
	return trained(f)
}

// trained returns the Predictor of a model as it is now. The model may be trained further.
func trained(f *modelfile.File) (*Predictor, error) {
	m, err := f.Predictor()
	if err != nil {
		return nil, err
	}
	return of(f, m, false), nil
}

func of(f *modelfile.File, m *modelfile.Predictor, strict bool) *Predictor {
	return &Predictor{m, f, strict, &sync.Pool{New: func() any { return &row{Encoder: m.Schema.Encoder(!strict)} }}}
}

var errReadonly = errors.New("the model was loaded for predictions only: Load it")

// Save writes, or replaces in one step, the file of the command. The model of a Classifier cannot be saved.
func (p *Predictor) Save(path string) error {
	switch {
	case p.File.Predicts():
		return errReadonly
	case p.File.Schema.Foreign:
		return errForeign
	}
	return p.File.Write(path)
}

var errForeign = errors.New("the model is from the file of a Classifier: the Go program continues its training")

// Continue learns one more row of a known class, as perceptron serve does, and returns the Predictor after it. It copies
// the weights and does not change p: other goroutines may use p meanwhile. Two calls on the same p do not learn from
// each other, so let one goroutine at a time replace the Predictor. Train with Options.Model learns many rows.
func (p *Predictor) Continue(record []string, class string) (*Predictor, error) {
	switch {
	case p.File.Predicts():
		return nil, errReadonly
	case p.File.Schema.Foreign:
		return nil, errForeign
	case !modelfile.Learns(p.File.Model):
		return nil, errors.New("the rule batch cannot learn row by row")
	}
	k := p.File.Place(class)
	if k < 0 {
		return nil, dataset.Unknown(p.Model.Classes, class)
	}
	f, learned := p.File.Copy(), false
	err := p.read(record, func(x table.Vector) error {
		learned = true
		_, err := f.Learn(new(table.Vector), x, k)
		return err
	})
	if err == nil && !learned {
		err = errors.New("a value is missing: the model leaves such rows out")
	}
	if err != nil {
		return nil, err
	}
	m, err := f.Predictor()
	if err != nil {
		return nil, err
	}
	return of(f, m, p.strict), nil
}

// Strict returns a Predictor for which a word that training did not see is an error.
func (p *Predictor) Strict() *Predictor { return of(p.File, p.Model, true) }

// Columns returns the columns that the model reads, in the order of a record.
func (p *Predictor) Columns() []string { return p.Model.Schema.ColumnNames() }

// Classes returns the classes in their order: numbers by value, then words.
func (p *Predictor) Classes() []string { return slices.Clone(p.Model.Classes) }

// Scored returns the classes that have a score: the second of two, or all.
func (p *Predictor) Scored() []string { return slices.Clone(p.Model.Scored()) }

// Predict returns the class of a row, by the names of its columns. It returns "" if a value is missing and
// the model leaves such rows out. A column that the map lacks is an error; other keys are ignored.
func (p *Predictor) Predict(values map[string]string) (class string, err error) {
	record, err := p.Record(values)
	if err != nil {
		return "", err
	}
	return p.PredictRecord(record)
}

// PredictRecord is Predict for values in the order of Columns. For numbers and words, it allocates nothing.
func (p *Predictor) PredictRecord(record []string) (class string, err error) {
	err = p.read(record, func(x table.Vector) error {
		k, err := p.Model.Predict(x)
		if err == nil {
			class = p.Model.Classes[k]
		}
		return err
	})
	return class, err
}

// Record returns the values of a row in the order of Columns.
func (p *Predictor) Record(values map[string]string) (record []string, err error) {
	for _, name := range p.Columns() {
		value, ok := values[name]
		if !ok {
			return nil, table.NoColumn(name, slices.Sorted(maps.Keys(values)))
		}
		record = append(record, value)
	}
	return record, nil
}

// read calls f with the features of a record, unless the model leaves it out.
func (p *Predictor) read(record []string, f func(x table.Vector) error) error {
	if n := len(p.Model.Schema.Columns); len(record) != n {
		return fmt.Errorf("%s, but the model has %s", table.Counted(len(record), "value"), table.Counted(n, "column"))
	}
	r := p.rows.Get().(*row)
	defer p.rows.Put(r)
	lacks, err := r.EncodeText(&r.x, record)
	if err != nil || p.Model.LeavesOut(lacks > 0) {
		return err
	}
	return f(r.x)
}

// Scores appends to dst the score of each class in Scored: greater is more likely. It appends nothing for a row that
// the model leaves out.
func (p *Predictor) Scores(dst []float64, record []string) (scores []float64, err error) {
	err = p.read(record, func(x table.Vector) (err error) {
		dst, err = p.Model.Scores(dst, x)
		return err
	})
	return dst, err
}

// Probabilities appends to dst the probability of each class, or nothing as Scores. Without Calibrate in training, it
// returns [ErrUncalibrated].
func (p *Predictor) Probabilities(dst []float64, record []string) (probabilities []float64, err error) {
	err = p.read(record, func(x table.Vector) (err error) {
		dst, err = p.Model.Probabilities(dst, x)
		return err
	})
	return dst, err
}

// ErrUncalibrated reports that a model has no probabilities.
var ErrUncalibrated = modelfile.ErrUncalibrated

// A Reason is what a value contributed to a prediction. A number counts from the mean of training, or from 0 if rows are
// sparse and Missing was not mean.
type Reason struct {
	Column string
	Value  string  // the number or the word; of a text, one of its words, or more words in a row
	Effect float64 // added to the lead over the next best class; negative: against the class
}

// Explain returns the values that decided, the largest effects first. The effects of all values add up to the lead,
// except for a part that is the same for every row of these two classes. Several words of a text that share a feature
// are one Reason. A row that the model leaves out has none; with Waves, effects do not add up, and Explain fails.
func (p *Predictor) Explain(record []string) (reasons []Reason, err error) {
	if p.Model.Bent() {
		return nil, modelfile.ErrBent
	}
	err = p.read(record, func(x table.Vector) error {
		class, next, err := p.Model.Leaders(x)
		if err == nil {
			reasons = p.reasons(record, x, class, next)
		}
		return err
	})
	slices.SortStableFunc(reasons, func(a, b Reason) int { return cmp.Compare(math.Abs(b.Effect), math.Abs(a.Effect)) })
	return reasons, err
}

// reasons returns the values of a record that have an effect on the lead of a class over the next, in the order
// of the columns.
func (p *Predictor) reasons(record []string, x table.Vector, class, next int) (all []Reason) {
	k, at := 0, 0 // of x.Value, and the first feature of the column
	for j, c := range p.Model.Schema.Columns {
		add := func(value string, effect float64) {
			if effect != 0 {
				all = append(all, Reason{c.Name, value, effect})
			}
		}
		phrases := map[int][]string{}
		if c.Text != nil {
			c.Text.Phrases(phrases, record[j])
		}
		sum := 0.0 // of a column of numbers or words
		for ; k < len(x.Value) && x.Feature(k) < at+c.Width(); k++ {
			i := x.Feature(k) - at
			switch v := p.Model.Effect(class, next, at+i, x.Value[k], c.Number()); {
			case c.Text != nil:
				add(strings.Join(phrases[i], " | "), v)
			case c.Indexed > 0:
				add(c.Name+strconv.Itoa(i+1), v)
			default:
				sum += v
			}
		}
		add(strings.TrimSpace(record[j]), sum)
		at += c.Width()
	}
	return all
}
