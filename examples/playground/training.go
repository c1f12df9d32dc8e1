package main

import (
	"errors"
	"iter"
	"math"
	"slices"

	"perceptron"
)

// A training is one run of the library from zero: a range over the model's Epochs,
// pulled one epoch at a time. In parallel, each problem repeats the same updates one
// by one. So the page can show the updates inside an epoch.
type training struct {
	fields
	X        [][]float64
	y        []int
	model    trainee
	next     func() (perceptron.Epoch, error, bool)
	end      func()
	problems []*problem // one, or one for each class of OneVsRest
	lead     *lead      // of Multiclass, else nil
	order    order
	rows     []int            // of the current epoch
	at       int              // index in rows of the next row
	seen     int              // calls of advance
	last     perceptron.Epoch // the last finished epoch
	updated  []int            // the rows of the last update
	walk     []int            // the rows that the last step looked at
	err      error            // why training cannot continue
}

func newTraining(f fields, X [][]float64, y []int) *training {
	t := &training{fields: f, X: X, y: y, order: order{kind: f.Order}, end: func() {}}
	if len(X) == 0 {
		return t
	}
	if t.problems, t.lead, t.err = newProblems(f, X, y); t.err != nil {
		return t
	}
	if f.Model == byHand {
		return t
	}
	t.model = f.build(f.Keep)
	t.next, t.end = iter.Pull2(t.model.Epochs(X, y))
	t.rows = t.order.epoch(len(X))
	return t
}

func (t *training) stop() { t.end() }

// running reports whether training can continue.
func (t *training) running() bool {
	return t.err == nil && t.next != nil && t.last.Stop == perceptron.Running
}

// step makes one update, if any is left.
func (t *training) step() {
	t.walk = nil
	for updated := false; t.running() && !updated; {
		if t.rule() != "Batch" {
			t.walk = append(t.walk, t.rows[t.at])
		}
		updated = t.advance()
	}
}

// finishEpoch makes the remaining updates of the epoch.
func (t *training) finishEpoch() {
	for n := t.last.N; t.running() && t.last.N == n; {
		t.advance()
	}
}

// advance presents the next row, or all rows to Batch. It reports whether there was
// an update.
func (t *training) advance() (updated bool) {
	t.seen++
	if t.rule() == "Batch" {
		updated, t.err = t.descend()
	} else {
		updated, t.err = t.show(t.rows[t.at])
		t.at++
	}
	if t.err == nil && (t.rule() == "Batch" || t.at == len(t.rows)) {
		t.closeEpoch()
	}
	return updated
}

// show presents row i to every problem.
func (t *training) show(i int) (updated bool, err error) {
	missed := make([][]int, len(t.problems))
	for c, p := range t.problems {
		wrong, err := p.update(i)
		if errors.Is(err, perceptron.ErrConfig) {
			return false, err
		}
		if err != nil {
			return false, &perceptron.ExampleError{Index: i, Err: err}
		}
		if wrong {
			missed[c] = []int{i}
			updated = true
		}
	}
	if updated {
		t.follow(missed)
	}
	return updated, nil
}

// descend makes one epoch of Batch. Its step is the sum over the misclassified rows.
func (t *training) descend() (updated bool, err error) {
	missed := make([][]int, len(t.problems))
	for c, p := range t.problems {
		missed[c] = p.wrong(t.X)
		updated = updated || len(missed[c]) > 0
		for _, err := range p.iterate.(trainee).Epochs(t.X, p.y) {
			if err != nil {
				return false, err
			}
			break
		}
	}
	if updated {
		t.follow(missed)
	}
	return updated, nil
}

// follow records an update. missed contains its rows for each problem.
func (t *training) follow(missed [][]int) {
	t.updated = nil
	for c, p := range t.problems {
		p.follow(missed[c])
		t.updated = append(t.updated, missed[c]...)
	}
	slices.Sort(t.updated)
	t.updated = slices.Compact(t.updated)
}

// closeEpoch advances the library's run by one epoch, and reads whether it stopped.
func (t *training) closeEpoch() {
	e, err, _ := t.next()
	if t.err = err; err != nil {
		return
	}
	t.last = e
	t.at, t.rows = 0, t.order.epoch(len(t.X))
}

// updates returns the number of updates so far, over all problems.
func (t *training) updates() int {
	k := 0
	for _, p := range t.problems {
		k += p.k
	}
	return k
}

// kept returns the hyperplanes that predict, as they were at the end of the last
// epoch. It returns nil before that, and if the iterates themselves predict.
func (t *training) kept() []perceptron.Hyperplane {
	if !t.keeps() || t.last.N == 0 {
		return nil
	}
	switch m := t.model.(type) {
	case ranker:
		return m.Hyperplanes().Planes
	case perceptron.Binary:
		return []perceptron.Hyperplane{m.Hyperplane()}
	}
	return nil
}

// planes returns the iterates and their classes.
func (t *training) planes() (classes []int, planes []perceptron.Hyperplane) {
	if t.lead != nil {
		return t.lead.classes, unstack(t.problems[0].plane)
	}
	for _, b := range t.problems {
		classes, planes = append(classes, b.class), append(planes, b.plane)
	}
	return classes, planes
}

// drawn reports whether there is a line.
func (t *training) drawn() bool { return t.updates() > 0 || t.Model == byHand }

// predictors returns the hyperplanes that predict now.
func (t *training) predictors() (classes []int, planes []perceptron.Hyperplane) {
	classes, planes = t.planes()
	if kept := t.kept(); kept != nil {
		planes = kept
	}
	return classes, planes
}

// predictor returns the hyperplane that predicts, of problem i. That of Multiclass is the
// stack of all.
func (t *training) predictor(i int) perceptron.Hyperplane {
	kept := t.kept()
	switch {
	case kept == nil:
		return t.problems[i].plane
	case t.joint():
		return stack(kept)
	}
	return kept[i]
}

// correct reports whether hyperplanes score x above 0 on the side of its class y, or
// score the class y highest of all. A point on the line is not right: training corrects
// it.
func correct(classes []int, planes []perceptron.Hyperplane, x []float64, y int) (bool, error) {
	own, rival := 0.0, math.Inf(-1)
	if len(planes) == 1 {
		rival = 0
	}
	for c, h := range planes {
		score, err := 0.0, error(nil)
		if len(h.Weights) > 0 { // a class that has not learned has the score 0
			score, err = h.Score(x)
		}
		switch {
		case err != nil:
			return false, err
		case len(planes) == 1:
			own = float64(y) * score
		case classes[c] == y:
			own = score
		default:
			rival = max(rival, score)
		}
	}
	return own > rival, nil
}

// correctAll reports for each point whether it is right now.
func (t *training) correctAll() ([]bool, error) {
	all := make([]bool, len(t.X))
	classes, planes := t.predictors()
	for i, x := range t.X {
		y := t.y[i]
		if len(planes) == 1 && t.multiclass() { // a single class
			y = 1
		}
		ok, err := correct(classes, planes, x, y)
		if err != nil {
			return nil, err
		}
		all[i] = ok
	}
	return all, nil
}

// right counts the points that are right now.
func (t *training) right() (n int, err error) {
	all, err := t.correctAll()
	for _, ok := range all {
		if ok {
			n++
		}
	}
	return n, err
}
