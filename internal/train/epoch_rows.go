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
	var planes []*plane
	for _, u := range units {
		planes = append(planes, u.planes...)
	}
	var t *table
	if p.pays(len(planes), p.nonZeros) {
		t = newTable(planes)
		defer t.remove()
	}
	alone := len(planes) == 1 && p.Rival == nil
	distant := p.length()*len(planes) > vec.SecondCache && (t != nil || len(planes) == 1)
	fetches := p.order != nil || p.exceeds(vec.SecondCache)
	for pos := range p.y {
		i := p.order.at(pos)
		if fetches {
			p.fetch(pos)
		}
		if distant && pos+1 < len(p.y) {
			at, _ := p.where(p.order.at(pos + 1))
			vec.FetchElements(planes[0].w, planes[0].stride, at)
		}
		if alone && p.learn(units[0], i) {
			continue
		}
		x := p.at(i)
		if !alone {
			scoreAll(t, units, &x)
		}
		for _, u := range units {
			if err := p.show(u, &x, pos, i); err != nil {
				return rowError{pos, err}
			}
		}
	}
	return rowError{}
}

// learn scores the i-th row, which is sparse, with the only plane of a unit. If the row needs no
// update, or one that changes only weights and the bias, learn does all and returns true. Else show
// must do the rest.
func (p *pass) learn(u *unit, i int) bool {
	q := u.planes[0]
	at, ordered := p.where(i)
	x, d := p.Sparse[i].Value, len(q.w)-1
	y, s := q.target(p.y[i]), vec.DotSparse(q.w[:d], at, x, ordered)+q.w[d]
	if satisfied(y*s, u.theta) {
		return true
	}
	if u.scores[0] = s; !p.plain() || !vec.IsFinite(s) {
		return false
	}
	step, b := p.Rule.Step(y, s, u.theta, p.Rate), q.w[d]
	if p.Space == Affine {
		b += step
	}
	if !vec.IsFinite(b) || !vec.AddSparse(q.w, at, step, x) {
		return false
	}
	q.w[d] = b
	u.mistakes++
	u.loss += max(0, -y*s)
	p.updated.Add(i)
	return true
}

// fetch requests rows after the position pos from memory. Without it, the processor does not load
// them early if the order is random, and seldom if it is not, because rows of different lengths are
// in different places. fetch requests the elements of the row 4 positions ahead, which it finds by its
// slice headers. If the order is random, it requests the headers of the row 16 positions ahead. The
// distances 16 and 4 are by measurement.
func (p *pass) fetch(pos int) {
	if p.order != nil && pos+16 < len(p.y) {
		i := p.order.at(pos + 16)
		vec.Fetch(&p.Sparse[i])
		vec.Fetch(&p.y[i])
	}
	if pos+4 < len(p.y) {
		x := &p.Sparse[p.order.at(pos+4)]
		vec.FetchSparse(x.Index, x.Value)
	}
}
