package pipeline

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"perceptron/cmd/perceptron/internal/dataset"
	"perceptron/cmd/perceptron/internal/metrics"
	"perceptron/cmd/perceptron/internal/modelfile"
	"perceptron/cmd/perceptron/internal/split"
	"perceptron/cmd/perceptron/internal/table"
	"perceptron/cmd/perceptron/internal/usage"
	"perceptron/cmd/perceptron/pipeline/report"
)

// The options are compared on choosingFolds folds. With many rows, fewer folds are enough: the
// comparison ends after the fold in which choosingRows/choosingFolds rows or more are tested in
// all.
const choosingFolds, choosingRows = 5, 20_000

// choose sets the options that the user has not set, if --holdout is set. It compares them on
// folds of the training rows. The rows held out take no part, so that they still judge the model
// fairly. Each fold of --cv chooses its borders alone, on folds of its own training rows.
func (t *trainer) choose(d *dataset.Dataset) (all []report.Choice, err error) {
	if t.Holdout == 0 && t.CV == 0 || t.Model != nil {
		return nil, nil
	}
	held := t.CV == 0
	words := slices.ContainsFunc(d.Schema.Columns, func(of table.Column) bool { return len(of.Categories) > 0 })
	another := map[string]string{"online": "margin", "margin": "online"}[t.rule()]
	settled := slices.ContainsFunc([]string{"rule", "algorithm", "order", "keep", "rate", "gamma", "theta"}, func(flag string) bool { return t.given.Has(flag) })
	accuracy, err := 0.0, errOpen
	for _, o := range []struct {
		of, first, second string
		open              bool
		set               func(*trainer)
	}{
		{"the features of words", "0 and 1", "standardized", held && words && !t.Raw && !t.given.Has("scale-words"), func(t *trainer) { t.ScaleWords = true }},
		{"the words of text", "alike", "weighted by rarity", held && len(t.Text) > 0 && !t.given.Has("idf"), func(t *trainer) { t.IDF = true }},
		{"the rule", t.rule(), another, held && !settled && t.Waves == 0, func(t *trainer) { t.usual = another }},
		{borders, "straight", bent, len(t.Text) == 0 && !d.Schema.Sparse && !t.given.Has("waves"), (*trainer).bend},
	} {
		if !o.open {
			continue
		}
		var rows int
		if err == errOpen { // later, the accuracy of the options chosen so far is known
			if accuracy, rows, err = t.tried(d); errors.As(err, new(usage.Error)) || errors.Is(err, dataset.ErrNoRows) || err != nil && t.CV > 0 && !errors.As(err, new(interruption)) {
				return nil, nil // too few rows for folds, or an error that the fold of --cv will find again
			}
		}
		other, on, resemble := *t, d, 0.0
		o.set(&other)
		if other.tries = o.of == borders; other.tries && err == nil {
			drawn := accuracy
			if on, err = d.Consecutive(mostTried); err == nil {
				accuracy, rows, err = t.tried(on)
			}
			if chance := 3 * math.Sqrt(drawn*(1-drawn)/float64(max(1, rows))); err == nil && drawn-accuracy > chance && t.Group == "" {
				resemble = drawn - accuracy
			}
			if resemble > 0 && d.Fold == 0 {
				d.Src.Warnings = append(d.Src.Warnings, table.Remark{Text: fmt.Sprintf("neighbouring rows resemble each other: on folds of drawn rows the accuracy is %.4f, and on folds of consecutive rows %.4f, as of new rows: --last, or --group NAME, holds out rows that are not neighbours", drawn, accuracy)})
			}
		}
		with := 0.0
		if err == nil {
			with, rows, err = other.tried(on)
		}
		if t.Group != "" && on != d { // rows of a group are right or wrong together
			rows = min(rows, len(on.Parts))
		}
		other.tries = false
		if err != nil && o.of == borders && accuracy > 0 && !errors.As(err, new(interruption)) {
			d.Src.Tell(fmt.Sprintf("no waves are tried: %v", err))
			break
		}
		if err != nil {
			return nil, err
		}
		// The second option must lead by more than half of the standard error of the accuracy, and by more than what
		// neighbours make of it. A smaller lead may be chance, so that the first option stays.
		one := report.Choice{Of: o.of, Accuracy: map[string]float64{o.first: accuracy, o.second: with}, Chosen: o.first, Default: o.first, Consecutive: on != d && t.Group == "",
			LeastLead: max(math.Sqrt(accuracy*(1-accuracy)/float64(rows))/2, resemble)}
		if with-accuracy > one.LeastLead {
			*t, accuracy, one.Chosen = other, with, o.second
		}
		all = append(all, one)
	}
	return all, nil
}

var errOpen = errors.New("not tried yet")

// tried returns the accuracy of the settings on the folds, and the number of rows tested.
func (t trainer) tried(d *dataset.Dataset) (accuracy float64, rows int, err error) {
	t.CV, t.Patience, t.Checkpoint, t.Curves, t.Threshold, t.Calibrate = 0, 0, 0, false, "", false
	defer t.say(Progress{Stage: "choosing, folds", Ended: true})
	t.say(Progress{Stage: "choosing, folds", Total: choosingFolds})
	for k := 0; k < choosingFolds && (k == 0 || rows*choosingFolds < choosingRows); k++ {
		one, file := *d, *d.File
		one.File, one.Folds, one.Fold = &file, choosingFolds, k
		if d.Folds > 0 {
			all := d.Division()
			one.Within = &all
		}
		q, err := t.fold(&one)
		if err != nil {
			return 0, 0, err
		}
		t.say(Progress{Stage: "choosing, folds", Done: int64(k + 1), Total: choosingFolds})
		accuracy += q.Accuracy * float64(q.Rows)
		rows += q.Rows
	}
	return accuracy / float64(rows), rows, nil
}

// crossValidate trains a model for each fold, on the other folds, and measures how well
// it predicts the fold. The means and deviations of the features come from the other folds
// too. Otherwise the rows that test the model would influence it.
func (t *trainer) crossValidate(d *dataset.Dataset) (*Predictor, *report.Folds, error) {
	r := &report.Folds{Data: d.Src.Name}
	var outcomes []metrics.Outcome
	s := 0.0 // the sum of squared deviations (Welford 1962)
	t.say(Progress{Stage: "folds", Total: int64(t.CV)})
	defer t.say(Progress{Stage: "folds", Ended: true})
	for k := range t.CV {
		// Each fold has its own classes, means and model.
		one, file := *d, *d.File
		one.File, one.Folds, one.Fold = &file, t.CV, k
		own := *t
		choices, err := own.choose(&one)
		if err != nil {
			return nil, nil, err
		}
		q, err := own.fold(&one)
		if err != nil {
			return nil, nil, err
		}
		r.Choices = append(r.Choices, choices...)
		// All folds have the same classes and settings, so each fold overwrites them.
		r.Classes, r.LeftOut, r.Model = one.Classes, one.LeftOut, modelfile.SettingsOf(one.Model).Name
		r.Folds = append(r.Folds, q.Quality)
		t.say(Progress{Stage: "folds", Done: int64(k + 1), Total: int64(t.CV)})
		outcomes = append(outcomes, q.outcomes...)
		off := q.Accuracy - r.Mean
		r.Mean += off / float64(k+1)
		s += float64(off * (q.Accuracy - r.Mean)) // rounded, so that no machine fuses the product and the sum
	}
	r.Deviation = math.Sqrt(s / float64(t.CV-1))
	for _, q := range r.Folds {
		r.Baseline += q.Baseline / float64(t.CV)
	}
	r.Warnings = append(d.Src.Warnings, texts(below(r.Mean, r.Baseline), dataset.Spelled(r.Classes))...)
	if !t.Calibrate {
		return nil, r, nil
	}
	// Each model scored only rows that it had not learned. These scores calibrate the model
	// of all rows.
	all := *t
	choices, err := all.choose(d)
	if err != nil {
		return nil, nil, err
	}
	r.Choices = append(r.Choices, choices...)
	all.CV, all.Calibrate, d.Calibration = 0, false, metrics.Calibrate(outcomes)
	if err := all.prepare(d); err != nil {
		return nil, nil, err
	}
	p, _, err := all.train(d)
	if err != nil {
		return p, nil, err
	}
	return p, r, nil
}

// fold trains a model on all folds except fold d.Fold, and measures it on fold d.Fold. The end of the context
// ends the whole cross-validation, because a mean of some folds would look like the
// mean of all folds.
func (t *trainer) fold(d *dataset.Dataset) (q measured, err error) {
	if err := t.prepare(d); err != nil {
		return q, err
	}
	if d.Rows[split.HeldOut] == 0 {
		return q, usage.Errorf("%s: no class has as many rows as --cv, %d", d.Src.Name, t.CV)
	}
	if _, err := t.fit(d); err != nil {
		return q, err
	}
	parts, err := measure(d, "", t.Calibrate)
	return parts[split.HeldOut], err
}
