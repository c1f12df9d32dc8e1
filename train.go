package perceptron

import (
	"cmp"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
)

// A trainer is what a model has learned, and all that its training goes on
// from: a learner, or one for each class, and what they share.
type trainer struct {
	settings
	width    int // features of a row; 0 until there was one
	passes   int // finished since the trainer began
	gen      rand.PCG
	learners []*learner // in OneVsRest by ascending class
}

func newTrainer(s settings) *trainer {
	s.start.Weights = slices.Clone(s.start.Weights)
	t := &trainer{settings: s}
	t.gen.Seed(s.seed, 0)
	return t
}

// copyFrom makes t equal to from, with memory of its own.
func (t *trainer) copyFrom(from *trainer) {
	learners := t.learners
	*t = *from
	t.learners = learners[:min(len(learners), len(from.learners))]
	for i, l := range from.learners {
		if i == len(t.learners) {
			t.learners = append(t.learners, new(learner))
		}
		t.learners[i].copyFrom(l)
	}
}

// resume sets what may change between calls.
func (t *trainer) resume(s *settings) {
	t.rate, t.maxEpochs, t.workers = s.rate, s.maxEpochs, s.workers
	for _, l := range t.learners {
		l.theta = t.threshold(l.w, l.r2)
	}
}

// admit checks rows and labels, and adds a learner for each class that is new.
func (t *trainer) admit(X [][]float64, y []int) error {
	if err := checkRows(X, y, t.width); err != nil {
		return err
	}
	if err := t.checkStart(len(X[0])); err != nil {
		return err
	}
	if !t.multiclass {
		if err := checkBinary(y); err != nil {
			return err
		}
		y = y[:1]
	}
	t.width = len(X[0])
	for _, label := range addClasses(nil, y) {
		t.learners = t.with(label)
	}
	return nil
}

// checkStart checks Start's width once that of the rows is known.
func (t *trainer) checkStart(d int) error {
	if n := len(t.start.Weights); n != 0 && n != d {
		return fmt.Errorf("%w: Start has width %d, but the rows have %d", ErrDimension, n, d)
	}
	return nil
}

// with returns the learners, and one for the label if it has none.
func (t *trainer) with(label int) []*learner {
	i, found := t.find(label)
	if found {
		return t.learners
	}
	return slices.Insert(slices.Clone(t.learners), i, newLearner(&t.settings, t.width, t.class(label)))
}

// class is the label, or 0 for a binary model, whose one learner has all labels.
func (t *trainer) class(label int) int {
	if t.multiclass {
		return label
	}
	return 0
}

func (t *trainer) find(label int) (int, bool) {
	return slices.BinarySearchFunc(t.learners, t.class(label), func(l *learner, class int) int { return cmp.Compare(l.class, class) })
}

// knows tells whether there is a learner for the label.
func (t *trainer) knows(label int) bool {
	_, found := t.find(label)
	return found
}

// classes returns the learners' classes.
func (t *trainer) classes() []int {
	classes := make([]int, len(t.learners))
	for i, l := range t.learners {
		classes[i] = l.class
	}
	return classes
}

// learn shows one example to every learner. On error the trainer is as it was.
func (t *trainer) learn(x []float64, label int) (updated bool, err error) {
	width := t.width
	learners, err := t.consider(x, label)
	if err != nil {
		t.width = width
		return false, err
	}
	t.learners = learners
	for _, l := range learners {
		l.accept(&t.settings)
		if t.keep == Pocket {
			l.pocket.outrun(l.w)
		}
		updated = updated || l.wrong
	}
	return updated, nil
}

// consider returns the learners that an example is for, each of which has
// considered it.
func (t *trainer) consider(x []float64, label int) ([]*learner, error) {
	learners, err := t.meet(x, label)
	if err != nil {
		return nil, err
	}
	for _, l := range learners {
		if err := l.consider(&t.settings, x, l.target(&t.settings, label)); err != nil {
			return nil, err
		}
	}
	return learners, nil
}

// meet checks a stream's next example and returns the learners that it is for.
func (t *trainer) meet(x []float64, label int) ([]*learner, error) {
	d := t.width
	if d == 0 {
		d = len(x)
	}
	if err := checkWidth(d, x); err != nil {
		return nil, err
	}
	if err := t.checkStart(d); err != nil {
		return nil, err
	}
	t.width = d
	if !t.multiclass {
		if err := checkSign(label); err != nil {
			return nil, err
		}
	}
	return t.with(label), nil
}

// begin starts the counts of a pass.
func (t *trainer) begin() {
	for _, l := range t.learners {
		l.mistakes, l.loss = 0, 0
	}
}

// report tells of a pass over n examples.
func (t *trainer) report(n int) Epoch {
	e := Epoch{N: t.passes, Examples: n}
	for _, l := range t.learners {
		e.Mistakes += l.mistakes
		e.Loss += l.loss / float64(max(n, 1))
	}
	return e
}

// publish brings up to date what predicts.
func (t *trainer) publish() {
	for _, l := range t.learners {
		l.publish(&t.settings)
	}
}

// mix returns a new trainer whose iterates are the means of those of parts, in
// the shares mu.
func mix(parts []*trainer, mu []float64) (*trainer, error) {
	t := new(trainer)
	t.copyFrom(parts[0])
	for s, part := range parts {
		if err := t.mixable(s, part); err != nil {
			return nil, err
		}
	}
	for c, l := range t.learners {
		same := make([]*learner, len(parts))
		for s, part := range parts {
			same[s] = part.learners[c]
		}
		if err := l.mix(&t.settings, same, mu); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// mixable tells what keeps the s-th trainer, u, from being mixed with t.
func (t *trainer) mixable(s int, u *trainer) error {
	differ := func(kind error, what string, of, first any) error {
		return fmt.Errorf("%w: model %d has %s %v, model 0 has %v", kind, s, what, of, first)
	}
	switch {
	case t.width != u.width:
		return differ(ErrDimension, "width", u.width, t.width)
	case t.space != u.space:
		return differ(ErrConfig, "Space", u.space, t.space)
	case t.keep != u.keep:
		return differ(ErrConfig, "Keep", u.keep, t.keep)
	case u.keep == Pocket:
		return fmt.Errorf("%w: model %d has Keep Pocket, which cannot be mixed", ErrConfig, s)
	case t.rule != u.rule:
		return differ(ErrConfig, "the rule", u.rule, t.rule)
	case !slices.Equal(t.classes(), u.classes()):
		return differ(ErrConfig, "classes", u.classes(), t.classes())
	}
	return nil
}

// learned is the unexported half of every model: the trainer that it has
// committed, and a spare one for the next transaction. Training works on a
// copy and commits it whole, so that an error leaves the model as it was.
type learned struct {
	owner    *learned // itself, once it has learned: a copy of the struct is told by it
	training *learned // itself while an Epochs or Learn is under way
	now      *trainer // nil until there was training
	spare    *trainer
}

// errTraining is for training calls from the body of a range over Epochs, or
// from Learn's iterator.
var errTraining = fmt.Errorf("%w: the model is being trained by an enclosing Epochs or Learn", ErrConfig)

// errReplaced is for a body or an iterator that assigned to the model's struct.
var errReplaced = fmt.Errorf("%w: the model was replaced while it was being trained", ErrConfig)

// fit trains afresh until every learner has come to its end.
func (m *learned) fit(s settings, X [][]float64, y []int) (Result, error) {
	if m.training == m {
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
	m.training = m
	defer func() { m.training = nil }()
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
		if m.training != m {
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
	m.training = m
	defer func() { m.training = nil }()
	t.begin()
	n := 0
	var err error
	for x, label := range examples {
		if _, err = t.learn(x, label); err != nil {
			err = &ExampleError{n, err}
			break
		}
		n++
	}
	if m.training != m {
		return Epoch{}, errReplaced
	}
	if err == nil {
		t.passes++
	}
	if err == nil || n > 0 {
		t.publish()
		m.commit(t)
	}
	return t.report(n), err
}

// update learns one example. The learners take it whole or not at all, so that
// no copy is needed but where a class is new.
func (m *learned) update(s settings, x []float64, label int) (bool, error) {
	if err := m.resumable(&s); err != nil {
		return false, err
	}
	t := m.now
	if t == nil || !t.knows(label) {
		t = m.work(&s)
	} else {
		t.resume(&s)
	}
	updated, err := t.learn(x, label)
	if err != nil {
		return false, err
	}
	t.publish()
	if t != m.now {
		m.commit(t)
	}
	return updated, nil
}

// resumable tells whether training may go on, or begin.
func (m *learned) resumable(s *settings) error {
	switch {
	case m.training == m:
		return errTraining
	case m.now == nil || m.now.width == 0:
		return s.startable()
	case m.owner != m:
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
	if m.spare == nil {
		m.spare = new(trainer)
	}
	m.spare.copyFrom(m.now)
	m.spare.resume(s)
	return m.spare
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

// score returns ⟨w, x⟩ + b as the i-th learner predicts it.
func (t *trainer) score(i int, x []float64) (float64, error) {
	w := t.learners[i].predictor(&t.settings)
	return score(w[:t.width], w[t.width], x)
}

// hyperplane returns a copy of what a binary model predicts with.
func (m *learned) hyperplane() Hyperplane {
	t, err := m.trained()
	if err != nil {
		return Hyperplane{}
	}
	return t.hyperplane(0)
}

func (t *trainer) hyperplane(i int) Hyperplane {
	w := t.learners[i].predictor(&t.settings)
	return Hyperplane{Weights: slices.Clone(w[:t.width]), Bias: w[t.width]}
}
