package train

import (
	"math"

	"perceptron/internal/vec"
)

// mostTogether is the most features for which the planes of all units score a row together.
// With more, the kernels for blocks are faster.
const mostTogether = 48

// scoresTogether reports whether the planes of the units score a row together. In Multiclass
// fewer than eight planes gain nothing.
func (p *pass) scoresTogether(units []*unit) bool {
	return p.width <= mostTogether && vec.ClassesPay() && (p.Scheme != Kesler || len(units[0].planes) >= 8)
}

// A together scores rows of few features by the planes of many units, each row when it is its
// turn. No score is computed ahead, so none is wasted. Its memory serves the next epoch too.
type together struct {
	planes  vec.Classes // a copy of their iterates: a plane that moves is copied again
	scores  []float64   // of a row
	classes []int       // of the units of one plane
	thetas  []float64   // of these units
}

// load copies the iterates of the units' planes.
func (g *together) load(p *pass, units []*unit) {
	var all []*plane
	g.classes, g.thetas = g.classes[:0], g.thetas[:0]
	for _, u := range units {
		all = append(all, u.planes...)
		g.classes, g.thetas = append(g.classes, u.planes[0].class), append(g.thetas, u.theta)
	}
	g.planes.Reset(len(all), p.width)
	g.scores = make([]float64, len(all))
	for k, q := range all {
		q.place = k
		g.planes.Set(k, q.w)
	}
}

// train shows an epoch's rows to the units.
func (g *together) train(p *pass, order rowOrder, units []*unit) rowError {
	g.load(p, units)
	for pos := range p.X {
		i := order.at(pos)
		g.planes.Scores(g.scores, p.X[i])
		if err := g.present(p, units, pos, i); err != nil {
			return rowError{pos, err}
		}
	}
	return rowError{}
}

// present shows the i-th row, which the planes have scored, to the units.
func (g *together) present(p *pass, units []*unit, pos, i int) error {
	if p.Scheme == Kesler {
		for k, q := range units[0].planes {
			q.score = g.scores[k]
		}
		return g.show(p, units[0], pos, i)
	}
	label, thetas, classes := p.y[i], g.thetas[:len(g.scores)], g.classes[:len(g.scores)]
	for k, s := range g.scores {
		if m := signed(s, label == classes[k]); m > thetas[k] && m <= math.MaxFloat64 && p.Keep != Average {
			continue
		}
		units[k].planes[0].score = s
		if err := g.show(p, units[k], pos, i); err != nil {
			return err
		}
		thetas[k] = units[k].theta
	}
	return nil
}

// show is that of the pass, and copies the planes that have moved.
func (g *together) show(p *pass, u *unit, pos, i int) error {
	if err := p.show(u, pos, i); err != nil || !u.mistaken {
		return err
	}
	g.planes.Set(u.rise.place, u.rise.w)
	if u.fall != nil {
		g.planes.Set(u.fall.place, u.fall.w)
	}
	return nil
}
