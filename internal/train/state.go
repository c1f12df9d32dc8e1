package train

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// A state is what a model has learned, with all that training needs to continue: the planes, the
// units that train them, the counts and the random generator.
//
// Epochs and Learn train a copy of the state, and the copy replaces it if there is no error.
// Update trains the state itself: learnExample changes nothing if it returns an error.
type state struct {
	Config
	start   Hyperplane // Start when training began: the first iterate of each class
	width   int        // the features of a row; 0 before the first row
	passes  int        // the passes finished since training began
	seen    int64      // the examples seen since training began
	gen     rand.PCG   // draws the order of the rows
	classes []int      // the classes of the planes, ascending
	planes  []*plane   // one, or one for each class
	units   []*unit    // one, or in OneVsRest one for each plane
	means   *meanLock  // under Average: whether the planes' means must be computed
	table   *table     // while Learn trains with sparse rows: the table, once one pays
	learnt  int        // while Learn trains with sparse rows: their non-zeros so far
}

// newState returns a state before any training.
func newState(c *Config, start *Hyperplane) *state {
	t := &state{Config: *c, start: start.clone(), means: new(meanLock)}
	t.gen.Seed(c.Seed, 0)
	return t
}

// clone returns a copy with memory of its own, with the means if they have been computed or loaded.
// Several goroutines may call it at once.
func (t *state) clone() *state {
	copied, computed := *t, !t.means.outdated.Load()
	if copied.means = new(meanLock); !computed {
		copied.means.outdate()
	}
	copied.planes = make([]*plane, len(t.planes))
	for i, q := range t.planes {
		copied.planes[i] = q.clone(computed || t.Keep == Pocket)
	}
	copied.units = make([]*unit, len(t.units))
	for i, u := range t.units {
		copied.units[i] = u.clone(copied.planesOf(i))
	}
	return &copied
}

// resume makes c the fields of the training call that begins, or returns an error if training may
// not continue under them. A new Rate changes θ under WithinR.
func (t *state) resume(c Config) error {
	if err := t.checkResume(&c); err != nil {
		return err
	}
	t.Config = c
	for _, u := range t.units {
		u.normalise(&t.Config)
	}
	return nil
}

// admit validates rows and labels. At the beginning of a run it also adds a plane for each new
// class. Later it is called again, because the body of a range may have changed rows and labels.
// Then a label may be new only in OneVsRest, where its examples are -1 for every class.
func (t *state) admit(X *Rows, y []int, begins bool) error {
	d, err := X.check(y, t.width, t.Order == Sampled)
	if err == nil {
		err = t.checkStartWidth(d)
	}
	if t.Scheme == TwoClasses && err == nil {
		err = CheckSigns(y)
		y = y[:1] // there is one plane, which each label needs
	}
	if t.width = d; err != nil || t.Scheme == OneVsRest && !begins {
		return err
	}
	for i, label := range y {
		switch {
		case place(t.classes, t.classOf(label)) >= 0:
		case begins:
			t.admitClass(label, X.Sparse == nil)
		default:
			return &ExampleError{i, fmt.Errorf("%w: %d was not among the labels when Epochs began", ErrLabel, label)}
		}
	}
	return nil
}

// checkStartWidth returns an error unless Start has d weights, or none, which stand for zeros.
func (t *state) checkStartWidth(d int) error {
	if n := len(t.start.Weights); n != 0 && n != d {
		return fmt.Errorf("%w: Start has width %d, but the rows have %d", ErrDimension, n, d)
	}
	return nil
}

// admitClass adds a plane for a new label, and the unit that trains it. It makes new lists and a
// new unit where they change, so that learnExample can put the old ones back.
func (t *state) admitClass(label int, dense bool) {
	t.takeApart()
	class := t.classOf(label)
	q := newPlane(&t.Config, t.start, t.width, class)
	if dense {
		q.resize(len(q.w))
	}
	i, _ := slices.BinarySearch(t.classes, class)
	t.classes = slices.Insert(slices.Clone(t.classes), i, class)
	t.planes = slices.Insert(slices.Clone(t.planes), i, q)
	if t.Scheme == Kesler && len(t.units) > 0 {
		u := t.units[0].clone(t.planes)
		u.normalise(&t.Config) // a plane more may change how ‖W‖ is rounded
		t.units = []*unit{u}
		return
	}
	t.units = slices.Insert(slices.Clone(t.units), i, newUnit(&t.Config, []*plane{q}))
}

// takeApart moves the vectors back to the planes, at the end of a stream of sparse rows and before
// a class is added.
func (t *state) takeApart() {
	t.table.remove()
	t.table, t.learnt = nil, 0
}

// classOf returns the class of the plane for a label: +1 in a binary model.
func (t *state) classOf(label int) int {
	if t.Scheme == TwoClasses {
		return +1
	}
	return label
}

// planesOf returns the planes of the i-th unit.
func (t *state) planesOf(i int) []*plane {
	if t.Scheme == Kesler {
		return t.planes
	}
	return t.planes[i : i+1]
}

// unitOf returns the unit of the i-th plane.
func (t *state) unitOf(i int) *unit { return t.units[min(i, len(t.units)-1)] }

// place returns the index of a label in the ascending classes, or −1.
func place(classes []int, label int) int {
	if len(classes) > 0 { // classes are often consecutive integers
		if i := label - classes[0]; uint(i) < uint(len(classes)) && classes[i] == label {
			return i
		}
	}
	if i, found := slices.BinarySearch(classes, label); found {
		return i
	}
	return -1
}

// see adds n to the examples seen.
func (t *state) see(n int) { t.seen = min(t.seen+int64(n), countable) }

// begin sets the counts of a pass to 0, and marks the means as outdated. A pass trains a draft, so
// nobody reads the means before it ends.
func (t *state) begin() {
	t.means.outdate()
	for _, u := range t.units {
		u.mistakes, u.loss = 0, 0
	}
}

// finish counts a finished pass.
func (t *state) finish() {
	t.passes = max(t.passes, t.passes+1) // the largest int plus 1 is negative
}

// report returns the Epoch that describes a pass over n examples.
func (t *state) report(n int) Epoch {
	e := Epoch{N: t.passes, Examples: n}
	for _, u := range t.units {
		e.Mistakes += u.mistakes
		e.Loss += u.loss / float64(max(n, 1))
	}
	return e
}

// refresh computes the planes' means under Average, if they are outdated: once for all goroutines
// that call it.
func (t *state) refresh() {
	m := t.means
	if t.Keep != Average || !m.outdated.Load() {
		return
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.outdated.Load() { // no other goroutine has computed them meanwhile
		for i, q := range t.planes {
			q.kept = q.average.mean(q.kept, q.w, t.unitOf(i).seen)
		}
		m.outdated.Store(false)
	}
}

// predictor returns the vector (w, b) of the i-th plane that predicts.
func (t *state) predictor(i int) []float64 {
	if t.Keep == Last {
		return t.planes[i].w
	}
	return t.kept(i)
}

// kept is predictor under Average and Pocket. It is a function of its own so that the compiler
// inlines predictor.
func (t *state) kept(i int) []float64 {
	t.refresh()
	return t.planes[i].kept
}
