package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"perceptron"
	"perceptron/cmd/perceptron/internal/metrics"
	"perceptron/cmd/perceptron/internal/modelfile"
	"perceptron/cmd/perceptron/internal/output"
	"perceptron/cmd/perceptron/internal/split"
	"perceptron/cmd/perceptron/internal/table"
)

// trainCmd trains a model.
type trainCmd struct {
	Data   string `arg:"" placeholder:"FILE" help:"CSV or LIBSVM, may be gzip; - is standard input."`
	Output string `short:"o" placeholder:"FILE" help:"Save the model in this file."`
	Model  string `short:"m" placeholder:"FILE" help:"Continue the training of this model."`

	reading  `embed:""`
	choosing `embed:""`

	Holdout   float64 `placeholder:"SHARE" help:"Share of the rows of each class to hold out."`
	CV        int     `name:"cv" placeholder:"K" help:"Cross-validate with K folds; saves nothing."`
	Seed      uint64  `placeholder:"N" help:"Chooses the order and the rows held out."`
	Epochs    int     `default:"100" placeholder:"100" help:"At most this number of (further) epochs."`
	Patience  int     `placeholder:"N" help:"Stop N epochs after the best on rows held out."`
	Threshold string  `placeholder:"X" help:"Least score of the second class; f1: the best."`

	learning `embed:""`
	ordered  bool // --order is set, so that no other order replaces it

	Checkpoint int    `placeholder:"N" help:"Save the model every N epochs."`
	Curves     string `placeholder:"FILE" help:"Write updates, loss, errors by epoch as CSV."`
	Memory     int    `default:"1024" placeholder:"1024" help:"MiB for rows; more are read again each epoch."`
	JSON       bool   `name:"json" help:"Print the report as one JSON object."`
}

// Help ends the command's help.
func (*trainCmd) Help() string {
	return "--algorithm auto is online for two classes, multiclass for more. Rows that do not fit in --memory keep their order.\n\nExample: perceptron train data.csv --label species --holdout 0.2 -o model.perceptron"
}

// Run trains, saves and measures.
func (c *trainCmd) Run(p *program) error {
	c.ordered = p.given["order"]
	if err := c.check(p.given); err != nil {
		return err
	}
	d, err := c.open(p)
	if err != nil {
		return err
	}
	defer d.src.Close()
	ctx, release := interruptible()
	defer release()
	if c.CV > 0 {
		return c.crossValidate(ctx, p, d)
	}
	if err := c.prepare(d); err != nil {
		return err
	}
	r, err := c.train(ctx, p, d)
	if err != nil {
		return err
	}
	parts := []*quality{r.Training}
	if r.HeldOut != nil {
		parts = append(parts, r.HeldOut)
	}
	if err := p.show(c.JSON, "report", r, parts...); err != nil {
		return err
	}
	return r.failed
}

// interruptible returns a context that ends with the first interrupt. The second one
// ends the program.
func interruptible() (context.Context, context.CancelFunc) {
	ctx, release := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, release)
	return ctx, release
}

// check reports the first flag that has a bad value or contradicts another flag, and
// outputs that would destroy data.
func (c *trainCmd) check(given map[string]bool) error {
	err := c.learning.check(given)
	switch {
	case err != nil:
	case c.CV > 0:
		err = without(given, "--cv", "holdout", "threshold", "model", "output", "curves", "checkpoint", "patience")
	case c.Model != "":
		err = without(given, "-m", "algorithm", "rule", "order", "keep", "rate", "gamma", "theta", "raw", "seed", "holdout", "features", "columns", "drop", "category", "missing")
	}
	if err != nil {
		return err
	}
	cut, err := strconv.ParseFloat(c.Threshold, 64)
	number := err == nil && math.Abs(cut) < 1e300
	switch {
	case min(c.Features, c.Memory, c.Patience, c.Checkpoint, c.Epochs-1) < 0:
		return usagef("--features, --memory, --patience and --checkpoint must be at least 0, and --epochs at least 1")
	case !(c.Holdout >= 0 && c.Holdout < 1):
		return usagef("--holdout is %v, want at least 0 and less than 1", c.Holdout)
	case given["cv"] && c.CV < 2:
		return usagef("--cv is %d, want at least 2", c.CV)
	case c.Threshold != "" && c.Threshold != "f1" && !number:
		return usagef("--threshold is %q, want f1 or a number; --theta sets θ of the margin rule", c.Threshold)
	case (c.Patience > 0 || c.Threshold == "f1") && c.Holdout == 0 && c.Model == "":
		return usagef("--patience and --threshold f1 require --holdout: they use the rows held out")
	case c.Checkpoint > 0 && c.Output == "":
		return usagef("--checkpoint requires -o, the file to save in")
	}
	return safe([]string{c.Data}, output.File{Flag: "-o", Path: c.Output, Begins: modelfile.Begins}, output.File{Flag: "--curves", Path: c.Curves, Begins: curvesHead})
}

// open opens the data, and reads the model to continue or finds the columns of a new one.
func (c *trainCmd) open(p *program) (d *dataset, err error) {
	d = &dataset{File: &modelfile.File{}}
	if c.Model != "" {
		if d.File, err = modelfile.Read(c.Model); err != nil {
			return nil, err
		}
		d.options.Label = c.Label
	}
	if d.src, err = c.reading.open(p, c.Data, true); err != nil || c.Model != "" {
		return d, err
	}
	schema, err := table.Discover(d.src, c.choosing)
	if err != nil {
		return nil, errors.Join(err, d.src.Close())
	}
	d.Schema = *schema
	d.Data.Holdout, d.Data.Seed = c.Holdout, c.Seed
	return d, nil
}

// prepare counts the rows, builds the model if there is none yet, and loads the rows if
// they fit in memory.
func (c *trainCmd) prepare(d *dataset) error {
	if err := d.survey(!c.Raw); err != nil {
		return err
	}
	// What does not fit stays in the file. Then its order is the only one, unless the user
	// insists on another: the model's settings then ask for memory.
	const head = 24 + 8 // bytes of a row's slice header and label
	mib := float64(d.rows[split.Training]+d.rows[split.HeldOut]) * float64(8*d.Schema.Features()+head) / (1 << 20)
	fits := mib <= float64(c.Memory)
	if d.Model == nil {
		if !fits && !c.ordered {
			c.Order = perceptron.Cyclic
		}
		var err error
		if d.Model, err = c.build(len(d.Classes), c.Seed); err != nil {
			return err
		}
	}
	s := settingsOf(d.Model)
	switch {
	case c.Threshold != "" && !modelfile.IsTwo(d.Model):
		return usagef("--threshold is for two classes; the model is %s", s.name)
	case (c.Threshold == "f1" || c.Patience > 0) && d.rows[split.HeldOut] == 0:
		return usagef("no rows are held out for --threshold f1 and --patience")
	case fits:
		return d.load()
	case s.memory:
		return fmt.Errorf("%s: %s: this needs the rows in memory, but they take %.1f MiB and --memory is %d", d.src.Name, s.name, mib, c.Memory)
	}
	return nil
}

// train trains, saves and measures. If a file cannot be written, for example on a full
// disk, the results are reported all the same.
func (c *trainCmd) train(ctx context.Context, p *program, d *dataset) (*report, error) {
	sum, err := d.src.SHA256()
	if err != nil {
		return nil, err
	}
	d.Program = modelfile.Program()
	d.Data = modelfile.Data{File: d.src.Name, SHA256: sum, Rows: d.rows[split.Training], HeldOut: d.rows[split.HeldOut],
		LeftOut: d.leftOut, Holdout: d.Data.Holdout, Seed: d.Data.Seed}
	begin := time.Now()
	history, err := d.fit(ctx, c, &p.bars)
	if err != nil {
		return nil, err
	}
	took := time.Since(begin).Seconds()
	if err := c.decide(d); err != nil {
		return nil, err
	}
	failed := c.save(d, history)
	parts, err := d.measure()
	if err != nil {
		return nil, err
	}
	r := newReport(d, history, parts)
	r.Seconds, r.failed = took, failed
	if failed == nil {
		r.Saved = c.Output
	}
	if r.Stop == perceptron.Running.String() {
		r.Stop = "Patience"
		if ctx.Err() != nil {
			r.Stop, r.failed = "Interrupted", errors.Join(failed, errInterrupted)
		}
	}
	return r, nil
}

// save writes the model and the curves. The model comes first, because it is worth more.
func (c *trainCmd) save(d *dataset, history []epoch) (err error) {
	if c.Output != "" {
		err = d.Write(c.Output)
	}
	if c.Curves != "" && err == nil {
		err = writeCurves(c.Curves, history)
	}
	return err
}

// decide sets the threshold that --threshold asks for.
func (c *trainCmd) decide(d *dataset) error {
	if c.Threshold != "f1" {
		if c.Threshold != "" {
			d.Threshold, _ = strconv.ParseFloat(c.Threshold, 64) // check has parsed it
		}
		return nil
	}
	parts, err := d.measure()
	if err == nil {
		d.Threshold = parts[split.HeldOut].scores.BestF1()
	}
	return err
}

// A crossReport describes a cross-validation. Its JSON names are stable.
type crossReport struct {
	Data      string     `json:"data"`
	Model     string     `json:"model"`
	LeftOut   int        `json:"leftOut"` // rows with a missing value
	Classes   []string   `json:"classes"`
	Folds     []*quality `json:"folds"`
	Mean      float64    `json:"mean"`              // of the accuracies
	Deviation float64    `json:"standardDeviation"` // of a sample: divided by the number of folds less 1
	All       *quality   `json:"all"`               // of all folds together
}

// crossValidate trains a model for each fold, on the other folds, and prints how well
// it predicts the fold. Means and deviations come from the other folds too.
func (c *trainCmd) crossValidate(ctx context.Context, p *program, d *dataset) error {
	r := &crossReport{Data: d.src.Name}
	for k := range c.CV {
		// A fold has classes, means and a model of its own.
		one, file := *d, *d.File
		one.File, one.folds, one.fold = &file, c.CV, k
		if err := c.prepare(&one); err != nil {
			return err
		}
		if one.rows[split.HeldOut] == 0 {
			return usagef("%s: no class has as many rows as --cv, %d", d.src.Name, c.CV)
		}
		if _, err := one.fit(ctx, c, &p.bars); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return errInterrupted
		}
		parts, err := one.measure()
		if err != nil {
			return err
		}
		r.add(&one, parts[split.HeldOut])
	}
	r.finish()
	return p.show(c.JSON, "folds", r, r.All)
}

// add adds the results of a fold.
func (r *crossReport) add(d *dataset, q *quality) {
	r.Classes, r.LeftOut, r.Model = d.Classes, d.leftOut, settingsOf(d.Model).name
	r.Folds = append(r.Folds, q)
	if r.All == nil {
		r.All = &quality{Confusion: metrics.NewConfusion(len(d.Classes)), Title: "rows of all folds"}
	}
	r.All.Confusion.Add(q.Confusion)
}

// finish computes the figures of all folds.
func (r *crossReport) finish() {
	n := float64(len(r.Folds))
	for _, f := range r.Folds {
		r.Mean += f.Accuracy / n
	}
	for _, f := range r.Folds {
		r.Deviation += (f.Accuracy - r.Mean) * (f.Accuracy - r.Mean) / (n - 1)
	}
	r.Deviation = math.Sqrt(r.Deviation)
	r.All.finish(r.Classes)
}
