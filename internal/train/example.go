package train

import (
	"cmp"
	"math"

	"perceptron/internal/vec"
	"perceptron/internal/weights"
)

// Learn and Update train with one example at a time, by the functions in this file. An epoch has all
// its rows at once, and trains with them in its own loops.

// learnDense is learnOne for a dense row. For a binary model under Last it does less work than learnOne: a
// finite score shows that the width and all features of the row are good, so only the label needs a
// check of its own.
func (t *state) learnDense(x []float64, label int) (updated bool, err error) {
	s := math.NaN()
	if w := t.planes.Single(); w != nil && !t.fields.Many() && isSign(label) {
		s = weights.Score(w, x)
	}
	if !vec.IsFinite(s) { // learnOne may find an error
		return t.learnOne(&vec.Row{Value: x}, label)
	}
	y, u := float64(label), t.units[0]
	switch {
	case satisfied(y*s, u.theta):
	case t.fields.plain() && t.planes.Add(0, x, t.fields.Rule.Step(Example{Config: &t.fields, Y: y, Score: s, Theta: u.theta})):
		u.mistakes++
		u.loss += max(0, -y*s)
		updated = true
	default:
		u.scores[0] = s
		r := vec.Row{Value: x}
		if err = u.propose(&t.core, &r, label, 0); err == nil && u.step != 0 {
			u.commit(&t.core, &r)
			updated = true
		}
	}
	if err == nil {
		t.see(1)
	}
	return updated, err
}

// learnOne trains every unit with one example, and reports whether a unit made an update. The first example of
// a class adds a plane, to new lists. On error the state has learned nothing, and has the old lists. If it
// had no example before, the caller discards it, because it may have got a width.
func (t *state) learnOne(x *vec.Row, label int) (updated bool, err error) {
	isNew := indexOf(t.classes, t.classOf(label)) < 0
	if isNew && t.planes.Width() == 0 {
		t.planes.SetWidth(x.Features())
	}
	if err = t.check(x, label, isNew); err != nil {
		return false, err
	}
	t.planes.LayOut(x.Index != nil)
	var old *state
	if isNew {
		was := *t
		old = &was
		t.addClass(label)
	}
	if updated, err = t.learnChecked(x, label); err != nil && isNew {
		*t = *old
	}
	return updated, err
}

// check validates the width of an example and its label, and the features of the first example of a class,
// before its plane is allocated. If an example has several errors, the order of the checks decides which
// is returned.
func (t *state) check(x *vec.Row, label int, isNew bool) error {
	width := t.planes.Width()
	err := cmp.Or(checkWidth(width, x.Features()), t.checkStartWidth(width))
	if err == nil && !t.fields.Many() {
		err = checkSign(label)
	}
	if err == nil && isNew {
		err = CheckRow(x, width)
	}
	return err
}

// learnChecked scores an example that check has passed, and trains every unit with it. All units propose an
// update before the first unit commits one. So on error none has learned it.
func (t *state) learnChecked(x *vec.Row, label int) (updated bool, err error) {
	t.score(x, 0, len(t.classes))
	for i := 0; i < len(t.units) && err == nil; i++ {
		err = t.units[i].propose(&t.core, x, label, 0)
	}
	if err == nil {
		for _, u := range t.units {
			if u.step != 0 {
				u.commit(&t.core, x)
				updated = true
			}
			u.countExamples(&t.core, 1)
			if t.fields.Keep == Pocket {
				u.countStreak(&t.planes, u.step != 0)
			}
		}
		t.planes.Outdate()
		t.see(1)
	}
	return updated, err
}

// score sets the scores of x by the iterates in training of the planes from first to end−1.
func (t *state) score(x *vec.Row, first, end int) {
	if !t.fields.Many() { // without a call for each plane
		t.units[0].scores[0] = t.planes.Score(0, weights.Training, x)
		return
	}
	t.planes.Scores(x, first, end, func(i int, s float64) {
		u := t.units[min(i, len(t.units)-1)] // in Multiclass, the only one
		u.scores[i-u.first] = s
	})
}
