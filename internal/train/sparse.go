package train

import "perceptron/internal/vec"

// trainSparse trains the units with the sparse rows of an epoch, and returns the first error.
func (p *pass) trainSparse(order rowOrder, units []*unit) rowError {
	for pos := range p.n() {
		p.fetch(order, pos)
		i := order.at(pos)
		x := p.at(i)
		for _, u := range units {
			for _, q := range u.planes {
				q.score = x.Score(q.w)
			}
			if satisfied(u.decide(&p.Config, p.y[i]), u.theta) {
				continue
			}
			if err := p.show(u, pos, i); err != nil {
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
