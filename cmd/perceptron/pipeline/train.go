package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"

	"perceptron"
	"perceptron/cmd/perceptron/internal/dataset"
	"perceptron/cmd/perceptron/internal/metrics"
	"perceptron/cmd/perceptron/internal/modelfile"
	"perceptron/cmd/perceptron/internal/split"
	"perceptron/cmd/perceptron/internal/table"
	"perceptron/cmd/perceptron/internal/usage"
	"perceptron/cmd/perceptron/pipeline/report"
)

// Three sets of rows are kept apart. The training rows determine means, deviations and weights. The
// rows held out measure the model, and are used by --patience, --threshold f1 and --calibrate. Then
// the figures of these rows are a little too good. Only Evaluate on a third set, a file of new rows,
// is a fair test.

// Train trains a model on a table: a CSV or LIBSVM file, or [Records]. It reads the table several times, and
// copies it to a temporary file first, unless it is a file at its beginning.
//
// If ctx ends, Train returns an error that wraps its cause: at the next block of rows, or after the running epoch. After
// the choices by folds, and if Save fails, the Predictor and the report of what was learned come with the error.
//
// With o.CV, Train cross-validates: the report has the Folds, and there is a Predictor only with o.Calibrate.
func Train(ctx context.Context, r io.Reader, o Options) (*Predictor, *report.Training, error) {
	w := &watch{ctx: ctx, progress: o.Progress, note: o.Note}
	t, err := newTrainer(w, o)
	if err != nil {
		return nil, nil, err
	}
	d, err := t.open(r)
	if err != nil {
		return nil, nil, err
	}
	defer d.Src.Close()
	d.Calibration = nil // it would not fit the scores of the new weights
	if t.CV > 0 {
		p, folds, err := t.crossValidate(d)
		if folds == nil {
			return nil, nil, err
		}
		return p, &report.Training{Folds: folds}, err
	}
	choices, err := t.choose(d)
	if err == nil {
		err = t.prepare(d)
	}
	if err != nil {
		return nil, nil, err
	}
	p, result, err := t.train(d)
	if result != nil {
		result.Choices = choices
	}
	return p, result, err
}

// open opens the data. For a new model it finds the columns. A model has the share and the seed of the rows held
// out. So these rows stay the same when the training continues, and the model never learns them.
func (t *trainer) open(r io.Reader) (d *dataset.Dataset, err error) {
	if t.Model != nil && t.Model.File.Predicts() {
		return nil, errReadonly
	}
	src, err := t.watch.open(r, t.format())
	if err != nil {
		return nil, err
	}
	src.Keep(cmp.Or(t.Folder, os.TempDir()), t.Memory<<20/3) // a third of the memory; the rest is for scaled rows and weights
	if d, err = t.rows(src); err != nil {
		return nil, errors.Join(err, src.Close())
	}
	return d, nil
}

// rows returns the dataset of a source.
func (t *trainer) rows(src *table.Source) (d *dataset.Dataset, err error) {
	if t.Model != nil {
		return &dataset.Dataset{Src: src, File: t.Model.File.Copy(), Alive: t.alive, Options: table.RowOptions{Label: t.Label, Strict: t.Strict}}, nil
	}
	if d, err = dataset.New(src, t.choice()); err != nil {
		return nil, err
	}
	d.Alive = t.alive
	d.Schema.Sparse = d.Schema.Sparse && t.Algorithm != "batch" && t.Rule != "batch" // the batch rule needs dense rows
	d.Data.Seed, d.Data.Group = t.Seed, t.Group
	if t.Last {
		all, err := d.Consecutive(math.MaxInt)
		if err != nil {
			return nil, err
		}
		for class, n := range all.Parts {
			all.Parts[class] = n - int(math.Round(t.Holdout*float64(n)))
		}
		d.Data.First = all.Parts
	}
	d.Data.Holdout = t.Holdout
	return d, d.CheckWaves(t.Waves)
}

// prepare counts the rows, builds the model if there is none yet, and loads the rows if they fit in
// memory. The count comes first, because it gives the number of classes, on which the algorithm
// depends, and the memory that the rows need.
func (t *trainer) prepare(d *dataset.Dataset) error {
	d.ScalesWords, d.WeighsText = t.ScaleWords, t.IDF
	if d.Model == nil && t.Waves > 0 {
		d.Waves = perceptron.Waves{Count: t.Waves, Seed: t.Seed}
	}
	if err := d.Survey(!t.Raw); err != nil {
		return err
	}
	fits, err := t.room(d)
	if err != nil {
		return err
	}
	// Rows that do not fit in memory are read in the order of the file. A new model then gets the
	// order Cyclic, unless the user has set --order. For any other order, prepare returns an error
	// below.
	if d.Model == nil {
		if !fits && !t.given.Has("order") {
			t.order = perceptron.Cyclic
		}
		if d.Model, err = t.build(len(d.Classes)); err != nil {
			return err
		}
	}
	if !fits && t.once(d) {
		d.Src.Warnings = append(d.Src.Warnings, texts(d.Sorted())...)
	}
	s := modelfile.SettingsOf(d.Model)
	switch {
	case t.Threshold != "" && !modelfile.IsTwo(d.Model):
		return usage.Errorf("--threshold is for two classes; the model is %s", s.Name)
	case (t.Threshold == "f1" || t.Patience > 0 || t.Calibrate) && d.Rows[split.HeldOut] == 0:
		return usage.Errorf("no rows are held out for --threshold f1, --patience and --calibrate")
	case len(d.Absent) > 0 && (t.Threshold == "f1" || t.Calibrate) || t.Patience > 0 && len(d.Absent) > len(d.Classes)-2:
		return fmt.Errorf("%s: no row of class %s is held out, and --threshold f1, --patience and --calibrate need such rows: a class needs %.0f rows with this --holdout; --cv 5 --calibrate needs none held out", d.Src.Name, table.Short(d.Absent), math.Ceil(1/d.Data.Holdout))
	case fits:
		return d.Load()
	case s.Memory:
		return fmt.Errorf("%s: %s: this needs the rows in memory, but they take %.1f MiB and --memory is %d", d.Src.Name, s.Name, needs(d), t.Memory)
	}
	return nil
}

// once reports whether a dataset is not a fold, or the only fold that says what is true of all.
func (t *trainer) once(d *dataset.Dataset) bool { return d.Fold == 0 && (d.Folds == 0 || t.CV > 0) }

// train trains, saves and measures. If the context ends the training, or Save fails,
// train returns both the report and an error. It saves before it measures, because measuring makes
// another pass over the rows, which may fail.
func (t *trainer) train(d *dataset.Dataset) (*Predictor, *report.Training, error) {
	sum, err := d.Src.SHA256()
	if err != nil {
		return nil, nil, err
	}
	if d.Data.SHA256 == sum {
		d.Resume()
	}
	// The Data of a continued model describes the rows of this training. Served counts the rows that
	// the model has learned one by one, and Earlier lists the files of earlier trainings.
	d.Program = modelfile.Program()
	d.Data = modelfile.Data{File: d.Src.Name, SHA256: sum, Rows: d.Rows[split.Training], HeldOut: d.Rows[split.HeldOut],
		LeftOut: d.LeftOut, Holdout: d.Data.Holdout, Seed: d.Data.Seed, First: d.Data.First, Group: d.Data.Group, Kept: d.Data.Kept, Served: d.Data.Served, Earlier: d.Data.Others(sum)}
	// From here on, the context only ends the training after an epoch: what it has learned is then measured.
	d.Alive, d.Src.Watch = nil, (&watch{context.Background(), t.progress, t.note}).pass
	run, ended := t.fit(d)
	if ended != nil && !errors.As(ended, new(interruption)) {
		return nil, nil, ended
	}
	d.Forget()
	d.Free() // encoding a wide model needs memory
	if err := t.decide(d); err != nil {
		return nil, nil, err
	}
	p, err := trained(d.File)
	if err != nil {
		return nil, nil, err
	}
	failed := t.save(p)
	parts, err := measure(d, "", false)
	if err != nil {
		return p, nil, err
	}
	r := &report.Training{Data: d.Data, Lacks: d.Lacks, Streamed: !d.Loaded, Features: d.Schema.Features(), Waves: d.Waves.Count, Sparse: d.Schema.Sparse, Standardized: d.Scaling.Mean != nil,
		Columns: columnsOf(d), Classes: d.Classes, Model: modelfile.SettingsOf(d.Model).Name, Run: run, Threshold: d.Threshold, Training: parts[split.Training].Quality, Absent: d.Absent, Novelty: d.Unseen}
	if d.Data.HeldOut > 0 {
		r.HeldOut = parts[split.HeldOut].Quality
	}
	r.Warnings = append(d.Src.Warnings, texts(remarks(cmp.Or(r.HeldOut, r.Training)), dataset.Spelled(d.Classes))...)
	if modelfile.SettingsOf(d.Model).Average && run.Stop == perceptron.Converged.String() && t.Model == nil && t.Patience == 0 && t.Threshold == "" && r.Training.Accuracy < 1 {
		r.Warnings = append(r.Warnings, report.Remark{Text: "the last weights have every row right, but their average, which predicts, has not: --keep last predicts with the last weights"})
	}
	if t.Refit && failed == nil && ended == nil {
		var all *Predictor
		if all, ended = t.refit(*d, run.BestEpoch); ended == nil {
			p, r.Refit = all, run.BestEpoch
		}
	}
	return p, r, errors.Join(failed, ended)
}

// save calls Save.
func (t *trainer) save(p *Predictor) error {
	if t.Save == nil {
		return nil
	}
	return t.Save(p)
}

// refit trains a new model on all rows, including those held out, and saves it in place of the
// model that was measured. On an error, the measured model stays saved.
func (t trainer) refit(d dataset.Dataset, epochs int) (*Predictor, error) {
	// Means, classes and weights are computed anew from all rows. The number of epochs, the threshold
	// and the calibration stay, because they were chosen on the rows held out.
	details := modelfile.Details{Program: d.Program, Data: d.Data, Schema: d.Schema, Threshold: d.Threshold, Calibration: d.Calibration}
	details.Data.Holdout, details.Data.HeldOut, details.Data.Kept, details.Data.First, details.Data.Group = 0, 0, nil, nil, ""
	d = dataset.Dataset{Src: d.Src, File: &modelfile.File{Details: details}, Named: d.Named, Alive: t.alive}
	d.Src.Watch = t.pass
	t.Epochs, t.Patience, t.Checkpoint, t.Threshold, t.Calibrate = epochs, 0, 0, "", false
	err := t.prepare(&d)
	if err == nil {
		_, err = t.fit(&d)
	}
	if err != nil {
		return nil, err
	}
	d.Data.Rows = d.Rows[split.Training]
	p, err := trained(d.File)
	return p, cmp.Or(err, t.save(p))
}

// decide sets the threshold for --threshold and the calibration for --calibrate. f1 and --calibrate
// use the rows held out, because the scores of training rows are too good.
func (t *trainer) decide(d *dataset.Dataset) error {
	if v, err := strconv.ParseFloat(t.Threshold, 64); err == nil { // otherwise the model keeps its threshold
		d.Threshold = v
	}
	if t.Threshold != "f1" && !t.Calibrate {
		return nil
	}
	parts, err := measure(d, "", t.Calibrate)
	if err != nil {
		return err
	}
	if t.Threshold == "f1" {
		d.Threshold = parts[split.HeldOut].scores.BestF1()
	}
	if t.Calibrate {
		d.Calibration = metrics.Calibrate(parts[split.HeldOut].outcomes)
	}
	return nil
}
