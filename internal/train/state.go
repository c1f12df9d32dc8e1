package train

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"perceptron/internal/vec"
)

// A state is what a model has learned, and all that its training continues from: its
// hyperplanes, the units that train them, and what these share.
//
// Epochs and Learn train a copy of the state, which replaces it if no error occurs.
// Update trains the state itself, because learnExample takes an example whole or not at all.
type state struct {
	Config
	start  Hyperplane // where a class that arrives late begins
	width  int        // features of a row; 0 until there was one
	passes int        // finished since training began
	seen   int64      // examples since training began
	gen    rand.PCG
	planes []*plane  // one, or one for each class by ascending class
	units  []*unit   // one, or in OneVsRest one for each plane
	means  *meanLock // Average: whether the planes' means are up to date
}

// newState returns a state before any training.
func newState(c *Config, start *Hyperplane) *state {
	t := &state{Config: *c, start: start.clone(), means: new(meanLock)}
	t.gen.Seed(c.Seed, 0)
	return t
}

// clone returns a copy with memory of its own. It is a read, and computes no means.
func (t *state) clone() *state {
	copied := *t
	copied.means = &meanLock{outdated: t.means.outdated}
	copied.planes = make([]*plane, len(t.planes))
	for i, q := range t.planes {
		copied.planes[i] = q.clone()
		if !t.means.outdated {
			copied.planes[i].average.mean = slices.Clone(q.average.mean)
		}
	}
	copied.units = make([]*unit, len(t.units))
	for i, u := range t.units {
		copied.units[i] = u.clone(copied.planesOf(i))
	}
	return &copied
}

// resume sets the fields of the next call, if training may continue under them. Of
// what may change, only the rate affects θ.
func (t *state) resume(c *Config) error {
	if err := t.checkResume(c); err != nil {
		return err
	}
	t.configure(*c)
	return nil
}

// configure sets the fields. Margin's default θ is in proportion to the rate.
func (t *state) configure(c Config) {
	changed := t.Rate != c.Rate
	if t.Config = c; changed {
		for _, u := range t.units {
			u.normalise(&t.Config)
		}
	}
}

// admit validates rows and labels, and adds a unit for each new class.
func (t *state) admit(X *Rows, y []int) error {
	if err := X.check(y, t.width); err != nil {
		return err
	}
	if err := t.checkStartWidth(X.features()); err != nil {
		return err
	}
	if t.Scheme == TwoClasses {
		if err := CheckSigns(y); err != nil {
			return err
		}
		y = y[:1]
	}
	t.width = X.features()
	classes := t.classes()
	for _, label := range y {
		if place(classes, label) < 0 {
			t.admitClass(label, X.Sparse == nil)
			classes = t.classes()
		}
	}
	return nil
}

// checkData checks rows and labels that were admitted, and may have changed since.
func (t *state) checkData(X *Rows, y []int) error {
	err := X.check(y, t.width)
	switch t.Scheme {
	case TwoClasses:
		err = cmp.Or(err, CheckSigns(y))
	case Kesler:
		classes := t.classes()
		for i, label := range y {
			if err == nil && place(classes, label) < 0 {
				err = &ExampleError{i, fmt.Errorf("%w: %d was not among the labels when Epochs began", ErrLabel, label)}
			}
		}
	}
	return err
}

// checkStartWidth checks that Start fits rows of d features. No weights mean zero.
func (t *state) checkStartWidth(d int) error {
	if n := len(t.start.Weights); n != 0 && n != d {
		return fmt.Errorf("%w: Start has width %d, but the rows have %d", ErrDimension, n, d)
	}
	return nil
}

// checkExample checks a stream's next example.
func (t *state) checkExample(x *Row, label int) error {
	err := cmp.Or(checkWidth(t.width, x), t.checkStartWidth(t.width))
	if err == nil && t.Scheme == TwoClasses {
		err = checkSign(label)
	}
	return err
}

// admitClass adds a plane for the label if it is new. It replaces the lists and the units
// that it changes, so that learnExample can undo it.
func (t *state) admitClass(label int, dense bool) {
	i, found := t.find(label)
	if found {
		return
	}
	class := 0 // a binary model's one plane has both labels
	if t.Scheme != TwoClasses {
		class = label
	}
	q := newPlane(&t.Config, t.start, t.width, class)
	if dense {
		q.reserve()
	}
	t.planes = slices.Insert(slices.Clone(t.planes), i, q)
	if t.Scheme == Kesler && len(t.units) > 0 {
		u := t.units[0].clone(t.planes)
		u.setTheta(&t.Config) // one norm more may change how the norms' squares are rounded
		t.units = []*unit{u}
		return
	}
	t.units = slices.Insert(slices.Clone(t.units), i, newUnit(&t.Config, []*plane{q}))
}

// planesOf returns the planes of the i-th unit.
func (t *state) planesOf(i int) []*plane {
	if t.Scheme == Kesler {
		return t.planes
	}
	return t.planes[i : i+1]
}

// find returns the position of the plane for the label, or where to insert it. A binary
// model has one plane for both labels.
func (t *state) find(label int) (int, bool) {
	if t.Scheme == TwoClasses {
		return 0, len(t.planes) > 0
	}
	return slices.BinarySearchFunc(t.planes, label, func(q *plane, label int) int { return cmp.Compare(q.class, label) })
}

// classes returns the classes of the planes, ascending.
func (t *state) classes() []int {
	classes := make([]int, len(t.planes))
	for i, q := range t.planes {
		classes[i] = q.class
	}
	return classes
}

// place returns the index of a label in ascending classes, or a negative number.
func place(classes []int, label int) int {
	if len(classes) > 0 { // they are often consecutive
		if i := label - classes[0]; uint(i) < uint(len(classes)) && classes[i] == label {
			return i
		}
	}
	if i, found := slices.BinarySearch(classes, label); found {
		return i
	}
	return -1
}

// learnOne is learnExample, with a short way for the commonest cases of a binary model.
func (t *state) learnOne(x []float64, label int) (updated bool, err error) {
	if t.Scheme != TwoClasses || t.Keep != Last || len(t.units) == 0 || !isSign(label) {
		return t.learnExample(&Row{Value: x}, label)
	}
	u, q, y := t.units[0], t.planes[0], float64(label)
	m := y * Score(q.w, x)
	if !satisfied(m, u.theta) {
		if !t.plain() || !vec.IsFinite(m) || !q.propose(&t.Config, &Row{Value: x}, y*t.Rate, 0) {
			return t.learnExample(&Row{Value: x}, label)
		}
		q.move(&Row{Value: x})
		u.mistakes++
		u.loss += max(0, -m)
		updated = true
	}
	t.see(1)
	return updated, nil
}

// see counts n examples.
func (t *state) see(n int) { t.seen = min(t.seen+int64(n), countable) }

// learnExample shows one example to every unit. On error the state is as it was: all units
// consider the example before one of them accepts it.
func (t *state) learnExample(x *Row, label int) (updated bool, err error) {
	planes, units, width := t.planes, t.units, t.width
	if err := t.considerExample(x, label); err != nil {
		t.planes, t.units, t.width = planes, units, width
		return false, err
	}
	for _, u := range t.units {
		u.accept(x)
		u.see(1)
		if t.Keep == Pocket {
			u.pocket.answer(u.planes, u.mistaken)
		}
		updated = updated || u.mistaken
	}
	t.means.outdate()
	t.see(1)
	return updated, nil
}

// considerExample lets every unit consider an example, whose class may be new.
func (t *state) considerExample(x *Row, label int) error {
	if t.width == 0 {
		t.width = x.width()
	}
	if err := t.checkExample(x, label); err != nil {
		return err
	}
	t.admitClass(label, !x.sparse())
	for _, q := range t.planes {
		q.score = x.Score(q.w)
	}
	for _, u := range t.units {
		if err := u.consider(&t.Config, x, label, 0); err != nil {
			return err
		}
	}
	return nil
}

// update learns one example under the fields c. On error the state is as it was.
func (t *state) update(c *Config, x *Row, label int) (updated bool, err error) {
	former := t.Config
	if err := t.resume(c); err != nil {
		return false, err
	}
	if updated, err = t.learnExample(x, label); err != nil {
		t.configure(former)
	}
	return updated, err
}

// begin starts the counts of a pass, which outdates the means. Nobody reads them before the
// pass ends, because it trains a draft.
func (t *state) begin() {
	t.means.outdate()
	for _, u := range t.units {
		u.mistakes, u.loss = 0, 0
	}
}

// finish counts a finished pass.
func (t *state) finish() {
	t.passes = max(t.passes, t.passes+1) // it stays at its largest value
}

// report summarises a pass over n examples.
func (t *state) report(n int) Epoch {
	e := Epoch{N: t.passes, Examples: n}
	for _, u := range t.units {
		e.Mistakes += u.mistakes
		e.Loss += u.loss / float64(max(n, 1))
	}
	return e
}

// refresh computes the means that predict under Average, if training has outdated them.
func (t *state) refresh() {
	if t.Keep == Average {
		t.means.refresh(func() {
			for _, u := range t.units {
				for _, q := range u.planes {
					q.average.refresh(q.w, u.seen)
				}
			}
		})
	}
}

// predictor returns the vector (w, b) by which the i-th plane predicts.
func (t *state) predictor(i int) []float64 {
	if t.Keep == Last {
		return t.planes[i].w
	}
	return t.kept(i)
}

// kept returns what predictor does where Keep has a vector of its own. It is apart so
// that predictor is inlined.
func (t *state) kept(i int) []float64 {
	t.refresh()
	return t.planes[i].predictor(&t.Config)
}
