package perceptron

import (
	"cmp"
	"fmt"
	"math"
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

// resume sets what may change between calls. Of that only the rate moves θ.
func (t *trainer) resume(s *settings) {
	t.read, t.maxEpochs, t.workers = s.read, s.maxEpochs, s.workers
	t.setRate(s.rate)
}

func (t *trainer) setRate(rate float64) {
	if t.rate == rate {
		return
	}
	t.rate = rate
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

// checkRows checks what can be told of rows and labels in O(n): that there are
// some, as many of one as of the other, and of one width, which is d unless d
// is 0.
func checkRows(X [][]float64, y []int, d int) error {
	switch {
	case len(X) != len(y):
		return fmt.Errorf("%w: len(X) is %d, but len(y) is %d", ErrDimension, len(X), len(y))
	case len(X) == 0:
		return fmt.Errorf("%w: no rows", ErrEmpty)
	case d == 0:
		d = len(X[0])
	}
	for i, x := range X {
		if err := checkWidth(d, x); err != nil {
			return &ExampleError{i, err}
		}
	}
	return nil
}

// checkBinary checks that every label is +1 or −1.
func checkBinary(y []int) error {
	for i, v := range y {
		if err := checkSign(v); err != nil {
			return &ExampleError{i, err}
		}
	}
	return nil
}

func checkSign(label int) error {
	if label != +1 && label != -1 {
		return fmt.Errorf("%w: %d, want +1 or -1", ErrLabel, label)
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
	if !t.multiclass {
		return 0, len(t.learners) > 0
	}
	return slices.BinarySearchFunc(t.learners, label, func(l *learner, class int) int { return cmp.Compare(l.class, class) })
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

// right tells whether a binary trainer has an example right and nothing at all to
// learn from it: the short way to learn.
func (t *trainer) right(x []float64, label int) bool {
	if t.multiclass || t.keep != Last || len(t.learners) == 0 || label != +1 && label != -1 {
		return false
	}
	l := t.learners[0]
	return l.right(float64(label) * affine(l.w, x))
}

// update learns one example under s, and publishes what it learned.
func (t *trainer) update(s *settings, x []float64, label int) (updated bool, err error) {
	read, rate := t.read, t.rate
	t.resume(s)
	if updated, err = t.learn(x, label); err != nil {
		t.read = read
		t.setRate(rate)
		return false, err
	}
	t.publish()
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
		if err := l.consider(&t.settings, x, l.target(&t.settings, label), affine(l.w, x)); err != nil {
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

// countPass counts a finished pass. At its limit the count stays.
func (t *trainer) countPass() {
	if t.passes < math.MaxInt {
		t.passes++
	}
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

// score returns ⟨w, x⟩ + b as the i-th learner predicts it.
func (t *trainer) score(i int, x []float64) (float64, error) {
	w := t.learners[i].predictor(&t.settings)
	return score(w[:t.width], w[t.width], x)
}

// hyperplane returns a copy of what the i-th learner predicts with.
func (t *trainer) hyperplane(i int) Hyperplane {
	w := t.learners[i].predictor(&t.settings)
	return Hyperplane{Weights: slices.Clone(w[:t.width]), Bias: w[t.width]}
}
