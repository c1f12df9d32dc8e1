package train

import (
	"perceptron/internal/vec"
)

// trainSingly shows an epoch's rows to a unit of one plane. It does nothing more for each row
// than a loop for this rule alone would, because a row may have only a few features. Rows that
// exceed the last cache are fetched ahead.
func trainSingly(p *pass, order rowOrder, u *unit) rowError {
	f := newFetcher(p, order)
	q, w, theta := u.planes[0], u.planes[0].w, u.theta // w and θ stand until the unit moves
	for pos := range p.X {
		i, score := order.at(pos), 0.0
		if f.pays {
			score = f.score(w, p.X[i], pos)
		} else {
			score = Score(w, p.X[i])
		}
		if satisfied(q.target(p.y[i])*score, theta) {
			u.hold(&p.Config)
			continue
		}
		q.score = score
		if err := p.show(u, pos, i); err != nil {
			return rowError{pos, err}
		}
		w, theta = q.w, u.theta
	}
	return rowError{}
}

// A fetcher requests the rows of an epoch ahead of their use, where single rows are scored.
type fetcher struct {
	*pass
	order   rowOrder
	pays    bool // if not, nothing is requested
	ahead   int  // how many rows ahead a row is requested
	touched int  // the result of touch, so that the compiler keeps the loads
}

// newFetcher returns a fetcher for the rows in this order. Short ones need none.
func newFetcher(p *pass, order rowOrder) fetcher {
	return fetcher{pass: p, order: order, pays: p.width >= leastKernel && p.exceeds(lastCache), ahead: vec.Ahead(p.width)}
}

// row returns the row at a position, or the last.
func (f *fetcher) row(pos int) []float64 { return f.X[f.order.at(min(pos, len(f.X)-1))] }

// score returns Score(w, x) of x, the row at pos, and requests a row meanwhile.
func (f *fetcher) score(w, x []float64, pos int) float64 {
	return vec.DotFetch(w[:f.width], x, f.request(pos)) + w[f.width]
}

// request returns the row to fetch while the row at pos is scored, or nil if there is none.
// Of short rows that lie in memory in their order, the processor itself fetches the next in
// time.
func (f *fetcher) request(pos int) []float64 {
	const short = 32 // float64s
	f.touch(pos + f.ahead + touchRows)
	next := f.row(pos + f.ahead)
	if f.width < short && vec.InOrder(f.row(pos), next, 2*f.ahead*f.width) {
		return nil
	}
	return next
}

// touchRows is how many rows before its request a row is touched.
const touchRows = 12

// touch loads a row's slice and label, but not its features. In a random order they are in no
// cache, so touch loads them well before they are needed.
func (f *fetcher) touch(pos int) {
	i := f.order.at(min(pos, len(f.X)-1))
	f.touched = len(f.X[i]) + f.y[i]
}
