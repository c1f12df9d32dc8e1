package main

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"

	"perceptron"
)

// A prediction is one line of the output of -predict.
type prediction struct {
	Row    int                `json:"row"`             // from 1
	Class  *string            `json:"class"`           // null if a value is missing and -missing is drop
	Label  string             `json:"label,omitempty"` // the class that the file states
	Scores map[string]float64 `json:"scores,omitempty"`
}

// A printer writes predictions.
type printer struct {
	json    *json.Encoder // nil for text
	text    *csv.Writer
	classes []string // of the scores, in order; nil without -scores
}

func newPrinter(w io.Writer, o *options, classes []string) *printer {
	p := &printer{text: csv.NewWriter(w), classes: classes}
	if o.json {
		p.json = json.NewEncoder(w)
		p.json.SetEscapeHTML(false)
	}
	return p
}

// print writes a prediction: JSON, or CSV without a header.
func (p *printer) print(r prediction) error {
	if p.json != nil {
		return p.json.Encode(r)
	}
	fields := make([]string, 1, 1+len(p.classes))
	if r.Class != nil {
		fields[0] = *r.Class
	}
	for _, name := range p.classes {
		field := ""
		if r.Class != nil {
			field = strconv.FormatFloat(r.Scores[name], 'g', -1, 64)
		}
		fields = append(fields, field)
	}
	return p.text.Write(fields)
}

// scored returns the classes that have a score: of two classes, only the second.
func (c *columns) scored(m perceptron.Model) []string {
	if _, ok := m.(scorer); ok {
		return c.Classes[1:]
	}
	return c.Classes
}

// scores returns the scores of x by class.
func (c *columns) scores(m perceptron.Model, x []float64) (map[string]float64, error) {
	var values []float64
	var err error
	labels := []int{+1}
	switch m := m.(type) {
	case ranker:
		labels = m.Classes()
		values, err = m.Scores(nil, x)
	case scorer:
		values = make([]float64, 1)
		values[0], err = m.Score(x)
	}
	scores := map[string]float64{}
	for i, v := range values {
		scores[c.Classes[c.place(labels[i])]] = v
	}
	return scores, err
}

// A tally counts the predictions of a file that has labels.
type tally struct {
	Counts    [][]int        // rows by known true class and predicted class
	Others    []int          // rows of unknown classes by predicted class
	Unknown   map[string]int // rows by class that the model does not know
	Predicted int
	Dropped   int // rows without a prediction, because a value is missing
	Labelled  int
}

// add counts one prediction.
func (c *tally) add(t *table, class string, predicted int) {
	c.Predicted++
	if class == "" {
		return
	}
	c.Labelled++
	if known := slices.Index(t.Classes, class); known >= 0 {
		c.Counts[known][predicted]++
		return
	}
	c.Others[predicted]++
	c.Unknown[class]++
}

// predictions prints the class of each row. If the file has labels, it also prints the
// quality of the predictions to stderr.
func (o *options) predictions(t *table, m perceptron.Model, stdout, stderr io.Writer) error {
	t.Holdout = 0
	if err := o.possible(t, m); err != nil {
		return err
	}
	if v, err := strconv.ParseFloat(o.cut, 64); err == nil {
		t.Threshold = v
	}
	buffered := bufio.NewWriter(stdout)
	var classes []string
	if o.scores {
		classes = t.scored(m)
	}
	out := newPrinter(buffered, o, classes)
	counts := &tally{Counts: t.counts(), Others: make([]int, len(t.Classes)), Unknown: map[string]int{}}
	err := t.predict(m, out, counts)
	out.text.Flush()
	if err := errors.Join(err, out.text.Error(), buffered.Flush()); err != nil {
		return err
	}
	return counts.report(t).write(stderr, o.json)
}

// predict prints and counts the predictions.
func (t *table) predict(m perceptron.Model, out *printer, counts *tally) error {
	x := make([]float64, t.Features)
	n := 0
	for r, err := range t.scan("") {
		if err != nil {
			return err
		}
		n++
		line := prediction{Row: n, Label: r.class}
		if t.Missing == missingDrop && slices.ContainsFunc(r.x, math.IsNaN) {
			counts.Dropped++
			if err := out.print(line); err != nil {
				return err
			}
			continue
		}
		t.standardise(x, r.x)
		label, err := t.classify(m, x)
		if err != nil {
			return r.at(err)
		}
		predicted := t.place(label)
		line.Class = &t.Classes[predicted]
		if out.classes != nil {
			if line.Scores, err = t.scores(m, x); err != nil {
				return r.at(err)
			}
		}
		counts.add(t, r.class, predicted)
		if err := out.print(line); err != nil {
			return err
		}
	}
	if n == 0 {
		return fmt.Errorf("%s: no rows", t.file)
	}
	return nil
}

// A predictionReport describes the predictions of a file.
type predictionReport struct {
	File      string         `json:"file"`
	Predicted int            `json:"predicted"`
	Dropped   int            `json:"dropped"` // rows with a missing value
	Labelled  int            `json:"labelled"`
	Unknown   map[string]int `json:"unknown"`            // labelled rows by class that the model does not know
	Accuracy  *float64       `json:"accuracy,omitempty"` // on the labelled rows; unknown classes are wrong
	PerClass  []classScore   `json:"perClass,omitempty"`
	Confusion [][]int        `json:"confusion,omitempty"`        // by known true class and predicted class
	Others    []int          `json:"unknownConfusion,omitempty"` // rows of unknown classes by predicted class
	classes   []string
}

func (c *tally) report(t *table) *predictionReport {
	r := &predictionReport{File: t.file, Predicted: c.Predicted, Dropped: c.Dropped, Labelled: c.Labelled, Unknown: c.Unknown, classes: t.Classes}
	if c.Labelled > 0 {
		right := 0
		for k, row := range c.Counts {
			right += row[k]
		}
		share := ratio(right, c.Labelled)
		r.Accuracy, r.PerClass, r.Confusion = &share, classScores(t.Classes, c.Counts, c.Others), c.Counts
		if len(c.Unknown) > 0 {
			r.Others = c.Others
		}
	}
	return r
}

// unknown returns the number of rows of unknown classes.
func (r *predictionReport) unknown() (n int) {
	for _, rows := range r.Unknown {
		n += rows
	}
	return n
}

// write prints the report. It returns an error if the model does not know a class.
func (r *predictionReport) write(w io.Writer, asJSON bool) error {
	if asJSON {
		if err := writeJSON(w, r); err != nil {
			return err
		}
	} else if err := r.text(w); err != nil {
		return err
	}
	if n := r.unknown(); n > 0 {
		return fmt.Errorf("%s: %d of %d labelled rows have a class that the model does not know", r.File, n, r.Labelled)
	}
	return nil
}

func (r *predictionReport) text(w io.Writer) error {
	if r.Dropped > 0 {
		fmt.Fprintf(w, "%d of %d rows have a missing value and no prediction\n", r.Dropped, r.Dropped+r.Predicted)
	}
	if r.Accuracy == nil {
		return nil
	}
	fmt.Fprintf(w, "accuracy %.4f on %s with a label\n", *r.Accuracy, counted(r.Labelled, "row"))
	if n := r.unknown(); n > 0 {
		fmt.Fprintf(w, "%d of them have a class that the model does not know, and count as wrong:\n", n)
		for i, name := range slices.Sorted(maps.Keys(r.Unknown)) {
			if i == 20 {
				fmt.Fprintf(w, "  … and %d more classes\n", len(r.Unknown)-i)
				break
			}
			fmt.Fprintf(w, "  %q: %d\n", name, r.Unknown[name])
		}
	}
	counts := r.Confusion
	if r.Others != nil {
		counts = append(slices.Clip(counts), r.Others)
	}
	return tables(w, r.File, r.classes, counts, r.PerClass)
}
