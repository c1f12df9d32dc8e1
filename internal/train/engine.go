// Package train trains the models of package perceptron. A model there has the fields and their
// documentation; its [Engine] here has what the model has learned. Package perceptron validates the
// fields. This package validates the rows, and whether training may continue.
//
// A plane is one hyperplane in training. A unit is one perceptron in training: a plane, or in
// Multiclass a plane for each class. A state is all that a model has learned. A run is the training
// of one Fit, or of one range over Epochs. A position is an index in the order of an epoch's rows.
//
// A file uses only files listed below it:
//
//	saved.go         the saved form of a state, without fields: State writes it, Restore reads it
//	mix.go           Mix: the mean of several models
//	predict.go       reads of a model: the vectors that predict, the classes, the fields
//	engine.go        Engine: Fit, Epochs, Learn, Update, Clone; drafts; a busy or replaced model
//	run.go           epoch after epoch; when training stops: Converged, Cycled, EpochLimit
//	together.go      an epoch of several planes that score each row together
//	rowbyrow.go      an epoch of units of one plane that score each row on their own
//	sparse.go        an epoch of sparse rows
//	batch.go         an epoch of Batch: the gradient, and the step
//	pocket_count.go  Pocket after an epoch: how many rows an iterate has right
//	pass.go          what workers share in an epoch, how many there are, and the first error
//	state.go         the state; new classes; one example of a stream
//	unit.go          the unit: whether an example is a mistake, its update, θ after it
//	pocket.go        Pocket: runs without an update, and the best iterate
//	plane.go         the plane: its vectors, its score, its next iterate; planes side by side
//	average.go       Average: the sum of the iterates, and their mean
//	config.go        the fields, which of them may change; the rules: θ, and what satisfies it
//	check.go         validation of rows and labels, and errors about a row
//	row.go           dense and sparse rows, and their scores
//	order.go         the order of the rows: Shuffled, Sampled
//	types.go         errors, results and constants that package perceptron exports too
//
// Package vec computes scores and updates, and loops over rows of few features.
package train

import (
	"cmp"
	"fmt"
	"iter"
)

// An Engine is what a model has learned, with the calls that train it. Fit, Epochs and Learn train
// a draft, which is a new state or a copy, and commit it at the end. So an error leaves the model
// as it was.
type Engine struct {
	owner    *Engine  // this Engine, once it has trained; another one in a copy of the struct
	training **Engine // set by enter: *training is this Engine during Epochs or Learn, else nil
	now      *state   // what the model has learned; nil before any training
}

// errTraining is the error of a call that trains or replaces a model in the body of a range over
// the model's Epochs, or in the iterator of its Learn.
var errTraining = fmt.Errorf("%w: the model is being trained by an enclosing Epochs or Learn", ErrConfig)

// errReplaced is the error if such a body or iterator assigns another value to the model's struct.
var errReplaced = fmt.Errorf("%w: the model was replaced while it was being trained", ErrConfig)

// enter marks the model as being trained until leave is called. A copy that is made of the struct
// meanwhile is not marked, because training leads to the original.
func (m *Engine) enter() (leave func()) {
	self := m
	m.training = &self
	return func() { self = nil }
}

// Busy reports whether an Epochs or a Learn of this model has not returned yet.
func (m *Engine) Busy() bool { return m.training != nil && *m.training == m }

// Begin reports whether the next training call reads Start, because it begins the training. fresh
// is true for Fit. Begin returns ErrConfig if the call must not train the model: it is being
// trained, or it is a copy of a trained struct.
func (m *Engine) Begin(fresh bool) (begins bool, err error) {
	switch {
	case m.Busy():
		return false, errTraining
	case fresh || m.now == nil || m.now.width == 0: // there was no example yet
		return true, nil
	case m.owner != nil && m.owner != m:
		return false, fmt.Errorf("%w: the model was copied by value after training; use Clone for a copy that can be trained", ErrConfig)
	}
	return false, nil
}

// Fit trains a new state until every unit has stopped.
func (m *Engine) Fit(c Config, start *Hyperplane, X Rows, y []int) (Result, error) {
	t := newState(&c, start)
	r, err := newRun(t, X, y, true) // freeze: each class stops when its own fit would
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

// Epochs continues training, and calls yield after each epoch, until yield returns false or
// training stops. It commits the draft before it calls yield, and trains a copy afterwards: other
// goroutines may still read the committed state.
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
		if err := t.admit(&r.Rows, y, false); err != nil {
			return err
		}
	}
}

// Learn makes one pass over a stream. It stops at an example that is an error, and commits what it
// learned before.
func (m *Engine) Learn(c Config, start *Hyperplane, examples iter.Seq2[[]float64, int]) (Epoch, error) {
	return learn(m, c, start, examples, (*state).learnOne)
}

// LearnSparse is Learn for a stream of sparse rows.
func (m *Engine) LearnSparse(c Config, start *Hyperplane, examples iter.Seq2[*Row, int]) (Epoch, error) {
	return learn(m, c, start, examples, (*state).learnSparse)
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
	t.takeApart()
	switch {
	case !m.Busy() || m.now != was:
		return Epoch{}, errReplaced
	case err == nil:
		t.finish()
		m.commit(t)
	case n > 0: // the pass does not count
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
func (m *Engine) ContinueRow(x *Row, label int) (bool, error) { return m.now.learnExample(x, label) }

// Update learns one example under the fields c. It needs no draft: on error it puts the fields back,
// and learnExample has changed nothing else. Only the first example of a model, or of a copy, is
// learned by a draft.
func (m *Engine) Update(c *Config, start *Hyperplane, x *Row, label int) (updated bool, err error) {
	t := m.now
	if m.owner != m || t.width == 0 {
		if t, err = m.draft(c, start); err != nil {
			return false, err
		}
		for _, q := range t.planes {
			if !x.sparse() {
				q.resize(len(q.w)) // so that no later Update allocates
			}
		}
	}
	former := t.Config
	if err = t.resume(*c); err != nil {
		return false, err
	}
	if updated, err = t.learnExample(x, label); err != nil {
		return false, cmp.Or(err, t.resume(former))
	}
	m.commit(t)
	return updated, nil
}

// draft returns a state to train: a copy of what was learned, or a new state if there was no
// example yet. It returns an error if training may not continue under c.
func (m *Engine) draft(c *Config, start *Hyperplane) (*state, error) {
	if m.now == nil || m.now.width == 0 {
		t := newState(c, start)
		if m.now != nil {
			t.passes = m.now.passes
		}
		return t, nil
	}
	t := m.now.clone()
	return t, t.resume(*c)
}

// commit makes t what the model has learned.
func (m *Engine) commit(t *state) { m.owner, m.now = m, t }

// Clone makes c an independent copy of m.
func (m *Engine) Clone(c *Engine) {
	if m.now != nil {
		c.commit(m.now.clone())
	}
}
