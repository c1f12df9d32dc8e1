// Package pipeline predicts in a Go program with a model that the command perceptron trained. A row is what
// the command reads: numbers, words and text as strings, by the names of their columns or in their order.
//
//	p, err := pipeline.Load("churn.perceptron")
//	class, err := p.Predict(map[string]string{"age": "31", "plan": "basic", "note": "called twice"})
//
// The model knows its columns, words, scaling, missing values, classes and threshold, so nothing else is
// needed. A row gets the class that perceptron predict prints for it, the same bits of each score, and the
// same error without the position in a file. The command uses this package itself.
//
// Values are as in a CSV file, without quotes: spaces around a value do not count. Numbers have a decimal
// point. Missing values, such as "" and "NA", are treated as --missing said in training. A word that training
// did not see is none of the known ones, unless the method Strict forbids it. A model of LIBSVM rows has the
// columns x1, x2, …, or if its rows are sparse one column x, whose value is a line without its label.
//
// A file that Classifier[[]float64].Save of package perceptron wrote has columns of numbers: x1, x2, ….
//
// To change the model of a running service, Load the new file and replace the pointer to the old Predictor,
// as the example of the service does. A Predictor needs no lock.
//
// Predict takes time in proportion to the row and, for numbers and words, the features; a text takes time in
// proportion to its own words.
package pipeline

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"perceptron/cmd/perceptron/internal/modelfile"
	"perceptron/cmd/perceptron/internal/table"
)

// A Predictor is a model that predicts. Nothing changes it, so any number of goroutines may use it at once.
type Predictor struct {
	// Model predicts rows that the command has read from a table. Its type is internal.
	Model *modelfile.Predictor

	rows *sync.Pool // of *row
}

// A row has memory for the features of one record.
type row struct {
	*table.Encoder
	x table.Vector
}

// Load reads a model file of the command, or one of perceptron.Classifier[[]float64]. The file is fully
// validated; an error says what is wrong with it.
func Load(path string) (*Predictor, error) {
	f, err := modelfile.ReadPredictor(path)
	var m *modelfile.Predictor
	if err == nil {
		m, err = f.Predictor()
	}
	if err != nil {
		return nil, err
	}
	return of(m, false), nil
}

func of(m *modelfile.Predictor, strict bool) *Predictor {
	return &Predictor{m, &sync.Pool{New: func() any { return &row{Encoder: m.Schema.Encoder(!strict)} }}}
}

// Strict returns a Predictor with the same model, for which a word that training did not see is an error.
func (p *Predictor) Strict() *Predictor { return of(p.Model, true) }

// Columns returns the names of the columns that the model reads, in the order of a record.
func (p *Predictor) Columns() []string { return p.Model.Schema.ColumnNames() }

// Classes returns the names of the classes in the order of the model: numbers by value, and then words.
func (p *Predictor) Classes() []string { return slices.Clone(p.Model.Classes) }

// Scored returns the classes that have a score: the second of two classes, or each class of a model of many.
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

// PredictRecord is Predict for the values in the order of Columns. It allocates nothing for numbers and words.
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

// Record returns the values of a row in the order of Columns, for the methods that take a record.
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

// Scores appends to dst the score of each class in Scored. A greater score is more likely. It appends nothing
// for a row that the model leaves out.
func (p *Predictor) Scores(dst []float64, record []string) (scores []float64, err error) {
	err = p.read(record, func(x table.Vector) (err error) {
		dst, err = p.Model.Scores(dst, x)
		return err
	})
	return dst, err
}

// Probabilities appends the probability of each class to dst. It returns [ErrUncalibrated] unless the model
// was trained with --calibrate. It appends nothing for a row that the model leaves out.
func (p *Predictor) Probabilities(dst []float64, record []string) (probabilities []float64, err error) {
	err = p.read(record, func(x table.Vector) (err error) {
		dst, err = p.Model.Probabilities(dst, x)
		return err
	})
	return dst, err
}

// ErrUncalibrated reports that a model has no probabilities.
var ErrUncalibrated = modelfile.ErrUncalibrated

// A Reason is what a value of a row contributed to its prediction.
type Reason struct {
	Column string
	Value  string // the number or the word; of a text, one of its words, or more words in a row

	// Effect is what the value adds to the lead of the predicted class over the next best class. A number is
	// compared with the mean of the training rows, or with 0 if rows are sparse and training was without
	// --missing mean. A negative effect speaks against the class.
	Effect float64
}

// Explain returns the values that decided, the largest effects first. The effects of all values add up to
// the lead, except for a part that is the same for every row of these two classes. Several words of a text
// that share a feature are one Reason. Explain returns nothing for a row that the model leaves out, and an error
// for a model that was trained with --waves: with bent borders, the effects of values do not add up.
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
