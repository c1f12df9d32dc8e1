package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"perceptron"
)

// A scorer is a model of two classes.
type scorer interface {
	Score(x []float64) (float64, error)
}

// A ranker is a model of any number of classes.
type ranker interface {
	Classes() []int
	Scores(dst, x []float64) ([]float64, error)
}

// classify returns the label of x. Between two classes, the threshold decides.
func (c *columns) classify(m perceptron.Model, x []float64) (int, error) {
	two, ok := m.(scorer)
	if !ok {
		return m.Predict(x)
	}
	score, err := two.Score(x)
	switch {
	case err != nil:
		return 0, err
	case score >= c.Threshold:
		return +1, nil
	}
	return -1, nil
}

// An evaluation counts rows by part, true class and predicted class.
type evaluation [parts][][]int

// evaluate predicts every row and counts the results.
func (t *table) evaluate(m perceptron.Model) (evaluation, error) {
	var counts evaluation
	for p := range counts {
		counts[p] = t.counts()
	}
	var failed error
	err := t.pass(func(p part, x []float64, label int) bool {
		var predicted int
		predicted, failed = t.classify(m, x)
		if failed == nil {
			counts[p][t.place(label)][t.place(predicted)]++
		}
		return failed == nil
	})
	return counts, errors.Join(err, failed)
}

// accuracy returns the share of correct predictions and the number of predictions.
func accuracy(counts [][]int) (share float64, n int) {
	right := 0
	for i, row := range counts {
		right += row[i]
		for _, c := range row {
			n += c
		}
	}
	return float64(right) / float64(n), n
}

// A classScore holds the quality of the predictions of one class. A ratio without a
// denominator is 0, as in scikit-learn.
type classScore struct {
	Class     string  `json:"class"`
	Rows      int     `json:"rows"`
	Precision float64 `json:"precision"` // of the rows predicted as the class, the share that is of it
	Recall    float64 `json:"recall"`    // of the rows of the class, the share that is found
	F1        float64 `json:"f1"`        // harmonic mean of both
}

// classScores returns the scores of each class. others holds, for each class, the rows
// of unknown classes that were predicted as it; nil means none.
func classScores(classes []string, counts [][]int, others []int) []classScore {
	scores := make([]classScore, len(classes))
	for k, name := range classes {
		found, predicted, rows := counts[k][k], 0, 0
		for j := range counts {
			predicted += counts[j][k]
			rows += counts[k][j]
		}
		if others != nil {
			predicted += others[k]
		}
		scores[k] = classScore{name, rows, ratio(found, predicted), ratio(found, rows), ratio(2*found, predicted+rows)}
	}
	return scores
}

func ratio(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// possible reports early that -threshold has no meaning for the model or its rows.
func (o *options) possible(t *table, m perceptron.Model) error {
	_, two := m.(scorer)
	switch {
	case o.cut != "" && !two:
		return usageError{fmt.Errorf("-threshold is for two classes; the model is %s", settingsOf(m).name)}
	case o.cut == "f1" && t.rows[heldOut] == 0:
		return usageError{errors.New("-threshold f1: no rows are held out to choose it on")}
	}
	return nil
}

// decide sets the threshold that -threshold asks for.
func (o *options) decide(s *summary) error {
	if o.cut == "" {
		return nil
	}
	if o.cut != "f1" {
		s.table.Threshold, _ = strconv.ParseFloat(o.cut, 64) // check has parsed it
		return nil
	}
	two := s.model.(scorer)
	var scored []scoredRow
	var failed error
	err := s.table.pass(func(p part, x []float64, label int) bool {
		if p == heldOut {
			var score float64
			score, failed = two.Score(x)
			scored = append(scored, scoredRow{score, label})
		}
		return failed == nil
	})
	if err := errors.Join(err, failed); err != nil {
		return err
	}
	s.table.Threshold = bestF1(scored)
	return nil
}

// A scoredRow is a row with its score and its label, −1 or +1.
type scoredRow struct {
	score float64
	label int
}

// bestF1 returns the threshold with the highest F1 of label +1. It lies halfway between
// two scores. Of equally good ones it is the nearest to 0.
func bestF1(rows []scoredRow) float64 {
	slices.SortFunc(rows, func(a, b scoredRow) int { return cmp.Compare(b.score, a.score) })
	positive := 0
	for _, r := range rows {
		if r.label > 0 {
			positive++
		}
	}
	best, threshold, found := -1.0, 0.0, 0
	for i, r := range rows {
		if r.label > 0 {
			found++
		}
		cut := r.score
		if i+1 < len(rows) {
			if rows[i+1].score == r.score {
				continue
			}
			cut = r.score/2 + rows[i+1].score/2
			if cut <= rows[i+1].score { // no number lies between the two
				cut = r.score
			}
		}
		f1 := ratio(2*found, i+1+positive)
		if f1 > best || f1 == best && math.Abs(cut) < math.Abs(threshold) {
			best, threshold = f1, cut
		}
	}
	return threshold
}
