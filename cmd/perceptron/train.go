package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"strings"
	"syscall"

	"perceptron"
	"perceptron/cmd/perceptron/internal/modelfile"
	"perceptron/cmd/perceptron/internal/output"
	"perceptron/cmd/perceptron/internal/table"
	"perceptron/cmd/perceptron/internal/usage"
	"perceptron/cmd/perceptron/pipeline"
)

// trainCmd trains a model. Its flags are the fields of pipeline.Options, and where the model and the curves are saved.
type trainCmd struct {
	// -m continues the training of a model. -o may name the same file, because a save replaces the
	// file in one step.
	Output string `short:"o" placeholder:"FILE" help:"Save the model in this file."`
	Model  string `short:"m" placeholder:"FILE" help:"Continue the training of this model."`

	reading `embed:""`
	// Choice is not a part of reading: other commands have a model, which knows its columns.
	table.Choice  `embed:""`
	table.Hashing `embed:""`
	IDF           bool `name:"idf" negatable:"" help:"Weight words of text by rarity; --holdout chooses."`

	// The rows held out measure the model. The same seed divides the rows in the same way again. So
	// evaluate finds the rows held out without a list of them in the model's file.
	Holdout   float64 `placeholder:"SHARE" help:"Share of the rows of each class to hold out."`
	Last      bool    `help:"Hold out the last rows of each class, not drawn."`
	Group     string  `placeholder:"NAME" help:"Hold out all rows of a value of this column."`
	CV        int     `name:"cv" placeholder:"K" help:"Cross-validate with K folds."`
	Seed      uint64  `placeholder:"N" help:"Chooses the order and the rows held out."`
	Epochs    int     `default:"20" placeholder:"20" help:"At most this number of (further) epochs."`
	Patience  int     `placeholder:"N" help:"Stop N epochs after the best on rows held out."`
	Refit     bool    `help:"Then train on all rows for the best epochs."`
	Threshold string  `placeholder:"X" help:"Least score of the second class; f1: the best."`
	Calibrate bool    `help:"Fit probabilities to the rows held out, or to --cv."`

	// The defaults are the advice of the library's README: shuffled rows and averaged weights predict new rows best.
	Algorithm string           `enum:"auto,online,margin,batch,multiclass,onevsrest" default:"auto" placeholder:"auto" help:"online, margin, batch, multiclass, onevsrest."`
	Rule      string           `enum:"auto,online,margin,batch" default:"auto" placeholder:"auto" help:"Of multiclass, onevsrest: online, margin, batch."`
	Order     perceptron.Order `default:"shuffled" placeholder:"shuffled" help:"cyclic, shuffled or sampled."`
	Keep      perceptron.Keep  `default:"average" placeholder:"average" help:"Weights that predict: last, average or pocket."`
	Rate      float64          `placeholder:"1" help:"Learning rate η."`
	Gamma     float64          `placeholder:"X" help:"γ′ of the margin rule."`
	Theta     float64          `placeholder:"X" help:"θ of the margin rule."`
	Raw       bool             `help:"Do not standardize the features."`

	// Without ScaleWords, the features of words stay 0 and 1. On average over many tables, this
	// gives a slightly higher accuracy: see bench/tables.py.
	ScaleWords bool `help:"Standardize the features of words, too."`
	Waves      int  `placeholder:"N" help:"Bend borders, with N waves; 0: straight."`

	// Memory limits the memory for weights and rows. Rows that do not fit beside the weights are
	// read from a file.
	Checkpoint int    `placeholder:"N" help:"Save the model every N epochs."`
	Curves     string `placeholder:"FILE" help:"Write updates, loss, errors by epoch as CSV."`
	Memory     int    `placeholder:"MIB" help:"Most MiB of memory (default: 3/4 of all)."`
	Strict     bool   `help:"With -m, a new word is an error."`
	JSON       bool   `name:"json" help:"Print the report as one JSON object."`
}

// Run trains, saves and measures. It checks the flags before it reads the data, as far as they do
// not depend on the data.
func (c *trainCmd) Run(p *program) error {
	ctx, release := interruptible()
	defer release()
	saved := ""
	o, err := c.options(ctx, p, &saved)
	if err != nil {
		return err
	}
	in, err := c.reading.file()
	if err != nil {
		return err
	}
	defer in.Close()
	if info, err := in.Stat(); err == nil && info.Size() > 16<<20 {
		// The rows stay in memory until the training ends. With many rows, frequent garbage collections
		// save memory and take little time. With few rows, they would take a third of the time.
		defer debug.SetGCPercent(debug.SetGCPercent(25))
	}
	// The report is printed even if the model could not be saved, so that a full disk does not lose
	// the figures of a long training.
	_, r, err := pipeline.Train(ctx, in, o)
	switch {
	case r == nil:
		return err
	case r.Folds != nil:
		r.Folds.Saved = saved
		return p.show(c.JSON, "folds", r.Folds)
	}
	if r.Saved = saved; c.Curves != "" {
		err = errors.Join(writeCurves(c.Curves, r.Curve), err)
	}
	return errors.Join(p.show(c.JSON, "report", r), err)
}

// interruptible returns a context that ends with the first interrupt. The second interrupt ends the
// program, because an epoch may take longer than the user wants to wait. SIGTERM counts as an
// interrupt: an operating system sends it to programs before it shuts down.
func interruptible() (context.Context, context.CancelFunc) {
	ctx, release := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, release)
	return ctx, release
}

// options returns the options that the flags set. It checks all flags before it reads the model that -m names, and the
// model comes before the data, so that an error in it is reported even while standard input waits for a user. The path
// of the model that is saved is stored in saved.
func (c *trainCmd) options(ctx context.Context, p *program, saved *string) (o pipeline.Options, err error) {
	from, to := reflect.ValueOf(c).Elem(), reflect.ValueOf(&o).Elem()
	for flag := range p.given {
		named := func(field string) bool { return usage.Name(field) == flag }
		v, option := from.FieldByNameFunc(named), to.FieldByNameFunc(named)
		switch o.Set = append(o.Set, flag); {
		case !option.IsValid() || !v.IsValid():
		case v.Type() == option.Type():
			option.Set(v)
		case option.Kind() == reflect.String: // an order, or what to keep
			option.SetString(strings.ToLower(fmt.Sprint(v)))
		}
	}
	o.Curves, o.Progress, o.Note = c.Curves != "" || c.JSON && c.CV == 0, p.bars.follow(ctx), p.note
	o.Save = func(m *pipeline.Predictor) error {
		if c.Output == "" {
			return nil
		}
		err := m.Save(c.Output)
		if err == nil {
			*saved = c.Output
		}
		return err
	}
	if c.Output != "" {
		o.Folder = filepath.Dir(c.Output)
	}
	if c.Model != "" {
		o.Model = new(pipeline.Predictor) // Check asks only whether there is one
	}
	if err := cmp.Or(o.Check(), c.check()); err != nil || c.Model == "" {
		return o, err
	}
	if o.Model, err = pipeline.Load(c.Model); err == nil && o.Model.File.Schema.Foreign && c.Output != "" {
		err = fmt.Errorf("%s is the file of a Classifier: the Go program continues its training", c.Model)
	}
	return o, err
}

// check returns an error for a flag without an effect, or for an output that would destroy data.
func (c *trainCmd) check() error {
	return cmp.Or(usage.If(c.Refit && c.Output == "", "--refit requires --patience, which finds the number of epochs, and -o, the file to save in"),
		usage.If(c.Calibrate && c.CV > 0 && c.Output == "", "--calibrate with --cv requires -o, the file to save in"),
		usage.If(c.Checkpoint > 0 && c.Output == "", "--checkpoint requires -o, the file to save in"),
		safe([]string{c.Data}, output.File{Flag: "-o", Path: c.Output, Begins: modelfile.Begins}, output.File{Flag: "--curves", Path: c.Curves, Begins: curvesHead}))
}
