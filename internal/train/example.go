package train

import (
	"cmp"

	"perceptron/internal/vec"
)

// Learn and Update train with one example at a time, by the functions in this file. An epoch has all
// its rows at once, and trains with them in its own loops.

// takeDense is take for a dense row. For a binary model under Last it does less work than take: a
// finite score shows that the width and all features of the row are good, so only the label needs a
// check of its own.
func (t *state) takeDense(x []float64, label int) (updated bool, err error) {
	if t.Many() || t.Keep != Last || len(t.units) == 0 || t.slots != nil || !isSign(label) {
		return t.take(&vec.Row{Value: x}, label)
	}
	y, u := float64(label), t.units[0]
	s := Score(t.planes[0].w, x)
	switch {
	case satisfied(y*s, u.theta):
	case !vec.IsFinite(s):
		return t.take(&vec.Row{Value: x}, label)
	case t.add(x, y, s):
		updated = true
	default:
		u.scores[0] = s
		r := vec.Row{Value: x}
		if err = u.consider(&t.Config, &r, label, 0); err != nil {
			return false, err
		}
		if updated = u.step != 0; updated {
			u.accept(&r)
		}
	}
	t.see(1)
	return updated, nil
}

// add makes the update by a dense row, and returns true. If more than the weights and the bias would
// change, or if a number overflows, add returns false and makes no update.
func (t *state) add(x []float64, y, score float64) bool {
	u, q, d := t.units[0], t.planes[0], len(x)
	if !t.plain() || len(q.next) != d+1 {
		return false
	}
	b, step := q.w[d], t.Rule.Step(y, score, u.theta, t.Rate)
	if t.Space == Affine {
		b += step
	}
	if q.next[d] = b; !vec.Axpy(q.next[:d], q.w[:d], step, x) || !vec.IsFinite(b) {
		return false
	}
	q.w, q.next = q.next, q.w
	u.mistakes++
	u.loss += max(0, -y*score)
	return true
}

// take trains every unit with one example, and reports whether a unit made an update. All units
// consider the example before the first unit accepts it. On error the state has learned nothing:
// considerAll may have added a class, so take puts the old lists back.
func (t *state) take(x *vec.Row, label int) (updated bool, err error) {
	classes, planes, units, width := t.classes, t.planes, t.units, t.width
	if err := t.considerAll(x, label); err != nil {
		t.classes, t.planes, t.units, t.width = classes, planes, units, width
		if width == 0 {
			t.slots = nil
		}
		return false, err
	}
	for _, u := range t.units {
		if u.step != 0 {
			u.accept(x)
			updated = true
		}
		u.see(1)
		if t.Keep == Pocket {
			u.pocket.answer(u.planes, u.step != 0)
		}
	}
	t.means.outdate()
	t.see(1)
	return updated, nil
}

// takeSparse is take for the sparse rows of one call of Learn. It counts their non-zeros. As soon as
// there are enough, takeSparse makes a table, which the rest of the stream uses.
func (t *state) takeSparse(x *vec.Row, label int) (updated bool, err error) {
	if t.streamed += len(x.Index); t.table == nil && t.pays(len(t.planes), t.streamed) {
		t.table = newTable(t.planes)
	}
	return t.take(x, label)
}

// leastBeside is the least number of planes for which a table saves time, as measured.
const leastBeside = 4

// pays reports whether a table saves time for this number of planes, which learn rows with n
// non-zeros in all. Making and removing a table both copy every plane, in O(Kd). So the rows must
// have several times as many non-zeros as a plane has elements. There is no table if an update may
// read all elements of a plane: for the norm, or under Pocket for a copy.
func (t *state) pays(planes, n int) bool {
	return planes >= leastBeside && n >= 8*t.length() && !t.Rule.Norm && t.Keep != Pocket
}

// considerAll validates an example, and computes the update of every unit. The first example sets
// the width, and an example of a new class adds a plane. If an example has several errors, the order
// of the checks decides which is returned.
func (t *state) considerAll(x *vec.Row, label int) error {
	if t.width == 0 {
		t.setWidth(x.Features(), x.Index != nil)
	}
	err := cmp.Or(checkWidth(t.width, x), t.checkStartWidth(t.width))
	if err == nil && !t.Many() {
		err = checkSign(label)
	}
	if err != nil {
		return err
	}
	late := place(t.classes, t.classOf(label)) < 0
	if late && (checkIndexes(x) != nil || !vec.Finite(x.Value)) { // before a plane is allocated
		return scoreError(x, t.width)
	}
	if x.Index != nil {
		t.locate(x)
	} else {
		t.expand()
	}
	if late {
		t.admitClass(label, x.Index == nil)
	}
	scoreAll(t.table, t.units, x)
	for _, u := range t.units {
		if err := u.consider(&t.Config, x, label, 0); err != nil {
			return err
		}
	}
	return nil
}
