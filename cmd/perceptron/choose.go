package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"perceptron/cmd/perceptron/internal/metrics"
	"perceptron/cmd/perceptron/internal/split"
	"perceptron/cmd/perceptron/internal/table"
)

// A crossReport describes a cross-validation. Its JSON names are stable.
type crossReport struct {
	Data  string `json:"data"`
	Model string `json:"model"`

	// LeftOut counts the rows with a missing value, which are in no fold.
	LeftOut int        `json:"leftOut"`
	Classes []string   `json:"classes"`
	Folds   []*quality `json:"folds"`

	// Mean and Deviation are the mean and the sample standard deviation of the folds'
	// accuracies: the sum of squares is divided by the number of folds less 1. Independent
	// training sets would vary more, because the folds share most of their training rows.
	Mean      float64 `json:"mean"`
	Deviation float64 `json:"standardDeviation"`

	Baseline float64 `json:"baseline"` // mean share of the most frequent class

	// Choices has the choice of each fold, and that of the saved model.
	Choices []choice `json:"choices,omitempty"`

	// Saved is the file of the model that --calibrate trains on all rows.
	Saved    string   `json:"saved,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
}

// crossValidate trains a model for each fold, on the other folds, and prints how well
// it predicts the fold. The means and deviations of the features come from the other folds
// too. Otherwise the rows that test the model would influence it.
func (c *trainCmd) crossValidate(ctx context.Context, p *program, d *dataset) error {
	r := &crossReport{Data: d.src.Name}
	accuracies, outcomes := moments{{unit: 1}}, []metrics.Outcome(nil)
	bar := p.bars.count("folds", c.CV)
	defer bar.Abort(true)
	for k := range c.CV {
		// Each fold has its own classes, means and model.
		one, file := *d, *d.File
		one.File, one.folds, one.fold, one.calibrates = &file, c.CV, k, c.Calibrate
		own := *c
		choices, err := own.choose(ctx, p, &one)
		if err != nil {
			return err
		}
		q, err := own.fold(ctx, p, &one)
		if err != nil {
			return err
		}
		r.Choices = append(r.Choices, choices...)
		// All folds have the same classes and settings, so each fold overwrites them.
		r.Classes, r.LeftOut, r.Model = one.Classes, one.leftOut, settingsOf(one.Model).name
		r.Folds = append(r.Folds, q)
		bar.Increment()
		outcomes = append(outcomes, q.outcomes...)
		accuracies.add(table.Vector{Value: []float64{q.Accuracy}})
	}
	r.Mean, r.Deviation = accuracies[0].mean, math.Sqrt(accuracies[0].s/float64(c.CV-1))
	for _, q := range r.Folds {
		r.Baseline += q.Baseline / float64(c.CV)
	}
	r.Warnings = slices.Concat(d.src.Warnings, below(r.Mean, r.Baseline), spelled(r.Classes))
	if c.Calibrate {
		// Each model scored only rows that it had not learned. These scores calibrate the model
		// of all rows.
		all := *c
		choices, err := all.choose(ctx, p, d)
		if err != nil {
			return err
		}
		r.Choices = append(r.Choices, choices...)
		all.CV, all.Calibrate, d.Calibration, r.Saved = 0, false, metrics.Calibrate(outcomes), c.Output
		if err := all.prepare(d); err != nil {
			return err
		}
		if _, err := all.train(ctx, p, d); err != nil {
			return err
		}
	}
	return p.show(c.JSON, "folds", r)
}

// fold trains a model on all folds except fold d.fold, and measures it on fold d.fold. An
// interrupt ends the whole cross-validation, because a mean of some folds would look like the
// mean of all folds.
func (c *trainCmd) fold(ctx context.Context, p *program, d *dataset) (*quality, error) {
	if err := c.prepare(d); err != nil {
		return nil, err
	}
	if d.rows[split.HeldOut] == 0 {
		return nil, usagef("%s: no class has as many rows as --cv, %d", d.src.Name, c.CV)
	}
	if _, err := d.fit(ctx, c, &p.bars); err != nil {
		return nil, err
	}
	parts, err := d.measure()
	return parts[split.HeldOut], err
}

// A choice describes an option that a cross-validation of the training rows has chosen. Its JSON
// names are stable.
type choice struct {
	Of       string             `json:"of"`
	Accuracy map[string]float64 `json:"accuracy"` // by option
	Chosen   string             `json:"chosen"`

	// Consecutive says that the folds are consecutive parts of each class.
	Consecutive bool `json:"consecutive,omitempty"`

	// LeastLead is by how much the second option must lead.
	Default   string  `json:"default"`
	LeastLead float64 `json:"leastLead"`
}

// The options are compared on choosingFolds folds. With many rows, fewer folds are enough: the
// comparison ends after the fold in which choosingRows/choosingFolds rows or more are tested in
// all.
const choosingFolds, choosingRows = 5, 20_000

// choose sets the options that the user has not set, if --holdout is set. It compares them on
// folds of the training rows. The rows held out take no part, so that they still judge the model
// fairly. Each fold of --cv chooses its borders alone, on folds of its own training rows.
func (c *trainCmd) choose(ctx context.Context, p *program, d *dataset) (all []choice, err error) {
	if c.Holdout == 0 && c.CV == 0 || c.Model != "" {
		return nil, nil
	}
	held := c.CV == 0
	words := slices.ContainsFunc(d.Schema.Columns, func(c table.Column) bool { return len(c.Categories) > 0 })
	another := map[string]string{"online": "margin", "margin": "online"}[c.rule()]
	settled := slices.ContainsFunc([]string{"rule", "algorithm", "order", "keep", "rate", "gamma", "theta"}, func(flag string) bool { return p.given[flag] })
	accuracy, err := 0.0, errOpen
	for _, o := range []struct {
		of, first, second string
		open              bool
		set               func(*trainCmd)
	}{
		{"the features of words", "0 and 1", "standardized", held && words && !c.Raw && !p.given["scale-words"], func(c *trainCmd) { c.ScaleWords = true }},
		{"the words of text", "alike", "weighted by rarity", held && len(c.Text) > 0 && !p.given["idf"], func(c *trainCmd) { c.IDF = true }},
		{"the rule", c.rule(), another, held && !settled && c.Waves == 0, func(c *trainCmd) { c.usual = another }},
		{borders, "straight", bent, len(c.Text) == 0 && !d.Schema.Sparse && !p.given["waves"], (*trainCmd).bend},
	} {
		if !o.open {
			continue
		}
		var rows int
		if err == errOpen { // later, the accuracy of the options chosen so far is known
			if accuracy, rows, err = c.tried(ctx, p, d); errors.As(err, new(usageError)) || errors.Is(err, errNoRows) || err != nil && c.CV > 0 && !errors.Is(err, errInterrupted) {
				return nil, nil // too few rows for folds, or an error that the fold of --cv will find again
			}
		}
		other, on, resemble := *c, d, 0.0
		o.set(&other)
		if other.tries = o.of == borders; other.tries && err == nil {
			drawn := accuracy
			if on, err = d.consecutive(mostTried); err == nil {
				accuracy, rows, err = c.tried(ctx, p, on)
			}
			if chance := 3 * math.Sqrt(drawn*(1-drawn)/float64(max(1, rows))); err == nil && drawn-accuracy > chance && c.Group == "" {
				resemble = drawn - accuracy
			}
			if resemble > 0 && d.fold == 0 {
				d.src.Warnings = append(d.src.Warnings, fmt.Sprintf("neighbouring rows resemble each other: on folds of drawn rows the accuracy is %.4f, and on folds of consecutive rows %.4f, as of new rows: --last, or --group NAME, holds out rows that are not neighbours", drawn, accuracy))
			}
		}
		with := 0.0
		if err == nil {
			with, rows, err = other.tried(ctx, p, on)
		}
		if c.Group != "" && on != d { // rows of a group are right or wrong together
			rows = min(rows, len(on.parts))
		}
		other.tries = false
		if err != nil && o.of == borders && accuracy > 0 && !errors.Is(err, errInterrupted) {
			p.note(fmt.Sprintf("no waves are tried: %v", err))
			break
		}
		if err != nil {
			return nil, err
		}
		// The second option must lead by more than half of the standard error of the accuracy, and by more than what
		// neighbours make of it. A smaller lead may be chance, so that the first option stays.
		one := choice{o.of, map[string]float64{o.first: accuracy, o.second: with}, o.first, on != d && c.Group == "", o.first, max(math.Sqrt(accuracy*(1-accuracy)/float64(rows))/2, resemble)}
		if with-accuracy > one.LeastLead {
			*c, accuracy, one.Chosen = other, with, o.second
		}
		all = append(all, one)
	}
	return all, nil
}

var errOpen = errors.New("not tried yet")

// tried returns the accuracy of the settings on the folds, and the number of rows tested.
func (c trainCmd) tried(ctx context.Context, p *program, d *dataset) (accuracy float64, rows int, err error) {
	c.CV, c.Patience, c.Checkpoint, c.Curves, c.JSON, c.Threshold, c.Calibrate = 0, 0, 0, "", false, "", false
	bar := p.bars.count("choosing, folds", choosingFolds)
	defer bar.Abort(true)
	for k := 0; k < choosingFolds && (k == 0 || rows*choosingFolds < choosingRows); k++ {
		one, file := *d, *d.File
		one.File, one.folds, one.fold = &file, choosingFolds, k
		if d.folds > 0 {
			all := d.division()
			one.within = &all
		}
		q, err := c.fold(ctx, p, &one)
		if err != nil {
			return 0, 0, err
		}
		bar.Increment()
		accuracy += q.Accuracy * float64(q.Rows)
		rows += q.Rows
	}
	return accuracy / float64(rows), rows, nil
}

// division returns the division of the rows.
func (d *dataset) division() split.Division {
	all := split.Division{Share: d.Data.Holdout, Seed: d.Data.Seed, First: d.Data.First, Grouped: d.Data.Group != ""}
	if d.folds == 0 && d.within == nil {
		return all
	}
	within := d.within
	if within == nil && all.Share > 0 {
		within = &all
	}
	return split.Division{Folds: d.folds, Fold: d.fold, Seed: d.Data.Seed, Within: within, Rows: d.parts, Grouped: all.Grouped}
}

// consecutive returns a copy of the dataset whose folds are consecutive parts of the training rows of each
// class: drawn rows may resemble their neighbours in the file, from which they would then be predicted. If
// there are more than most rows, it draws as many. Groups keep neighbours apart already: then parts counts the
// rows of each group.
func (d *dataset) consecutive(most int) (*dataset, error) {
	one, all := *d, d.division()
	one.folds, one.within = 0, &all
	for {
		one.rows, one.parts = [split.Parts]int{}, map[string]int{}
		err := one.scan("counting the rows", func(r *table.Row, _ int, _ split.Part) error {
			one.parts[strings.Clone(cmp.Or(r.ID, r.Class))]++
			return nil
		})
		n := one.rows[split.Training]
		if one.rows = [split.Parts]int{}; err != nil || n <= most || one.within != &all {
			return &one, err
		}
		one.within = &split.Division{Share: 1 - float64(most)/float64(n), Seed: d.Data.Seed, Within: &all, Grouped: all.Grouped}
	}
}
