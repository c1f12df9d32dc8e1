package perceptron

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"perceptron/internal/vec"
)

// A state is what a model has learned, and all that its training continues from: a
// unit, or one for each class, and what they share.
//
// Epochs and Learn train a copy of the state, which replaces it if no error occurs.
// Update trains the state itself, because learn takes an example whole or not at all.
type state struct {
	config
	read   config     // the fields as read; config is read.complete()
	start  Hyperplane // where a class that arrives late begins
	width  int        // features of a row; 0 until there was one
	passes int        // finished since training began
	gen    rand.PCG
	units  []*unit   // in OneVsRest by ascending class
	means  *meanLock // Average: whether the units' means are up to date
}

// newState returns a state before any training. It validates the fields.
func newState(c *config, start *Hyperplane) (*state, error) {
	t := &state{config: c.complete(), read: *c, start: start.clone(), means: new(meanLock)}
	t.gen.Seed(c.seed, 0)
	return t, t.checkStart(start)
}

// clone returns a copy with memory of its own. It is a read.
func (t *state) clone() *state {
	t.refresh()
	copied := *t
	copied.means = new(meanLock)
	copied.units = make([]*unit, len(t.units))
	for i, u := range t.units {
		copied.units[i] = u.clone()
	}
	return &copied
}

// resume sets the fields of the next call, if training may continue under them. Of
// what may change, only the rate affects θ.
func (t *state) resume(c *config) error {
	full := c.complete()
	if err := t.checkResume(&full); err != nil {
		return err
	}
	t.configure(full, *c)
	return nil
}

// configure sets the fields: full is the completion of read. Margin's default θ is in
// proportion to the rate.
func (t *state) configure(full, read config) {
	changed := t.rate != full.rate
	t.config, t.read = full, read
	if changed {
		for _, u := range t.units {
			u.theta = t.thetaFor(u.w, u.r2)
		}
	}
}

// admit validates rows and labels, and adds a unit for each new class.
func (t *state) admit(X [][]float64, y []int) error {
	if err := checkRows(X, y, t.width); err != nil {
		return err
	}
	if err := t.checkStartWidth(len(X[0])); err != nil {
		return err
	}
	if !t.multiclass {
		if err := checkBinary(y); err != nil {
			return err
		}
		y = y[:1]
	}
	t.width = len(X[0])
	for _, label := range y {
		t.units = t.unitsFor(label)
	}
	return nil
}

// checkStartWidth checks that Start fits rows of d features. No weights mean zero.
func (t *state) checkStartWidth(d int) error {
	if n := len(t.start.Weights); n != 0 && n != d {
		return fmt.Errorf("%w: Start has width %d, but the rows have %d", ErrDimension, n, d)
	}
	return nil
}

// checkExample checks a stream's next example, and returns the width of its rows.
func (t *state) checkExample(x []float64, label int) (d int, err error) {
	if d = t.width; d == 0 {
		d = len(x)
	}
	err = cmp.Or(checkWidth(d, x), t.checkStartWidth(d))
	if err == nil && !t.multiclass {
		err = checkSign(label)
	}
	return d, err
}

// unitsFor returns the units, including a new one for the label if it is new.
func (t *state) unitsFor(label int) []*unit {
	i, found := t.find(label)
	if found {
		return t.units
	}
	class := 0 // a binary model's one unit has all labels
	if t.multiclass {
		class = label
	}
	return slices.Insert(slices.Clone(t.units), i, newUnit(&t.config, t.start, t.width, class))
}

// find returns the position of the unit for the label, or where to insert it. A binary
// model has one unit for both labels.
func (t *state) find(label int) (int, bool) {
	if !t.multiclass {
		return 0, len(t.units) > 0
	}
	i := sort.Search(len(t.units), func(i int) bool { return t.units[i].class >= label })
	return i, i < len(t.units) && t.units[i].class == label
}

// classes returns the classes of the units, ascending.
func (t *state) classes() []int {
	classes := make([]int, len(t.units))
	for i, u := range t.units {
		classes[i] = u.class
	}
	return classes
}

// settled reports whether the example changes nothing in a binary model. It is a
// shortcut past learn, for the commonest case. It may report false for such an example.
func (t *state) settled(x []float64, label int) bool {
	if t.multiclass || t.keep != Last || len(t.units) == 0 || !isSign(label) {
		return false
	}
	u := t.units[0]
	return u.satisfied(float64(label) * affine(u.w, x))
}

// learnOne shows one example to every unit. On error the state is as it was: all units
// consider the example before one of them accepts it.
func (t *state) learnOne(x []float64, label int) (updated bool, err error) {
	width := t.width
	if t.width, err = t.checkExample(x, label); err != nil {
		t.width = width
		return false, err
	}
	units := t.unitsFor(label)
	for _, u := range units {
		if err := u.consider(&t.config, x, u.target(&t.config, label), affine(u.w, x)); err != nil {
			t.width = width
			return false, err
		}
	}
	t.units = units
	for _, u := range units {
		u.accept(&t.config)
		if t.keep == Pocket {
			u.pocket.challengeByRun(u.w)
		}
		updated = updated || u.mistaken
	}
	return updated, nil
}

// update learns one example under the fields c. On error the state is as it was.
func (t *state) update(c *config, x []float64, label int) (updated bool, err error) {
	if !c.same(&t.read) {
		full, read := t.config, t.read
		if err := t.resume(c); err != nil {
			return false, err
		}
		defer func() {
			if err != nil {
				t.configure(full, read)
			}
		}()
	}
	if updated, err = t.learnOne(x, label); err == nil {
		t.means.outdate()
	}
	return updated, err
}

// begin starts the counts of a pass.
func (t *state) begin() {
	for _, u := range t.units {
		u.mistakes, u.loss = 0, 0
	}
}

// finish counts a finished pass.
func (t *state) finish() {
	if t.passes < math.MaxInt {
		t.passes++
	}
	t.means.outdate()
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
	if t.keep == Average {
		t.means.refresh(func() {
			for _, u := range t.units {
				u.average.refresh(u.w)
			}
		})
	}
}

// predictor returns the vector (w, b) by which the i-th unit predicts.
func (t *state) predictor(i int) []float64 {
	if t.keep == Last {
		return t.units[i].w
	}
	return t.kept(i)
}

// kept returns what predictor does where Keep has a vector of its own. It is apart so
// that predictor is inlined.
func (t *state) kept(i int) []float64 {
	t.refresh()
	return t.units[i].predictor(&t.config)
}

// scoreOf returns the i-th unit's ⟨w, x⟩ + b.
func (t *state) scoreOf(i int, x []float64) (float64, error) {
	s := affine(t.predictor(i), x)
	if !vec.IsFinite(s) {
		return 0, scoreError(t.width, x)
	}
	return s, nil
}

// hyperplane returns a copy of the i-th unit's hyperplane.
func (t *state) hyperplane(i int) Hyperplane {
	w := t.predictor(i)
	return Hyperplane{Weights: w[:t.width], Bias: w[t.width]}.clone()
}

// fromZero reports whether training started from the zero vector.
func (t *state) fromZero() bool {
	return t.start.Bias == 0 && !slices.ContainsFunc(t.start.Weights, func(v float64) bool { return v != 0 })
}
