package perceptron

import (
	"fmt"
	"iter"
)

// learned is the unexported half of every model: the trainer that it has
// committed, and a spare one for the next transaction. Training works on a
// copy and commits it whole, so that an error leaves the model as it was.
type learned struct {
	owner    *learned // itself, once it has learned: a copy of the struct is told by it; nil of what was read
	training *session // of an Epochs or Learn
	now      *trainer // nil until there was training
	spare    *trainer
}

// A session is an Epochs or Learn under way of one model, and of none when it has
// ended: a copy of the model's struct made meanwhile is neither in it nor stuck.
type session struct{ of *learned }

// open begins a session.
func (m *learned) open() *session {
	m.training = &session{m}
	return m.training
}

func (s *session) close() { s.of = nil }

// busy tells whether the model is in a session.
func (m *learned) busy() bool { return m.training != nil && m.training.of == m }

// errTraining is for training calls from the body of a range over Epochs, or
// from Learn's iterator.
var errTraining = fmt.Errorf("%w: the model is being trained by an enclosing Epochs or Learn", ErrConfig)

// errReplaced is for a body or an iterator that assigned to the model's struct.
var errReplaced = fmt.Errorf("%w: the model was replaced while it was being trained", ErrConfig)

// fit trains afresh until every learner has come to its end.
func (m *learned) fit(s settings, X [][]float64, y []int) (Result, error) {
	if m.busy() {
		return Result{}, errTraining
	}
	if err := s.startable(); err != nil {
		return Result{}, err
	}
	t := newTrainer(s)
	if err := t.admit(X, y); err != nil {
		return Result{}, err
	}
	if s.multiclass && len(t.learners) == 1 {
		return Result{}, fmt.Errorf("%w: every label is %d, want at least two classes", ErrLabel, y[0])
	}
	r, err := newRun(t, X, y)
	if err != nil {
		return Result{}, err
	}
	r.freeze = true
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

// epochs trains on, an epoch at a time, with the settings that read returns
// when the range begins.
func (m *learned) epochs(read func() (settings, error), X [][]float64, y []int) iter.Seq2[Epoch, error] {
	return func(yield func(Epoch, error) bool) {
		if err := m.eachEpoch(read, X, y, yield); err != nil {
			yield(Epoch{}, err)
		}
	}
}

func (m *learned) eachEpoch(read func() (settings, error), X [][]float64, y []int, yield func(Epoch, error) bool) error {
	s, err := read()
	if err != nil {
		return err
	}
	if err := m.resumable(&s); err != nil {
		return err
	}
	t := m.work(&s)
	defer m.open().close()
	if err := t.admit(X, y); err != nil {
		return err
	}
	r, err := newRun(t, X, y)
	if err != nil {
		return err
	}
	for {
		e, err := r.epoch()
		if err != nil {
			return err
		}
		m.commit(r.t)
		if !yield(e, nil) || e.Stop != Running {
			return nil
		}
		if !m.busy() || m.now != r.t {
			return errReplaced
		}
		r.t = m.work(&s)
		if err := r.recheck(); err != nil {
			return err
		}
	}
}

// learn makes one pass over a stream. A bad example ends it, with the examples
// before it learned.
func (m *learned) learn(s settings, examples iter.Seq2[[]float64, int]) (Epoch, error) {
	if examples == nil {
		return Epoch{}, fmt.Errorf("%w: the iterator is nil", ErrEmpty)
	}
	if err := m.resumable(&s); err != nil {
		return Epoch{}, err
	}
	t := m.work(&s)
	defer m.open().close()
	t.begin()
	was, n := m.now, 0
	var err error
	for x, label := range examples {
		if !t.right(x, label) {
			if _, err = t.learn(x, label); err != nil {
				err = &ExampleError{n, err}
				break
			}
		}
		n++
	}
	if !m.busy() || m.now != was {
		return Epoch{}, errReplaced
	}
	if err == nil {
		t.countPass()
	}
	if err == nil || n > 0 {
		t.publish()
		m.commit(t)
	}
	return t.report(n), err
}

// steady returns the trainer that an Update may go on with, nil if there is
// something to see to first.
func (m *learned) steady() *trainer {
	if m.owner != m || m.busy() {
		return nil
	}
	return m.now
}

// update learns one example. The learners take it whole or not at all, so that
// no copy is needed but where a class is new.
func (m *learned) update(s *settings, x []float64, label int) (bool, error) {
	if err := m.resumable(s); err != nil {
		return false, err
	}
	if m.owner == m && m.now.knows(label) {
		return m.now.update(s, x, label)
	}
	t := m.work(s)
	updated, err := t.update(s, x, label)
	if err == nil {
		m.commit(t)
	}
	return updated, err
}

// resumable tells whether training may go on, or begin.
func (m *learned) resumable(s *settings) error {
	switch {
	case m.busy():
		return errTraining
	case m.now == nil || m.now.width == 0:
		return s.startable()
	case m.owner != nil && m.owner != m:
		return fmt.Errorf("%w: the model was copied by value after training; Clone makes a copy that can be trained", ErrConfig)
	}
	return m.now.continues(s)
}

// work returns a trainer to work on: a copy of the committed one, or a new one.
func (m *learned) work(s *settings) *trainer {
	if m.now == nil {
		return newTrainer(*s)
	}
	if m.now.width == 0 { // passes of no examples, after which nothing is fixed
		t := newTrainer(*s)
		t.passes = m.now.passes
		return t
	}
	t := m.spare
	if t == nil {
		t = new(trainer)
	}
	if m.owner == m { // before, copies of the struct would share it
		m.spare = t
	}
	t.copyFrom(m.now)
	t.resume(s)
	return t
}

// commit makes t, which may be the spare trainer, what the model has learned.
func (m *learned) commit(t *trainer) {
	m.owner = m
	if t == m.spare {
		m.spare = m.now
	} else {
		m.spare = nil
	}
	m.now = t
}

// clone makes m a copy of from that can be trained on its own.
func (m *learned) clone(from *learned) {
	if from.now != nil {
		t := new(trainer)
		t.copyFrom(from.now)
		m.commit(t)
	}
}

// trained returns the trainer to read from.
func (m *learned) trained() (*trainer, error) {
	if m.now == nil || m.now.width == 0 {
		return nil, fmt.Errorf("%w: it has seen no example", ErrUntrained)
	}
	return m.now, nil
}

// score returns a binary model's ⟨w, x⟩ + b.
func (m *learned) score(x []float64) (float64, error) {
	t, err := m.trained()
	if err != nil {
		return 0, err
	}
	return t.score(0, x)
}

// hyperplane returns a copy of what a binary model predicts with.
func (m *learned) hyperplane() Hyperplane {
	t, err := m.trained()
	if err != nil {
		return Hyperplane{}
	}
	return t.hyperplane(0)
}
