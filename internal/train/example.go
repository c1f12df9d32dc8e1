package train

import (
	"cmp"

	"perceptron/internal/vec"
)

// A stream shows one example at a time: Learn and Update call these functions. An epoch does not:
// it has all rows, and learns them in its own loops.

// learnOne is learnExample for a dense row, and about three times as fast where it can be: in a
// binary model under Last, for an example that is right, or whose update changes only the weights.
// In all other cases, errors included, it calls learnExample before it has changed anything.
func (t *state) learnOne(x []float64, label int) (updated bool, err error) {
	if t.Scheme != TwoClasses || t.Keep != Last || len(t.units) == 0 || !isSign(label) {
		return t.learnExample(&Row{Value: x}, label)
	}
	u, q, y := t.units[0], t.planes[0], float64(label)
	m := y * Score(q.w, x)
	if !satisfied(m, u.theta) {
		r := Row{Value: x}
		if !t.plain() || !vec.IsFinite(m) || !q.propose(&t.Config, &r, y*t.Rate, 0) {
			return t.learnExample(&r, label)
		}
		q.move(&r)
		u.mistakes++
		u.loss += max(0, -m)
		updated = true
	}
	t.see(1)
	return updated, nil
}

// learnExample trains every unit with one example, and reports whether one of them made an update.
// On error the state is as it was. All units consider the example before the first one accepts it.
// considerExample may have added a class; then the old lists are put back.
func (t *state) learnExample(x *Row, label int) (updated bool, err error) {
	classes, planes, units, width := t.classes, t.planes, t.units, t.width
	if err := t.considerExample(x, label); err != nil {
		t.classes, t.planes, t.units, t.width = classes, planes, units, width
		return false, err
	}
	for _, u := range t.units {
		if u.mistaken {
			u.accept(x)
			updated = true
		}
		u.see(1)
		if t.Keep == Pocket {
			u.pocket.answer(u.planes, u.mistaken)
		}
	}
	t.means.outdate()
	t.see(1)
	return updated, nil
}

// learnSparse is learnExample for the sparse rows of one call of Learn. It counts their non-zeros.
// As soon as there are enough of them, it makes a table, which the rest of the stream uses.
func (t *state) learnSparse(x *Row, label int) (updated bool, err error) {
	if t.learnt += len(x.Index); t.table == nil && t.pays(len(t.planes), t.learnt) {
		t.table = newTable(t.planes)
	}
	return t.learnExample(x, label)
}

// leastBeside is the number of planes from which a table saves time, by measurement.
const leastBeside = 4

// pays reports whether a table saves time for this number of planes, which learn rows with n
// non-zeros in all. Making a table and removing it each copy every plane, in O(Kd). So the rows
// must have several times as many non-zeros as a plane has elements. There is no table where an
// update reads all elements of a plane: under WithinGamma (the norm) and under Pocket (the copy).
func (t *state) pays(planes, n int) bool {
	return planes >= leastBeside && n >= 8*t.width && t.Rule != WithinGamma && t.Keep != Pocket
}

// considerExample validates an example, and computes the update of every unit. It fixes the width
// if this is the first example, and adds a plane if the class is new. The order of the checks
// decides which of several errors is returned.
func (t *state) considerExample(x *Row, label int) error {
	if t.width == 0 {
		t.width = x.width()
	}
	err := cmp.Or(checkWidth(t.width, x), t.checkStartWidth(t.width))
	if err == nil && t.Scheme == TwoClasses {
		err = checkSign(label)
	}
	if err != nil {
		return err
	}
	if place(t.classes, t.classOf(label)) < 0 {
		if x.checkIndexes() != nil || !vec.Finite(x.Value) { // so a bad row allocates no plane
			return x.ScoreError(t.width)
		}
		t.admitClass(label, !x.sparse())
	}
	scoreAll(t.table, t.units, x)
	for _, u := range t.units {
		if err := u.consider(&t.Config, x, label, 0); err != nil {
			return err
		}
	}
	return nil
}
