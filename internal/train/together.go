package train

import (
	"math"

	"perceptron/internal/vec"
)

// A group trains units that share rows. Each row is scored with all their planes together. Its
// memory serves the next epoch too.
type group struct {
	*pass
	units    []*unit     // in OneVsRest one for each class, in Multiclass one alone
	members  []*plane    // theirs
	classes  []int       // of the members, ascending
	thetas   []float64   // of the units
	together vec.Classes // the members' iterates
	_        [64]byte    // so that no two groups write to one cache line
}

// trainRows shows an epoch's rows to the units.
func (g *group) trainRows(p *pass, order rowOrder, units []*unit) rowError {
	g.pass, g.units = p, units
	g.members, g.classes, g.thetas = g.members[:0], g.classes[:0], g.thetas[:0]
	for _, u := range units {
		g.thetas = append(g.thetas, u.theta)
		for _, q := range u.planes {
			g.members, g.classes = append(g.members, q), append(g.classes, q.class)
		}
	}
	g.together.Reset(g.classes, p.width)
	for k, q := range g.members {
		g.together.Set(k, q.w)
	}
	l := g.lesson(order)
	if p.Scheme != Kesler {
		return g.trainEach(&l)
	}
	err := g.trainOne(&l, units[0])
	if p.plain() { // only the iterates in together have moved
		for k, q := range g.members {
			g.together.Get(k, q.w)
		}
	}
	return err
}

// trainEach shows the rows to units of one plane, each for itself.
func (g *group) trainEach(l *vec.Lesson) rowError {
	n := len(g.X)
	g.together.Thetas = g.thetas
	for pos := g.together.ScanEach(l, 0, n); pos < n; pos = g.together.ScanEach(l, pos+1, n) {
		i := l.At(pos)
		label := g.y[i]
		for k, s := range g.together.Scores {
			if satisfied(vec.Sign(label == g.classes[k])*s, g.thetas[k]) {
				continue
			}
			u, q := g.units[k], g.members[k]
			q.score = s
			if err := g.show(u, pos, i); err != nil {
				return rowError{pos, err}
			}
			g.thetas[k] = u.theta
			g.together.Set(k, q.w)
		}
	}
	return rowError{}
}

// trainOne shows the rows to Multiclass's unit, a thousand or so at a time: nothing can stop the
// kernel of Scan, and the garbage collector stops all goroutines until it returns.
func (g *group) trainOne(l *vec.Lesson, u *unit) rowError {
	n := len(g.X)
	for pos, end := 0, 0; pos < n; {
		l.Theta, end = u.theta, min(pos+1024, n)
		if pos = g.together.Scan(l, pos, end); pos == end {
			continue
		}
		if err := g.learn(u, l, pos); err != nil {
			return rowError{pos, err}
		}
		pos++
	}
	return rowError{}
}

// learn shows the row at pos of the order to Multiclass's unit. It may be right. If an update does
// nothing but move weights, only those in together move.
func (g *group) learn(u *unit, l *vec.Lesson, pos int) error {
	i, scores, rival, high := l.At(pos), g.together.Scores, 0, math.Inf(-1)
	if !g.plain() {
		for k, s := range scores {
			u.planes[k].score = s
		}
		err := g.show(u, pos, i)
		for k, q := range u.planes {
			if err == nil && u.mistaken && u.moves(q) {
				g.together.Set(k, q.w)
			}
		}
		return err
	}
	own := place(g.classes, g.y[i])
	for k, s := range scores {
		if !vec.IsFinite(s) {
			return &ExampleError{i, ScoreError(g.width, g.X[i])}
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
	if !g.together.Move(own, rival, g.Rate, g.X[i], l.Bias) {
		return &ExampleError{i, errOverflow}
	}
	return nil
}
