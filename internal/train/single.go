package train

import "perceptron/internal/vec"

// byRow reports whether rows are scored one by one for k units, because a block would gain
// nothing: for one plane; for few planes of few features; and for few planes whose weights stay
// in the first cache while the rows come from memory.
func (p *pass) byRow(k int) bool {
	const firstCache = 1 << 12 // float64s
	switch {
	case p.Scheme == Kesler:
		return false
	case p.width < leastKernel:
		return k <= 4
	}
	return k == 1 || k <= 3 && p.exceeds(lastCache) && (k+1)*p.width <= firstCache
}

// trainSingly is trainRows without blocks. It does nothing more for each row than a loop for
// this rule alone would, because a row may have only a few features. Rows are fetched ahead
// while the first unit scores one, if they exceed the last cache.
func trainSingly(p *pass, order rowOrder, units []*unit) rowError {
	fetch := p.width >= leastKernel && p.exceeds(lastCache)
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
				score = Score(u.planes[0].w, p.X[i])
			} else {
				score, ahead = scoreFetch(u.planes[0].w, p.X[i], ahead), nil
			}
			if p.Keep != Average && u.satisfied(u.target(&p.Config, p.y[i])*score) {
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

// A fetcher requests the rows of an epoch ahead of their use, where single rows are scored.
type fetcher struct {
	*pass
	order   rowOrder
	steps   [3]int
	ahead   vec.Ahead
	touched int // the result of touch, so that the compiler keeps the loads
}

// row returns the row at a position, or the last.
func (f *fetcher) row(pos int) []float64 { return f.X[f.order.at(min(pos, len(f.X)-1))] }

// request returns rows to fetch while the row at pos is scored, or nil if there are none.
// Of short rows that lie in memory in their order, the processor itself fetches the next in
// time.
func (f *fetcher) request(pos int) *vec.Ahead {
	const short = 32 // float64s
	f.touch(pos + f.steps[2] + touchRows)
	if f.width < short && vec.InOrder(f.row(pos), f.row(pos+f.steps[2]), 2*f.steps[2]*f.width) {
		return nil
	}
	for j, s := range f.steps {
		f.ahead.Set(j, f.row(pos+s))
	}
	return &f.ahead
}

// touchRows is how many rows before its first request a row is touched.
const touchRows = 12

// touch loads a row's slice and label, but not its features. In a random order they are in no
// cache, so touch loads them well before they are needed.
func (f *fetcher) touch(pos int) {
	i := f.order.at(min(pos, len(f.X)-1))
	f.touched = len(f.X[i]) + f.y[i]
}
