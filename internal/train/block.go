package train

import "perceptron/internal/vec"

// Rows are learned one by one, but scored ahead in blocks. A score is valid until
// its plane moves. Several planes read a block together, while the rows of a later block
// are fetched from memory.
//
// A score computed ahead has the bits of one computed when it is needed, because
// vec.Block adds as vec.Dot does. After an update, the planes that moved discard the
// rest of their scores, and compute each when it is needed.

// A rowBlock is the block of an epoch's rows that is being learned. Its memory serves the next
// epoch too.
type rowBlock struct {
	*pass
	order   rowOrder
	pos     int   // of the block's first row in the order
	rows    []int // the block's
	memory  [blockRows]int
	settled uint // the block's rows that need no update of any unit, a bit each
	fetch   bool // the rows exceed a cache, so that fetching them ahead pays
	moved   bool // a plane has moved since its weights were loaded

	products vec.Block            // with the planes
	x        [blockRows][]float64 // the block
	labels   [blockRows]int       // of its rows
	fetched  [blockRows][]float64 // the block after the next
	planes   []*plane             // of the units
	weights  [][]float64          // of the planes
}

// start moves b before the first block of an epoch: advance moves to that.
func (b *rowBlock) start(p *pass, order rowOrder, units []*unit) {
	b.pass, b.order, b.pos, b.rows = p, order, 0, nil
	b.fetch, b.moved, b.planes = p.exceeds(secondCache), true, b.planes[:0]
	for _, u := range units {
		b.planes = append(b.planes, u.planes...)
	}
}

// advance moves to the next block, and reports whether there is one.
func (b *rowBlock) advance() bool {
	b.pos += len(b.rows)
	b.rows = b.memory[:min(blockRows, len(b.X)-b.pos)]
	for j := range b.rows {
		b.rows[j] = b.order.at(b.pos + j)
	}
	return len(b.rows) > 0
}

// multiply returns the products of the block's rows with the iterate of each plane: that of
// the j-th row with the k-th plane is element blockRows·k + j.
func (b *rowBlock) multiply() []float64 {
	if b.moved {
		b.load()
	}
	return b.products.Dots(b.block(), b.upcoming())
}

// load loads the iterate of each plane.
func (b *rowBlock) load() {
	b.weights = b.weights[:0]
	for _, q := range b.planes {
		b.weights = append(b.weights, q.w[:b.width])
	}
	b.products.Load(b.weights)
	b.moved = false
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

// upcoming returns the rows of the block after the next, or nil if there is nothing to fetch.
func (b *rowBlock) upcoming() *[blockRows][]float64 {
	first := b.pos + 2*blockRows
	if !b.fetch || first >= len(b.X) {
		return nil
	}
	for j := range b.fetched {
		b.fetched[j] = b.X[b.order.at(min(first+j, len(b.X)-1))]
	}
	return &b.fetched
}

// scoreAhead computes the planes' scores of the block, and which of its rows need no update
// of each unit.
func (b *rowBlock) scoreAhead(units []*unit) {
	products := b.multiply()
	b.settled = ^uint(0)
	for _, u := range units {
		u.setScores(&b.Config, products, &b.labels)
		products = products[blockRows*len(u.planes):]
		b.settled &= u.settled
	}
}

// trainRows shows an epoch's rows to a group of units, reading each row once. A row that every unit
// has right changes nothing but an average, and is skipped under Last and Pocket.
func (b *rowBlock) trainRows(p *pass, order rowOrder, units []*unit) rowError {
	b.start(p, order, units)
	for b.advance() {
		b.scoreAhead(units)
		for j := range b.rows {
			if b.settled>>j&1 != 0 && p.Keep != Average {
				continue
			}
			for _, u := range units {
				if err := b.present(u, j); err != nil {
					return rowError{b.pos + j, err}
				}
				if u.mistaken {
					b.settled, b.moved = 0, true
				}
			}
		}
	}
	return rowError{}
}

// present shows the j-th row of the block to a unit.
func (b *rowBlock) present(u *unit, j int) error {
	u.mistaken = false
	if u.settled>>j&1 == 0 {
		i := b.rows[j]
		u.scoreRow(j, b.X[i])
		return b.show(u, b.pos+j, i)
	}
	if b.Keep == Average {
		u.accept(&b.Config)
	}
	return nil
}
