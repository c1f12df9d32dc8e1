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
	"strings"
	"syscall"

	"perceptron"
	"perceptron/cmd/perceptron/internal/metrics"
	"perceptron/cmd/perceptron/internal/modelfile"
	"perceptron/cmd/perceptron/internal/output"
	"perceptron/cmd/perceptron/internal/split"
	"perceptron/cmd/perceptron/internal/table"
)

// trainCmd trains a model. separate and plot use its fields too, so that they read rows and
// train models as train does.
type trainCmd struct {
	// With -m and -o, a training is continued. Both may name one file, because the model is
	// replaced in one step.
	Output string `short:"o" placeholder:"FILE" help:"Save the model in this file."`
	Model  string `short:"m" placeholder:"FILE" help:"Continue the training of this model."`

	reading `embed:""`
	// Choice is not a part of reading: other commands have a model, which knows its columns.
	table.Choice  `embed:""`
	table.Hashing `embed:""`
	IDF           bool `name:"idf" negatable:"" help:"Weight words of text by rarity; --holdout chooses."`

	// The rows held out measure the model. A seed divides the rows in the same way again, so
	// the model's file needs no list of them, and evaluate finds them.
	Holdout   float64 `placeholder:"SHARE" help:"Share of the rows of each class to hold out."`
	CV        int     `name:"cv" placeholder:"K" help:"Cross-validate with K folds."`
	Seed      uint64  `placeholder:"N" help:"Chooses the order and the rows held out."`
	Epochs    int     `default:"20" placeholder:"20" help:"At most this number of (further) epochs."`
	Patience  int     `placeholder:"N" help:"Stop N epochs after the best on rows held out."`
	Refit     bool    `help:"Then train on all rows for the best epochs."`
	Threshold string  `placeholder:"X" help:"Least score of the second class; f1: the best."`
	Calibrate bool    `help:"Fit probabilities to the rows held out, or to --cv."`

	learning `embed:""`

	// ordered says that --order is set, so that no other order replaces it. sparse says that rows may
	// be sparse: proofs and pictures need all features. keeps says that parsed rows are kept for later
	// passes. separate does not keep them, because a proof needs the numbers as the file has them.
	ordered, sparse, keeps bool

	// Memory limits what weights and rows take. Rows that do not fit beside the weights are in a file.
	Checkpoint int    `placeholder:"N" help:"Save the model every N epochs."`
	Curves     string `placeholder:"FILE" help:"Write updates, loss, errors by epoch as CSV."`
	Memory     int    `placeholder:"MIB" help:"Most MiB of memory; by default 3/4 of the machine's."`
	Strict     bool   `help:"With -m, a new word is an error."`
	JSON       bool   `name:"json" help:"Print the report as one JSON object."`
}

// Three sets of rows stay apart. The rows trained on give means, deviations and weights. The rows
// held out choose what --patience, --threshold f1 and --calibrate choose, and measure the model.
// What was chosen on rows is measured a little too well on them, so that a last file of new rows,
// for evaluate, is the only fair judge.

// Run trains, saves and measures. All that can be wrong in the flags is found before
// anything is read, and all that can be wrong in the data before the training begins.
func (c *trainCmd) Run(p *program) error {
	c.ordered, c.sparse, c.keeps = p.given["order"], true, true
	if len(c.Text) > 0 {
		c.usual = "margin"
	}
	if !p.given["memory"] {
		c.Memory = machineMemory() / 4 * 3
	}
	if c.usual != "" && !p.given["epochs"] {
		c.Epochs = 10 // more take time, and the average of margin is no better
	}
	defer debug.SetGCPercent(debug.SetGCPercent(100)) // until prepare knows the rows
	if err := c.check(p.given); err != nil {
		return err
	}
	d, err := c.open(p)
	if err != nil {
		return err
	}
	defer d.src.Close()
	d.Calibration = nil // other weights have other scores
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
	// The report comes before the error: after a training of hours, a full disk must not cost
	// its figures.
	r, err := c.train(ctx, p, d)
	if r == nil {
		return err
	}
	r.Choices = choices
	return errors.Join(p.show(c.JSON, "report", r), err)
}

// interruptible returns a context that ends with the first interrupt. The second one
// ends the program, because an epoch may take longer than the user wants to wait. SIGTERM
// counts as an interrupt: systems send it before they stop.
func interruptible() (context.Context, context.CancelFunc) {
	ctx, release := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, release)
	return ctx, release
}

// check reports the first flag that has a bad value or contradicts another flag, and
// outputs that would destroy data. It reads no data, because an error in the flags must not
// wait for a pass over the file. What depends on the number of classes or rows is left to
// prepare.
func (c *trainCmd) check(given map[string]bool) error {
	// A cross-validation has no model to save, and -m brings its own settings.
	var unused error
	switch {
	case c.CV > 0:
		// Only probabilities make a model of all rows worth saving.
		output := map[bool]string{true: "model", false: "output"}[c.Calibrate]
		unused = without(given, "--cv", "holdout", "threshold", "model", output, "curves", "checkpoint", "patience", "refit")
	case c.Model != "":
		unused = without(given, "-m", "algorithm", "rule", "order", "keep", "rate", "gamma", "theta", "raw", "scale-words", "seed", "holdout", "refit", "features", "columns", "drop", "category", "missing", "na", "text", "ngrams", "hash", "idf")
	case len(c.Text) == 0:
		unused = without(given, "no --text", "ngrams", "hash", "idf")
	}
	cut, err := strconv.ParseFloat(c.Threshold, 64)
	number := err == nil && math.Abs(cut) < 1e300 // which a model's file accepts
	odd := c.Hashing.Check()
	return cmp.Or(c.learning.check(given), unused, usageIf(odd != nil, "%w", odd),
		usageIf(min(c.Features, c.Memory, c.Patience, c.Checkpoint, c.Epochs-1) < 0, "--features, --memory, --patience and --checkpoint must be at least 0, and --epochs at least 1"),
		usageIf(!(c.Holdout >= 0 && c.Holdout < 1), "--holdout is %v, want at least 0 and less than 1", c.Holdout),
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

// open opens the data, and reads the model to continue or finds the columns of a new one.
// A model comes with its share and seed, so that the rows held out stay the same: the
// model must never learn them.
func (c *trainCmd) open(p *program) (d *dataset, err error) {
	d = &dataset{File: &modelfile.File{}}
	if c.Model != "" {
		if d.File, err = modelfile.Read(c.Model); err != nil {
			return nil, err
		}
		d.options.Label, d.options.Strict = c.Label, c.Strict
	}
	if d.src, err = c.reading.open(p, true); err != nil {
		return d, err
	}
	if c.keeps { // the rest of the memory is for the scaled rows
		d.src.Keep(filepath.Dir(cmp.Or(c.Output, filepath.Join(os.TempDir(), "model"))), c.Memory<<20/3)
	}
	if c.Model != "" {
		return d, nil
	}
	c.Choice.Hashing = c.Hashing
	schema, err := table.Discover(d.src, c.Choice)
	if err != nil {
		return nil, errors.Join(err, d.src.Close())
	}
	d.Schema = *schema
	// The batch rule and the functions of the theory need all features.
	d.Schema.Sparse = schema.Sparse && c.sparse && c.Algorithm != "batch" && c.Rule != "batch"
	d.Data.Holdout, d.Data.Seed = c.Holdout, c.Seed
	d.named = slices.Contains(c.Category, d.Schema.Label.Name)
	return d, nil
}

// prepare counts the rows, builds the model if there is none yet, and loads the rows if
// they fit in memory. The count comes first: neither the number of classes, which chooses
// the algorithm, nor the memory is known before.
func (c *trainCmd) prepare(d *dataset) error {
	d.scalesWords, d.weighsText = c.ScaleWords, c.IDF
	if err := d.survey(!c.Raw); err != nil {
		return err
	}
	// Rows that do not fit in memory are read in the order of the file. A new model then gets Cyclic,
	// unless the user has set --order. With any other order, training ends below with an error.
	raw, fits := d.src.Kept()
	mib, weights := float64(raw+d.bytes)/(1<<20), c.weights(d)
	fits = fits && mib+weights <= float64(c.Memory)
	if mib+weights >= muchMemory && d.fold == 0 && (d.folds == 0 || c.CV > 0) {
		d.src.Tell(fmt.Sprintf("%s: the training takes about %.0f MiB: %.1f for the rows, which are in %s, and %.1f for the weights; --memory is %d", d.src.Name,
			weights+map[bool]float64{true: mib}[fits], mib, map[bool]string{true: "memory", false: "a file"}[fits], weights, c.Memory))
	}
	if weights > float64(max(c.Memory, leastMemory)) {
		return fmt.Errorf("%s: the weights of %d classes and %d features take about %.0f MiB, and --memory is %d: fewer features need less (--drop, --ngrams 1, a smaller --hash), and fewer classes; or set a greater --memory", d.src.Name, len(d.Classes), d.Schema.Features(), weights, c.Memory)
	}
	if mib > 32 {
		// The rows stay in memory until the training ends, so that frequent collections save memory
		// and take little time. With few rows, they would take a third of the time.
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
	s := settingsOf(d.Model)
	switch {
	case c.Threshold != "" && !modelfile.IsTwo(d.Model):
		return usagef("--threshold is for two classes; the model is %s", s.name)
	case (c.Threshold == "f1" || c.Patience > 0 || c.Calibrate) && d.rows[split.HeldOut] == 0:
		return usagef("no rows are held out for --threshold f1, --patience and --calibrate")
	case fits:
		return d.load()
	case s.memory:
		return fmt.Errorf("%s: %s: this needs the rows in memory, but they take %.1f MiB and --memory is %d", d.src.Name, s.name, mib, c.Memory)
	}
	return nil
}

// leastMemory is the number of MiB up to which weights are accepted, whatever --memory says. From
// muchMemory on, the program says how many MiB the training takes.
const leastMemory, muchMemory = 64, 16

// weights returns about how many MiB the weights take: the iterate, the sums of the average, and the
// planes that predict.
func (c *trainCmd) weights(d *dataset) float64 {
	planes := len(d.Classes)
	if algorithm, _ := c.kind(planes); d.Model == nil && algorithm != "multiclass" && algorithm != "onevsrest" || modelfile.IsTwo(d.Model) {
		planes = 1
	}
	all := float64(planes) * float64(d.Schema.Features()+1)
	if d.Schema.Sparse { // weights exist only for the features of an updated row, in two classes
		values := float64(d.bytes-rowHead*(d.rows[split.Training]+d.rows[split.HeldOut])) / 12
		return (min(all, 2*float64(c.Epochs)*values+float64(planes))*4*20 + all*2*8) / (1 << 20)
	}
	return all * 6 * 8 / (1 << 20)
}

// machineMemory returns the MiB of memory that the machine, or the container, has.
func machineMemory() int {
	mib := 0
	for path, unit := range map[string]int{"/proc/meminfo": 1 << 10, "/sys/fs/cgroup/memory.max": 1 << 20} {
		text, _ := os.ReadFile(path)
		fields := strings.Fields(strings.TrimPrefix(string(text), "MemTotal:"))
		if n, err := strconv.Atoi(strings.Join(fields[:min(1, len(fields))], "")); err == nil {
			mib = min(n/unit, cmp.Or(mib, n/unit))
		}
	}
	return cmp.Or(mib, 2048) // no other system says it in a file
}

// train trains, saves and measures. If a file cannot be written, for example on a full
// disk, or after an interrupt, it returns the report and the error. It saves before it
// measures, because measuring reads the file once more and may fail.
func (c *trainCmd) train(ctx context.Context, p *program, d *dataset) (*report, error) {
	sum, err := d.src.SHA256()
	if err != nil {
		return nil, err
	}
	// A continued model describes the rows that it has learned last, and counts the others.
	d.Program = modelfile.Program()
	d.Data = modelfile.Data{File: d.src.Name, SHA256: sum, Rows: d.rows[split.Training], HeldOut: d.rows[split.HeldOut],
		LeftOut: d.leftOut, Holdout: d.Data.Holdout, Seed: d.Data.Seed, Kept: d.Data.Kept, Served: d.Data.Served, Earlier: d.Data.Others(sum)}
	t, ended := d.fit(ctx, c, &p.bars)
	if ended != nil && ended != errInterrupted {
		return nil, ended
	}
	d.X, d.sparse = [split.Parts][][]float64{}, [split.Parts][]perceptron.Sparse{} // room for the text of a wide model
	if err := c.decide(d); err != nil {
		return nil, err
	}
	saved, failed := c.save(d, t.Curve)
	parts, err := d.measure()
	if err != nil {
		return nil, err
	}
	r := &report{Data: d.Data, Streamed: !d.loaded, Features: d.Schema.Features(), Sparse: d.Schema.Sparse, Standardized: d.Scaling.Mean != nil,
		columns: columnsOf(d), Classes: d.Classes, Model: settingsOf(d.Model).name, training: t, Threshold: d.Threshold, Training: parts[split.Training], Saved: saved}
	r.Warnings, r.unseen = d.src.Warnings, d.unseen
	if d.Data.HeldOut > 0 {
		r.HeldOut = parts[split.HeldOut]
	}
	q := cmp.Or(r.HeldOut, r.Training)
	r.Warnings = append(r.Warnings, below(q.Accuracy, q.Baseline)...)
	if c.Refit && failed == nil && ended == nil {
		if ended = c.refit(ctx, p, *d, t.BestEpoch); ended == nil {
			r.Refit = t.BestEpoch
		}
	}
	return r, errors.Join(failed, ended)
}

// refit trains a new model on all rows, also those held out, and saves it instead of the one
// that was measured. Until then, that one stays saved.
func (c trainCmd) refit(ctx context.Context, p *program, d dataset, epochs int) error {
	// Means, classes and weights come from all rows anew. Only what was chosen on the rows held out
	// stays: the number of epochs and the threshold.
	details := modelfile.Details{Program: d.Program, Data: d.Data, Schema: d.Schema, Threshold: d.Threshold, Calibration: d.Calibration}
	details.Data.Holdout, details.Data.HeldOut, details.Data.Kept = 0, 0, nil
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

// decide sets the threshold that --threshold asks for. Its choice uses the rows held out:
// on the rows trained on, the scores are too good, and so would be the threshold.
func (c *trainCmd) decide(d *dataset) error {
	if v, err := strconv.ParseFloat(c.Threshold, 64); err == nil { // or else it stays that of the model
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

// save writes the model and the curves, and returns the path of the model if it is written.
// The model comes first, because it is worth more. Each file is replaced in one step, so that
// a crash leaves the old one.
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
