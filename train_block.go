package perceptron

import "perceptron/internal/vec"

// Rows are learned one by one, but scored ahead in blocks. A score is valid until
// its unit learns. Several units read a block together, while the rows of the next two
// blocks are fetched from memory.
//
// A score computed ahead has the bits of one computed when it is needed, because
// vec.Block adds as vec.Dot does. After an update, a unit discards the rest of its
// scores, and computes each when it is needed.

// A rowBlock is the block of an epoch's rows that is being learned, and the two after it.
type rowBlock struct {
	*pass
	order             *rowOrder
	left              int // rows of the epoch in none of the blocks
	rows, next, after []int
	memory            [3][blockRows]int
	right             uint // the block's rows that need no update of any unit, a bit each
	fetch             bool // the rows exceed a cache, so that fetching them ahead pays

	products vec.Block
	x        [blockRows][]float64     // the block
	labels   [blockRows]int           // of its rows
	fetched  [2 * blockRows][]float64 // the blocks after it
	weights  [][]float64              // of the units
}

// newRowBlock returns a block before the first of the epoch: advance moves to that.
func newRowBlock(p *pass, order *rowOrder) *rowBlock {
	b := &rowBlock{pass: p, order: order, left: len(p.X), fetch: p.large()}
	b.rows, b.next, b.after = b.memory[0][:0], b.memory[1][:0], b.memory[2][:0]
	b.advance()
	b.advance()
	return b
}

// advance moves to the next block, and reports whether there is one.
func (b *rowBlock) advance() bool {
	b.rows, b.next, b.after = b.next, b.after, b.rows[:min(blockRows, b.left)]
	for j := range b.after {
		b.after[j] = b.order.next()
	}
	b.left -= len(b.after)
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
			var next []float64
			if len(units) < together {
				next = b.nextRow(j)
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

// present shows the j-th row of the block to a unit, and fetches next meanwhile.
func (b *rowBlock) present(u *unit, j int, next []float64) error {
	if u.mistaken = u.right>>j&1 == 0; u.mistaken {
		i := b.rows[j]
		x := b.X[i]
		if err := u.consider(&b.config, x, u.target(&b.config, b.y[i]), u.score(j, x, next)); err != nil {
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
	right, err := p.countRight(u, u.w, u.pocket.right)
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

// scoreAhead computes the units' scores of the block, and which rows each has right. A
// unit alone would gain nothing: it computes a score when it needs it.
func (b *rowBlock) scoreAhead(units []*unit) {
	b.right = 0
	for _, u := range units {
		u.scored, u.right = false, 0
	}
	if len(units) < together || !b.sameWidth() {
		return
	}
	b.weights = b.weights[:0]
	for _, u := range units {
		b.weights = append(b.weights, u.w[:b.width])
	}
	products := b.products.Dots(b.block(), b.weights, b.upcoming())
	b.right = ^uint(0)
	for k, u := range units {
		u.setScores((*[blockRows]float64)(products[blockRows*k:]), &b.labels)
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

// block returns the rows of the block, and sets their labels. The last block may have
// fewer: its last row fills the rest.
func (b *rowBlock) block() *[blockRows][]float64 {
	for j := range b.x {
		i := b.rows[min(j, len(b.rows)-1)]
		b.x[j], b.labels[j] = b.X[i], b.y[i]
	}
	return &b.x
}

// upcoming returns the rows of the next two blocks, or nil if there is nothing to fetch.
// A processor drops requests that it has no room for, so each row is requested twice:
// while the block before it is scored, and while the block before that is.
func (b *rowBlock) upcoming() *[2 * blockRows][]float64 {
	if !b.fetch || len(b.next) == 0 {
		return nil
	}
	after := b.after
	if len(after) == 0 {
		after = b.next
	}
	for j := range blockRows {
		b.fetched[j] = b.X[b.next[min(j, len(b.next)-1)]]
		b.fetched[blockRows+j] = b.X[after[min(j, len(after)-1)]]
	}
	return &b.fetched
}

// nextRow returns the row after the j-th, to be fetched while that is read, or nil. It
// also requests the row after that.
func (b *rowBlock) nextRow(j int) []float64 {
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
