package perceptron

import (
	"math"

	"perceptron/internal/vec"
)

// startCounts prepares for the counts of an epoch of units, which continue former. The
// caller may have changed rows and labels since the last epoch.
func (p *pass) startCounts(units, former []*unit) {
	rankings := make(map[*pocket]*ranking, len(units))
	for i, u := range units {
		r := p.counter.rankings[&former[i].pocket]
		if r == nil {
			r = new(ranking)
		}
		r.valid = false
		rankings[&u.pocket] = r
	}
	p.counter.rankings = rankings
	p.counter.measure(p.X, p.width)
}

// countRight returns the number of rows that u's iterate has right, y·score > 0. If that
// does not exceed beat, it may return less. Its errors are those of a plain count: where
// no score can overflow there are none, and the order of the rows is free.
func (p *pass) countRight(u *unit, from source, beat int) (int, error) {
	w := from.of(u.planes[0])
	if p.scheme == kesler || p.counter.lengths == nil || !(vec.Dot(w, w) <= huge) {
		return p.countInOrder(u, from, beat)
	}
	r := p.counter.rankings[&u.pocket]
	if !r.valid || r.spent > 2*len(p.X) {
		return p.rank(u, r, w), nil
	}
	reach := r.reach(w)
	right := len(p.X)
	for k, i := range r.rows {
		key := r.keys[i]
		if key > reach {
			continue
		}
		if key >= -reach {
			r.spent++
			last := len(r.rows) - 1
			next, after := p.X[r.rows[min(k+1, last)]], p.X[r.rows[min(k+2, last)]]
			if u.target(&p.config, p.y[i])*affineFetch(w, p.X[i], next, after) > 0 {
				continue
			}
		}
		if right--; right <= beat {
			break
		}
	}
	return right, nil
}

// countInOrder is countRight in the order of the rows, and a block of them at a time.
func (p *pass) countInOrder(u *unit, from source, beat int) (right int, err error) {
	b := newRowBlock(p, &rowOrder{n: len(p.X)}, []*unit{u})
	for b.advance() {
		products := b.multiply(from)
		for j, i := range b.rows {
			if right+len(p.X)-i <= beat {
				return right, nil
			}
			for k, q := range u.planes {
				if w := from.of(q); products != nil {
					q.score = products[blockRows*k+j] + w[p.width]
				} else {
					q.score = affine(w, p.X[i])
				}
			}
			m := u.decide(&p.config, p.y[i])
			if !vec.IsFinite(m) {
				return 0, &ExampleError{i, u.undecided(&p.config, p.X[i], p.y[i])}
			}
			if m > 0 {
				right++
			}
		}
	}
	return right, nil
}

// rank counts all rows, and orders them for the next counts.
func (p *pass) rank(u *unit, r *ranking, w []float64) (right int) {
	n := len(p.X)
	if r.w == nil {
		r.w, r.moved = make([]float64, len(w)), make([]float64, len(w))
		r.keys, r.rows = make([]float64, n), make([]int, n)
	}
	copy(r.w, w)
	r.valid = true
	r.spent = 0
	low, high := math.Inf(1), math.Inf(-1)
	for i, x := range p.X {
		m := u.target(&p.config, p.y[i]) * affineFetch(w, x, p.X[min(i+1, n-1)], p.X[min(i+2, n-1)])
		if m > 0 {
			right++
		}
		key := m / p.counter.lengths[i]
		r.keys[i] = key
		low, high = min(low, key), max(high, key)
	}
	r.order(low, high)
	return right
}
