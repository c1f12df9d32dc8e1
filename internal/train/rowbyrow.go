package train

import (
	"perceptron/internal/vec"
)

// trainShort shows an epoch's rows of few features to units of one plane. It does nothing more
// for each row than a loop for this rule alone would. Each unit learns some rows before the next
// one does, while they are in the first cache.
func trainShort(p *pass, order rowOrder, units []*unit) (first rowError) {
	const rows = 128
	l := p.lesson(order)
	for pos := 0; pos < len(p.X) && first.err == nil; pos += rows {
		for _, u := range units {
			first = earlier(first, u.learn(p, &l, pos, min(pos+rows, len(p.X))))
		}
	}
	return first
}

// lesson returns the rows in this order, and how a unit of them learns.
func (p *pass) lesson(order rowOrder) vec.Lesson {
	l := vec.Lesson{X: p.X, Y: p.y, Order: order, Step: p.Rate, Scan: !p.plain(), Fetch: p.exceeds(lastCache)}
	if p.Space == Affine {
		l.Bias = p.Rate
	}
	return l
}

// plain reports whether an update does nothing but move weights.
func (p *pass) plain() bool {
	return p.Keep == Last && (p.Rule == OnMistake || p.Rule == WithinTheta)
}

// learn shows rows to a unit of one plane.
func (u *unit) learn(p *pass, l *vec.Lesson, pos, end int) rowError {
	q := u.planes[0]
	for pos < end {
		l.Theta = u.theta
		r := l.Learn(q.w, q.up, pos, end, u.loss)
		u.mistakes, u.loss = u.mistakes+r.Mistakes, r.Loss
		u.hold(&p.Config, r.Next-pos)
		if pos = r.Next; pos == end {
			break
		}
		i := rowOrder(l.Order).at(pos)
		switch {
		case !vec.IsFinite(r.Score):
			return rowError{pos, &ExampleError{i, ScoreError(p.width, p.X[i])}}
		case !l.Scan:
			return rowError{pos, &ExampleError{i, errOverflow}}
		}
		q.score = r.Score
		if err := p.show(u, pos, i); err != nil {
			return rowError{pos, err}
		}
		pos++
	}
	return rowError{}
}

// trainSingly shows an epoch's rows to a unit of one plane. Rows that exceed the last cache are
// fetched ahead.
func trainSingly(p *pass, order rowOrder, u *unit) rowError {
	f := newFetcher(p, order)
	q := u.planes[0]
	for pos := range p.X {
		i := order.at(pos)
		if f.pays {
			q.score = f.score(q.w, p.X[i], pos)
		} else {
			q.score = Score(q.w, p.X[i])
		}
		if satisfied(q.target(p.y[i])*q.score, u.theta) {
			u.hold(&p.Config, 1)
		} else if err := p.show(u, pos, i); err != nil {
			return rowError{pos, err}
		}
	}
	return rowError{}
}

// A fetcher requests the rows of an epoch ahead of their use, where single rows are scored.
type fetcher struct {
	*pass
	order   rowOrder
	pays    bool // if not, nothing is requested
	steps   [3]int
	ahead   vec.Ahead
	touched int // the result of touch, so that the compiler keeps the loads
}

// newFetcher returns a fetcher for the rows in this order. Short ones need none.
func newFetcher(p *pass, order rowOrder) fetcher {
	return fetcher{pass: p, order: order, pays: p.exceeds(lastCache), steps: vec.Steps(p.width)}
}

// row returns the row at a position, or the last.
func (f *fetcher) row(pos int) []float64 { return f.X[f.order.at(min(pos, len(f.X)-1))] }

// score returns Score(w, x) of x, the row at pos, and requests rows meanwhile.
func (f *fetcher) score(w, x []float64, pos int) float64 {
	return vec.DotFetch(w[:f.width], x, f.request(pos)) + w[f.width]
}

// request returns rows to fetch while the row at pos is scored.
func (f *fetcher) request(pos int) *vec.Ahead {
	f.touch(pos + f.steps[2] + touchRows)
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
