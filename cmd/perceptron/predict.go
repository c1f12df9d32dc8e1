package main

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"strconv"

	"perceptron/cmd/perceptron/internal/modelfile"
	"perceptron/cmd/perceptron/internal/table"
)

// predictCmd prints predictions.
type predictCmd struct {
	Data    string `arg:"" placeholder:"FILE" help:"CSV or LIBSVM, may be gzip; - is standard input."`
	Model   string `short:"m" required:"" placeholder:"FILE" help:"The model."`
	reading `embed:""`
	ID      string `name:"id" placeholder:"NAME" help:"Print this column before the class."`
	Scores  bool   `help:"Print the scores after the class."`
	Unknown string `enum:"error,none" default:"error" placeholder:"error" help:"New words: error, or none of the known ones."`
	JSON    bool   `name:"json" help:"Print one JSON object for each row."`
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
	if _, err := c.options(); err != nil {
		return err
	}
	defer debug.SetGCPercent(debug.SetGCPercent(25)) // little is live, and a stream has no end
	f, err := modelfile.Read(c.Model)
	if err != nil {
		return err
	}
	src, err := c.open(p, c.Data, false)
	if err != nil {
		return err
	}
	defer src.Close()
	predictor, err := f.Predictor()
	if err != nil {
		return err
	}
	out := bufio.NewWriter(p.stdout)
	printer := &printer{cmd: c, out: out, text: csv.NewWriter(out), json: json.NewEncoder(out), predictor: predictor}
	printer.json.SetEscapeHTML(false)
	err = printer.rows(src, f)
	printer.text.Flush()
	return errors.Join(err, printer.text.Error(), out.Flush())
}

// A printer prints predictions.
type printer struct {
	cmd       *predictCmd
	out       *bufio.Writer
	text      *csv.Writer
	json      *json.Encoder
	predictor *modelfile.Predictor
	line      prediction
	scores    []float64
}

// rows prints a line for each row. If the next row is not there yet, the lines so far
// are written out first.
func (p *printer) rows(src *table.Source, f *modelfile.File) error {
	for r, err := range src.Rows(&f.Schema, table.RowOptions{ID: p.cmd.ID, SkipUnknown: p.cmd.Unknown == "none"}) {
		if err != nil {
			return err
		}
		p.line = prediction{Row: p.line.Row + 1}
		p.scores = p.scores[:0]
		if p.cmd.ID != "" {
			p.line.ID = &r.ID
		}
		if !(r.Missing && f.Schema.Missing == table.MissingDrop) {
			if err := p.predict(r.X); err != nil {
				return r.At(err)
			}
		}
		if err := p.print(); err != nil {
			return err
		}
		if r.Last {
			p.text.Flush()
			if err := p.out.Flush(); err != nil {
				return err
			}
		}
	}
	if p.line.Row == 0 {
		return fmt.Errorf("%s: no rows", src.Name)
	}
	return nil
}

// predict predicts one row.
func (p *printer) predict(x []float64) error {
	class, err := p.predictor.Predict(x)
	if err != nil {
		return err
	}
	p.line.Class = &p.predictor.Classes[class]
	if p.cmd.Scores {
		p.scores, err = p.predictor.Scores(p.scores, x)
	}
	return err
}

// print writes a prediction: JSON, or CSV without a header.
func (p *printer) print() error {
	var names []string
	if p.cmd.Scores {
		names = p.predictor.Scored()
	}
	if p.cmd.JSON {
		if len(p.scores) > 0 {
			p.line.Scores = make(map[string]float64, len(names))
		}
		for i, v := range p.scores {
			p.line.Scores[names[i]] = v
		}
		return p.json.Encode(p.line)
	}
	var fields []string
	if p.line.ID != nil {
		fields = append(fields, *p.line.ID)
	}
	if p.line.Class == nil {
		fields = append(fields, make([]string, 1+len(names))...)
	} else {
		fields = append(fields, *p.line.Class)
		for _, v := range p.scores {
			fields = append(fields, strconv.FormatFloat(v, 'g', -1, 64))
		}
	}
	return p.text.Write(fields)
}
