package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"perceptron"
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
	Label    string   `placeholder:"NAME" help:"Column of the class; by default the last."`
	Columns  []string `placeholder:"NAME" help:"Use these columns only."`
	Drop     []string `placeholder:"NAME" help:"Do not use these columns."`
	Category []string `placeholder:"NAME" help:"Read numbers in these columns as words."`
	Missing  string   `enum:",error,mean,drop" default:"" placeholder:"error" help:"Missing values: error, mean, or drop the row."`
	Features int      `placeholder:"N" help:"Features of LIBSVM; by default the highest."`

	Holdout   float64 `placeholder:"SHARE" help:"Share of the rows of each class to hold out."`
	CV        int     `name:"cv" placeholder:"K" help:"Cross-validate with K folds; saves nothing."`
	Seed      uint64  `placeholder:"N" help:"Chooses the order and the rows held out."`
	Epochs    int     `default:"100" placeholder:"100" help:"At most this number of (further) epochs."`
	Patience  int     `placeholder:"N" help:"Stop N epochs after the best on rows held out."`
	Threshold string  `placeholder:"X" help:"Least score of the second class; f1: the best."`

	learning `embed:""`
	ordered  bool // --order is set

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
	b := newBars(p.stderr)
	defer b.close()
	d.src.Watch = b.watch
	if c.Model == "" {
		if err := c.discover(d); err != nil {
			return err
		}
	}
	if c.CV > 0 {
		return c.crossValidate(p, d, b)
	}
	if err := c.prepare(d); err != nil {
		return err
	}
	s := &summary{dataset: d, out: c.Output}
	if err := c.train(s, b); err != nil {
		return err
	}
	b.close()
	if err := s.report().write(p.stdout, c.JSON); err != nil {
		return err
	}
	switch {
	case s.unwritten != nil:
		return s.unwritten
	case s.stopped:
		return errInterrupted
	}
	return nil
}

// check reports the first flag that has a bad value or contradicts another flag, and
// outputs that would destroy data.
func (c *trainCmd) check(given map[string]bool) error {
	cut, err := strconv.ParseFloat(c.Threshold, 64)
	switch {
	case c.Features < 0 || c.Memory < 0 || c.Epochs < 1 || c.Patience < 0 || c.Checkpoint < 0:
		return usagef("--features %d, --memory %d, --epochs %d, --patience %d, --checkpoint %d: the minimum values are 0, 0, 1, 0 and 0",
			c.Features, c.Memory, c.Epochs, c.Patience, c.Checkpoint)
	case !(c.Holdout >= 0 && c.Holdout < 1):
		return usagef("--holdout is %v, want at least 0 and less than 1", c.Holdout)
	case given["cv"] && c.CV < 2:
		return usagef("--cv is %d, want at least 2", c.CV)
	case c.Threshold != "" && c.Threshold != "f1" && (err != nil || !(math.Abs(cut) < 1e300)):
		return usagef("--threshold is %q, want f1 or a number; --theta sets θ of the margin rule", c.Threshold)
	case c.Patience > 0 && c.Holdout == 0 && c.Model == "" && c.CV == 0:
		return usagef("--patience requires --holdout: it watches the rows held out")
	case c.Threshold == "f1" && c.Holdout == 0 && c.Model == "":
		return usagef("--threshold f1 requires --holdout: it is chosen on the rows held out")
	case c.Checkpoint > 0 && c.Output == "":
		return usagef("--checkpoint requires -o, the file to save in")
	}
	if c.CV > 0 {
		err = without(given, "--cv", "holdout", "threshold", "model", "output", "curves", "checkpoint", "patience")
	} else if c.Model != "" {
		err = without(given, "-m", "algorithm", "rule", "order", "keep", "rate", "gamma", "theta", "raw", "seed", "holdout", "features", "columns", "drop", "category", "missing")
	} else {
		err = c.learning.check(given)
	}
	if err != nil {
		return err
	}
	if err := output.Check([]string{c.Data}, output.File{Flag: "-o", Path: c.Output, Begins: modelfile.Begins},
		output.File{Flag: "--curves", Path: c.Curves, Begins: curvesHead}); err != nil {
		return usageError{err}
	}
	return nil
}

// without reports a flag that has no effect beside another one.
func without(given map[string]bool, with string, flags ...string) error {
	for _, name := range flags {
		if given[name] {
			return usagef("--%s cannot be used with %s", name, with)
		}
	}
	return nil
}

// open opens the data and the model to continue.
func (c *trainCmd) open(p *program) (d *dataset, err error) {
	d = &dataset{File: &modelfile.File{}}
	if c.Model != "" {
		if d.File, err = modelfile.Read(c.Model); err != nil {
			return nil, err
		}
		d.options.Label = c.Label
	}
	if d.src, err = c.reading.open(p, c.Data, true); err != nil {
		return nil, err
	}
	d.src.Features = c.Features
	if c.Features > 0 && d.src.Format != "libsvm" {
		return nil, usagef("--features applies to LIBSVM files only; the columns of a CSV file set the number")
	}
	return d, nil
}

// discover finds the columns of a new model.
func (c *trainCmd) discover(d *dataset) error {
	schema, err := table.Discover(d.src, table.Choice{Label: c.Label, Columns: c.Columns, Drop: c.Drop, Category: c.Category, Missing: c.Missing})
	if err != nil {
		return err
	}
	d.Schema = *schema
	d.Data.Holdout, d.Data.Seed = c.Holdout, c.Seed
	return nil
}

// prepare counts the rows, builds the model if there is none yet, and loads the rows if
// they fit in memory.
func (c *trainCmd) prepare(d *dataset) error {
	if err := d.survey(!c.Raw); err != nil {
		return err
	}
	fits := d.bytes() <= float64(c.Memory)*(1<<20)
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
		return fmt.Errorf("%s: %s: this needs the rows in memory, but they take %.1f MiB and --memory is %d", d.src.Name, s.name, d.bytes()/(1<<20), c.Memory)
	}
	return nil
}

// train trains, saves and measures. If a file cannot be written, for example on a full
// disk, the results are printed all the same.
func (c *trainCmd) train(s *summary, b *bars) (err error) {
	ctx, release := interruptible()
	defer release()
	sum, err := s.src.SHA256()
	if err != nil {
		return err
	}
	d := s.dataset
	d.Program = modelfile.Program()
	d.Data = modelfile.Data{File: d.src.Name, SHA256: sum, Rows: d.rows[split.Training], HeldOut: d.rows[split.HeldOut],
		LeftOut: d.leftOut, Holdout: d.Data.Holdout, Seed: d.Data.Seed}
	begin := time.Now()
	f := fitting{epochs: c.Epochs, patience: c.Patience, watched: c.Curves != "" || c.JSON}
	if c.Checkpoint > 0 {
		f.checkpoint = func(n int) error {
			if n%c.Checkpoint != 0 {
				return nil
			}
			return d.Write(c.Output)
		}
	}
	if s.history, err = d.fit(ctx, f, b); err != nil {
		return err
	}
	s.took, s.stopped = time.Since(begin), ctx.Err() != nil
	if err := c.decide(d); err != nil {
		return err
	}
	if c.Output != "" {
		s.unwritten = d.Write(c.Output)
	}
	if c.Curves != "" && s.unwritten == nil {
		s.unwritten = writeCurves(c.Curves, s.history)
	}
	predictor, err := d.Predictor()
	if err != nil {
		return err
	}
	s.quality, err = d.measure(predictor, "measuring")
	return err
}

// interruptible returns a context that ends with the first interrupt. The second one
// ends the program.
func interruptible() (context.Context, context.CancelFunc) {
	ctx, release := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, release)
	return ctx, release
}

// decide sets the threshold that --threshold asks for.
func (c *trainCmd) decide(d *dataset) error {
	if c.Threshold == "" {
		return nil
	}
	if c.Threshold != "f1" {
		d.Threshold, _ = strconv.ParseFloat(c.Threshold, 64) // check has parsed it
		return nil
	}
	predictor, err := d.Predictor()
	if err != nil {
		return err
	}
	q, err := d.measure(predictor, "choosing the threshold")
	if err == nil {
		d.Threshold = q[split.HeldOut].scores.BestF1()
	}
	return err
}
