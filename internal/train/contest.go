package train

import (
	"math"

	"perceptron/internal/vec"
)

// A contest trains Multiclass's unit on rows of few features. Each row is scored with all planes
// together. Its memory serves the next epoch too.
type contest struct {
	*pass
	unit     *unit
	classes  []int       // of the planes, ascending
	together vec.Classes // the planes' iterates
}

// trainRows shows an epoch's rows to the unit. If an update does nothing but move weights, only
// those in together move, and the planes take them at the end.
func (t *contest) trainRows(p *pass, order rowOrder, u *unit) rowError {
	t.pass, t.unit, t.classes = p, u, p.classes()
	t.together.Reset(t.classes, p.width)
	for k, q := range u.planes {
		t.together.Set(k, q.w)
	}
	err := t.scan(order)
	if p.plain() {
		for k, q := range u.planes {
			t.together.Get(k, q.w)
		}
	}
	return err
}

// scan shows the rows in this order, a thousand or so at a time: nothing can stop the kernel of Scan,
// and the garbage collector stops all goroutines until it returns.
func (t *contest) scan(order rowOrder) rowError {
	l, n := t.lesson(order), len(t.X)
	for pos, end := 0, 0; pos < n; {
		l.Theta, end = t.unit.theta, min(pos+1024, n)
		next := t.together.Scan(&l, pos, end)
		if pos = next; pos == end {
			continue
		}
		if err := t.learn(l.At(pos), pos, l.Bias); err != nil {
			return rowError{pos, err}
		}
		pos++
	}
	return rowError{}
}

// learn shows the i-th row, at pos of the order, to the unit. It may be right.
func (t *contest) learn(i, pos int, bias float64) error {
	if !t.plain() {
		return t.show(i, pos)
	}
	x, u, scores, rival, high := t.X[i], t.unit, t.together.Scores, 0, math.Inf(-1)
	own := place(t.classes, t.y[i])
	for k, s := range scores {
		if !vec.IsFinite(s) {
			return &ExampleError{i, ScoreError(t.width, x)}
		}
		if k != own && s > high {
			rival, high = k, s
		}
	}
	m := vec.NearestFinite(scores[own] - high)
	if satisfied(m, u.theta) {
		return nil
	}
	u.mistakes++
	u.loss += max(0, -m)
	if !t.together.Move(own, rival, t.Rate, x, bias) {
		return &ExampleError{i, errOverflow}
	}
	return nil
}

// show is learn where an update does more than move weights.
func (t *contest) show(i, pos int) error {
	u := t.unit
	for k, s := range t.together.Scores {
		u.planes[k].score = s
	}
	if err := t.pass.show(u, pos, i); err != nil || !u.mistaken {
		return err
	}
	for k, q := range u.planes {
		if u.moves(q) {
			t.together.Set(k, q.w)
		}
	}
	return nil
}
