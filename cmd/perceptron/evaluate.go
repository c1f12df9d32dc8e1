package main

import (
	"fmt"
	"maps"
	"slices"

	"perceptron/cmd/perceptron/internal/modelfile"
	"perceptron/cmd/perceptron/internal/split"
	"perceptron/cmd/perceptron/internal/table"
)

// evaluateCmd measures predictions.
type evaluateCmd struct {
	Data    string `arg:"" placeholder:"FILE" help:"Labelled CSV or LIBSVM, may be gzip; - is standard input."`
	Model   string `short:"m" required:"" placeholder:"FILE" help:"The model."`
	reading `embed:""`
	Label   string `placeholder:"NAME" help:"Column of the class; default: as in training."`
	Unknown string `enum:"error,none" default:"error" placeholder:"error" help:"New words: error, or none of the known ones."`
	All     bool   `help:"Measure all rows of the training file."`
	JSON    bool   `name:"json" help:"Print the report as one JSON object."`
}

// Help ends the command's help.
func (*evaluateCmd) Help() string {
	return `If the file is the one that the model was trained on, only the rows held out are measured.

Example: perceptron evaluate -m model.perceptron test.csv`
}

// An evaluation is the report. Its JSON names are stable.
type evaluation struct {
	Data    string   `json:"data"`
	Part    string   `json:"part"` // all, or heldOut of the training file
	LeftOut int      `json:"leftOut"`
	Classes []string `json:"classes"`
	*quality
}

// Run prints accuracy and the other figures.
func (c *evaluateCmd) Run(p *program) error {
	if _, err := c.options(); err != nil {
		return err
	}
	f, err := modelfile.Read(c.Model)
	if err != nil {
		return err
	}
	src, err := c.open(p, c.Data, true)
	if err != nil {
		return err
	}
	defer src.Close()
	b := newBars(p.stderr)
	defer b.close()
	src.Watch = b.watch
	sum, err := src.SHA256()
	if err != nil {
		return err
	}
	d := &dataset{src: src, File: f, options: table.RowOptions{Label: c.Label, SkipUnknown: c.Unknown == "none"}}
	e := evaluation{Data: src.Name, Part: "all", Classes: f.Classes}
	part := split.Training
	switch same := sum == f.Data.SHA256; {
	case same && f.Data.HeldOut > 0 && !c.All:
		e.Part, part = "heldOut", split.HeldOut
	case same:
		p.note(src.Name + ": the model was trained on these rows, so that the figures are better than on new ones")
		fallthrough
	default:
		f.Data.Holdout = 0
	}
	predictor, err := f.Predictor()
	if err != nil {
		return err
	}
	parts, err := d.measure(predictor, "measuring")
	if err != nil {
		return err
	}
	b.close()
	e.quality, e.LeftOut = parts[part], d.leftOut
	if e.Rows == 0 {
		return fmt.Errorf("%s: %w", src.Name, errNoRows)
	}
	return e.write(p, c.JSON)
}

// write prints the report. It returns an error if the model does not know a class.
func (e *evaluation) write(p *program, asJSON bool) error {
	var err error
	if asJSON {
		err = writeJSON(p.stdout, e)
	} else {
		of := "rows of " + e.Data + leftOut(e.LeftOut)
		if e.Part == "heldOut" {
			of = "rows of " + e.Data + " that were held out of training" + leftOut(e.LeftOut)
		}
		err = e.quality.write(p.stdout, of, e.Classes, true)
	}
	if err == nil && len(e.Unknown) > 0 {
		n := 0
		for _, rows := range e.Unknown {
			n += rows
		}
		err = fmt.Errorf("%s: %d of %d rows have a class that the model does not know, and count as wrong: %s", e.Data, n, e.Rows, table.Short(slices.Sorted(maps.Keys(e.Unknown))))
	}
	return err
}
