package perceptron

import "perceptron/internal/vec"

// Rows are learned one by one, but scored ahead in blocks. A score is valid until
// its plane moves. Several planes read a block together, while the rows of the next two
// blocks are fetched from memory.
//
// A score computed ahead has the bits of one computed when it is needed, because
// vec.Block adds as vec.Dot does. After an update, the planes that moved discard the
// rest of their scores, and compute each when it is needed.

// trainRows shows an epoch's rows to a group of units, reading each row once. It scores
// blocks of rows, or single rows where a block would gain nothing. A row that every unit
// has right changes nothing but an average, and is skipped under Last and Pocket.
func (b *rowBlock) trainRows(p *pass, order rowOrder, units []*unit) rowError {
	if p.byRow(len(units)) {
		return trainSingly(p, order, units, p.width >= leastKernel && p.exceeds(lastCache))
	}
	b.start(p, order, units)
	for b.advance() {
		b.scoreAhead(units)
		for j := range b.rows {
			if b.settled>>j&1 != 0 && p.keep != Average {
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
	if b.keep == Average {
		u.accept(&b.config)
	}
	return nil
}

// show shows the i-th row, at pos of the order, to a unit whose planes have scored it.
func (p *pass) show(u *unit, pos, i int) error {
	if err := u.consider(&p.config, p.X[i], p.y[i]); err != nil {
		return &ExampleError{i, err}
	}
	if u.mistaken && p.keep == Pocket {
		u.pocket.endRun(u.planes, pos)
	}
	if u.mistaken || p.keep == Average {
		u.accept(&p.config)
	}
	return nil
}

// leastKernel is the fewest features for which a product is a call of a kernel. With fewer,
// nothing is fetched meanwhile.
const leastKernel = 8

// byRow reports whether rows are scored one by one for k units, because a block would gain
// nothing: for one plane; for few planes of few features; and for few planes whose weights stay
// in the first cache while the rows come from memory.
func (p *pass) byRow(k int) bool {
	const firstCache = 1 << 12 // float64s
	switch {
	case p.scheme == kesler:
		return false
	case p.width < leastKernel:
		return k <= 4
	}
	return k == 1 || k <= 3 && p.exceeds(lastCache) && (k+1)*p.width <= firstCache
}

// trainSingly is trainRows without blocks. It does nothing more for each row than a loop for
// this rule alone would, because a row may have only a few features. With fetch, rows
// are fetched ahead while the first unit scores one.
func trainSingly(p *pass, order rowOrder, units []*unit, fetch bool) rowError {
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
			if p.keep != Average && u.satisfied(u.target(&p.config, p.y[i])*score) {
				continue
			}
			u.planes[0].score = score
			if err := p.show(u, pos, i); err != nil {
				return rowError{pos, err}
			}
		}
	}
	return rowError{}
}

// scoreAhead computes the planes' scores of the block, and which of its rows need no update
// of each unit.
func (b *rowBlock) scoreAhead(units []*unit) {
	products := b.multiply()
	if products == nil {
		b.discard(units)
		return
	}
	b.settled = ^uint(0)
	for _, u := range units {
		u.setScores(&b.config, products, &b.labels)
		products = products[blockRows*len(u.planes):]
		b.settled &= u.settled
	}
}

// discard marks that no row of the block is scored.
func (b *rowBlock) discard(units []*unit) {
	b.settled = 0
	for _, u := range units {
		u.settled = 0
	}
	for _, q := range b.planes {
		q.scored = false
	}
}
