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

// trainRows shows an epoch's rows to the units, a thousand or so at a time: nothing can stop the kernel
// of Scan, and the garbage collector stops all goroutines until it returns.
func (g *group) trainRows(p *pass, order rowOrder, units []*unit) rowError {
	g.load(p, units)
	n, l, learn := len(g.X), g.lesson(order), g.learnEach
	if p.Scheme == Kesler {
		learn, l.Theta = g.learnTogether, units[0].theta
	}
	for pos, end := 0, 0; pos < n; {
		end = min(pos+1024, n)
		if pos = g.together.Scan(&l, pos, end); pos == end {
			continue
		}
		if err := learn(&l, pos, l.At(pos)); err != nil {
			return rowError{pos, err}
		}
		pos++
	}
	for k, q := range g.members {
		g.together.Get(k, q.w) // where only those in together have moved
	}
	return rowError{}
}

// load loads the units before an epoch.
func (g *group) load(p *pass, units []*unit) {
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
	if p.Scheme != Kesler {
		g.together.Thetas = g.thetas
	}
}

// learnEach shows the i-th row, at pos of the order, to each unit that has it wrong.
func (g *group) learnEach(_ *vec.Lesson, pos, i int) error {
	label := g.y[i]
	for k, s := range g.together.Scores {
		if satisfied(vec.Sign(label == g.classes[k])*s, g.thetas[k]) {
			continue
		}
		u, q := g.units[k], g.members[k]
		q.score = s
		if err := g.show(u, pos, i); err != nil {
			return err
		}
		g.thetas[k] = u.theta
		g.together.Set(k, q.w)
	}
	return nil
}

// learnTogether shows the i-th row, at pos of the order, to Multiclass's unit. It may be right. If an
// update does nothing but move weights, only those in together move.
func (g *group) learnTogether(l *vec.Lesson, pos, i int) error {
	u, scores, rival, high := g.units[0], g.together.Scores, 0, math.Inf(-1)
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
		l.Theta = u.theta
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
