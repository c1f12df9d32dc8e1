package train

import "perceptron/internal/vec"

// trainSingly trains units of one plane with the rows of an epoch, and returns the first error. Each
// unit in turn learns a block of 128 rows, while these rows are in a cache. The loop over the rows
// is in package vec, because a call for each row would take longer if rows have few features.
//
// l.Learn returns the position at which it stopped. If l.Scan is true, it stops at the next row
// that may need an update, and show makes the update. If l.Scan is false, l.Learn makes the updates
// itself, and stops early only at an error: the row's score is not finite, or the row's update has
// made w overflow. Then show returns the error. After an overflow, show updates w by the same row
// again, which overflows again.
func (r *pass) trainSingly(units []*unit) (first rowError) {
	const rows = 128
	l := r.lesson(r.order)
	for start := 0; start < len(r.X) && first.err == nil; start += rows {
		end := min(start+rows, len(r.X))
		for _, u := range units {
			for pos := start; pos < end; pos++ {
				l.Theta = u.theta
				q := u.planes[0]
				n := l.Learn(q.w, q.class, pos, end, u.loss)
				u.mistakes, u.loss = u.mistakes+n.Mistakes, n.Loss
				if pos = n.Next; pos == end {
					break
				}
				u.scores[0] = n.Score
				if err := r.show(u, &vec.Row{Value: r.X[l.At(pos)]}, pos, l.At(pos)); err != nil {
					first = earlier(first, rowError{pos, err})
					break
				}
			}
		}
	}
	return first
}

// trainSparse trains the units with the sparse rows of an epoch, and returns the first error. If
// the rows have enough non-zeros, trainSparse uses a table for the epoch. If all weights are in one
// slice, and the slice is too large for the second cache, it requests the weights of the next row
// from memory before it scores the present row.
func (p *pass) trainSparse(units []*unit) rowError {
	order := p.order
	var planes []*plane
	for _, u := range units {
		planes = append(planes, u.planes...)
	}
	var t *table
	if p.pays(len(planes), p.nonZeros) {
		t = newTable(planes)
		defer t.remove()
	}
	distant := p.length()*len(planes) > vec.SecondCache && (t != nil || len(planes) == 1)
	for pos := range len(p.y) {
		p.fetch(order, pos)
		i := order.at(pos)
		x := p.at(i)
		if distant && pos+1 < len(p.y) {
			next := p.at(order.at(pos + 1))
			at, _ := next.Where()
			vec.FetchElements(planes[0].w, planes[0].stride, at)
		}
		scoreAll(t, units, &x)
		for _, u := range units {
			if err := p.show(u, &x, pos, i); err != nil {
				return rowError{pos, err}
			}
		}
	}
	return rowError{}
}

// fetch requests rows after the position pos from memory. Without it, the processor does not load
// them early if the order is random, and seldom if it is not, because rows of different lengths are
// in different places. fetch requests the slice headers of the row 16 positions ahead, and the
// elements of the row 4 positions ahead, which it finds by the headers. The distances 16 and 4 are
// by measurement.
func (p *pass) fetch(order rowOrder, pos int) {
	if order == nil && !p.exceeds(lastCache) {
		return
	}
	if pos+16 < len(p.y) {
		i := order.at(pos + 16)
		p.Sparse.Fetch(i)
		vec.Fetch(&p.y[i])
	}
	if pos+4 < len(p.y) {
		vec.FetchSparse(p.Sparse.At(order.at(pos + 4)))
	}
}
