//go:build plot

package main

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"perceptron"
	"perceptron/cmd/perceptron/internal/chart"
	"perceptron/cmd/perceptron/internal/dataset"
	"perceptron/cmd/perceptron/internal/metrics"
	"perceptron/cmd/perceptron/internal/modelfile"
	"perceptron/cmd/perceptron/internal/output"
	"perceptron/cmd/perceptron/internal/split"
	"perceptron/cmd/perceptron/internal/table"
	"perceptron/cmd/perceptron/internal/usage"
	"perceptron/cmd/perceptron/pipeline"
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
	Waves        int    `placeholder:"N" help:"Draw a model with N waves beside the straight one (regions)."`
	Positive     string `placeholder:"CLASS" help:"This class against all others (bound, margins, updates)."`
	Strict       bool   `help:"A word that training did not see is an error (-m)."`
	All          bool   `help:"Draw all rows of the training file (-m)."`
}

// check returns an error for flags that have no effect, contradict each other or have a bad value.
func (c *plotCmd) check(given usage.Set) error {
	// The extension decides the format. An existing file of another format is not replaced.
	begins := map[string]string{".png": chart.BeginsPNG, ".svg": chart.BeginsSVG}[filepath.Ext(c.Output)]
	unused := []string{"model", "all", "strict"}
	if c.predicts() {
		unused = []string{"positive"}
	}
	if c.Kind != "regions" && c.Kind != "margins" && c.Kind != "updates" {
		unused = append(unused, "x", "y")
	}
	if c.Kind != "regions" {
		unused = append(unused, "waves")
	}
	var known error
	if c.Model != "" {
		known = given.Without("-m", "features", "columns", "drop", "category", "missing", "na", "raw", "waves")
	}
	return cmp.Or(given.Without(c.Kind, unused...), known,
		usage.If(c.Waves < 0, "--waves is %d, want at least 0", c.Waves),
		usage.If(begins == "", "-o is %s, want a name that ends with .png or .svg", c.Output),
		usage.If((c.X == "") != (c.Y == "") || c.Features < 0, "--x is %q, --y %q, --features %d: want both or neither, and at least 0", c.X, c.Y, c.Features),
		usage.If(c.Kind == "calibration" && c.Model == "", "calibration requires -m, a model that train --calibrate has written"),
		usage.If(c.Model == "" && (c.All || c.Strict), "--all and --strict require -m"),
		safe([]string{c.Data, c.Model}, output.File{Flag: "-o", Path: c.Output, Begins: begins}))
}

// predicts reports whether the picture shows a model's predictions.
func (c *plotCmd) predicts() bool {
	return slices.Contains([]string{"regions", "roc", "confusion", "calibration"}, c.Kind)
}

// A drawing has the data of a picture.
type drawing struct {
	*dataset.Dataset
	rows      string               // describes the drawn rows, in titles
	heldOut   bool                 // draw only the rows held out
	predictor *modelfile.Predictor // nil if the picture shows no predictions
	data      chart.Data
	predicted []int         // index of each row's predicted class
	curves    []chart.Curve // one for each class that the predictor scores
	bent      *drawing      // of the same rows, by a model with waves; nil without --waves

	reliability metrics.Reliability // of the probabilities, if the model has them
}

// Run draws the picture.
func (c *plotCmd) Run(p *program) error {
	if err := c.check(p.given); err != nil {
		return err
	}
	g := &drawing{rows: "training rows"}
	var err error
	switch {
	case c.Model != "":
		err = g.open(p, c)
	case !c.predicts():
		if g.Dataset, err = c.reading.dataset(p, c.Choice); err == nil {
			g.Schema.Sparse = false
			err = g.Survey(!c.Raw)
		}
	default:
		err = g.train(p, c, 0)
	}
	if g.Dataset != nil {
		defer g.Src.Close()
	}
	if err == nil {
		err = g.read(c.predicts())
	}
	if err == nil && c.Waves > 0 {
		g.bent = new(drawing)
		if err = g.bent.train(p, c, c.Waves); err == nil {
			defer g.bent.Src.Close()
			err = g.bent.read(true)
		}
	}
	if err != nil {
		return err
	}
	// The bars end here, because they would overwrite the line that Run prints.
	p.bars.Shutdown()
	f, err := g.draw(c)
	if err != nil {
		return fmt.Errorf("%s: %w", g.Src.Name, err)
	}
	// The picture is drawn in memory first, so that an error leaves an existing file as it is.
	image, err := map[string]func() ([]byte, error){".png": f.PNG, ".svg": f.SVG}[filepath.Ext(c.Output)]()
	if err == nil {
		err = atomicfile.Write(c.Output, image, ".perceptron-*.tmp")
	}
	if err == nil {
		_, err = fmt.Fprintf(p.stdout, "%s: %s\n", c.Output, f.Title)
	}
	return err
}

// open opens the model and the rows, and chooses the rows to draw. If the file is the one that the model was trained
// on last, these are the rows held out.
func (g *drawing) open(p *program, c *plotCmd) error {
	f, err := modelfile.Read(c.Model)
	if err != nil {
		return err
	}
	src, err := c.reading.open(p, true)
	if err != nil {
		return err
	}
	g.Dataset = &dataset.Dataset{Src: src, File: f, Options: table.RowOptions{Label: c.Label, Strict: c.Strict}}
	if c.Kind == "calibration" && g.Calibration == nil {
		return modelfile.ErrUncalibrated
	}
	// Predictions of training rows are better than predictions of new rows. So only the rows held out
	// of the training file are drawn, unless the user sets --all or no rows are held out.
	sum, err := src.SHA256()
	if sum != g.Data.SHA256 || c.All {
		g.rows = "rows"
	} else if g.heldOut = g.Data.HeldOut > 0; g.heldOut {
		g.rows = "rows held out"
	}
	return err
}

// train trains a model on the rows as train does without flags, and opens them. A picture needs all rows in memory, so
// that Memory is practically unlimited.
func (g *drawing) train(p *program, c *plotCmd, waves int) error {
	src, err := c.reading.open(p, true)
	if err != nil {
		return err
	}
	g.Dataset = &dataset.Dataset{Src: src}
	ctx, release := interruptible()
	defer release()
	o := pipeline.Options{Format: c.Format, Header: c.Header, Comma: c.Comma, Decimal: c.Decimal,
		Label: c.Label, Columns: c.Columns, Drop: c.Drop, Category: c.Category, Missing: c.Missing, NA: c.NA, Word: c.Word, Features: c.Features,
		Raw: c.Raw, Waves: waves, Memory: math.MaxInt32, Progress: p.bars.follow(ctx), Note: p.note}
	if o.Rule = "online"; waves > 0 {
		o.Rule, o.Note = "", nil // the straight model has told it
	}
	m, _, err := pipeline.Train(ctx, src.Text(), o)
	if err == nil {
		src.Tell = func(string) {} // Train has told it
		g.File = m.File
	}
	return err
}

// read reads the rows, and predicts them if the picture needs it.
func (g *drawing) read(predict bool) (err error) {
	g.data = chart.Data{Name: filepath.Base(g.Src.Name), Classes: g.Classes, Features: g.Schema.Names(), Mean: g.Scaling.Mean, Scale: g.Scaling.Scale}
	if predict {
		if g.predictor, err = g.Predictor(); err != nil {
			return err
		}
		// In a model of two classes, only the second class has a curve: the curve of the first class
		// would be its mirror image.
		for _, class := range g.predictor.Scored() {
			g.curves = append(g.curves, chart.Curve{Class: class, Threshold: g.Threshold})
		}
	}
	return g.Scan("reading the rows", func(r *table.Row, class int, part split.Part) error {
		if g.heldOut && part == split.Training {
			return nil
		}
		return g.add(r, class)
	})
}

// add adds the scaled features of a row, and its prediction and scores if there is a predictor.
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

// draw returns the picture that c.Kind names.
func (g *drawing) draw(c *plotCmd) (*chart.Figure, error) {
	g.data.Axes = [2]string{c.X, c.Y}
	if !c.predicts() {
		if err := pair(&g.data, c.Positive); err != nil {
			return nil, err
		}
	}
	switch c.Kind {
	case "regions":
		models := []chart.Shown{}
		for h := g; h != nil; h = h.bent {
			one, err := h.shown()
			if err != nil {
				return nil, err
			}
			models = append(models, one)
		}
		if g.bent != nil { // the pair differs in its borders; that its rules differ too is no part of the picture
			models[0].Name, models[1].Name = "straight borders", fmt.Sprintf("%d waves", g.bent.Waves.Count)
		}
		return chart.Regions(&g.data, g.rows, models...)
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

// shown returns the model for a picture of regions. The axes are scaled features, so that the picture needs the
// planes for scaled rows.
func (g *drawing) shown() (chart.Shown, error) {
	scaled := modelfile.File{Model: g.Model, Details: g.Details}
	scaled.Scaling = perceptron.Scaling{}
	p, err := scaled.Predictor()
	one := chart.Shown{Name: modelfile.Type(g.Model), Predicted: g.predicted}
	switch {
	case err != nil:
	case g.Bent():
		one.Name += fmt.Sprintf(" with %d waves", g.Waves.Count)
		one.Class = func(z []float64) int {
			k, _ := p.Predict(table.Vector{Value: z}) // z is among rows that the model has predicted
			return k
		}
	default:
		one.Planes = p.Planes.Planes
	}
	return one, err
}

// pair reduces the classes to two: the named class, and all other classes as one. Without a name it
// leaves d as it is, and returns an error unless there are two classes.
func pair(d *chart.Data, name string) error {
	k, err := positive(d.Classes, name)
	if err != nil || name == "" {
		return err
	}
	d.Classes = []string{"the others", name}
	// The second class has the label +1, so that the named class is the second.
	for i, class := range d.Class {
		d.Class[i] = map[bool]int{true: 1}[class == k]
	}
	return nil
}
