// Package train trains the models of package perceptron. They have their fields and their
// doc comments there, and an [Engine] here. That package validates the fields; this one
// validates the rows, and that training may continue.
//
// The way of X, from the top. A file uses only files below it:
//
//	engine.go  Fit, Epochs and Learn train a draft and commit it; Update needs none
//	run.go     epoch after epoch, until every unit has stopped
//	pocket_count.go  Pocket, at the end of an epoch: the rows that a challenger has right
//	together.go  units that share rows: all planes score a row; batch.go: the gradient
//	rowbyrow.go  units of one plane, row by row
//	pass.go    what an epoch's workers share: the rows, the units, the first error
//	state.go   all that was learned; one example of a stream, for every unit
//	unit.go    one perceptron: the planes to move, the update
//	pocket.go  the best iterate so far; average.go: the sum of the iterates
//	plane.go   one hyperplane: its vectors and scores
//	check.go   rows and labels; config.go: the fields; order.go: the order of the rows
//	theta.go   θ; rule.go: the rules, and what is a mistake
//
// internal/vec computes the products and sums. Above engine.go, predict.go reads what was
// learned, mix.go takes the mean of models, and saved.go converts to the saved form.
package train

import (
	"fmt"
	"iter"
)

// An Engine is the learned half of every model. Training works on a draft and commits
// it whole, so that an error leaves the model as it was.
type Engine struct {
	owner    *Engine  // itself, once it has trained: detects copies of the struct
	training **Engine // to a pointer to this Engine during its Epochs or Learn, else to nil
	now      *state   // what the model has learned; nil before any training
}

// errTraining is for calls that train or replace a model in the body of a range
// over its Epochs, or in its Learn's iterator.
var errTraining = fmt.Errorf("%w: the model is being trained by an enclosing Epochs or Learn", ErrConfig)

// errReplaced is for a body or an iterator that assigns to the model's struct.
var errReplaced = fmt.Errorf("%w: the model was replaced while it was being trained", ErrConfig)

// enter marks the model as being trained until leave is called. A copy of the
// struct made meanwhile is not marked: training points to the original.
func (m *Engine) enter() (leave func()) {
	self := m
	m.training = &self
	return func() { self = nil }
}

// Busy reports whether an Epochs or a Learn of this model is on the stack.
func (m *Engine) Busy() bool { return m.training != nil && *m.training == m }

// Begin reports whether the next call begins training, and so reads Start. It returns
// ErrConfig if the model may not be trained now, or not continue to be.
func (m *Engine) Begin(fresh bool) (begins bool, err error) {
	switch {
	case m.Busy():
		return false, errTraining
	case fresh || m.now == nil || m.now.width == 0: // passes of no examples determine nothing
		return true, nil
	case m.owner != nil && m.owner != m:
		return false, fmt.Errorf("%w: the model was copied by value after training; use Clone for a copy that can be trained", ErrConfig)
	}
	return false, nil
}

// Fit trains from scratch until every unit has stopped.
func (m *Engine) Fit(c Config, start *Hyperplane, X Rows, y []int) (Result, error) {
	t := newState(&c, start)
	r, err := newRun(t, X, y, true) // each class ends as its separate fit would
	if err != nil {
		return Result{}, err
	}
	var res Result
	for res.Stop == Running {
		e, err := r.epoch()
		if err != nil {
			return Result{}, err
		}
		res.Epochs++
		res.Mistakes += e.Mistakes
		res.Stop = e.Stop
	}
	res.Upper = r.upper()
	m.commit(t)
	return res, nil
}

// Epochs continues training, an epoch at a time, until yield returns false or an epoch is the
// last. It trains on a draft and commits it before each yield. It then trains on a copy,
// because the body of the range may still read the committed state.
func (m *Engine) Epochs(c Config, start *Hyperplane, X Rows, y []int, yield func(Epoch) bool) error {
	t, err := m.draft(&c, start)
	if err != nil {
		return err
	}
	defer m.enter()()
	r, err := newRun(t, X, y, false)
	if err != nil {
		return err
	}
	for {
		e, err := r.epoch()
		if err != nil {
			return err
		}
		m.commit(t)
		if !yield(e) || e.Stop != Running {
			return nil
		}
		if !m.Busy() || m.now != t {
			return errReplaced
		}
		t = t.clone()
		r.state = t
		if err := t.checkData(&X, y); err != nil { // the body may have changed them
			return err
		}
	}
}

// Learn makes one pass over a stream. A bad example ends it; the examples before
// are learned.
func (m *Engine) Learn(c Config, start *Hyperplane, examples iter.Seq2[[]float64, int]) (Epoch, error) {
	return learn(m, c, start, examples, (*state).learnOne)
}

// LearnSparse is Learn of sparse rows.
func (m *Engine) LearnSparse(c Config, start *Hyperplane, examples iter.Seq2[*Row, int]) (Epoch, error) {
	return learn(m, c, start, examples, (*state).learnExample)
}

// learn is Learn of rows that one learns.
func learn[X any](m *Engine, c Config, start *Hyperplane, examples iter.Seq2[X, int], one func(*state, X, int) (bool, error)) (Epoch, error) {
	t, err := m.draft(&c, start)
	if err != nil {
		return Epoch{}, err
	}
	if examples == nil {
		return Epoch{}, fmt.Errorf("%w: the iterator is nil", ErrEmpty)
	}
	defer m.enter()()
	t.begin()
	was, n := m.now, 0
	for x, label := range examples {
		if _, err = one(t, x, label); err != nil {
			err = &ExampleError{n, err}
			break
		}
		n++
	}
	switch {
	case !m.Busy() || m.now != was:
		return Epoch{}, errReplaced
	case err == nil:
		t.finish()
		m.commit(t)
	case n > 0: // the examples before the bad one, but not a finished pass
		m.commit(t)
	}
	return t.report(n), err
}

// Current returns the fields of the last call if Update may learn under them, else nil.
func (m *Engine) Current() *Config {
	if m.owner != m || m.Busy() || m.now.width == 0 {
		return nil
	}
	return &m.now.Config
}

// Continue learns one example under the fields that Current returns.
func (m *Engine) Continue(x []float64, label int) (bool, error) { return m.now.learnOne(x, label) }

// ContinueRow is Continue of a row of either kind.
func (m *Engine) ContinueRow(x *Row, label int) (bool, error) {
	if x.sparse() {
		return m.now.learnExample(x, label)
	}
	return m.now.learnOne(x.Value, label)
}

// Update learns one example under the fields c. The state takes it whole or not at all,
// so no draft is needed, except for the first example of a model or of a copy.
func (m *Engine) Update(c *Config, start *Hyperplane, x *Row, label int) (updated bool, err error) {
	if m.owner == m && m.now.width > 0 {
		return m.now.update(c, x, label)
	}
	t, err := m.draft(c, start)
	if err != nil {
		return false, err
	}
	for _, q := range t.planes {
		if !x.sparse() {
			q.reserve() // so that no later Update allocates
		}
	}
	if updated, err = t.learnExample(x, label); err == nil {
		m.commit(t)
	}
	return updated, err
}

// draft returns a state to train on: a copy of what was learned, or a new one. It
// returns an error if training may not continue.
func (m *Engine) draft(c *Config, start *Hyperplane) (*state, error) {
	if m.now == nil || m.now.width == 0 {
		t := newState(c, start)
		if m.now != nil {
			t.passes = m.now.passes
		}
		return t, nil
	}
	t := m.now.clone()
	return t, t.resume(c)
}

// commit makes t what the model has learned.
func (m *Engine) commit(t *state) { m.owner, m.now = m, t }

// Clone makes c an independent copy of m.
func (m *Engine) Clone(c *Engine) {
	if m.now != nil {
		c.commit(m.now.clone())
	}
}
