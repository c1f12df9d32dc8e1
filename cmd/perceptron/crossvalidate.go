package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"perceptron/cmd/perceptron/internal/metrics"
	"perceptron/cmd/perceptron/internal/split"
)

// A crossReport describes a cross-validation. Its JSON names are stable.
type crossReport struct {
	Data      string   `json:"data"`
	Model     string   `json:"model"`
	LeftOut   int      `json:"leftOut"` // rows with a missing value
	Classes   []string `json:"classes"`
	Folds     []fold   `json:"folds"`
	Mean      float64  `json:"mean"`              // of the accuracies
	Deviation float64  `json:"standardDeviation"` // of a sample: divided by the number of folds less 1
	All       *quality `json:"all"`               // of all folds together
}

// A fold has the figures of the rows of one fold.
type fold struct {
	Rows     int      `json:"rows"`
	Accuracy float64  `json:"accuracy"`
	MacroF1  float64  `json:"macroF1"`
	AUC      *float64 `json:"auc,omitempty"`
}

// crossValidate trains a model for each fold, on the other folds, and prints how well
// it predicts the fold. Means and deviations come from the other folds too.
func (c *trainCmd) crossValidate(p *program, d *dataset, b *bars) error {
	ctx, release := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer release()
	context.AfterFunc(ctx, release)
	r := &crossReport{Data: d.src.Name}
	for k := range c.CV {
		one, file := *d, *d.File
		one.File, one.folds, one.fold = &file, c.CV, k
		if err := c.prepare(&one); err != nil {
			return err
		}
		if one.rows[split.HeldOut] == 0 {
			return usagef("%s: no class has as many rows as --cv, %d", d.src.Name, c.CV)
		}
		if _, err := one.fit(ctx, fitting{epochs: c.Epochs}, b); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return errInterrupted
		}
		predictor, err := one.Predictor()
		if err != nil {
			return err
		}
		q, err := one.measure(predictor, "measuring")
		if err != nil {
			return err
		}
		r.add(&one, q[split.HeldOut])
	}
	b.close()
	r.finish()
	return r.write(p.stdout, c.JSON)
}

// add adds the results of a fold.
func (r *crossReport) add(d *dataset, q *quality) {
	r.Classes, r.LeftOut, r.Model = d.Classes, d.leftOut, settingsOf(d.Model).name
	r.Folds = append(r.Folds, fold{q.Rows, q.Accuracy, q.MacroF1, q.AUC})
	if r.All == nil {
		r.All = &quality{Confusion: metrics.NewConfusion(len(d.Classes))}
	}
	r.All.Confusion.Add(q.Confusion)
}

// finish computes the figures of all folds.
func (r *crossReport) finish() {
	var shares []float64
	for _, f := range r.Folds {
		shares = append(shares, f.Accuracy)
	}
	r.Mean, r.Deviation = deviation(shares)
	r.All.finish(r.Classes)
}

func (r *crossReport) write(w io.Writer, asJSON bool) error {
	if asJSON {
		return writeJSON(w, r)
	}
	fmt.Fprintf(w, "data      %s%s\nmodel     %s\n", r.Data, leftOut(r.LeftOut), r.Model)
	for i, f := range r.Folds {
		fmt.Fprintf(w, "fold %-4d accuracy %.4f, macro F1 %.4f", i+1, f.Accuracy, f.MacroF1)
		if f.AUC != nil {
			fmt.Fprintf(w, ", AUC %.4f", *f.AUC)
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "accuracy  %.4f, standard deviation %.4f, over %d folds\n", r.Mean, r.Deviation, len(r.Folds))
	return r.All.write(w, "rows of all folds", r.Classes, true)
}
