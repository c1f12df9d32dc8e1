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
	predictor, err := f.Predictor()
	if err != nil {
		return err
	}
	out := bufio.NewWriter(p.stdout)
	w := &printer{predictCmd: c, Predictor: predictor, text: csv.NewWriter(out), json: json.NewEncoder(out), drop: f.Schema.Missing == table.MissingDrop}
	w.json.SetEscapeHTML(false)
	err = w.rows(src, &f.Schema)
	w.text.Flush()
	return errors.Join(err, w.text.Error())
}

// A printer prints predictions. Its two writers share one buffer.
type printer struct {
	*predictCmd
	*modelfile.Predictor
	text *csv.Writer
	json *json.Encoder
	drop bool // rows without a value have no class
}

// rows prints a line for each row. If the next row is not there yet, the lines so far
// are written out first.
func (p *printer) rows(src *table.Source, schema *table.Schema) error {
	n := 0
	for r, err := range src.Rows(schema, table.RowOptions{ID: p.ID, SkipUnknown: p.Unknown == "none"}) {
		if err != nil {
			return err
		}
		n++
		line, err := p.predict(r)
		if err != nil {
			return r.At(err)
		}
		if line.Row = n; p.JSON {
			err = p.json.Encode(line)
		} else {
			err = p.text.Write(p.fields(line))
		}
		if r.Last {
			p.text.Flush()
		}
		if err := errors.Join(err, p.text.Error()); err != nil {
			return err
		}
	}
	if n == 0 {
		return fmt.Errorf("%s: no rows", src.Name)
	}
	return nil
}

// predict predicts one row.
func (p *printer) predict(r *table.Row) (line prediction, err error) {
	if p.ID != "" {
		line.ID = &r.ID
	}
	if r.Missing && p.drop {
		return line, nil
	}
	class, err := p.Predict(r.X)
	if err != nil {
		return line, err
	}
	line.Class = &p.Classes[class]
	if !p.predictCmd.Scores {
		return line, nil
	}
	scores, err := p.Predictor.Scores(nil, r.X)
	line.Scores = make(map[string]float64, len(scores))
	for i, v := range scores {
		line.Scores[p.Scored()[i]] = v
	}
	return line, err
}

// fields returns a prediction as CSV without a header.
func (p *printer) fields(line prediction) (fields []string) {
	if line.ID != nil {
		fields = append(fields, *line.ID)
	}
	if line.Class == nil {
		fields = append(fields, "")
	} else {
		fields = append(fields, *line.Class)
	}
	if !p.predictCmd.Scores {
		return fields
	}
	for _, name := range p.Scored() {
		score := ""
		if v, ok := line.Scores[name]; ok {
			score = strconv.FormatFloat(v, 'g', -1, 64)
		}
		fields = append(fields, score)
	}
	return fields
}
