//go:build plot

package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"perceptron"
	"perceptron/cmd/perceptron/internal/chart"
	"perceptron/cmd/perceptron/internal/metrics"
	"perceptron/cmd/perceptron/internal/modelfile"
	"perceptron/cmd/perceptron/internal/output"
	"perceptron/cmd/perceptron/internal/split"
	"perceptron/cmd/perceptron/internal/table"
	"perceptron/internal/atomicfile"
)

// plotCmd draws a picture.
type plotCmd struct {
	Kind   string `arg:"" enum:"regions,roc,confusion,calibration,bound,margins,updates" placeholder:"KIND" help:"regions, roc, confusion, calibration, bound, margins or updates."`
	Output string `short:"o" required:"" placeholder:"FILE" help:"Draw to this file: .png or .svg."`
	Model  string `short:"m" placeholder:"FILE" help:"Draw what this model predicts (regions to calibration)."`
	X      string `placeholder:"NAME" help:"Feature of the horizontal axis; with --y."`
	Y      string `placeholder:"NAME" help:"Feature of the vertical axis."`

	reading `embed:""`
	// Choice is for pictures without a model: with one, the columns are those of the model.
	table.Choice `embed:""`
	Raw          bool   `help:"Do not standardize the features."`
	Positive     string `placeholder:"CLASS" help:"This class against all others (bound, margins, updates)."`
	Strict       bool   `help:"A word that training did not see is an error (-m)."`
	All          bool   `help:"Draw all rows of the training file (-m)."`
}

// check reports flags that have no effect or contradict each other.
func (c *plotCmd) check(given map[string]bool) error {
	// The name alone decides the form. An existing file of another form is not replaced.
	begins := map[string]string{".png": chart.BeginsPNG, ".svg": chart.BeginsSVG}[filepath.Ext(c.Output)]
	unused := []string{"model", "all", "strict"}
	if c.predicts() {
		unused = []string{"positive"}
	}
	if c.Kind != "regions" && c.Kind != "margins" && c.Kind != "updates" {
		unused = append(unused, "x", "y")
	}
	var known error
	if c.Model != "" {
		known = without(given, "-m", "features", "columns", "drop", "category", "missing", "na", "raw")
	}
	return cmp.Or(without(given, c.Kind, unused...), known,
		usageIf(begins == "", "-o is %s, want a name that ends with .png or .svg", c.Output),
		usageIf((c.X == "") != (c.Y == "") || c.Features < 0, "--x is %q, --y %q, --features %d: want both or neither, and at least 0", c.X, c.Y, c.Features),
		usageIf(c.Kind == "calibration" && c.Model == "", "calibration requires -m, a model that train --calibrate has written"),
		usageIf(c.Model == "" && (c.All || c.Strict), "--all and --strict require -m"),
		safe([]string{c.Data, c.Model}, output.File{Flag: "-o", Path: c.Output, Begins: begins}))
}

// predicts reports whether the picture needs a model.
func (c *plotCmd) predicts() bool {
	return slices.Contains([]string{"regions", "roc", "confusion", "calibration"}, c.Kind)
}

// A drawing has the data of a picture.
type drawing struct {
	*dataset
	rows      string               // what rows these are
	heldOut   bool                 // draw only the rows held out
	predictor *modelfile.Predictor // nil if the picture needs no model
	data      chart.Data
	predicted []int
	curves    []chart.Curve // of the classes that the predictor scores

	reliability metrics.Reliability // of the probabilities, if the model has them
}

// Run draws the picture.
func (c *plotCmd) Run(p *program) error {
	if err := c.check(p.given); err != nil {
		return err
	}
	// The defaults of train, which kong sets only in its own command. A picture needs all rows in
	// memory, so that --memory has no limit here.
	t := trainCmd{Model: c.Model, reading: c.reading, Choice: c.Choice, Epochs: 20, Memory: math.MaxInt32,
		learning: learning{Algorithm: "auto", Rule: "online", Order: perceptron.Shuffled, Keep: perceptron.Average, Raw: c.Raw}}
	d, err := t.open(p)
	if err != nil {
		return err
	}
	defer d.src.Close()
	g := &drawing{dataset: d, rows: "training rows"}
	switch {
	case c.Kind == "calibration" && g.Calibration == nil:
		err = modelfile.ErrUncalibrated
	case c.Model != "":
		err = g.choose(c)
	case !c.predicts():
		err = g.survey(!c.Raw)
	default:
		if err = t.prepare(d); err == nil {
			_, err = g.fit(context.Background(), &t, &p.bars)
		}
	}
	if err == nil {
		err = g.read(c.predicts())
	}
	if err != nil {
		return err
	}
	// The bars end before the report: they would overwrite it.
	p.bars.Shutdown()
	f, err := g.draw(c)
	if err != nil {
		return fmt.Errorf("%s: %w", d.src.Name, err)
	}
	// The picture is complete in memory before its file is touched.
	image, err := map[string]func() ([]byte, error){".png": f.PNG, ".svg": f.SVG}[filepath.Ext(c.Output)]()
	if err == nil {
		err = atomicfile.Write(c.Output, image, ".perceptron-*.tmp")
	}
	if err == nil {
		_, err = fmt.Fprintf(p.stdout, "%s: %s\n", c.Output, f.Title)
	}
	return err
}

// choose chooses the rows that a model is measured on, as evaluate does.
func (g *drawing) choose(c *plotCmd) error {
	g.options.Strict = c.Strict
	// A training row that is predicted right shows little. So only the rows held out of the training
	// file are drawn, unless the user wants all of them.
	sum, err := g.src.SHA256()
	if sum != g.Data.SHA256 || c.All {
		g.rows = "rows"
	} else if g.heldOut = g.Data.HeldOut > 0; g.heldOut {
		g.rows = "rows held out"
	}
	return err
}

// read reads the rows, and predicts them if the picture needs it.
func (g *drawing) read(predict bool) (err error) {
	g.data = chart.Data{Name: filepath.Base(g.src.Name), Classes: g.Classes, Features: g.Schema.Names(), Mean: g.Scaling.Mean, Scale: g.Scaling.Scale}
	if predict {
		if g.predictor, err = g.Predictor(); err != nil {
			return err
		}
		// Of two classes, only the second has a curve: the first one's would be its mirror image.
		for _, class := range g.predictor.Scored() {
			g.curves = append(g.curves, chart.Curve{Class: class, Threshold: g.Threshold})
		}
	}
	return g.scan("reading the rows", func(r *table.Row, class int, part split.Part) error {
		if g.heldOut && part == split.Training {
			return nil
		}
		return g.add(r, class)
	})
}

// add adds a row.
func (g *drawing) add(r *table.Row, class int) error {
	table.Fill(r.X, g.Fill)
	z, err := g.Scaling.Apply(nil, r.X.Full(g.Schema.Features()))
	if err != nil {
		return err
	}
	g.data.X, g.data.Class = append(g.data.X, z), append(g.data.Class, class)
	if g.predictor == nil {
		return nil
	}
	predicted, err := g.predictor.Predict(r.X)
	if err != nil {
		return err
	}
	g.predicted = append(g.predicted, predicted)
	scores, err := g.predictor.Scores(nil, r.X)
	for k := range scores {
		g.curves[k].Scores.Add(g.predictor.Lead(scores, k+len(g.Classes)-len(scores)), g.Classes[class] == g.curves[k].Class)
	}
	if g.Calibration != nil && err == nil {
		g.reliability.Add(g.Calibration.Probabilities(nil, scores), class)
	}
	return err
}

// draw draws the picture of the kind.
func (g *drawing) draw(c *plotCmd) (*chart.Figure, error) {
	g.data.Axes = [2]string{c.X, c.Y}
	if !c.predicts() {
		if err := pair(&g.data, c.Positive); err != nil {
			return nil, err
		}
	}
	switch c.Kind {
	case "regions":
		// The picture is in scaled features, so that it needs the planes before they are unscaled.
		scaled := modelfile.File{Model: g.Model, Details: g.Details}
		scaled.Scaling = perceptron.Scaling{}
		p, err := scaled.Predictor()
		if err != nil {
			return nil, err
		}
		return chart.Regions(&g.data, p.Planes.Planes, g.predicted, modelfile.Type(g.Model), g.rows)
	case "roc":
		return chart.ROC(g.data.Name, modelfile.Type(g.Model), fmt.Sprintf("%d %s", len(g.data.X), g.rows), g.curves)
	case "confusion":
		return chart.Confusion(&g.data, g.predicted, modelfile.Type(g.Model), g.rows)
	case "calibration":
		return chart.Calibration(g.data.Name, modelfile.Type(g.Model), fmt.Sprintf("%d %s", len(g.data.X), g.rows), &g.reliability)
	case "bound":
		return chart.Bound(&g.data)
	case "margins":
		return chart.Margins(&g.data)
	}
	return chart.Updates(&g.data)
}

// pair turns the classes into two: all others, and the named one or the second of two.
func pair(d *chart.Data, name string) error {
	k, err := positive(d.Classes, name)
	if err != nil || name == "" {
		return err
	}
	d.Classes = []string{"the others", name}
	// The order makes the named class the positive one, which is +1.
	for i, class := range d.Class {
		d.Class[i] = map[bool]int{true: 1}[class == k]
	}
	return nil
}
