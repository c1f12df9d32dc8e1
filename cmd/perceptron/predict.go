package main

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"strconv"

	"perceptron/cmd/perceptron/internal/modelfile"
	"perceptron/cmd/perceptron/internal/split"
	"perceptron/cmd/perceptron/internal/table"
)

// using has the flags of the commands that use a model.
type using struct {
	Data    string `arg:"" placeholder:"FILE" help:"CSV or LIBSVM, may be gzip; - is standard input."`
	Model   string `short:"m" required:"" placeholder:"FILE" help:"The model."`
	reading `embed:""`
	Unknown string `enum:"error,none" default:"error" placeholder:"error" help:"New words: error, or none of the known ones."`
}

// open reads the model and opens the data.
func (u *using) open(p *program, again bool) (f *modelfile.File, src *table.Source, err error) {
	if f, err = modelfile.Read(u.Model); err == nil {
		src, err = u.reading.open(p, u.Data, again)
	}
	return f, src, err
}

// predictCmd prints predictions.
type predictCmd struct {
	using  `embed:""`
	ID     string `name:"id" placeholder:"NAME" help:"Print this column before the class."`
	Scores bool   `help:"Print the scores after the class."`
	JSON   bool   `name:"json" help:"Print one JSON object for each row."`
}

// Help ends the command's help.
func (*predictCmd) Help() string {
	return `A line in gives a line out at once. A row that lacks a value gives an empty line if the model was trained with --missing drop.

A perceptron has no probabilities: it learns which side of a hyperplane a row is on, and nothing about how often. --scores prints the score of each class, or of the second of two classes. Greater is more likely, and that is all.

Example: perceptron predict -m model.perceptron new.csv --id name`
}

// A prediction is one line of output.
type prediction struct {
	Row    int                `json:"row"` // from 1
	ID     *string            `json:"id,omitempty"`
	Class  *string            `json:"class"` // null if a value is missing and the model leaves such rows out
	Scores map[string]float64 `json:"scores,omitempty"`
}

// Run prints the class of each row.
func (c *predictCmd) Run(p *program) error {
	defer debug.SetGCPercent(debug.SetGCPercent(25)) // little is live, and a stream has no end
	f, src, err := c.open(p, false)
	if err != nil {
		return err
	}
	defer src.Close()
	out := bufio.NewWriter(p.stdout)
	return errors.Join(c.print(f, src, out), out.Flush())
}

// print prints a line for each row, also for one that has no prediction, so that line i
// of the output always belongs to row i. If the next row is not there yet, the lines so far
// are written out first.
func (c *predictCmd) print(f *modelfile.File, src *table.Source, out *bufio.Writer) error {
	predictor, err := f.Predictor()
	if err != nil {
		return err
	}
	text := csv.NewWriter(out) // which uses the buffer of out
	n := 0
	for r, err := range src.Rows(&f.Schema, table.RowOptions{ID: c.ID, SkipUnknown: c.Unknown == "none"}) {
		if err != nil {
			return err
		}
		n++
		line := prediction{Row: n}
		if !(r.Missing && f.Schema.Missing == table.MissingDrop) {
			if err := c.predict(&line, predictor, r.X); err != nil {
				return r.At(err)
			}
		}
		if c.ID != "" {
			line.ID = &r.ID
		}
		if c.JSON {
			err = writeJSON(out, line)
		} else {
			err = text.Write(c.fields(&line, predictor))
		}
		if err == nil && r.Last {
			err = out.Flush()
		}
		if err != nil {
			return err
		}
	}
	if n == 0 {
		return fmt.Errorf("%s: no rows", src.Name)
	}
	return nil
}

// predict predicts one row.
func (c *predictCmd) predict(line *prediction, p *modelfile.Predictor, x []float64) error {
	class, err := p.Predict(x)
	if err != nil {
		return err
	}
	line.Class = &p.Classes[class]
	if c.Scores {
		scores, err := p.Scores(nil, x)
		if err != nil {
			return err
		}
		line.Scores = make(map[string]float64, len(scores))
		for i, name := range p.Scored() {
			line.Scores[name] = scores[i]
		}
	}
	return nil
}

// fields returns a prediction as a line of CSV. Without a class, it has empty fields.
func (c *predictCmd) fields(line *prediction, p *modelfile.Predictor) (fields []string) {
	if line.ID != nil {
		fields = append(fields, *line.ID)
	}
	class, scores := "", []string(nil)
	if c.Scores {
		scores = make([]string, len(p.Scored()))
	}
	if line.Class != nil {
		class = *line.Class
		for i := range scores {
			scores[i] = strconv.FormatFloat(line.Scores[p.Scored()[i]], 'g', -1, 64)
		}
	}
	return append(append(fields, class), scores...)
}

// evaluateCmd measures predictions.
type evaluateCmd struct {
	using `embed:""`
	Label string `placeholder:"NAME" help:"Column of the class; default: as in training."`
	All   bool   `help:"Measure all rows of the training file."`
	JSON  bool   `name:"json" help:"Print the report as one JSON object."`
}

// Help ends the command's help.
func (*evaluateCmd) Help() string {
	return "If the file is the one that the model was trained on, only the rows held out are measured.\n\nExample: perceptron evaluate -m model.perceptron test.csv"
}

// An evaluation is the report. Its JSON names are stable.
type evaluation struct {
	Data    string   `json:"data"`
	Part    string   `json:"part"` // all, or heldOut of the training file
	LeftOut int      `json:"leftOut"`
	Classes []string `json:"classes"`
	*quality
}

// Run prints accuracy and the other figures. It returns an error if the model does not
// know a class.
func (c *evaluateCmd) Run(p *program) error {
	f, src, err := c.open(p, true)
	if err != nil {
		return err
	}
	defer src.Close()
	sum, err := src.SHA256()
	if err != nil {
		return err
	}
	e := evaluation{Data: src.Name, Part: "all", Classes: f.Classes}
	title, part := "rows of "+src.Name, split.Training
	switch same := sum == f.Data.SHA256; {
	case same && f.Data.HeldOut > 0 && !c.All:
		e.Part, title, part = "heldOut", title+" that were held out of training", split.HeldOut
	case same:
		p.note(src.Name + ": the model was trained on these rows, so that the figures are better than on new ones")
		fallthrough
	default:
		f.Data.Holdout = 0 // all rows are of one part
	}
	d := &dataset{src: src, File: f, options: table.RowOptions{Label: c.Label, SkipUnknown: c.Unknown == "none"}}
	parts, err := d.measure()
	if err != nil {
		return err
	}
	e.quality, e.LeftOut = parts[part], d.leftOut
	if e.Rows == 0 {
		return fmt.Errorf("%s: no rows to measure", src.Name)
	}
	e.Title = title + leftOut(e.LeftOut)
	if err := p.show(c.JSON, "", e, e.quality); err != nil || len(e.Unknown) == 0 {
		return err
	}
	n := 0
	for _, rows := range e.Unknown {
		n += rows
	}
	return fmt.Errorf("%s: %d of %d rows have a class that the model does not know, and count as wrong: %s", src.Name, n, e.Rows, table.Short(slices.Sorted(maps.Keys(e.Unknown))))
}
