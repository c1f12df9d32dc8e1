package main

import (
	"errors"
	"iter"

	"perceptron"
)

// A training is one run of the library from zero weights: an iteration over the model's Epochs, one
// epoch at a time. Before the library runs an epoch, the problem of the training makes the same
// updates one by one. So the page can show the updates inside an epoch.
type training struct {
	fields
	X       [][]float64
	y       []int
	model   trainee
	next    func() (perceptron.Epoch, error, bool)
	end     func()
	problem *problem // nil without points
	order   order
	rows    []int            // rows of the current epoch, in order
	at      int              // index in rows of the next row
	seen    int              // calls of advance
	last    perceptron.Epoch // the last finished epoch
	walk    []int            // the rows that the last step looked at
	err     error            // why training cannot continue
}

func newTraining(f fields, X [][]float64, y []int) *training {
	t := &training{fields: f, X: X, y: y, order: order{kind: f.Order}, end: func() {}}
	if len(X) == 0 {
		return t
	}
	if t.problem, t.err = newProblem(f, X, y); t.err != nil {
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

// round reports whether the board shows the circle of radius R.
func (t *training) round() bool {
	return t.space() == perceptron.Linear && t.problem != nil && t.problem.radius <= 1e3
}

// running reports whether training can continue.
func (t *training) running() bool {
	return t.err == nil && t.next != nil && t.last.Stop == perceptron.Running
}

// errs reports whether training goes on and a point is wrong now, so that another update will come.
func (t *training) errs() bool {
	right, err := t.right()
	return t.running() && err == nil && right < len(t.X)
}

// step makes one update, if any is left.
func (t *training) step() {
	t.walk = nil
	for updated := false; t.running() && !updated; {
		t.walk = append(t.walk, t.rows[t.at])
		updated = t.advance()
	}
}

// finishEpoch makes the remaining updates of the epoch.
func (t *training) finishEpoch() {
	for n := t.last.N; t.running() && t.last.N == n; {
		t.advance()
	}
}

// advance presents the next row. It reports whether there was an update.
func (t *training) advance() (updated bool) {
	t.seen++
	i := t.rows[t.at]
	if updated, t.err = t.problem.update(i); t.err != nil && !errors.Is(t.err, perceptron.ErrConfig) {
		t.err = &perceptron.ExampleError{Index: i, Err: t.err}
	}
	if t.at++; t.err == nil && t.at == len(t.rows) {
		t.closeEpoch()
	}
	return updated
}

// closeEpoch makes the library run one epoch, and stores its result in t.last.
func (t *training) closeEpoch() {
	e, err, _ := t.next()
	if t.err = err; err != nil {
		return
	}
	t.last = e
	t.at, t.rows = 0, t.order.epoch(len(t.X))
}

// updates returns the number of updates so far.
func (t *training) updates() int {
	if t.problem == nil {
		return 0
	}
	return t.problem.k
}

// kept returns the hyperplane that Keep selects, as it was at the end of the last epoch. ok is false
// if the last iterate predicts.
func (t *training) kept() (h perceptron.Hyperplane, ok bool) {
	if !t.keeps() || t.last.N == 0 {
		return h, false
	}
	return t.model.Hyperplane(), true
}

// drawn reports whether there is a line to draw.
func (t *training) drawn() bool { return t.updates() > 0 || t.Model == byHand }

// predictor returns the hyperplane that predicts now.
func (t *training) predictor() perceptron.Hyperplane {
	if kept, ok := t.kept(); ok {
		return kept
	}
	return t.problem.plane
}

// correctAll reports for each point whether it is right now: whether y·score > 0. A point on
// the line is not right: training corrects it.
func (t *training) correctAll() ([]bool, error) {
	all := make([]bool, len(t.X))
	if t.problem == nil || !t.drawn() {
		return all, nil
	}
	h := t.predictor()
	for i, x := range t.X {
		score, err := h.Score(x)
		if err != nil {
			return nil, err
		}
		all[i] = float64(t.y[i])*score > 0
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
