package main

import (
	"context"
	"math"

	"perceptron/cmd/perceptron/internal/metrics"
	"perceptron/cmd/perceptron/internal/split"
)

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
		one, file := *d, *d.File
		one.File, one.folds, one.fold = &file, c.CV, k
		if err := c.prepare(&one); err != nil {
			return err
		}
		if one.rows[split.HeldOut] == 0 {
			return usagef("%s: no class has as many rows as --cv, %d", d.src.Name, c.CV)
		}
		if _, err := one.fit(ctx, fitting{epochs: c.Epochs}, &p.bars); err != nil {
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
