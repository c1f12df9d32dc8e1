package perceptron

import "perceptron/internal/vec"

// Rows are learned one by one, but scored ahead in blocks. A score is valid until
// its plane moves. Several planes read a block together, while the rows of the next two
// blocks are fetched from memory.
//
// A score computed ahead has the bits of one computed when it is needed, because
// vec.Block adds as vec.Dot does. After an update, the planes that moved discard the
// rest of their scores, and compute each when it is needed.

// learnRows shows an epoch's rows to a group of units, reading each row once. It scores
// blocks of rows, or single rows where a block would gain nothing. A row that every unit
// has right changes nothing but an average, and is skipped under Last and Pocket.
func (b *rowBlock) learnRows(p *pass, order rowOrder, units []*unit) rowError {
	if p.byRow(len(units)) {
		return learnFew(p, order, units, p.width >= few && p.exceeds(lastCache))
	}
	b.start(p, order, units)
	for b.advance() {
		b.scoreAhead(units)
		for j := range b.rows {
			if b.right>>j&1 != 0 && p.keep != Average {
				continue
			}
			for _, u := range units {
				if err := b.present(u, j); err != nil {
					return rowError{b.pos + j, &ExampleError{b.rows[j], err}}
				}
				if u.mistaken {
					b.right, b.moved = 0, true
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
		u.scoreRow(j, b.X[i])
		if err := u.consider(&b.config, b.X[i], b.y[i]); err != nil {
			return err
		}
	}
	b.accept(u, b.pos+j)
	return nil
}

// accept applies what u has found in the row at pos of the order.
func (p *pass) accept(u *unit, pos int) {
	if u.mistaken && p.keep == Pocket {
		u.pocket.endRun(u.planes, pos)
	}
	if u.mistaken || p.keep == Average {
		u.accept(&p.config)
	}
}

// few is the least number of features for which a product is a call of a kernel. With fewer,
// nothing is fetched meanwhile.
const few = 8

// byRow reports whether rows are scored one by one for k units, because a block would gain
// nothing: for one plane; for few planes of few features; and for few planes whose weights stay
// in the first cache while the rows come from memory.
func (p *pass) byRow(k int) bool {
	const firstCache = 1 << 12 // float64s
	switch {
	case p.scheme == kesler:
		return false
	case p.width < few:
		return k <= 4
	}
	return k == 1 || k <= 3 && p.exceeds(lastCache) && (k+1)*p.width <= firstCache
}

// learnFew is learnRows without blocks. It does nothing more for each row than a loop for
// this rule alone would, because a row may have only a few features. With fetch, rows
// are fetched ahead while the first unit scores one.
func learnFew(p *pass, order rowOrder, units []*unit, fetch bool) rowError {
	f := fetcher{pass: p, order: order, steps: vec.Steps(p.width)}
	var ahead *vec.Ahead
	for pos := range p.X {
		i := order.at(pos)
		if fetch {
			ahead = f.request(pos)
		}
		for _, u := range units {
			var score float64
			if ahead == nil {
				score = affine(u.planes[0].w, p.X[i])
			} else {
				score, ahead = affineFetch(u.planes[0].w, p.X[i], ahead), nil
			}
			if p.right(u, i, score) {
				continue
			}
			if err := p.learn(u, pos, i, score); err != nil {
				return rowError{pos, err}
			}
		}
	}
	return rowError{}
}

// right reports whether the i-th row changes nothing. The score is that of the unit's one
// plane.
func (p *pass) right(u *unit, i int, score float64) bool {
	return p.keep != Average && u.satisfied(u.target(&p.config, p.y[i])*score)
}

// learn shows the i-th row, which is at pos of the order, to the unit. The score is that of
// the unit's one plane.
func (p *pass) learn(u *unit, pos, i int, score float64) error {
	u.planes[0].score = score
	if err := u.consider(&p.config, p.X[i], p.y[i]); err != nil {
		return &ExampleError{i, err}
	}
	p.accept(u, pos)
	return nil
}

// scoreAhead computes the planes' scores of the block, and which rows each unit has
// right.
func (b *rowBlock) scoreAhead(units []*unit) {
	products := b.multiply()
	if products == nil {
		b.discard(units)
		return
	}
	b.right = ^uint(0)
	for _, u := range units {
		u.setScores(&b.config, products, &b.labels)
		products = products[blockRows*len(u.planes):]
		b.right &= u.right
	}
}

// discard marks that no row of the block is scored.
func (b *rowBlock) discard(units []*unit) {
	b.right = 0
	for _, u := range units {
		u.right = 0
	}
	for _, p := range b.planes {
		p.scored = false
	}
}
