package train

import (
	"cmp"

	"perceptron/internal/vec"
	"perceptron/internal/weights"
)

// Learn and Update train with one example at a time, by the functions in this file. An epoch has all
// its rows at once, and trains with them in its own loops.

// takeDense is take for a dense row. For a binary model under Last it does less work than take: a
// finite score shows that the width and all features of the row are good, so only the label needs a
// check of its own.
func (t *state) takeDense(x []float64, label int) (updated bool, err error) {
	w := t.planes.Single()
	if w == nil || t.Many() || !isSign(label) {
		return t.take(&vec.Row{Value: x}, label)
	}
	y, u := float64(label), t.units[0]
	s := weights.Score(w, x)
	switch {
	case satisfied(y*s, u.theta):
	case !vec.IsFinite(s):
		return t.take(&vec.Row{Value: x}, label)
	case t.plain() && t.planes.Add(0, x, t.Rule.Step(y, s, u.theta, t.Rate)):
		u.mistakes++
		u.loss += max(0, -y*s)
		updated = true
	default:
		u.scores[0] = s
		r := vec.Row{Value: x}
		if err = u.consider(&t.core, &r, label, 0); err != nil {
			t.measureAll()
			return false, err
		}
		if updated = u.step != 0; updated {
			u.accept(&t.core, &r)
		}
	}
	t.see(1)
	return updated, nil
}

// take trains every unit with one example, and reports whether a unit made an update. All units
// consider the example before the first unit accepts it. On error the state has learned nothing.
func (t *state) take(x *vec.Row, label int) (updated bool, err error) {
	if t.planes.Width() == 0 || indexOf(t.classes, t.classOf(label)) < 0 {
		err = t.takeNew(x, label)
	} else if err = t.check(x, label); err == nil {
		t.planes.Locate(x)
		err = t.considerAll(x, label)
	}
	if err != nil {
		return false, err
	}
	for _, u := range t.units {
		if u.step != 0 {
			u.accept(&t.core, x)
			updated = true
		}
		u.see(&t.planes, 1)
		if t.Keep == weights.Pocket {
			u.answer(&t.planes, u.step != 0)
		}
	}
	t.planes.Outdate()
	t.see(1)
	return updated, nil
}

// takeNew considers the first example of the state, which sets the width, or the first example of a
// class, which adds a plane. On error it restores a snapshot of the state: the planes are added to new
// lists. The row is validated before a plane is allocated, and the old planes get their layout for the
// row before the snapshot is taken.
func (t *state) takeNew(x *vec.Row, label int) error {
	old := *t
	if t.planes.Width() == 0 {
		t.setWidth(x.Features(), x.Index != nil)
	}
	err := t.check(x, label)
	if err == nil && (checkIndexes(x) != nil || !vec.Finite(x.Value)) {
		err = scoreError(x, t.planes.Width())
	}
	if err == nil {
		if t.planes.Len() > 0 {
			t.planes.Locate(x)
			old = *t
		}
		t.admitClass(label, x.Index == nil)
		t.planes.Locate(x)
		err = t.considerAll(x, label)
	}
	if err != nil {
		*t = old
	}
	return err
}

// check validates the width of an example and its label. If an example has several errors, the order
// of the checks decides which is returned.
func (t *state) check(x *vec.Row, label int) error {
	width := t.planes.Width()
	err := cmp.Or(checkWidth(width, x), t.checkStartWidth(width))
	if err == nil && !t.Many() {
		err = checkSign(label)
	}
	return err
}

// considerAll computes the update of every unit for an example that check has accepted.
func (t *state) considerAll(x *vec.Row, label int) error {
	if t.stream != nil {
		scores := t.stream.Scores(x)
		for _, u := range t.units {
			scores = scores[copy(u.scores, scores):]
		}
	} else {
		for _, u := range t.units {
			u.score(&t.core, x)
		}
	}
	for _, u := range t.units {
		if err := u.consider(&t.core, x, label, 0); err != nil {
			t.measureAll()
			return err
		}
	}
	return nil
}

// measureAll restores the norms of all planes after an example that a unit refused: Propose has set
// them for the next iterates of that unit, and of the units before it.
func (t *state) measureAll() {
	for i := range t.planes.Len() {
		t.planes.Measure(i)
	}
}
