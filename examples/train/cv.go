package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"syscall"
)

// A crossReport describes a cross-validation.
type crossReport struct {
	File      string       `json:"file"`
	Model     string       `json:"model"`
	Rows      int          `json:"rows"`
	Dropped   int          `json:"dropped"` // rows with a missing value
	Folds     []float64    `json:"folds"`   // accuracy on each fold
	Mean      float64      `json:"mean"`
	Deviation float64      `json:"standardDeviation"` // of a sample: divided by the number of folds less 1
	Classes   []string     `json:"classes"`
	PerClass  []classScore `json:"perClass"` // of all folds together
	Confusion [][]int      `json:"confusion"`
}

// crossValidate trains a model for each fold, on the other folds, and prints how well
// it predicts the fold. Means and deviations come from the other folds too.
func (o *options) crossValidate(t *table, b *bars, stdout io.Writer) error {
	ctx, release := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer release()
	context.AfterFunc(ctx, release)
	r := &crossReport{File: t.file}
	for fold := range o.folds {
		one := *t
		one.folds, one.fold = o.folds, fold
		m, err := o.prepare(&one, nil)
		if err != nil {
			return err
		}
		if one.rows[heldOut] == 0 {
			return usageError{fmt.Errorf("%s: no class has as many rows as -cv, %d", t.file, o.folds)}
		}
		s := &summary{table: &one, model: m}
		if err := s.train(ctx, o.epochs, b, false); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return errInterrupted
		}
		counts, err := one.evaluate(m)
		if err != nil {
			return err
		}
		r.add(&one, counts[heldOut])
		r.Model = settingsOf(m).name
	}
	b.close()
	r.finish()
	return r.write(stdout, o.json)
}

// add adds the counts of a fold.
func (r *crossReport) add(t *table, counts [][]int) {
	share, n := accuracy(counts)
	r.Folds = append(r.Folds, share)
	r.Rows += n
	r.Dropped = t.dropped
	if r.Classes = t.Classes; r.Confusion == nil {
		r.Confusion = t.counts()
	}
	for i, row := range counts {
		for j, n := range row {
			r.Confusion[i][j] += n
		}
	}
}

// finish computes the mean and the standard deviation.
func (r *crossReport) finish() {
	n := float64(len(r.Folds))
	for _, share := range r.Folds {
		r.Mean += share / n
	}
	var s float64
	for _, share := range r.Folds {
		s += (share - r.Mean) * (share - r.Mean)
	}
	r.Deviation = math.Sqrt(s / (n - 1))
	r.PerClass = classScores(r.Classes, r.Confusion, nil)
}

func (r *crossReport) write(w io.Writer, asJSON bool) error {
	if asJSON {
		return writeJSON(w, r)
	}
	fmt.Fprintf(w, "file      %s\nmodel     %s\nrows      %d%s\n", r.File, r.Model, r.Rows, left(r.Dropped))
	for i, share := range r.Folds {
		fmt.Fprintf(w, "fold %-4d accuracy %.4f\n", i+1, share)
	}
	fmt.Fprintf(w, "accuracy  %.4f, standard deviation %.4f, over %d folds\n", r.Mean, r.Deviation, len(r.Folds))
	return tables(w, "all folds", r.Classes, r.Confusion, r.PerClass)
}
