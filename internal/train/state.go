package train

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"perceptron/internal/weights"
)

// A state is what a model has learned, with all that training needs to continue. It has
// the planes, the units that train them, the counts and the generator.
//
// Epochs and Learn train a copy of the state, and commit makes the copy the model's state. Update
// trains the state itself, because learnOne changes nothing if it returns an error.
type state struct {
	core
	// asked has the fields of the last training call, as the model had them. The core's fields have the
	// defaults in place of 0.
	asked Config
	// start is Start when training began, as a vector (w, b). It may lack w, if all weights are 0. A class
	// that arrives late begins there too.
	start []float64
	// passes counts the finished passes since training began: epochs, and calls of Learn.
	passes int
	// seen counts the examples since training began, also those of Update.
	seen int64
	// gen draws the order of the rows. Its state is saved, so resumed training draws the same rows.
	gen rand.PCG
	// units has one unit, or in OneVsRest one for each plane.
	units []*unit
}

// newState returns a state before any training. Its generator is PCG(Seed, 0), as package
// perceptron documents.
func newState(c *Config, start []float64) *state {
	t := &state{core: core{fields: c.Completed()}, asked: *c, start: slices.Clone(start)}
	t.planes = weights.New(weights.Shape{Keep: c.Keep, Linear: c.Space == Linear, Norms: c.Rule.Norm, Many: c.Many()})
	t.gen.Seed(c.Seed, 0)
	return t
}

// clone returns a copy that shares no memory with t, in O(Kd). Several goroutines may call it at
// once, while another goroutine computes the means.
func (t *state) clone() *state {
	c := *t
	c.planes = t.planes.Clone()
	c.units = make([]*unit, len(t.units))
	for i, u := range t.units {
		c.units[i] = u.clone()
	}
	return &c
}

// resume makes c the fields of the training call that begins. If training may not continue under c,
// resume returns an error and does not change t. The units compute θ again, because θ depends on
// Rate under a rule with R2.
func (t *state) resume(c Config) error {
	if field, then, now := t.fields.difference(&c); field != "" {
		return fmt.Errorf("%w: %s is %v, but training began with %v; Fit starts from scratch", ErrConfig, field, now, then)
	}
	t.asked, t.fields = c, c.Completed()
	for _, u := range t.units {
		u.normalise(&t.core)
	}
	return nil
}

// prepare validates the rows and labels of an epoch, except for the features. At the beginning of a
// run, begins is true, and prepare also adds a plane for each new class. prepare is called again before
// each later epoch of a range, because the body may have changed rows and labels. In a later epoch,
// only OneVsRest allows a new label: the rows with that label have y = −1 for every class.
func (t *state) prepare(X *Rows, y []int, begins bool) error {
	d, err := X.check(y, t.planes.Width(), t.fields.Order == Sampled)
	if err == nil {
		err = t.checkStartWidth(d)
	}
	if !t.fields.Many() && err == nil {
		err = CheckSigns(y)
		y = y[:1] // both labels have the same plane
	}
	if err != nil {
		return err
	}
	t.planes.SetWidth(d)
	t.planes.LayOut(X.Sparse != nil)
	if t.fields.Rest && !begins {
		y = nil
	}
	var late []int
	for i, label := range y {
		switch {
		case indexOf(t.classes, t.classOf(label)) >= 0:
		case begins:
			if at, found := slices.BinarySearch(late, label); !found {
				late = slices.Insert(late, at, label)
			}
		default:
			return ErrorAt(i, fmt.Errorf("%w: %d was not among the labels when Epochs began", ErrLabel, label))
		}
	}
	t.planes.Reserve(len(late))
	for _, label := range late { // ascending, so that a worker's classes are together in memory
		t.addClass(label)
	}
	return nil
}

// checkStartWidth returns an error unless Start fits rows of d features. A Start without weights
// fits all rows, and stands for weights that are 0.
func (t *state) checkStartWidth(d int) error {
	if n := len(t.start) - 1; n != 0 && n != d {
		return fmt.Errorf("%w: Start has width %d, but the rows have %d", ErrDimension, n, d)
	}
	return nil
}

// addClass adds a plane for a new label. In OneVsRest it also adds the unit that trains the
// plane; in Multiclass the one unit gets the plane. It does not change the old lists and units, and
// makes new ones, so that a copy of the state is a snapshot.
func (t *state) addClass(label int) {
	class := t.classOf(label)
	i, _ := slices.BinarySearch(t.classes, class)
	late := t.fields.Rival != nil && len(t.units) > 0
	counted := 0.0
	if late {
		counted = t.planes.Counted(0) // one count for all classes
	}
	t.classes = slices.Insert(slices.Clone(t.classes), i, class)
	t.planes.Insert(i, t.start, counted)
	if late {
		u := t.units[0].clone()
		u.resize(len(t.classes))
		u.normalise(&t.core) // θ was 0 with one plane, and with more planes ‖W‖ may be rounded differently
		t.units = []*unit{u}
		return
	}
	t.units = slices.Insert(slices.Clone(t.units), i, newUnit(&t.core, i, class, 1))
	for j := i + 1; j < len(t.units); j++ {
		t.units[j] = t.units[j].clone()
		t.units[j].first = j
	}
}

// classOf returns the class of the plane for a label: +1 in a binary model.
func (t *state) classOf(label int) int {
	if !t.fields.Many() {
		return +1
	}
	return label
}

// see adds n to the count of examples seen, which stays at most weights.Countable.
func (t *state) see(n int) { t.seen = min(t.seen+int64(n), weights.Countable) }

// beginPass prepares a pass: it sets the units' counts for the pass to 0, and marks what reads have
// computed as outdated. A pass over rows trains a draft, which nobody reads before the pass ends. So
// one mark is enough.
func (t *state) beginPass() {
	t.planes.Outdate()
	for _, u := range t.units {
		u.mistakes, u.loss = 0, 0
	}
}

// finishPass counts a finished pass.
func (t *state) finishPass() {
	t.passes = max(t.passes, t.passes+1) // stays at the largest int, where adding 1 gives a negative number
}

// A Report is called after a pass: with the number of passes since training began, the examples of this pass, its
// updates, its mean loss, and why training ended. Package perceptron makes an Epoch of these numbers, or adds them to
// a Result. Epochs goes on only if the Report returns true.
type Report func(passes, examples, mistakes int, loss float64, stop uint8) bool

// report calls to for a pass over n examples. If there are several units, it adds their mistakes and losses
// in the order of the classes.
func (t *state) report(to Report, n int, stop uint8) bool {
	mistakes, loss := 0, 0.0
	for _, u := range t.units {
		mistakes += u.mistakes
		loss += u.loss / float64(max(n, 1))
	}
	return to(t.passes, n, mistakes, loss, stop)
}
