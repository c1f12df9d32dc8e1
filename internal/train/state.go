package train

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"perceptron/internal/vec"
)

// A state is what a model has learned, with all that training needs to continue. It has the fields
// of the last training call, the planes, the units that train them, the counts and the generator.
//
// Epochs and Learn train a copy of the state, and commit makes the copy the model's state. Update
// trains the state itself, because take changes nothing if it returns an error.
type state struct {
	Config
	// start is Start when training began. A class that arrives late begins there too.
	start Hyperplane
	// width is the number of features of a row, or 0 before the first row.
	width int
	// passes counts the finished passes since training began: epochs, and calls of Learn.
	passes int
	// seen counts the examples since training began, also those of Update.
	seen int64
	// gen draws the order of the rows. Its state is saved, so resumed training draws the same rows.
	gen rand.PCG
	// classes has the class of each plane, ascending.
	classes []int
	// planes has one plane, or one for each class.
	planes []*plane
	// units has one unit, or in OneVsRest one for each plane.
	units []*unit
	// means says whether the means under Average, which are in the planes' kept, must be computed. It
	// has the copies of vectors that reads make.
	means *meanLock
	// slots says which element of the planes' vectors belongs to a feature. It is nil if feature j
	// has element j.
	slots *slots
	// places is memory for the places of a row of a stream: see [slots.place].
	places []uint32
	// table has the planes' vectors while Learn trains with sparse rows, once they have had enough
	// non-zeros for a table to save time. Else it is nil.
	table *table
	// streamed counts the non-zeros of the sparse rows of this Learn.
	streamed int
}

// newState returns a state before any training. Its generator is PCG(Seed, 0), as package
// perceptron documents.
func newState(c *Config, start *Hyperplane) *state {
	t := &state{Config: *c, start: start.clone(), means: new(meanLock)}
	t.gen.Seed(c.Seed, 0)
	return t
}

// clone returns a copy that shares no memory with t, in O(Kd). Several goroutines may call it at
// once, while another goroutine computes the means. So clone copies the means only if they are
// complete. Otherwise the copy computes them from its sums, with the same bits. A loaded mean, which
// may have other bits than a computed mean, is complete.
func (t *state) clone() *state {
	copied, computed := *t, !t.means.outdated.Load()
	if copied.places = nil; t.slots != nil {
		s := *t.slots
		s.table = slices.Clone(s.table)
		copied.slots = &s
	}
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

// resume makes c the fields of the training call that begins. If training may not continue under c,
// resume returns an error and does not change t. The units compute θ again, because θ depends on
// Rate under a rule with R2.
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

// admit validates the rows and labels of an epoch, except for the features. At the beginning of a
// run, begins is true, and admit also adds a plane for each new class. admit is called again before
// each later epoch of a range, because the body may have changed rows and labels. In a later epoch,
// only OneVsRest allows a new label: the rows with that label have y = −1 for every class.
func (t *state) admit(X *Rows, y []int, begins bool) error {
	d, err := X.check(y, t.width, t.Order == Sampled)
	if err == nil {
		err = t.checkStartWidth(d)
	}
	if !t.Many() && err == nil {
		err = CheckSigns(y)
		y = y[:1] // both labels have the same plane
	}
	if err != nil {
		return err
	}
	if t.width == 0 {
		t.setWidth(d, X.Sparse != nil)
	}
	if t.Rest && !begins {
		y = nil
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
	t.locateAll(X, begins)
	return nil
}

// checkStartWidth returns an error unless Start fits rows of d features. A Start without weights
// fits all rows, and stands for weights that are 0.
func (t *state) checkStartWidth(d int) error {
	if n := len(t.start.Weights); n != 0 && n != d {
		return fmt.Errorf("%w: Start has width %d, but the rows have %d", ErrDimension, n, d)
	}
	return nil
}

// admitClass adds a plane for a new label. In OneVsRest it also adds the unit that trains the
// plane; in Multiclass the one unit gets the plane. If the example turns out to be bad, take puts
// the old lists and units back. So admitClass does not change the old ones, and makes new ones.
//
// If dense is true, admitClass also allocates the vectors that updates by dense rows need, so that
// no Update allocates them.
func (t *state) admitClass(label int, dense bool) {
	t.takeApart()
	class := t.classOf(label)
	q := newPlane(&t.Config, t.start, t.length()-1, class)
	if dense {
		q.resize(len(q.w))
	}
	i, _ := slices.BinarySearch(t.classes, class)
	t.classes = slices.Insert(slices.Clone(t.classes), i, class)
	t.planes = slices.Insert(slices.Clone(t.planes), i, q)
	if t.Rival != nil && len(t.units) > 0 {
		u := t.units[0].clone(t.planes)
		u.normalise(&t.Config) // θ was 0 with one plane, and with more planes ‖W‖ may be rounded differently
		t.units = []*unit{u}
		return
	}
	t.units = slices.Insert(slices.Clone(t.units), i, newUnit(&t.Config, []*plane{q}))
}

// takeApart ends the use of a table: it moves the vectors back to the planes. It is called at the
// end of a stream, and before the vectors are replaced or a class is added, because a table has
// vectors of fixed length and number.
func (t *state) takeApart() {
	t.table.remove()
	t.table, t.streamed = nil, 0
}

// setWidth makes d the width of the rows. If the rows are sparse and wide, the state gets slots,
// with two exceptions. A rule with Norm adds the squares of all weights at each update, in the order
// of their indexes. A Start with weights fills the planes, so slots would save no memory. The state
// gives up its slots when they take too much memory, and before it learns a dense row.
func (t *state) setWidth(d int, sparse bool) {
	if t.width = d; sparse && t.width >= LeastSlots && !t.Rule.Norm && len(t.start.Weights) == 0 {
		t.slots = newSlots(t.width, !t.Many())
	}
}

// length returns the number of elements of a plane's vectors, including the bias.
func (t *state) length() int {
	if t.slots != nil {
		return t.slots.length()
	}
	return t.width + 1
}

// expand gives up the slots, if there are any: feature j then has element j of each vector.
func (t *state) expand() {
	if s := t.slots; s != nil {
		t.slots = nil
		t.remake(s.dense)
	}
}

// flat returns t if it has no slots, else a copy of t without slots. The copy is kept for later
// calls, until training drops it. Any number of goroutines may call flat at once.
func (t *state) flat() *state {
	m := t.means
	if t.slots == nil {
		return t
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.flat == nil { // else another goroutine has made it
		m.read.Add(1)
		copied := t.clone()
		copied.expand()
		m.flat = copied
	}
	return m.flat.(*state)
}

// remake replaces vectors of all planes: w, the sums of an average, and kept. v becomes f(v).
func (t *state) remake(f func(v []float64) []float64) {
	t.takeApart()
	t.means.drop()
	for _, q := range t.planes {
		for _, v := range append(q.tabled(), &q.kept) {
			if len(*v) > 0 {
				*v = f(*v)
			}
		}
	}
}

// locate sets the places of a row of a stream: see [slots.place]. If the row's new features need
// longer vectors, locate makes them longer, or gives up the slots if they no longer save memory.
func (t *state) locate(x *vec.Row) {
	if t.slots == nil {
		return
	}
	room := t.slots.room
	if t.slots.place(&t.places, x, true); t.slots.room == room {
		return
	}
	if t.slots.pay() {
		t.remake(t.slots.widen)
	} else {
		t.expand()
		x.Places = nil
	}
}

// locateAll sets the places of all rows of an epoch. In a later epoch of a range, it sets the places
// of the rows that have changed. It gives up the slots if the rows are dense. In the first epoch, it
// also gives them up if they do not pay, or if the places would take more memory than s.most elements
// for each plane.
func (t *state) locateAll(X *Rows, first bool) {
	s := t.slots
	if s == nil {
		return
	}
	if X.Sparse == nil || first && float64(X.nonZeros) > s.most*float64(len(t.planes)) {
		t.expand()
		return
	}
	n := len(X.Sparse)
	if first {
		X.met, X.places = make([][]uint32, n), make([][]uint32, n)
		memory := make([]uint32, 2*X.nonZeros)
		for i := range n {
			z := len(X.at(i).Index)
			X.met[i], X.places[i], memory = memory[:0:z], memory[z:z:2*z], memory[2*z:]
		}
	}
	for i := range n {
		x := X.at(i)
		if slices.Equal(X.met[i], x.Index) {
			continue
		}
		X.met[i] = append(X.met[i][:0], x.Index...)
		if s.place(&X.places[i], &x, true); first && !s.pay() {
			X.places = nil
			t.expand()
			return
		}
	}
	if len(t.planes[0].w) != s.length() {
		t.remake(s.widen)
	}
}

// classOf returns the class of the plane for a label: +1 in a binary model.
func (t *state) classOf(label int) int {
	if !t.Many() {
		return +1
	}
	return label
}

// planesOf returns the planes of the i-th unit: all planes in Multiclass, else the i-th.
func (t *state) planesOf(i int) []*plane {
	if t.Rival != nil {
		return t.planes
	}
	return t.planes[i : i+1]
}

// unitOf returns the unit of the i-th plane: the only unit in Multiclass, else the i-th.
func (t *state) unitOf(i int) *unit { return t.units[min(i, len(t.units)-1)] }

// place returns the index of a label in the ascending classes, or −1. It takes O(log K), or O(1) for
// a label that it finds among classes that are consecutive integers.
func place(classes []int, label int) int {
	if len(classes) > 0 {
		if i := label - classes[0]; uint(i) < uint(len(classes)) && classes[i] == label {
			return i
		}
	}
	if i, found := slices.BinarySearch(classes, label); found {
		return i
	}
	return -1
}

// see adds n to the count of examples seen, which stays at most countable.
func (t *state) see(n int) { t.seen = min(t.seen+int64(n), countable) }

// beginPass prepares a pass: it sets the units' counts for the pass to 0, and marks the means as
// outdated. A pass trains a draft, which nobody reads before the pass ends. So the mark is set only
// once.
func (t *state) beginPass() {
	t.means.outdate()
	for _, u := range t.units {
		u.mistakes, u.loss = 0, 0
	}
}

// finishPass counts a finished pass.
func (t *state) finishPass() {
	t.passes = max(t.passes, t.passes+1) // stays at the largest int, where adding 1 gives a negative number
}

// report returns the Epoch that describes a pass over n examples. If there are several units, it adds
// their mistakes and losses in the order of the classes.
func (t *state) report(n int) Epoch {
	e := Epoch{N: t.passes, Examples: n}
	for _, u := range t.units {
		e.Mistakes += u.mistakes
		e.Loss += u.loss / float64(max(n, 1))
	}
	return e
}

// Vector returns the vector (w, b) with which the i-th plane predicts: the last iterate, the mean or
// the best iterate, as Keep says. The caller must not change the vector. The next update may change
// it.
//
// Vector is short enough for the compiler to inline it into each prediction. kept is not.
func (t *state) Vector(i int) []float64 {
	if t.Keep == Last {
		return t.planes[i].w
	}
	return t.kept(i)
}

// kept is Vector under Average and Pocket. Under Average it first computes the means of all
// planes, in O(Kd), if training has outdated them. Any number of goroutines may call it at once:
// one computes the means, and the others wait for it.
func (t *state) kept(i int) []float64 {
	if m := t.means; t.averages() && m.outdated.Load() {
		m.mutex.Lock()
		defer m.mutex.Unlock()
		if m.outdated.Load() { // else another goroutine has computed them while this one waited
			for i, q := range t.planes {
				q.setMean(t.unitOf(i).seen)
			}
			m.outdated.Store(false)
		}
	}
	return t.planes[i].kept
}
