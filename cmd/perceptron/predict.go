package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strconv"

	"perceptron"
	"perceptron/cmd/perceptron/internal/dataset"
	"perceptron/cmd/perceptron/internal/modelfile"
	"perceptron/cmd/perceptron/internal/table"
	"perceptron/cmd/perceptron/pipeline"
)

// using has the flags of the commands that use a model. These commands have no flags for columns,
// because the model knows its columns.
type using struct {
	Model   string `short:"m" required:"" placeholder:"FILE" help:"The model."`
	reading `embed:""`
	Strict  bool `help:"A word that training did not see is an error."`
}

// open loads the model and opens the data. The model comes first, so that an error in it is reported
// even while standard input waits for a user. If again is true, the data can be read more than once,
// and a pipe is copied to a file.
func open[M any](u *using, p *program, again bool, load func(path string) (M, error)) (model M, src *table.Source, err error) {
	if model, err = load(u.Model); err == nil {
		src, err = u.reading.open(p, again)
	}
	return model, src, err
}

// predictCmd prints predictions as CSV, the form that every other tool reads.
type predictCmd struct {
	using  `embed:""`
	ID     string `name:"id" placeholder:"NAME" help:"Print this column before the class."`
	Scores bool   `xor:"figures" help:"Print the scores after the class, and a header."`

	Probabilities bool `xor:"figures" help:"Print probabilities after the class, and a header."`

	JSON   bool `name:"json" xor:"figures" help:"Print a JSON object for each row, with all of these."`
	note   func(string)
	buffer *bufio.Writer // of the objects
}

// An answer is a line of predict --json. Its JSON names are stable.
type answer struct {
	ID    string  `json:"id,omitempty"`
	Class *string `json:"class"` // null for a row without a prediction

	// For two classes, Score is the score of the second class. Otherwise Scores has the score of
	// each class. Probabilities is set if the model is calibrated.
	Score         *float64           `json:"score,omitempty"`
	Scores        map[string]float64 `json:"scores,omitempty"`
	Probabilities map[string]float64 `json:"probabilities,omitempty"`
}

// figures returns the index of a row's class, and the scores and probabilities that the flags ask for. It returns
// -1 if the model leaves out the row, or on an error.
func (c *predictCmd) figures(p *modelfile.Predictor, r *table.Row) (class int, scores, probabilities []float64, err error) {
	if r.Bad != nil || r.Blank || p.LeavesOut(r.Missing) {
		return -1, nil, nil, r.Bad
	}
	class, err = p.Predict(r.X)
	if err == nil && (c.Scores || c.JSON) { // one score for two classes, else one for each class
		scores, err = p.Scores(nil, r.X)
	}
	if err == nil && (c.Probabilities || c.JSON && p.Calibration != nil) {
		probabilities, err = p.Probabilities(nil, r.X)
	}
	if err != nil {
		return -1, nil, nil, err
	}
	return class, scores, probabilities, nil
}

// object returns the JSON object for a row. Class is null if there is none.
func object(p *modelfile.Predictor, id string, class int, scores, probabilities []float64) answer {
	if class < 0 {
		return answer{ID: id}
	}
	named := func(values []float64) map[string]float64 { // an empty map is not printed
		all := map[string]float64{}
		for k, v := range values {
			all[p.Classes[k]] = v
		}
		return all
	}
	if p.Two {
		return answer{id, &p.Classes[class], &scores[0], nil, named(probabilities)}
	}
	return answer{id, &p.Classes[class], nil, named(scores), named(probabilities)}
}

// Run prints the class of each row. On an error, it also prints the lines before the error, because
// a pipe may run for days before its first bad row.
func (c *predictCmd) Run(p *program) error {
	// A garbage collection takes little time here, because little memory is in use. Frequent
	// collections keep the heap small, however long the stream is.
	defer debug.SetGCPercent(debug.SetGCPercent(25))
	model, src, err := open(&c.using, p, false, pipeline.LoadReadonly)
	if err != nil {
		return err
	}
	defer src.Close()
	out := csv.NewWriter(p.stdout)
	c.note, c.buffer = p.note, bufio.NewWriter(p.stdout)
	err = c.print(model.Model, src, out)
	out.Flush()
	return errors.Join(err, out.Error(), c.buffer.Flush())
}

// print prints a line for each row, even if the row has no prediction. So the i-th line belongs to
// row i, after a line of names if there are scores. The lines wait in a buffer, because a system call
// for each line would take most of the time. print flushes the buffer before it waits for another row.
func (c *predictCmd) print(predictor *modelfile.Predictor, src *table.Source, out *csv.Writer) error {
	names := []string(nil) // of the columns with scores or probabilities
	switch {
	case c.Probabilities && predictor.Calibration == nil:
		return modelfile.ErrUncalibrated
	case c.Probabilities:
		names = predictor.Classes
	case c.Scores:
		names = predictor.Scored()
	}
	if names != nil {
		if err := out.Write(c.fields(c.ID, append([]string{"class"}, names...))); err != nil {
			return err
		}
	}
	unseen := dataset.NewNovelty(predictor.Data)
	bad := 0
	for r, err := range src.Rows(&predictor.Schema, table.RowOptions{ID: c.ID, Strict: c.Strict, Overflow: true, Blank: true, Classes: predictor.Classes}) {
		if err != nil {
			return err
		}
		unseen.Add(r)
		// Training chose how the model treats missing values. With MissingMean, the predictor fills
		// them in.
		class, scores, probabilities, err := c.figures(predictor, r)
		if err != nil && !errors.Is(err, perceptron.ErrNotFinite) && r.Bad == nil {
			return r.At(err)
		}
		// One bad row must not end the command. Only the first errors are printed: they show what is
		// wrong.
		if err != nil {
			if bad++; bad <= mostErrors {
				c.note(cmp.Or(r.Bad, r.At(err)).Error())
			}
		}
		if c.JSON {
			err = writeJSON(c.buffer, object(predictor, r.ID, class, scores, probabilities))
		} else {
			err = out.Write(c.fields(r.ID, line(predictor, len(names), class, append(scores, probabilities...))))
		}
		if err != nil {
			return err
		}
		if r.Last { // reading the next row may have to wait
			out.Flush()
			if err := c.buffer.Flush(); err != nil {
				return err
			}
		}
	}
	if unseen.UnseenRows > 0 {
		c.note(unseen.Said())
	}
	if away := unseen.Away(); away != "" {
		c.note(away)
	}
	if bad > 0 {
		return fmt.Errorf("%s: %s no class: see above", src.Name, map[bool]string{true: "1 row has", false: fmt.Sprint(bad, " rows have")}[bad == 1])
	}
	return nil
}

// mostErrors limits the number of rows whose errors are printed.
const mostErrors = 10

// line returns the class of a row, or "" if there is none, and n scores or probabilities. They have
// all digits, so that another program reads the same numbers.
func line(p *modelfile.Predictor, n, class int, figures []float64) []string {
	line := make([]string, 1+n)
	if class >= 0 {
		line[0] = p.Classes[class]
	}
	for k, v := range figures {
		line[1+k] = strconv.FormatFloat(v, 'g', -1, 64)
	}
	return line
}

// fields returns the fields of a line, with the id first if --id is set.
func (c *predictCmd) fields(id string, line []string) []string {
	if c.ID == "" {
		return line
	}
	return slices.Insert(line, 0, id)
}

// evaluateCmd measures predictions. Package pipeline measures for train too, so that a model has the
// same figures in both reports. The file may differ from the training file in its format, and may
// have more columns.
type evaluateCmd struct {
	using `embed:""`
	Label string `placeholder:"NAME" help:"Column of the class; default: as in training."`
	All   bool   `help:"Measure all rows of the training file."`
	Class string `name:"positive" placeholder:"CLASS" help:"AUC and average precision of this class."`
	JSON  bool   `name:"json" help:"Print the report as one JSON object."`
}

// Run prints the accuracy and the other figures. A row of a class that the model does not know is an
// error: the class may be misspelt, or the label may be another column. Figures of only the other
// rows would be better than the model is.
func (c *evaluateCmd) Run(p *program) error {
	m, err := pipeline.LoadReadonly(c.Model)
	if err != nil {
		return err
	}
	in, err := c.reading.file()
	if err != nil {
		return err
	}
	defer in.Close()
	ctx := context.Background()
	e, err := m.Evaluate(ctx, in, pipeline.Options{Format: c.Format, Header: c.Header, Comma: c.Comma, Decimal: c.Decimal, Label: c.Label,
		Strict: c.Strict, All: c.All, Positive: c.Class, Progress: p.bars.follow(ctx), Note: p.note})
	if err != nil {
		return err
	}
	return p.show(c.JSON, "evaluation", e)
}
