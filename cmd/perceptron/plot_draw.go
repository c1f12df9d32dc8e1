//go:build plot

package main

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"strings"

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
	Kind   string `arg:"" enum:"regions,roc,bound,margins,updates" placeholder:"KIND" help:"regions, roc, bound, margins or updates."`
	Data   string `arg:"" placeholder:"FILE" help:"CSV or LIBSVM, may be gzip; - is standard input."`
	Output string `short:"o" required:"" placeholder:"FILE" help:"Draw to this file: .png or .svg."`
	Model  string `short:"m" placeholder:"FILE" help:"Draw what this model predicts (regions, roc)."`
	X      string `placeholder:"NAME" help:"Feature of the horizontal axis; with --y."`
	Y      string `placeholder:"NAME" help:"Feature of the vertical axis."`

	Positive string `placeholder:"CLASS" help:"This class against all others (bound, margins, updates)."`
	All      bool   `help:"Draw all rows, and not only those held out."`

	reading  `embed:""`
	Label    string   `placeholder:"NAME" help:"Column of the class; by default the last."`
	Columns  []string `placeholder:"NAME" help:"Use these columns only."`
	Drop     []string `placeholder:"NAME" help:"Do not use these columns."`
	Category []string `placeholder:"NAME" help:"Read numbers in these columns as words."`
	Missing  string   `enum:",error,mean,drop" default:"" placeholder:"error" help:"Missing values: error, mean, or drop the row."`
	Features int      `placeholder:"N" help:"Features of LIBSVM; by default the highest."`
	Unknown  string   `enum:"error,none" default:"error" placeholder:"error" help:"New words: error, or none of the known ones (-m)."`

	Holdout  float64 `placeholder:"SHARE" help:"Train without this share of the rows, and draw it."`
	Seed     uint64  `placeholder:"N" help:"Chooses the order and the rows held out."`
	Epochs   int     `default:"100" placeholder:"100" help:"At most this number of epochs."`
	learning `embed:""`
}

// Help ends the command's help.
func (*plotCmd) Help() string {
	return `regions: the class that a model predicts at each point.
roc: the ROC and the precision-recall curve of each class.
bound: the mistakes of Rosenblatt's rule, which stay below (R/γ)².
margins: the line of the largest γ, and those of two perceptrons.
updates: how the first six mistakes tilt the line.

Without -m, regions and roc train a model as train does.

Example: perceptron plot regions data.csv -o regions.png`
}

// check reports flags that contradict each other.
func (c *plotCmd) check(given map[string]bool) error {
	begins := chart.BeginsPNG
	switch strings.ToLower(filepath.Ext(c.Output)) {
	case ".png":
	case ".svg":
		begins = chart.BeginsSVG
	default:
		return usagef("-o is %s, want a name that ends with .png or .svg", c.Output)
	}
	var err error
	train := []string{"algorithm", "rule", "order", "keep", "rate", "gamma", "theta", "epochs", "seed", "holdout"}
	table := []string{"raw", "features", "columns", "drop", "category", "missing"}
	switch predicts := c.Kind == "regions" || c.Kind == "roc"; {
	case given["x"] != given["y"]:
		err = usagef("--x and --y: want both or neither")
	case c.Epochs < 1 || c.Features < 0 || !(c.Holdout >= 0 && c.Holdout < 1):
		err = usagef("--epochs is %d, --features %d, --holdout %v; want at least 1, at least 0, and 0 to less than 1", c.Epochs, c.Features, c.Holdout)
	case !predicts:
		err = without(given, c.Kind, append(train, "model", "all", "unknown")...)
	case c.Model != "":
		err = without(given, "-m", append(append(train, table...), "positive")...)
	default:
		if err = without(given, c.Kind, "positive"); err == nil {
			err = c.learning.check(given)
		}
	}
	if (c.Kind == "roc" || c.Kind == "bound") && err == nil {
		err = without(given, c.Kind, "x", "y")
	}
	if err == nil {
		if err = output.Check([]string{c.Data, c.Model}, output.File{Flag: "-o", Path: c.Output, Begins: begins}); err != nil {
			err = usageError{err}
		}
	}
	return err
}

// A drawing is what a picture is drawn from.
type drawing struct {
	*dataset
	rows      string               // what rows these are
	all       bool                 // or else those held out
	predictor *modelfile.Predictor // nil if the picture needs no model
	data      chart.Data
	predicted []int
	scores    []metrics.Scores // of the classes that the predictor scores
}

// Run draws the picture.
func (c *plotCmd) Run(p *program) error {
	if err := c.check(p.given); err != nil {
		return err
	}
	// Without -m, the data and the model are those that train would have.
	t := trainCmd{Data: c.Data, Model: c.Model, reading: c.reading, Label: c.Label, Columns: c.Columns, Drop: c.Drop, Category: c.Category,
		Missing: c.Missing, Features: c.Features, Holdout: c.Holdout, Seed: c.Seed, learning: c.learning, Memory: math.MaxInt32}
	src, err := t.open(p)
	if err != nil {
		return err
	}
	defer src.src.Close()
	b := newBars(p.stderr)
	defer b.close()
	src.src.Watch = b.watch
	d := &drawing{dataset: src}
	if c.Model != "" {
		err = c.choose(d)
	} else {
		err = c.train(d, &t, b)
	}
	if err == nil {
		err = d.read()
	}
	if err != nil {
		return err
	}
	b.close()
	f, err := c.draw(d)
	if err != nil {
		return fmt.Errorf("%s: %w", d.src.Name, err)
	}
	return c.write(p, f)
}

// write writes the picture.
func (c *plotCmd) write(p *program, f *chart.Figure) error {
	encode := f.PNG
	if strings.EqualFold(filepath.Ext(c.Output), ".svg") {
		encode = f.SVG
	}
	image, err := encode()
	if err != nil {
		return err
	}
	if err := atomicfile.Write(c.Output, image, ".perceptron-*.tmp"); err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.stdout, "%s: %s\n", c.Output, f.Title)
	return err
}

// train finds the columns and, if the picture needs a model, trains one.
func (c *plotCmd) train(d *drawing, t *trainCmd, b *bars) error {
	d.rows, d.all = "training rows", c.All || c.Holdout == 0
	if !d.all {
		d.rows = "rows held out"
	}
	if err := t.discover(d.dataset); err != nil {
		return err
	}
	if c.Kind != "regions" && c.Kind != "roc" {
		return d.survey(!c.Raw)
	}
	if err := t.prepare(d.dataset); err != nil {
		return err
	}
	if _, err := d.fit(context.Background(), fitting{epochs: c.Epochs}, b); err != nil {
		return err
	}
	var err error
	d.predictor, err = d.Predictor()
	return err
}

// choose chooses the rows for a model: of the file that it was trained on, those that
// evaluate measures.
func (c *plotCmd) choose(d *drawing) error {
	d.options.SkipUnknown = c.Unknown == "none"
	sum, err := d.src.SHA256()
	if err != nil {
		return err
	}
	d.rows, d.all = "rows", true
	switch same := sum == d.Data.SHA256; {
	case same && d.Data.HeldOut > 0 && !c.All:
		d.rows, d.all = "rows held out", false
	case same && d.Data.HeldOut == 0:
		d.rows = "training rows"
	}
	d.predictor, err = d.Predictor()
	return err
}

// read reads the rows, and predicts them if there is a model.
func (d *drawing) read() error {
	d.data = chart.Data{Name: filepath.Base(d.src.Name), Classes: d.Classes, Features: d.Schema.Names(), Mean: d.Scaling.Mean, Scale: d.Scaling.Scale}
	if d.predictor != nil {
		d.scores = make([]metrics.Scores, len(d.predictor.Scored()))
	}
	for r, err := range d.scan("reading the rows") {
		if err != nil {
			return err
		}
		if r.part == split.Training && !d.all {
			continue
		}
		if err := d.add(r); err != nil {
			return err
		}
	}
	return nil
}

// add adds a row.
func (d *drawing) add(r row) error {
	class, err := d.label(r)
	if err != nil {
		return err
	}
	if d.Fill != nil {
		table.Fill(r.X, d.Fill)
	}
	z, err := d.Scaling.Apply(nil, r.X)
	if err != nil {
		return r.At(err)
	}
	d.data.X, d.data.Class = append(d.data.X, z), append(d.data.Class, class)
	if d.predictor == nil {
		return nil
	}
	predicted, err := d.predictor.Predict(r.X)
	if err != nil {
		return r.At(err)
	}
	d.predicted = append(d.predicted, predicted)
	scores, err := d.predictor.Scores(nil, r.X)
	for k, score := range scores {
		d.scores[k].Add(score, d.Classes[class] == d.predictor.Scored()[k])
	}
	return err
}

// draw draws the picture of the kind.
func (c *plotCmd) draw(d *drawing) (*chart.Figure, error) {
	switch c.Kind {
	case "regions":
		scaled := modelfile.File{Model: d.Model, Details: d.Details}
		scaled.Scaling = perceptron.Scaling{}
		p, err := scaled.Predictor()
		if err != nil {
			return nil, err
		}
		d.data.XAxis, d.data.YAxis = c.X, c.Y
		return chart.Regions(&d.data, p.Planes.Planes, d.predicted, modelfile.Type(d.Model), d.rows)
	}
	return nil, nil
}
