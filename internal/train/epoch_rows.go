package train

import "perceptron/internal/vec"

// trainSingly trains units of one plane with the rows of an epoch, and returns the first error. One
// unit learns 128 rows, then the next unit learns them, while the rows are in a cache. The loop
// over the rows is in package vec: for rows of a few features, a call for each row would take
// longer.
//
// l.Learn returns the position at which it stopped. If l.Scan is true, it stops at the next row
// that may be a mistake, and show makes the update. If l.Scan is false, package vec makes the
// updates, and l.Learn stops early only at a row with an error: its score is not finite, or its
// update has made w overflow. Then show returns the error. To find an overflow, show updates w
// again, and that overflows too.
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
// the rows have enough non-zeros, it uses a table for the epoch. If all weights are in one slice,
// for which the second cache is too small, it requests the next row's weights from memory before it
// scores the present row.
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

// fetch requests rows after the position pos from memory. The processor does not request them by
// itself in a random order, and in file order seldom, as rows of different lengths are in different
// places. First it requests where a row's slices are, and then what they hold: the second request
// needs the result of the first. The distances 16 and 4 are by measurement.
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
