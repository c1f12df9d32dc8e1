package perceptron

import "perceptron/internal/vec"

// Rows are learned one by one, but scored ahead in blocks. A score is valid until
// its unit learns. Five units read a row together and stay in the cache for the
// block, while the next rows are fetched from memory.
//
// A score computed ahead has the bits of one computed when it is needed, because
// vec.Dots5 adds as vec.Dot does. After an update, a unit discards the rest of its
// scores, and computes each when it is needed.

// A rowBlock is the block of an epoch's rows that is being learned, and the next.
type rowBlock struct {
	*pass
	order      *rowOrder
	left       int // rows of the epoch in neither block
	rows, next []int
	memory     [2][blockRows]int
	right      uint // the block's rows that need no update of any unit, a bit each
	fetch      bool // the rows exceed a cache, so that fetching them ahead pays
}

// newRowBlock returns a block before the first of the epoch: advance moves to that.
func newRowBlock(p *pass, order *rowOrder) *rowBlock {
	b := &rowBlock{pass: p, order: order, left: len(p.X), fetch: p.large()}
	b.rows, b.next = b.memory[0][:0], b.memory[1][:0]
	b.advance()
	return b
}

// advance moves to the next block, and reports whether there is one.
func (b *rowBlock) advance() bool {
	b.rows, b.next = b.next, b.rows[:min(blockRows, b.left)]
	for j := range b.next {
		b.next[j] = b.order.next()
	}
	b.left -= len(b.next)
	return len(b.rows) > 0
}

// learnRows shows an epoch's rows to a group of units, reading each row once. Under
// Last it skips a row that every unit has right: nothing would change.
func learnRows(p *pass, order *rowOrder, units []*unit) rowError {
	if len(units) == 1 && p.plain() {
		return learnPlain(p, order, units[0])
	}
	b := newRowBlock(p, order)
	for pos := 0; b.advance(); pos += blockRows {
		b.scoreAhead(units)
		for j := range b.rows {
			if b.right>>j&1 != 0 && p.keep == Last {
				continue
			}
			if len(units) < 3 {
				b.fetchAfter(j)
			}
			for _, u := range units {
				if err := b.present(u, j); err != nil {
					return rowError{pos + j, atExample(b.rows[j], err)}
				}
				if u.mistaken {
					b.right = 0
				}
			}
		}
	}
	return rowError{}
}

// present shows the j-th row of the block to a unit.
func (b *rowBlock) present(u *unit, j int) error {
	if u.mistaken = u.right>>j&1 == 0; u.mistaken {
		i := b.rows[j]
		x := b.X[i]
		if err := u.consider(&b.config, x, u.target(&b.config, b.y[i]), u.score(j, x)); err != nil {
			return err
		}
	}
	return b.accept(u)
}

// accept applies what u has found in a row. Under Pocket it also counts the rows that a
// challenger has right.
func (p *pass) accept(u *unit) error {
	if p.keep == Last && !u.mistaken {
		return nil
	}
	u.accept(&p.config)
	if p.keep != Pocket || !u.pocket.challenged() {
		return nil
	}
	right, err := u.countRight(&p.config, u.w, p.X, p.y, u.pocket.right)
	if err != nil {
		return err
	}
	u.pocket.challenge(u.w, right)
	return nil
}

// plain reports whether blocks do not pay for one unit: the rows are in a cache, or so
// narrow and in such an order that the processor itself fetches them in time.
func (p *pass) plain() bool {
	const narrow = 64
	return !p.large() || p.width < narrow && p.order == Cyclic
}

// learnPlain is learnRows for one unit, without blocks. It does for each row no more
// than a loop written for the purpose, because a row may have only a few features.
func learnPlain(p *pass, order *rowOrder, u *unit) rowError {
	for pos := range p.X {
		i := order.next()
		x, y := p.X[i], u.target(&p.config, p.y[i])
		score := affine(u.w, x)
		if p.keep == Last && u.satisfied(y*score) {
			continue
		}
		err := u.consider(&p.config, x, y, score)
		if err == nil {
			err = p.accept(u)
		}
		if err != nil {
			return rowError{pos, atExample(i, err)}
		}
	}
	return rowError{}
}

// scoreAhead computes the units' scores of the block. One or two units that are
// left over would gain nothing: they compute a score when they need it.
func (b *rowBlock) scoreAhead(units []*unit) {
	for _, u := range units {
		u.scored, u.right = false, 0
	}
	rest := units
	if len(rest) > 2 && b.sameWidth() {
		for first := true; len(rest) > 2; first = false {
			n := min(5, len(rest))
			b.scoreGroup(rest[:n], first)
			rest = rest[n:]
		}
	}
	b.right = ^uint(0)
	for _, u := range units {
		b.right &= u.right
	}
}

// sameWidth reports whether the block's rows still have the width that was
// validated: the caller may have changed them since.
func (b *rowBlock) sameWidth() bool {
	for _, i := range b.rows {
		if len(b.X[i]) != b.width {
			return false
		}
	}
	return true
}

// scoreGroup computes the scores of up to five units. The first group to read the
// block fetches each row just before it is needed; the others fetch the rows of
// the next block.
func (b *rowBlock) scoreGroup(units []*unit, first bool) {
	var weights [5][]float64
	for k := range weights {
		weights[k] = units[min(k, len(units)-1)].w[:b.width]
	}
	var sums [blockRows][5]float64
	for j, i := range b.rows {
		next, beyond := b.after(j)
		if !first {
			next = beyond
		}
		vec.Dots5(&sums[j], b.X[i], &weights, next)
	}
	for k, u := range units {
		for j, i := range b.rows {
			u.setScore(&b.config, j, sums[j][k]+u.w[b.width], b.y[i])
		}
		u.scored = true
	}
}

// after returns the row after the j-th, and the j-th row of the next block. Where
// there is no such row, or nothing to fetch, it returns the j-th itself.
func (b *rowBlock) after(j int) (next, beyond []float64) {
	next, beyond = b.X[b.rows[j]], b.X[b.rows[j]]
	if !b.fetch {
		return next, beyond
	}
	if j < len(b.next) {
		beyond = b.X[b.next[j]]
	}
	if j+1 < len(b.rows) {
		next = b.X[b.rows[j+1]]
	} else if len(b.next) > 0 {
		next = b.X[b.next[0]]
	}
	return next, beyond
}

// fetchAfter fetches the row after the j-th, where nothing else does.
func (b *rowBlock) fetchAfter(j int) {
	if b.fetch {
		next, _ := b.after(j)
		vec.Prefetch(next)
	}
}
