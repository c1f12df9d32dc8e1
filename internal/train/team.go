package train

import (
	"math"
	"slices"

	"perceptron/internal/vec"
)

// A team trains a group of units: each row is read once, and scored for all their planes. Rows
// of few features are scored one by one, with all planes together. Others are scored ahead, in
// blocks of rows, and a plane that moves scores the rest of its block anew. Its memory serves
// the next epoch too.
//
// All these scores have the same bits, because vec.Classes and vec.Block add as vec.Dot does.
type team struct {
	*pass
	units    []*unit
	planes   []*plane    // of the units
	classes  []int       // of the planes
	thetas   []float64   // of the units
	scores   []float64   // of a row, with each plane
	together vec.Classes // the planes' iterates, for rows of few features
	block    rowBlock    // for others
	biases   []float64   // as the block has them
	products []float64   // of the block
	stale    []bool      // whether a plane has moved since
}

// start loads the units before an epoch.
func (t *team) start(p *pass, order rowOrder, units []*unit) {
	t.pass, t.units, t.planes, t.classes, t.thetas = p, units, t.planes[:0], t.classes[:0], t.thetas[:0]
	t.scores, t.biases, t.stale = t.scores[:0], t.biases[:0], t.stale[:0]
	for _, u := range units {
		t.thetas = append(t.thetas, u.theta)
		for _, q := range u.planes {
			q.place = len(t.planes)
			t.planes, t.classes = append(t.planes, q), append(t.classes, q.class)
			t.scores, t.biases, t.stale = append(t.scores, 0), append(t.biases, 0), append(t.stale, true)
		}
	}
	if p.width > vec.ShortRow {
		t.block.start(p, order)
		return
	}
	t.together.Reset(len(t.planes), p.width)
	for _, q := range t.planes {
		t.move(q)
	}
}

// trainRows shows an epoch's rows to a group of units.
func (t *team) trainRows(p *pass, order rowOrder, units []*unit) rowError {
	t.start(p, order, units)
	for pos := range p.X {
		i := order.at(pos)
		t.score(pos, i)
		if err := t.present(pos, i); err != nil {
			return rowError{pos, err}
		}
	}
	return rowError{}
}

// score scores the i-th row, at pos of the order, with all planes.
func (t *team) score(pos, i int) {
	if t.width <= vec.ShortRow {
		t.together.Scores(t.scores, t.X[i])
		return
	}
	j := pos % blockRows
	if j == 0 {
		t.multiply()
	}
	for k, stale := range t.stale {
		if stale {
			t.scores[k] = Score(t.planes[k].w, t.X[i])
		} else {
			t.scores[k] = t.products[blockRows*k+j] + t.biases[k]
		}
	}
}

// multiply multiplies the next block with all planes.
func (t *team) multiply() {
	b := &t.block
	if slices.Contains(t.stale, true) {
		b.weights = b.weights[:0]
		for k, q := range t.planes {
			b.weights = append(b.weights, q.w[:t.width])
			t.biases[k] = q.w[t.width]
		}
		b.products.Load(b.weights)
		clear(t.stale)
	}
	b.advance()
	t.products = b.multiply()
}

// present shows the i-th row, which all planes have scored, to the units.
func (t *team) present(pos, i int) error {
	label, average := t.y[i], t.Keep == Average
	if t.Scheme == Kesler {
		if t.won(t.thetas[0], label) {
			if average {
				t.units[0].hold(&t.Config)
			}
			return nil
		}
		for k, q := range t.planes {
			q.score = t.scores[k]
		}
		return t.show(0, pos, i)
	}
	classes, thetas := t.classes[:len(t.scores)], t.thetas[:len(t.scores)]
	for k, s := range t.scores {
		if m := signOf(label == classes[k]) * s; m > thetas[k] && m <= math.MaxFloat64 {
			if average {
				t.units[k].hold(&t.Config)
			}
			continue
		}
		t.planes[k].score = s
		if err := t.show(k, pos, i); err != nil {
			return err
		}
	}
	return nil
}

// won reports whether the score of the label's class exceeds all others by more than theta. It
// may report false where it does.
func (t *team) won(theta float64, label int) bool {
	own, classes := 0, t.classes[:len(t.scores)]
	for k := range t.scores {
		if classes[k] == label {
			own = k
		}
	}
	s := t.scores[own]
	for k, rival := range t.scores {
		if m := s - rival; !(m > theta && m <= math.MaxFloat64) && k != own {
			return false
		}
	}
	return vec.IsFinite(s)
}

// show is that of the pass for the k-th unit, and notes what it has moved.
func (t *team) show(k, pos, i int) error {
	u := t.units[k]
	err := t.pass.show(u, pos, i)
	if err == nil && u.mistaken {
		t.thetas[k] = u.theta
		t.move(u.rise)
		if u.fall != nil {
			t.move(u.fall)
		}
	}
	return err
}

// move notes that a plane has moved.
func (t *team) move(q *plane) {
	if t.stale[q.place] = true; t.width <= vec.ShortRow {
		t.together.Set(q.place, q.w)
	}
}
