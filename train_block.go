package perceptron

// Rows are learned one by one, but scored ahead in blocks. A score is valid until
// its plane moves. Several planes read a block together, while the rows of the next two
// blocks are fetched from memory.
//
// A score computed ahead has the bits of one computed when it is needed, because
// vec.Block adds as vec.Dot does. After an update, the planes that moved discard the
// rest of their scores, and compute each when it is needed.

// learnRows shows an epoch's rows to a group of units, reading each row once. Under
// Last it skips a row that every unit has right: nothing would change.
func learnRows(p *pass, order *rowOrder, units []*unit) rowError {
	if len(units) == 1 && len(units[0].planes) == 1 && p.plain() {
		return learnPlain(p, order, units[0])
	}
	b := newRowBlock(p, order, units)
	for pos := 0; b.advance(); pos += blockRows {
		b.scoreAhead(units)
		for j := range b.rows {
			if b.right>>j&1 != 0 && p.keep == Last {
				continue
			}
			var next []float64
			if len(b.planes) < together {
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
		u.scoreRow(j, b.X[i], next)
		if err := u.consider(&b.config, b.X[i], b.y[i]); err != nil {
			return err
		}
	}
	return b.accept(u)
}

// accept applies what u has found in a row.
func (p *pass) accept(u *unit) error {
	switch {
	case p.keep == Pocket:
		return p.acceptCounted(u)
	case p.keep == Average || u.mistaken:
		u.accept(&p.config)
	}
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
	w := u.planes[0]
	for pos := range p.X {
		i := order.next()
		x := p.X[i]
		score := affine(w.w, x)
		if p.keep == Last && u.satisfied(u.target(&p.config, p.y[i])*score) {
			continue
		}
		w.score = score
		err := u.consider(&p.config, x, p.y[i])
		if err == nil {
			err = p.accept(u)
		}
		if err != nil {
			return rowError{pos, atExample(i, err)}
		}
	}
	return rowError{}
}

// scoreAhead computes the planes' scores of the block, and which rows each unit has
// right. A plane alone would gain nothing: it computes a score when it needs it.
func (b *rowBlock) scoreAhead(units []*unit) {
	b.right = 0
	for _, u := range units {
		u.right = 0
	}
	for _, p := range b.planes {
		p.scored = false
	}
	products := b.multiply(inTraining)
	if products == nil {
		return
	}
	b.right = ^uint(0)
	for _, u := range units {
		u.setScores(&b.config, products, &b.labels)
		products = products[blockRows*len(u.planes):]
		b.right &= u.right
	}
}
