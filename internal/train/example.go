package train

import (
	"cmp"

	"perceptron/internal/vec"
)

// learnOne is learnExample, and faster for a binary model under Last.
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
// On error the state is as it was: all units consider the example before the first accepts it.
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

// learnSparse is learnExample for a stream of sparse rows. It makes a table once that pays.
func (t *state) learnSparse(x *Row, label int) (updated bool, err error) {
	if t.learnt += len(x.Index); t.table == nil && t.pays(len(t.planes), t.learnt) {
		t.table = newTable(t.planes)
	}
	return t.learnExample(x, label)
}

// leastBeside is the least number of planes with which a table saves time.
const leastBeside = 4

// pays reports whether a table saves time for planes that learn rows with n non-zeros in all. To
// make it and to remove it copies each plane some times. A table cannot be used where an update
// reads all elements of a plane: under WithinGamma, and under Pocket.
func (t *state) pays(planes, n int) bool {
	return planes >= leastBeside && n >= 8*t.width && t.Rule != WithinGamma && t.Keep != Pocket
}

// considerExample computes every unit's update for an example, whose class may be new.
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
		if x.checkIndexes() != nil || !vec.Finite(x.Value) { // a bad row makes no plane
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
