package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"syscall"

	"perceptron"
	"perceptron/cmd/perceptron/internal/metrics"
	"perceptron/cmd/perceptron/internal/modelfile"
	"perceptron/cmd/perceptron/internal/output"
	"perceptron/cmd/perceptron/internal/split"
	"perceptron/cmd/perceptron/internal/table"
)

// trainCmd trains a model. separate, log and plot use its fields too, so that they read rows as
// train does. plot also trains with it.
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

	learning `embed:""`

	// ordered says that --order is set, so that no other order replaces it. sparse says that rows may
	// be sparse; proofs for Coq and pictures need all features. keeps says that parsed rows are kept
	// for later passes. A proof needs the file's decimal numbers, so that separate keeps no rows.
	ordered, sparse, keeps bool

	tries bool // a fold tries waves, which must take little time and memory

	// Memory limits the memory for weights and rows. Rows that do not fit beside the weights are
	// read from a file.
	Checkpoint int    `placeholder:"N" help:"Save the model every N epochs."`
	Curves     string `placeholder:"FILE" help:"Write updates, loss, errors by epoch as CSV."`
	Memory     int    `placeholder:"MIB" help:"Most MiB of memory (default: 3/4 of all)."`
	Strict     bool   `help:"With -m, a new word is an error."`
	JSON       bool   `name:"json" help:"Print the report as one JSON object."`
}

// Three sets of rows are kept apart. The training rows determine means, deviations and weights. The
// rows held out measure the model, and are used by --patience, --threshold f1 and --calibrate. Then
// the figures of these rows are a little too good. Only evaluate on a third set, a file of new rows,
// is a fair test.

// Run trains, saves and measures. It checks the flags before it reads the data, as far as they do
// not depend on the data. It reads all rows once before the training begins, so that most errors in
// the data are found early.
func (c *trainCmd) Run(p *program) error {
	c.ordered, c.sparse, c.keeps = p.given["order"], true, true
	if len(c.Text) > 0 || c.Waves > 0 {
		c.usual = "margin"
	}
	if !p.given["memory"] {
		c.Memory = machineMemory() / 4 * 3
	}
	if len(c.Text) > 0 && !p.given["epochs"] {
		c.Epochs = 10 // with margin and average, more epochs take time and are no better
	}
	defer debug.SetGCPercent(debug.SetGCPercent(100)) // prepare may set another value
	if err := c.check(p.given); err != nil {
		return err
	}
	d, err := c.open(p)
	if err != nil {
		return err
	}
	defer d.src.Close()
	d.Calibration = nil // it would not fit the scores of the new weights
	ctx, release := interruptible()
	defer release()
	if c.CV > 0 {
		return c.crossValidate(ctx, p, d)
	}
	choices, err := c.choose(ctx, p, d)
	if err != nil {
		return err
	}
	if err := c.prepare(d); err != nil {
		return err
	}
	// The report is printed even if the model could not be saved, so that a full disk does not lose
	// the figures of a long training.
	r, err := c.train(ctx, p, d)
	if r == nil {
		return err
	}
	r.Choices = choices
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

// check returns an error for the first flag that has a bad value or contradicts another flag, or for
// an output that would destroy data. It reads no data, so that the user need not wait for a pass
// over the file. prepare checks what depends on the number of classes or rows.
func (c *trainCmd) check(given map[string]bool) error {
	// Flags have no effect if a cross-validation saves no model, or if -m loads their settings.
	var unused error
	switch {
	case c.CV > 0:
		// --cv saves a model only with --calibrate, so that only then -o has an effect.
		output := map[bool]string{true: "model", false: "output"}[c.Calibrate]
		unused = without(given, "--cv", "holdout", "last", "threshold", "model", output, "curves", "checkpoint", "patience", "refit")
	case c.Model != "":
		unused = without(given, "-m", "algorithm", "rule", "order", "keep", "rate", "gamma", "theta", "raw", "scale-words", "seed", "holdout", "last", "group", "refit", "features", "columns", "drop", "category", "missing", "na", "word", "text", "ngrams", "hash", "idf")
	case len(c.Text) == 0:
		unused = without(given, "no --text", "ngrams", "hash", "idf")
	}
	cut, err := strconv.ParseFloat(c.Threshold, 64)
	number := err == nil && math.Abs(cut) < 1e300 // a model's file accepts no larger threshold
	odd := c.Hashing.Check()
	return cmp.Or(c.learning.check(given), unused, usageIf(odd != nil, "%w", odd),
		usageIf(min(c.Features, c.Memory, c.Patience, c.Checkpoint, c.Epochs-1) < 0, "--features, --memory, --patience and --checkpoint must be at least 0, and --epochs at least 1"),
		usageIf(!(c.Holdout >= 0 && c.Holdout < 1), "--holdout is %v, want at least 0 and less than 1", c.Holdout),
		usageIf(c.Last && (c.Holdout == 0 || c.Group != ""), "--last requires --holdout, and not --group"), usageIf(c.Group != "" && c.Holdout == 0 && c.CV == 0, "--group requires --holdout or --cv"),
		c.checkWaves(), usageIf(given["waves"] && c.Model != "", "--waves cannot be used with -m"),
		usageIf(given["cv"] && c.CV < 2, "--cv is %d, want at least 2", c.CV),
		usageIf(c.Threshold != "" && c.Threshold != "f1" && !number, "--threshold is %q, want f1 or a number; --theta sets θ of the margin rule", c.Threshold),
		usageIf((c.Patience > 0 || c.Threshold == "f1" || c.Calibrate && c.CV == 0) && c.Holdout == 0 && c.Model == "", "--patience, --threshold f1 and --calibrate require --holdout: they use the rows held out"),
		usageIf(c.Refit && (c.Patience == 0 || c.Output == ""), "--refit requires --patience, which finds the number of epochs, and -o, the file to save in"),
		usageIf(c.Calibrate && c.CV > 0 && c.Output == "", "--calibrate with --cv requires -o, the file to save in"),
		usageIf(c.Checkpoint > 0 && c.Output == "", "--checkpoint requires -o, the file to save in"),
		usageIf(c.Strict && c.Model == "", "--strict requires -m: all words of a new model are known"),
		usageIf(c.Raw && c.ScaleWords, "--scale-words cannot be used with --raw"),
		safe([]string{c.Data}, output.File{Flag: "-o", Path: c.Output, Begins: modelfile.Begins}, output.File{Flag: "--curves", Path: c.Curves, Begins: curvesHead}))
}

// open opens the data. With -m it reads the model, else it finds the columns for a new model. A
// model's file has the share and the seed of the rows held out. So these rows stay the same when the
// training continues, and the model never learns them.
func (c *trainCmd) open(p *program) (d *dataset, err error) {
	d = &dataset{File: &modelfile.File{}}
	if c.Model != "" {
		if d.File, err = modelfile.Read(c.Model); err != nil {
			return nil, err
		}
		if d.Schema.Foreign && c.Output != "" {
			return nil, fmt.Errorf("%s is the file of a Classifier: the Go program continues its training", c.Model)
		}
		d.options.Label, d.options.Strict = c.Label, c.Strict
	}
	if d.src, err = c.reading.open(p, true); err != nil {
		return d, err
	}
	if c.keeps { // a third of the memory; the rest is for scaled rows and weights
		d.src.Keep(filepath.Dir(cmp.Or(c.Output, filepath.Join(os.TempDir(), "model"))), c.Memory<<20/3)
	}
	if c.Model != "" {
		return d, nil
	}
	c.Choice.Hashing, c.Choice.Group = c.Hashing, c.Group
	schema, err := table.Discover(d.src, c.Choice)
	if err != nil {
		return nil, errors.Join(err, d.src.Close())
	}
	d.Schema = *schema
	// The batch rule needs dense rows, and so do commands that do not set c.sparse.
	d.Schema.Sparse = schema.Sparse && c.sparse && c.Algorithm != "batch" && c.Rule != "batch"
	d.Data.Seed, d.Data.Group = c.Seed, c.Group
	if c.Last {
		all, err := d.consecutive(math.MaxInt)
		if err != nil {
			return nil, errors.Join(err, d.src.Close())
		}
		for class, n := range all.parts {
			all.parts[class] = n - int(math.Round(c.Holdout*float64(n)))
		}
		d.Data.First = all.parts
	}
	d.Data.Holdout = c.Holdout
	d.named = slices.Contains(c.Category, d.Schema.Label.Name)
	if c.Waves > 0 && d.Schema.Sparse {
		return nil, errors.Join(usagef("%s: its rows are sparse, and --waves cannot be used with them: %s", d.src.Name, onlyDense), d.src.Close())
	}
	return d, nil
}

// prepare counts the rows, builds the model if there is none yet, and loads the rows if they fit in
// memory. The count comes first, because it gives the number of classes, on which the algorithm
// depends, and the memory that the rows need.
func (c *trainCmd) prepare(d *dataset) error {
	d.scalesWords, d.weighsText = c.ScaleWords, c.IDF
	if d.Model == nil && c.Waves > 0 {
		d.Waves = perceptron.Waves{Count: c.Waves, Seed: c.Seed}
	}
	if err := d.survey(!c.Raw); err != nil {
		return err
	}
	// Rows that do not fit in memory are read in the order of the file. A new model then gets the
	// order Cyclic, unless the user has set --order. For any other order, prepare returns an error
	// below.
	raw, fits := d.src.Kept()
	mib, weights := float64(raw+d.bytes)/(1<<20), c.weights(d)
	fits = fits && mib+weights <= float64(c.Memory)
	once := d.fold == 0 && (d.folds == 0 || c.CV > 0) // of many folds, only one says it
	if mib+weights >= muchMemory && once {
		d.src.Tell(fmt.Sprintf("%s: the training takes about %.0f MiB: %.1f for the rows, which are in %s, and %.1f for the weights; --memory is %d", d.src.Name,
			weights+map[bool]float64{true: mib}[fits], mib, map[bool]string{true: "memory", false: "a file"}[fits], weights, c.Memory))
	}
	if c.tries && !fits {
		return fmt.Errorf("%d rows with %d waves take %.0f MiB, and --memory is %d; --waves %d trains with them", d.rows[split.Training], d.Waves.Count, mib, c.Memory, d.Waves.Count)
	}
	if weights > float64(max(c.Memory, leastMemory)) && d.Bent() {
		return fmt.Errorf("%s: the weights of %d classes, %d features and %d waves take about %.0f MiB, and --memory is %d: fewer waves need less", d.src.Name, len(d.Classes), d.Schema.Features(), d.Waves.Count, weights, c.Memory)
	}
	if weights > float64(max(c.Memory, leastMemory)) {
		return fmt.Errorf("%s: the weights of %d classes and %d features take about %.0f MiB, and --memory is %d: fewer features need less%s, and fewer classes; or set a greater --memory", d.src.Name, len(d.Classes), d.Schema.Features(), weights, c.Memory, map[bool]string{true: " (--drop, --ngrams 1, a smaller --hash)"}[d.src.Format != "libsvm"])
	}
	if mib > 32 {
		// The rows stay in memory until the training ends. With many rows, frequent garbage collections
		// save memory and take little time. With few rows, they would take a third of the time.
		debug.SetGCPercent(25)
	}
	if d.Model == nil {
		if !fits && !c.ordered {
			c.Order = perceptron.Cyclic
		}
		var err error
		if d.Model, err = c.build(len(d.Classes), c.Seed); err != nil {
			return err
		}
	}
	if !fits && once {
		d.src.Warnings = append(d.src.Warnings, d.sorted()...)
	}
	s := settingsOf(d.Model)
	switch {
	case c.Threshold != "" && !modelfile.IsTwo(d.Model):
		return usagef("--threshold is for two classes; the model is %s", s.name)
	case (c.Threshold == "f1" || c.Patience > 0 || c.Calibrate) && d.rows[split.HeldOut] == 0:
		return usagef("no rows are held out for --threshold f1, --patience and --calibrate")
	case len(d.absent) > 0 && (c.Threshold == "f1" || c.Calibrate) || c.Patience > 0 && len(d.absent) > len(d.Classes)-2:
		return fmt.Errorf("%s: no row of class %s is held out, and --threshold f1, --patience and --calibrate need such rows: a class needs %.0f rows with this --holdout; --cv 5 --calibrate needs none held out", d.src.Name, table.Short(d.absent), math.Ceil(1/d.Data.Holdout))
	case fits:
		return d.load()
	case s.memory:
		return fmt.Errorf("%s: %s: this needs the rows in memory, but they take %.1f MiB and --memory is %d", d.src.Name, s.name, mib, c.Memory)
	}
	return nil
}

// train trains, saves and measures. If an interrupt ends the training, or a file cannot be written,
// train returns both the report and an error. It saves before it measures, because measuring makes
// another pass over the rows, which may fail.
func (c *trainCmd) train(ctx context.Context, p *program, d *dataset) (*report, error) {
	sum, err := d.src.SHA256()
	if err != nil {
		return nil, err
	}
	// The Data of a continued model describes the rows of this training. Served counts the rows that
	// the model has learned from a server, and Earlier lists the files of earlier trainings.
	d.Program = modelfile.Program()
	d.Data = modelfile.Data{File: d.src.Name, SHA256: sum, Rows: d.rows[split.Training], HeldOut: d.rows[split.HeldOut],
		LeftOut: d.leftOut, Holdout: d.Data.Holdout, Seed: d.Data.Seed, First: d.Data.First, Group: d.Data.Group, Kept: d.Data.Kept, Served: d.Data.Served, Earlier: d.Data.Others(sum)}
	t, ended := d.fit(ctx, c, &p.bars)
	if ended != nil && ended != errInterrupted {
		return nil, ended
	}
	d.Forget()
	d.X, d.sparse = [split.Parts][][]float64{}, [split.Parts][]perceptron.Sparse{} // free the rows: encoding a wide model needs memory
	if err := c.decide(d); err != nil {
		return nil, err
	}
	saved, failed := c.save(d, t.Curve)
	parts, err := d.measure()
	if err != nil {
		return nil, err
	}
	r := &report{Data: d.Data, Streamed: !d.loaded, Features: d.Schema.Features(), Waves: d.Waves.Count, Sparse: d.Schema.Sparse, Standardized: d.Scaling.Mean != nil,
		columns: columnsOf(d), Classes: d.Classes, Model: settingsOf(d.Model).name, training: t, Threshold: d.Threshold, Training: parts[split.Training], Saved: saved}
	r.Warnings, r.unseen = d.src.Warnings, d.unseen
	if d.Data.HeldOut > 0 {
		r.HeldOut = parts[split.HeldOut]
	}
	q := cmp.Or(r.HeldOut, r.Training)
	r.Warnings, r.Absent = slices.Concat(r.Warnings, q.remarks(), spelled(d.Classes)), d.absent
	if settingsOf(d.Model).average && t.Stop == perceptron.Converged.String() && c.Model == "" && c.Patience == 0 && c.Threshold == "" && r.Training.Accuracy < 1 {
		r.Warnings = append(r.Warnings, "the last weights have every row right, but their average, which predicts, has not: --keep last predicts with the last weights")
	}
	if c.Refit && failed == nil && ended == nil {
		if ended = c.refit(ctx, p, *d, t.BestEpoch); ended == nil {
			r.Refit = t.BestEpoch
		}
	}
	return r, errors.Join(failed, ended)
}

// refit trains a new model on all rows, including those held out, and saves it in place of the
// model that was measured. On an error, the measured model stays saved.
func (c trainCmd) refit(ctx context.Context, p *program, d dataset, epochs int) error {
	// Means, classes and weights are computed anew from all rows. The number of epochs, the threshold
	// and the calibration stay, because they were chosen on the rows held out.
	details := modelfile.Details{Program: d.Program, Data: d.Data, Schema: d.Schema, Threshold: d.Threshold, Calibration: d.Calibration}
	details.Data.Holdout, details.Data.HeldOut, details.Data.Kept, details.Data.First, details.Data.Group = 0, 0, nil, nil, ""
	d = dataset{src: d.src, File: &modelfile.File{Details: details}, named: d.named}
	c.Epochs, c.Patience, c.Checkpoint, c.Threshold, c.Calibrate = epochs, 0, 0, "", false
	err := c.prepare(&d)
	if err == nil {
		_, err = d.fit(ctx, &c, &p.bars)
	}
	if err != nil {
		return err
	}
	d.Data.Rows = d.rows[split.Training]
	return d.Write(c.Output)
}

// decide sets the threshold for --threshold and the calibration for --calibrate. f1 and --calibrate
// use the rows held out, because the scores of training rows are too good.
func (c *trainCmd) decide(d *dataset) error {
	if v, err := strconv.ParseFloat(c.Threshold, 64); err == nil { // otherwise the model keeps its threshold
		d.Threshold = v
	}
	if c.Threshold != "f1" && !c.Calibrate {
		return nil
	}
	d.calibrates = c.Calibrate
	parts, err := d.measure()
	if d.calibrates = false; err != nil {
		return err
	}
	if c.Threshold == "f1" {
		d.Threshold = parts[split.HeldOut].scores.BestF1()
	}
	if c.Calibrate {
		d.Calibration = metrics.Calibrate(parts[split.HeldOut].outcomes)
	}
	return nil
}

// save writes the model and then the curves. It returns the path of the model if the model is
// written. Each file is replaced in one step, so that after a crash it has its old content or its
// new content.
func (c *trainCmd) save(d *dataset, curve []epoch) (saved string, err error) {
	if c.Output != "" {
		if err = d.Write(c.Output); err != nil {
			return "", err
		}
	}
	if c.Curves != "" {
		err = writeCurves(c.Curves, curve)
	}
	return c.Output, err
}
