package train

import "perceptron/internal/vec"

// trainSparse trains the units with the sparse rows of an epoch, and returns the first error.
func (p *pass) trainSparse(order rowOrder, units []*unit) rowError {
	var planes []*plane
	for _, u := range units {
		planes = append(planes, u.planes...)
	}
	var t *table
	if p.pays(len(planes), p.nonZeros) {
		t = newTable(planes)
		defer t.remove()
	}
	distant := p.width*len(planes) > vec.SecondCache && (t != nil || len(planes) == 1)
	for pos := range len(p.y) {
		p.fetch(order, pos)
		i := order.at(pos)
		x := p.at(i)
		if distant && pos+1 < len(p.y) {
			next, _ := p.Sparse.At(order.at(pos + 1))
			vec.FetchElements(planes[0].w, planes[0].stride, next)
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

// fetch requests rows after the position pos from memory. In a random order, the processor does not
// request them by itself.
func (p *pass) fetch(order rowOrder, pos int) {
	if order == nil {
		return
	}
	if pos+16 < len(order) {
		p.Sparse.Fetch(order[pos+16])
		vec.Fetch(&p.y[order[pos+16]])
	}
	if pos+4 < len(order) {
		vec.FetchSparse(p.Sparse.At(order[pos+4]))
	}
}
