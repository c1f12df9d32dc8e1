// Package train trains the models of package perceptron. A model of that package has the fields,
// and an [Engine] that holds what the model has learned. Package perceptron documents and validates
// the fields. This package validates the rows, and checks whether training may continue.
//
// A plane is one hyperplane in training. A unit is one perceptron in training: it has one plane, or
// in Multiclass all planes. A state is all that a model has learned. A run is the training of one
// Fit, or of one range over Epochs. A position is an index in the order of an epoch's rows.
//
// A file uses only files listed below it:
//
//	saved_state.go     the saved form of a state: State writes it; Restore validates and reads it
//	mixed_state.go     Mix: the mean of several models, and whether they fit together
//	labels.go          reads of a trained model: scores of sparse rows, labels of many rows
//	engine.go          Engine: Fit, Epochs, Learn, Update, Clone; drafts; what reads need
//	run.go             the loop over epochs: which units train, who trains them, Result.Upper
//	stop.go            why training ends: Converged, Cycled, EpochLimit; Brent's cycle detection
//	epoch_together.go  an epoch in which the planes score each dense row together
//	epoch_rows.go      an epoch in which each unit scores rows on its own; an epoch of sparse rows
//	epoch_batch.go     an epoch of Batch: the gradient in parts, and the step
//	pocket_count.go    Pocket after an epoch: counts the rows that each challenger has right
//	pass.go            what the workers of an epoch share; one row of it; how many workers there are
//	example.go         one example of a stream or of Update: checks, and learning
//	state.go           the state: its copies and counts; new rows, labels and classes
//	unit.go            the unit: an example's margin, rise and fall, the update, R² and θ; its pocket
//	order.go           the order of the rows, Shuffled or Sampled, and random integers
//	config.go          a model's fields, and which of them may change; the rules
//	rows.go            dense and sparse rows: widths, indexes, labels; the errors, also about a row
//
// Package weights has the vectors of the planes, and computes scores and updates. Package vec loops
// over rows where a call for each row would take too long.
package train

import (
	"cmp"
	"fmt"
	"iter"
	"math/bits"

	"perceptron/internal/vec"
	"perceptron/internal/weights"
)

// An Engine holds what a model has learned, and has the methods that train it. Fit, Epochs and Learn
// train a draft, which is a new state or a copy. Fit commits the draft at the end, and Epochs after
// each epoch. Learn commits it at the end of the stream, or before it returns the error about a bad
// example. A draft that is not committed leaves the model as it was.
type Engine struct {
	// owner points to this Engine after the first commit. In a copy of the struct, owner still points
	// to the original. So ReadsStart detects that a model was copied by value.
	owner *Engine
	// training is set by enter: *training is this Engine during Epochs or Learn, and nil
	// afterwards.
	training **Engine
	// now is what the model has learned, or nil before any training.
	now *state
}

// errTraining is the error of a call that trains or replaces a model in the body of a range over
// the model's Epochs, or in the iterator of its Learn.
var errTraining = fmt.Errorf("%w: the model is being trained by an enclosing Epochs or Learn", ErrConfig)

// errReplaced is the error if the body of a range over Epochs, or the iterator of Learn, replaces
// the model by assigning to its struct.
var errReplaced = fmt.Errorf("%w: the model was replaced while it was being trained", ErrConfig)

// enter marks the model as being trained until leave is called. A copy of the struct made in the
// meantime is not marked: in the copy, *training still points to the original, so Busy is false.
func (m *Engine) enter() (leave func()) {
	self := m
	m.training = &self
	return func() { self = nil }
}

// Busy reports whether a call of this model's Epochs or Learn has not returned yet.
func (m *Engine) Busy() bool { return m.training != nil && *m.training == m }

// ReadsStart reports whether the next training call reads Start, because the call begins the
// training. fresh is true for Fit. ReadsStart returns ErrConfig if the model is being trained, or if
// the call would continue the training of a struct that was copied by value.
func (m *Engine) ReadsStart(fresh bool) (reads bool, err error) {
	switch {
	case m.Busy():
		return false, errTraining
	case fresh || m.now == nil || m.now.planes.Width() == 0: // width 0: there was no example yet
		return true, nil
	case m.owner != nil && m.owner != m:
		return false, fmt.Errorf("%w: the model was copied by value after training; use Clone for a copy that can be trained", ErrConfig)
	}
	return false, nil
}

// Fit trains a new state until every unit has stopped, and replaces what was learned before. Nobody
// reads the new state during training, so Fit needs no copy of it after an epoch.
//
// start is the vector (w, b) at which training begins; b alone stands for weights that are 0. rows and upper
// are package perceptron's Result.Rows and Result.Upper.
func (m *Engine) Fit(c Config, start []float64, X Rows, y []int, report Report) (rows int, upper float64, err error) {
	t := newState(&c, start)
	r, err := newRun(t, X, y, true) // true: a class stops when a fit of the class alone would stop
	if err != nil {
		return 0, 0, err
	}
	// Result.Rows is counted only for Rosenblatt's rule in a fixed order: perceptron.Result has the
	// reason.
	if r.repeatable() && !t.fields.Rest && t.fields.Rule.Constant && t.fields.Rule.Theta == nil && t.fields.Rule.Descend == nil {
		r.updated = make(vec.RowSet, (len(y)+63)/64)
	}
	for stop := uint8(Running); stop == Running; {
		if stop, err = r.epoch(); err != nil {
			return 0, 0, err
		}
		t.report(report, len(y), stop)
	}
	for _, word := range r.updated {
		rows += bits.OnesCount64(word)
	}
	m.commit(t)
	return rows, r.upper(), nil
}

// Epochs continues training, and calls report after each epoch, until report returns false or
// training stops. It commits the draft before it calls report, because the body of the range may
// read the model. The next epoch trains a copy, because an epoch that ends with an error must not
// change the committed state.
func (m *Engine) Epochs(c Config, start []float64, X Rows, y []int, report Report) error {
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
		stop, err := r.epoch()
		if err != nil {
			return err
		}
		m.commit(t)
		if !t.report(report, len(y), stop) || stop != Running {
			return nil
		}
		if !m.Busy() || m.now != t {
			return errReplaced
		}
		t = t.clone()
		r.state = t
		if err := r.prepare(&r.Rows, r.y, false); err != nil {
			return err
		}
	}
}

// Learn makes one pass over a stream. At a bad example it stops, commits what it has learned from
// the earlier examples, and returns an error with the number of the bad example. It calls report if it
// returns nil, or an error about an example.
func (m *Engine) Learn(c Config, start []float64, examples iter.Seq2[[]float64, int], report Report) error {
	return learnStream(m, c, start, examples, report, (*state).learnDense)
}

// LearnSparse is Learn for a stream of sparse rows. row returns an element of the stream as a
// [vec.Row].
func LearnSparse[X any](m *Engine, c Config, start []float64, examples iter.Seq2[X, int], report Report, row func(X) vec.Row) error {
	return learnStream(m, c, start, examples, report, func(t *state, x X, label int) (bool, error) {
		r := row(x)
		return t.learnOne(&r, label)
	})
}

// learnStream is Learn for dense or sparse rows. one trains a state with one example. The iterator is the
// caller's code, and may have replaced the model. Then learnStream commits nothing.
func learnStream[X any](m *Engine, c Config, start []float64, examples iter.Seq2[X, int], report Report, one func(*state, X, int) (bool, error)) error {
	t, err := m.draft(&c, start)
	if err != nil {
		return err
	}
	if examples == nil {
		return fmt.Errorf("%w: the iterator is nil", ErrEmpty)
	}
	defer m.enter()()
	t.beginPass()
	was, n := m.now, 0
	for x, label := range examples {
		if _, err = one(t, x, label); err != nil {
			err = ErrorAt(n, err)
			break
		}
		n++
	}
	switch {
	case !m.Busy() || m.now != was:
		return errReplaced
	case err == nil && n == 0 && t.planes.Width() > 0:
		// A resumed stream that has already ended is no pass: the model keeps all its bits.
	case err == nil:
		t.finishPass()
		m.commit(t)
	case n > 0: // the pass is not finished, so it is not counted
		m.commit(t)
	}
	t.report(report, n, Running)
	return err
}

// Widen and Since change a trained model as those of [weights.Planes] do. Widen needs Keep Last or Average, and Since
// needs Average.
func (m *Engine) Widen(n int)          { m.now.planes.Widen(n) }
func (m *Engine) Since(former *Engine) { m.now.planes.Since(&former.now.planes) }

// Current returns the fields of the last training call, without their defaults, if the model may be
// trained in place under them, else nil. The models' Update compares these fields with the model's. If
// they are equal, it calls Continue or ContinueRow, and does not validate the fields again.
func (m *Engine) Current() *Config {
	if m.owner != m || m.Busy() || m.now.planes.Width() == 0 {
		return nil
	}
	return &m.now.asked
}

// Continue learns one example under the fields that Current returns.
func (m *Engine) Continue(x []float64, label int) (bool, error) { return m.now.learnDense(x, label) }

// ContinueRow is Continue for a dense or sparse [vec.Row]. Continue does not call it, because making
// a Row takes as long as scoring a short row.
func (m *Engine) ContinueRow(x *vec.Row, label int) (bool, error) { return m.now.learnOne(x, label) }

// Update learns one example under the fields c. The first example of a model, or the first after
// Restore, trains a draft: copies of a restored Engine share its state. Every later example trains
// the state in place. On error Update restores the fields, and learnOne has changed nothing else.
func (m *Engine) Update(c *Config, start []float64, x *vec.Row, label int) (updated bool, err error) {
	t := m.now
	if m.owner != m || t.planes.Width() == 0 {
		t, err = m.draft(c, start)
	}
	former := t.asked
	if err = cmp.Or(err, t.resume(*c)); err == nil {
		if updated, err = t.learnOne(x, label); err == nil {
			m.commit(t)
		} else {
			err = cmp.Or(err, t.resume(former))
		}
	}
	return updated, err
}

// draft returns a state to train: a copy of what was learned, or a new state if there was no
// example yet. A new state keeps the count of passes over empty streams. draft returns an error if
// training may not continue under c.
func (m *Engine) draft(c *Config, start []float64) (*state, error) {
	if m.now == nil || m.now.planes.Width() == 0 {
		t := newState(c, start)
		if m.now != nil {
			t.passes = m.now.passes
		}
		return t, nil
	}
	t := m.now.clone()
	return t, t.resume(*c)
}

// commit makes t what the model has learned. It makes m its own owner, so that m may train further.
func (m *Engine) commit(t *state) { m.owner, m.now = m, t }

// Clone makes c an independent copy of m. c becomes its own owner, so it may be trained.
func (m *Engine) Clone(c *Engine) {
	if m.now != nil {
		c.commit(m.now.clone())
	}
}

// What follows reads a trained model. Any number of goroutines may call it at once.

// errNoExample is the error for a read of an untrained model.
var errNoExample = fmt.Errorf("%w: it has seen no example", ErrUntrained)

// Trained returns nil if the model has seen an example, else ErrUntrained. Vector, Planes, Classes and
// Many need a trained model. The other functions below take any model.
func (m *Engine) Trained() error {
	if m.now == nil || m.now.planes.Width() == 0 {
		return errNoExample
	}
	return nil
}

// SingleVector returns Vector(0) if nothing has to be computed for it: the model is trained, has one
// hyperplane and Keep Last, and its vector is whole. Else it returns nil. It is short enough to be
// inlined.
func (m *Engine) SingleVector() []float64 {
	if t := m.now; t != nil {
		return t.planes.Single()
	}
	return nil
}

// Reader returns the planes, which read a dense row of d features. It returns an error unless the model is
// trained with such rows, because the planes may make large vectors for the read.
func (m *Engine) Reader(d int) (*weights.Planes, error) {
	if err := m.Trained(); err != nil {
		return nil, err
	}
	p := &m.now.planes
	return p, checkWidth(p.Width(), d)
}

// Vector returns the whole vector (w, b) with which the i-th hyperplane predicts. The caller must not
// change it. The next update may change it.
func (m *Engine) Vector(i int) []float64 { return m.now.planes.Predicting(i) }

// Planes returns the number of hyperplanes: one, or one for each class.
func (m *Engine) Planes() int { return m.now.planes.Len() }

// Classes returns the classes of the hyperplanes, ascending. The caller must not change them.
func (m *Engine) Classes() []int { return m.now.classes }

// Many reports whether the model has a hyperplane for each class.
func (m *Engine) Many() bool { return m.now.fields.Many() }

// Summary returns the fields of the last training call, the features of a row, the number of
// examples seen, and the number of passes finished. All are zero for an untrained model. The caller
// must not change the fields.
func (m *Engine) Summary() (c *Config, width int, seen int64, passes int) {
	if t := m.now; t != nil {
		return &t.fields, t.planes.Width(), t.seen, t.passes
	}
	return &Config{}, 0, 0, 0
}
