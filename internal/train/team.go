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
	members  []member    // a plane each
	scores   []float64   // of a row, with each plane
	together vec.Classes // the planes' iterates, for rows of few features
	block    rowBlock    // for others
	products []float64   // of the block
	moved    bool        // whether a plane has moved since
}

// A member of a team is a plane, and what its scores are compared with.
type member struct {
	*plane
	unit  *unit
	class int     // of the plane: a copy near theta
	theta float64 // of the unit
	bias  float64 // as the block has it
	stale bool    // whether the plane has moved since the block was multiplied
}

// start loads the units before an epoch.
func (t *team) start(p *pass, order rowOrder, units []*unit) {
	t.pass, t.members = p, slices.Grow(t.members[:0], len(p.planes))
	for _, u := range units {
		for _, q := range u.planes {
			q.place = len(t.members)
			t.members = append(t.members, member{plane: q, unit: u, class: q.class, theta: u.theta})
		}
	}
	t.scores = slices.Grow(t.scores[:0], len(t.members))[:len(t.members)]
	if t.block.start(p, order); t.short() {
		t.together.Reset(len(t.members), p.width)
	}
	for _, m := range t.members {
		t.move(m.plane)
	}
}

// short reports whether rows have so few features that they are scored one by one.
func (t *team) short() bool { return t.width <= vec.ShortRow }

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
	if t.short() {
		t.together.Scores(t.scores, t.X[i])
		return
	}
	j := pos % blockRows
	if j == 0 {
		t.multiply()
	}
	for k := range t.scores {
		if m := &t.members[k]; m.stale {
			t.scores[k] = Score(m.w, t.X[i])
		} else {
			t.scores[k] = t.products[blockRows*k+j] + m.bias
		}
	}
}

// multiply multiplies the next block with all planes.
func (t *team) multiply() {
	b := &t.block
	if t.moved {
		b.weights, t.moved = b.weights[:0], false
		for k := range t.members {
			m := &t.members[k]
			b.weights = append(b.weights, m.w[:t.width])
			m.bias, m.stale = m.w[t.width], false
		}
		b.products.Load(b.weights)
	}
	b.advance()
	t.products = b.multiply()
}

// present shows the i-th row, which all planes have scored, to the units.
func (t *team) present(pos, i int) error {
	label, c := t.y[i], &t.Config
	if c.Scheme == Kesler {
		first := &t.members[0]
		if t.won(first.theta, label) {
			first.unit.hold(c)
			return nil
		}
		for k, s := range t.scores {
			t.members[k].score = s
		}
		return t.show(first, pos, i)
	}
	members := t.members[:len(t.scores)]
	for k, s := range t.scores {
		m := &members[k]
		if margin := signOf(label == m.class) * s; margin > m.theta && margin <= math.MaxFloat64 {
			m.unit.hold(c)
			continue
		}
		m.score = s
		if err := t.show(m, pos, i); err != nil {
			return err
		}
	}
	return nil
}

// won reports whether the score of the label's class exceeds all others by more than theta. It
// may report false where it does.
func (t *team) won(theta float64, label int) bool {
	own := 0
	for k := range t.members {
		if t.members[k].class == label {
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

// show is that of the pass for the unit of m, and notes what it has moved.
func (t *team) show(m *member, pos, i int) error {
	u := m.unit
	err := t.pass.show(u, pos, i)
	if err == nil && u.mistaken {
		m.theta = u.theta
		t.move(u.rise)
		if u.fall != nil {
			t.move(u.fall)
		}
	}
	return err
}

// move notes that a plane has moved.
func (t *team) move(q *plane) {
	if t.short() {
		t.together.Set(q.place, q.w)
		return
	}
	t.members[q.place].stale, t.moved = true, true
}
