package train

import (
	"math"
	"slices"

	"perceptron/internal/vec"
)

// A together scores rows of few features with the planes of many units at once, each row when
// it is its turn. No score is computed ahead, so none is wasted. Its memory serves the next
// epoch too.
type together struct {
	*pass
	units   []*unit
	planes  []*plane
	weights vec.Classes // a copy of the planes' iterates: a plane that moves is copied again
	scores  []float64   // of a row, by each plane
	classes []int       // of the planes
	thetas  []float64   // of the units
}

// start copies the iterates of the units' planes.
func (g *together) start(p *pass, units []*unit) {
	g.pass, g.units, g.planes = p, units, g.planes[:0]
	g.classes, g.thetas = g.classes[:0], g.thetas[:0]
	for _, u := range units {
		g.planes, g.thetas = append(g.planes, u.planes...), append(g.thetas, u.theta)
	}
	g.scores = slices.Grow(g.scores[:0], len(g.planes))[:len(g.planes)]
	g.weights.Reset(len(g.planes), p.width)
	for k, q := range g.planes {
		q.place = k
		g.classes = append(g.classes, q.class)
		g.weights.Set(k, q.w)
	}
}

// trainRows shows an epoch's rows to a group of units.
func (g *together) trainRows(p *pass, order rowOrder, units []*unit) rowError {
	g.start(p, units)
	present := g.presentEach
	if p.Scheme == Kesler {
		present = g.presentAll
	}
	for pos := range p.X {
		i := order.at(pos)
		g.weights.Scores(g.scores, p.X[i])
		if err := present(pos, i); err != nil {
			return rowError{pos, err}
		}
	}
	return rowError{}
}

// presentEach shows the i-th row, which the planes have scored, to units of one plane.
func (g *together) presentEach(pos, i int) error {
	label, classes, thetas := g.y[i], g.classes[:len(g.scores)], g.thetas[:len(g.scores)]
	for k, s := range g.scores {
		if m := signOf(label == classes[k]) * s; m > thetas[k] && m <= math.MaxFloat64 && g.Keep != Average {
			continue
		}
		g.planes[k].score = s
		if err := g.show(g.units[k], pos, i); err != nil {
			return err
		}
		thetas[k] = g.units[k].theta
	}
	return nil
}

// presentAll shows the i-th row, which the planes have scored, to the unit of all planes.
func (g *together) presentAll(pos, i int) error {
	u := g.units[0]
	if g.Keep != Average && g.won(u.theta, g.y[i]) {
		return nil
	}
	for k, q := range u.planes {
		q.score = g.scores[k]
	}
	return g.show(u, pos, i)
}

// won reports whether the score of the label's class exceeds all others by more than theta. It
// may report false where it does.
func (g *together) won(theta float64, label int) bool {
	own, classes := 0, g.classes[:len(g.scores)]
	for k := range g.scores {
		if classes[k] == label {
			own = k
		}
	}
	s := g.scores[own]
	for k, rival := range g.scores {
		if m := s - rival; !(m > theta && m <= math.MaxFloat64) && k != own {
			return false
		}
	}
	return true
}

// show is that of the pass, and copies the planes that have moved.
func (g *together) show(u *unit, pos, i int) error {
	if err := g.pass.show(u, pos, i); err != nil || !u.mistaken {
		return err
	}
	for _, q := range [...]*plane{u.rise, u.fall} {
		if q != nil {
			g.weights.Set(q.place, q.w)
		}
	}
	return nil
}
