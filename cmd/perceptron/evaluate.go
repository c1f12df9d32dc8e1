package main

import (
	"fmt"
	"maps"
	"slices"

	"perceptron/cmd/perceptron/internal/split"
	"perceptron/cmd/perceptron/internal/table"
)

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
