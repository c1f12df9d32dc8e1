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
	if w := t.planes.Single(); w != nil && !t.Many() && isSign(label) {
		y, u := float64(label), t.units[0]
		s := weights.Score(w, x)
		switch {
		case satisfied(y*s, u.theta):
			t.see(1)
			return false, nil
		case !vec.IsFinite(s): // take finds the error
		case t.plain() && t.planes.Add(0, x, t.Rule.Step(Example{Config: &t.Config, Y: y, Score: s, Theta: u.theta})):
			u.mistakes++
			u.loss += max(0, -y*s)
			t.see(1)
			return true, nil
		default:
			u.scores[0] = s
			r := vec.Row{Value: x}
			if err = u.consider(&t.core, &r, label, 0); err != nil {
				return false, err
			}
			if updated = u.step != 0; updated {
				u.accept(&t.core, &r)
			}
			t.see(1)
			return updated, nil
		}
	}
	return t.take(&vec.Row{Value: x}, label)
}

// take trains every unit with one example, and reports whether a unit made an update. On error the
// state has learned nothing. If it had no example before, the caller discards it, because it may have
// got a width.
func (t *state) take(x *vec.Row, label int) (updated bool, err error) {
	isNew := indexOf(t.classes, t.classOf(label)) < 0
	if isNew && t.planes.Width() == 0 {
		t.planes.SetWidth(x.Features())
	}
	if err = t.check(x, label); err != nil {
		return false, err
	}
	if isNew {
		return t.takeNew(x, label)
	}
	return t.learnRow(x, label)
}

// takeNew is take for the first example of a class, after check. It validates the row before
// it allocates a plane, which it adds to new lists. On error it restores the old ones.
func (t *state) takeNew(x *vec.Row, label int) (updated bool, err error) {
	if err = CheckRow(x, t.planes.Width()); err != nil {
		return false, err
	}
	old := *t
	t.admitClass(label, x.Index == nil)
	if updated, err = t.learnRow(x, label); err != nil {
		*t = old
	}
	return updated, err
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

// learnRow scores an example that check has accepted, and trains every unit with it. All units consider the
// example before the first unit accepts it. So on error none has learned it.
func (t *state) learnRow(x *vec.Row, label int) (updated bool, err error) {
	if t.group != nil {
		scores := t.group.Scores(x)
		for _, u := range t.units {
			scores = scores[copy(u.scores, scores):]
		}
	} else {
		for _, u := range t.units {
			u.score(&t.core, x)
		}
	}
	for _, u := range t.units {
		if err = u.consider(&t.core, x, label, 0); err != nil {
			return false, err
		}
	}
	for _, u := range t.units {
		if u.step != 0 {
			u.accept(&t.core, x)
			updated = true
		}
		u.see(&t.core, 1)
		if t.Keep == Pocket {
			u.countStreak(&t.planes, u.step != 0)
		}
	}
	t.planes.Outdate()
	t.see(1)
	return updated, nil
}
