package train

import (
	"slices"

	"perceptron/internal/vec"
)

// A team trains a group of units: rows are scored ahead for all their planes, in blocks, and a
// plane that moves scores the rest of its block anew. Its memory serves the next epoch too.
//
// All these scores have the same bits, because vec.Block adds as vec.Dot does.
type team struct {
	*pass
	members []member  // a plane each
	scores  []float64 // of a row, with each plane: a part of ahead
	ahead   []float64 // the scores of the block's rows, row by row
	block   rowBlock
	settled uint // the block's rows that no unit learns from, a bit each
	moved   bool // whether a plane has moved since the block was multiplied
}

// A member of a team is a plane, and what its scores are compared with.
type member struct {
	*plane
	unit  *unit
	class int     // of the plane: a copy near theta
	theta float64 // of the unit
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
	K := len(t.members)
	t.ahead = slices.Grow(t.ahead[:0], blockRows*K)[:blockRows*K]
	t.scores = t.ahead[:K]
	t.block.start(p, order)
	for _, m := range t.members {
		t.move(m.plane)
	}
}

// trainRows shows an epoch's rows to a group of units.
func (t *team) trainRows(p *pass, order rowOrder, units []*unit) rowError {
	t.start(p, order, units)
	for pos := range p.X {
		if pos%blockRows == 0 {
			t.multiply(pos)
		}
		if t.settled>>(pos%blockRows)&1 != 0 {
			continue
		}
		i := t.block.lesson.At(pos)
		t.score(pos, i)
		if err := t.present(pos, i); err != nil {
			return rowError{pos, err}
		}
	}
	return rowError{}
}

// score scores the i-th row, at pos of the order, with all planes.
func (t *team) score(pos, i int) {
	K, j := len(t.members), pos%blockRows
	t.scores = t.ahead[K*j : K*(j+1)]
	for k := 0; t.moved && k < K; k++ {
		if m := &t.members[k]; m.stale {
			t.scores[k] = Score(m.w, t.X[i])
		}
	}
}

// multiply scores the block of rows at pos with all planes.
func (t *team) multiply(pos int) {
	b, K := &t.block, len(t.members)
	if t.moved {
		b.weights, t.moved = b.weights[:0], false
		for k := range t.members {
			m := &t.members[k]
			b.weights, m.stale = append(b.weights, m.w[:t.width]), false
		}
		b.products.Load(b.weights)
	}
	b.pos = pos
	if t.settled = 0; t.Scheme != Kesler {
		t.settled = 1<<blockRows - 1
	}
	products := b.multiply()
	for k := range t.members {
		m, bias := &t.members[k], t.members[k].w[t.width]
		for j, s := range (*[blockRows]float64)(products[blockRows*k:]) {
			s += bias
			if t.ahead[K*j+k] = s; t.settled>>j&1 != 0 && !m.right(b.labels[j], s) {
				t.settled &^= 1 << j
			}
		}
	}
}

// present shows the i-th row, which all planes have scored, to the units.
func (t *team) present(pos, i int) error {
	label := t.y[i]
	if t.Scheme == Kesler {
		first := &t.members[0]
		if t.won(first.theta, label) {
			return nil
		}
		for k, s := range t.scores {
			t.members[k].score = s
		}
		return t.show(first, pos, i)
	}
	for k, s := range t.scores {
		m := &t.members[k]
		if m.right(label, s) {
			continue
		}
		m.score = s
		if err := t.show(m, pos, i); err != nil {
			return err
		}
	}
	return nil
}

// right reports whether a unit of one plane needs no update for a row with the label and score.
func (m *member) right(label int, score float64) bool {
	return satisfied(vec.Sign(label == m.class)*score, m.theta)
}

// won reports whether the score of the label's class exceeds all others by more than theta. It
// may report false where it does.
func (t *team) won(theta float64, label int) bool {
	own := slices.IndexFunc(t.members, func(m member) bool { return m.class == label })
	return vec.Exceeds(t.scores, own, theta)
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
	t.members[q.place].stale, t.moved, t.settled = true, true, 0
}
