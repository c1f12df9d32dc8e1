package train

import (
	"math"

	"perceptron/internal/vec"
)

// mostSingly returns the most units of one plane that train one after the other: two, if rows
// stay in a cache, so that reading them twice costs less than to score them together.
func (p *pass) mostSingly() int {
	if p.exceeds(secondCache) {
		return 1
	}
	return 2
}

// trainSingly shows an epoch's rows to a unit of one plane. It does nothing more for each row
// than a loop for this rule alone would, because a row may have only a few features. Rows that
// exceed the last cache are fetched ahead.
func trainSingly(p *pass, order rowOrder, u *unit) rowError {
	fetch, all := p.width >= leastKernel && p.exceeds(lastCache), p.Keep == Average
	f := fetcher{pass: p, order: order, ahead: vec.Ahead(p.width)}
	q, plus := u.planes[0], u.planes[0].class
	if p.Scheme == TwoClasses {
		plus = +1
	}
	w, theta := q.w, u.theta // which stand until the unit moves
	for pos := range p.X {
		i, score := order.at(pos), 0.0
		if fetch {
			score = scoreFetch(w, p.X[i], f.request(pos))
		} else {
			score = Score(w, p.X[i])
		}
		if m := signed(score, p.y[i] == plus); m > theta && m <= math.MaxFloat64 && !all {
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
	ahead   int // rows
	touched int // the result of touch, so that the compiler keeps the loads
}

// row returns the row at a position, or the last.
func (f *fetcher) row(pos int) []float64 { return f.X[f.order.at(min(pos, len(f.X)-1))] }

// request returns the row to fetch while that at pos is scored, or nil if there is none. Of
// short rows that lie in memory in their order, the processor itself fetches the next in time.
func (f *fetcher) request(pos int) []float64 {
	const short = 32 // float64s
	f.touch(pos + f.ahead + touchRows)
	next := f.row(pos + f.ahead)
	if f.width < short && vec.InOrder(f.row(pos), next, 2*f.ahead*f.width) {
		return nil
	}
	return next
}

// touchRows is how many rows before it is requested a row is touched.
const touchRows = 12

// touch loads a row's slice and label, but not its features. In a random order they are in no
// cache, so touch loads them well before they are needed.
func (f *fetcher) touch(pos int) {
	i := f.order.at(min(pos, len(f.X)-1))
	f.touched = len(f.X[i]) + f.y[i]
}
