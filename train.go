package perceptron

import (
	"fmt"
	"iter"
	"math"

	"perceptron/internal/vec"
)

// A model is any of the models of this package, as the engine and the saved form
// see it.
type model interface {
	Model
	config() config     // the fields, Start aside
	start() *Hyperplane // the field Start
	fields() model      // a copy of the model without what it has learned
	engine() *core
}

// A core is the learned half of every model. Training works on a draft and commits
// it whole, so that an error leaves the model as it was.
type core struct {
	owner    *core  // itself, once it has trained: detects copies of the struct
	training **core // to a pointer to this core during its Epochs or Learn, else to nil
	now      *state // what the model has learned; nil before any training
}

// errTraining is for calls that train or replace a model in the body of a range
// over its Epochs, or in its Learn's iterator.
var errTraining = fmt.Errorf("%w: the model is being trained by an enclosing Epochs or Learn", ErrConfig)

// errReplaced is for a body or an iterator that assigns to the model's struct.
var errReplaced = fmt.Errorf("%w: the model was replaced while it was being trained", ErrConfig)

// errNoExample is for reads of an untrained model.
var errNoExample = fmt.Errorf("%w: it has seen no example", ErrUntrained)

// engine returns the core that each model embeds.
func (m *core) engine() *core { return m }

// enter marks the model as being trained until leave is called. A copy of the
// struct made meanwhile is not marked: training points to the original.
func (m *core) enter() (leave func()) {
	self := m
	m.training = &self
	return func() { self = nil }
}

// busy reports whether an Epochs or a Learn of this model is on the stack.
func (m *core) busy() bool { return m.training != nil && *m.training == m }

// fit trains from scratch until every unit has stopped.
func (m *core) fit(c config, start *Hyperplane, X [][]float64, y []int) (Result, error) {
	if m.busy() {
		return Result{}, errTraining
	}
	t, err := newState(&c, start)
	if err != nil {
		return Result{}, err
	}
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

// epochs continues training, an epoch at a time.
func (m *core) epochs(c config, start *Hyperplane, X [][]float64, y []int, yield func(Epoch, error) bool) {
	if err := m.eachEpoch(c, start, X, y, yield); err != nil {
		yield(Epoch{}, err)
	}
}

// eachEpoch trains on a draft and commits it before each yield. It then trains on a
// copy, because the body of the range may still read the committed state.
func (m *core) eachEpoch(c config, start *Hyperplane, X [][]float64, y []int, yield func(Epoch, error) bool) error {
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
		if !yield(e, nil) || e.Stop != Running {
			return nil
		}
		if !m.busy() || m.now != t {
			return errReplaced
		}
		t = t.clone()
		if err := r.moveTo(t); err != nil {
			return err
		}
	}
}

// learn makes one pass over a stream. A bad example ends it; the examples before
// are learned.
func (m *core) learn(c config, start *Hyperplane, examples iter.Seq2[[]float64, int]) (Epoch, error) {
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
		if !t.settled(x, label) {
			if _, err = t.learnExample(x, label); err != nil {
				err = &ExampleError{n, err}
				break
			}
		}
		n++
	}
	switch {
	case !m.busy() || m.now != was:
		return Epoch{}, errReplaced
	case err == nil:
		t.finish()
		m.commit(t)
	case n > 0: // the examples before the bad one, but not a finished pass
		t.means.outdate()
		m.commit(t)
	}
	return t.report(n), err
}

// update learns one example. The state takes it whole or not at all, so no draft
// is needed, except for the first example and a new class.
func (m *core) update(c *config, start *Hyperplane, x []float64, label int) (updated bool, err error) {
	if m.owner == m && !m.busy() && m.now.width > 0 {
		if c.same(&m.now.read) && m.now.settled(x, label) {
			return false, nil
		}
		return m.now.update(c, x, label)
	}
	t, err := m.draft(c, start)
	if err != nil {
		return false, err
	}
	if updated, err = t.learnExample(x, label); err == nil {
		t.means.outdate()
		m.commit(t)
	}
	return updated, err
}

// draft returns a state to train on: a copy of what was learned, or a new one. It
// returns an error if training may not continue, or not begin.
func (m *core) draft(c *config, start *Hyperplane) (*state, error) {
	switch {
	case m.busy():
		return nil, errTraining
	case m.now == nil || m.now.width == 0: // passes of no examples determine nothing
		t, err := newState(c, start)
		if err == nil && m.now != nil {
			t.passes = m.now.passes
		}
		return t, err
	case m.owner != nil && m.owner != m:
		return nil, fmt.Errorf("%w: the model was copied by value after training; use Clone for a copy that can be trained", ErrConfig)
	}
	t := m.now.clone()
	return t, t.resume(c)
}

// commit makes t what the model has learned.
func (m *core) commit(t *state) { m.owner, m.now = m, t }

// cloned returns an independent copy of m.
func cloned[M model](m M) M {
	c := m.fields().(M)
	if now := m.engine().now; now != nil {
		c.engine().commit(now.clone())
	}
	return c
}

// trained returns the state to read from.
func (m *core) trained() (*state, error) {
	if m.now == nil || m.now.width == 0 {
		return nil, errNoExample
	}
	return m.now, nil
}

// describe returns a model's String: its kind, its classes and width, Space, Keep,
// and the passes finished.
func (m *core) describe(kind string) string {
	t, err := m.trained()
	if err != nil {
		return kind + ": untrained"
	}
	classes := "2 classes"
	if t.scheme != twoClasses {
		kind += " of " + t.rule.String()
		classes = fmt.Sprintf("%d classes", len(t.planes))
	}
	return fmt.Sprintf("%s: %s, width %d, %v, %v, passes: %d", kind, classes, t.width, t.space, t.keep, t.passes)
}

// A twoClass is the engine of the models of two classes, and has the methods that
// they share.
type twoClass struct{ core }

// Score returns ⟨w, x⟩ + b in O(d) without allocating. w and b are those that
// Hyperplane returns.
//
// It returns ErrUntrained if the model has seen no example, ErrEmpty if x is empty,
// ErrDimension if x has another width, and ErrNotFinite if the score is NaN or
// infinite. Any NaN or ±Inf in x has this effect.
func (m *twoClass) Score(x []float64) (float64, error) {
	t, err := m.trained()
	if err != nil {
		return 0, err
	}
	s := affine(t.predictor(0), x)
	if !vec.IsFinite(s) {
		return 0, scoreError(t.width, x)
	}
	return s, nil
}

// Predict returns +1 if the score is at least 0, else −1. Its errors are those of
// Score.
func (m *twoClass) Predict(x []float64) (int, error) {
	// Score and sign take as long as the sum of a few features, so Last has a short way.
	if t := m.now; t != nil && t.keep == Last && len(t.planes) == 1 {
		switch s := affine(t.planes[0].w, x); {
		case s >= 0 && s <= math.MaxFloat64:
			return +1, nil
		case s < 0 && s >= -math.MaxFloat64:
			return -1, nil
		}
	}
	return m.predict(x)
}

// predict is Predict without the short way.
func (m *twoClass) predict(x []float64) (int, error) {
	s, err := m.Score(x)
	return sign(s, err)
}

// Hyperplane returns a copy of the hyperplane that Predict uses. It is the zero
// Hyperplane if the model has seen no example.
func (m *twoClass) Hyperplane() Hyperplane {
	t, err := m.trained()
	if err != nil {
		return Hyperplane{}
	}
	return t.hyperplane(0)
}

// A manyClass is the engine of the models of many classes, and has the methods that
// they share.
type manyClass struct{ core }

// Classes returns the classes seen, ascending.
func (m *manyClass) Classes() []int {
	t, err := m.trained()
	if err != nil {
		return nil
	}
	return t.classes()
}

// Hyperplanes returns a copy of each class's hyperplane, in the order of Classes.
func (m *manyClass) Hyperplanes() []Hyperplane {
	t, err := m.trained()
	if err != nil {
		return nil
	}
	planes := make([]Hyperplane, len(t.planes))
	for i := range planes {
		planes[i] = t.hyperplane(i)
	}
	return planes
}

// Scores appends each class's ⟨w, x⟩ + b to dst, in the order of Classes, and
// returns the extended slice. It takes O(Kd), and allocates only if dst is too
// small. The errors are those of [Online.Score]; dst is then returned unchanged.
func (m *manyClass) Scores(dst, x []float64) ([]float64, error) {
	t, err := m.trained()
	if err != nil {
		return dst, err
	}
	scores := dst
	for i := range t.planes {
		s, err := t.scoreOf(i, x)
		if err != nil {
			return dst, err
		}
		scores = append(scores, s)
	}
	return scores, nil
}

// Predict returns the class with the highest score, and the lowest of several such
// classes. It takes O(Kd) without allocating. Its errors are those of Scores.
func (m *manyClass) Predict(x []float64) (int, error) {
	t, err := m.trained()
	if err != nil {
		return 0, err
	}
	best, high := 0, math.Inf(-1)
	for i := range t.planes {
		s, err := t.scoreOf(i, x)
		if err != nil {
			return 0, err
		}
		if s > high {
			best, high = i, s
		}
	}
	return t.planes[best].class, nil
}
