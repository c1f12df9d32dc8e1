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
	b := newRowBlock(p, order)
	for pos := 0; b.advance(); pos += blockRows {
		b.scoreAhead(units)
		for j := range b.rows {
			if b.right>>j&1 != 0 && p.keep == Last {
				continue
			}
			var next []float64
			if len(units) < 3 {
				next = b.upcoming(j)
			}
			for _, u := range units {
				if err := b.present(u, j, next); err != nil {
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

// present shows the j-th row of the block to a unit, and fetches next meanwhile. Under
// Pocket it also counts the rows that a challenger has right.
func (b *rowBlock) present(u *unit, j int, next []float64) error {
	if u.mistaken = u.right>>j&1 == 0; u.mistaken {
		i := b.rows[j]
		x := b.X[i]
		if err := u.consider(&b.config, x, u.target(&b.config, b.y[i]), u.score(j, x, next)); err != nil {
			return err
		}
	}
	if b.keep == Last && !u.mistaken {
		return nil
	}
	u.accept(&b.config)
	if b.keep != Pocket || !u.pocket.challenged() {
		return nil
	}
	right, err := u.countRight(&b.config, u.w, b.X, b.y, u.pocket.right)
	if err != nil {
		return err
	}
	u.pocket.challenge(u.w, right)
	return nil
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

// upcoming returns the row after the j-th, to be fetched while that is read, or nil. It
// also asks for the row after it: a processor drops requests that it has no room for,
// so each row is requested twice.
func (b *rowBlock) upcoming(j int) []float64 {
	if !b.fetch {
		return nil
	}
	vec.Prefetch(b.row(j + 2))
	return b.row(j + 1)
}

// row returns the j-th row of the block and the next one, or nil.
func (b *rowBlock) row(j int) []float64 {
	if j < len(b.rows) {
		return b.X[b.rows[j]]
	}
	if j -= len(b.rows); j < len(b.next) {
		return b.X[b.next[j]]
	}
	return nil
}
