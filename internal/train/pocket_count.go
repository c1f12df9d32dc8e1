package train

import (
	"math"
	"slices"

	"perceptron/internal/vec"
)

// A challenger is an iterate that is counted on all rows.
type challenger struct {
	*unit
	of    selector
	right uint64 // rows, where those that are not counted yet are right
}

// challenge lets the iterates of an epoch challenge the pockets. The first of equals comes
// first: an iterate whose run is as long as the last one's. In the first epoch of a range the
// pocket is counted too, because its last count may be of other rows. A pocket that is all zero
// has none right.
func (p *pass) challenge(units []*unit, first bool) {
	n := uint64(p.n())
	var all []challenger
	for _, u := range units {
		k := &u.pocket
		if first {
			k.beat = 0
			if slices.ContainsFunc(u.planes, func(q *plane) bool { return !allZero(q.pocket) }) {
				all = append(all, challenger{u, inPocket, n})
			}
		}
		if k.run = n - k.from; k.longest > 0 && k.longest >= k.run {
			all = append(all, challenger{u, ofLongest, n})
		}
		all = append(all, challenger{u, inTraining, n})
		k.longest, k.from = 0, 0
	}
	p.count(all)
}

// count counts the rows that each challenger has right, and puts the better ones in the pockets. A
// challenger that cannot win any more is not counted further.
func (p *pass) count(all []challenger) {
	if p.Sparse != nil {
		p.countSparse(all)
		return
	}
	const rows = 64 // that all count before the next ones: short ones stay in the first cache
	var counters []*counter
	n, l := -1, p.lesson(nil)
	l.Scan = true
	for pos := 0; pos < len(p.X); pos += rows {
		all = slices.DeleteFunc(all, func(c challenger) bool { return c.right <= c.pocket.beat })
		if len(all) != n {
			n, counters = len(all), p.share(all)
		}
		for _, c := range counters {
			c.count(&l, pos, min(pos+rows, len(p.X)))
		}
	}
	for _, c := range all {
		c.pocket.replace(c.planes, c.of, c.right)
	}
}

// A counter counts rows for challengers, whose planes score a row together.
type counter struct {
	*pass
	challengers []challenger
	together    vec.Classes // the challengers' vectors
}

// share shares the challengers among counters: one for all, or for short rows one for each.
func (p *pass) share(all []challenger) (counters []*counter) {
	short, theta := p.width <= vec.ShortRow, 0.0
	if p.Scheme == Kesler {
		theta = math.Inf(1) // no plane alone has a row right
	}
	for len(all) > 0 {
		n := len(all)
		if short {
			n = 1
		}
		c := &counter{pass: p, challengers: all[:n]}
		all = all[n:]
		var labels []int
		var vectors [][]float64
		for _, h := range c.challengers {
			for _, q := range h.planes {
				labels, vectors = append(labels, q.up), append(vectors, h.of(q))
			}
		}
		c.together.Reset(labels, p.width)
		for k, w := range vectors {
			c.together.Set(k, w)
		}
		if !short || p.Scheme != Kesler {
			c.together.Thetas = slices.Repeat([]float64{theta}, len(labels))
		}
		counters = append(counters, c)
	}
	return counters
}

// count counts the rows at the positions from pos to end.
func (c *counter) count(l *vec.Lesson, pos, end int) {
	for pos = c.together.Scan(l, pos, end); pos < end; pos = c.together.Scan(l, pos+1, end) {
		scores := c.together.Scores
		for i := range c.challengers {
			h := &c.challengers[i]
			if !h.has(&c.Config, scores, c.y[pos]) {
				h.right--
			}
			scores = scores[len(h.planes):]
		}
	}
}

// has reports whether c has the row with these scores and the label right. An overflow counts by
// its sign, and a NaN is wrong.
func (c *challenger) has(f *Config, scores []float64, label int) bool {
	if f.Scheme != Kesler {
		return c.planes[0].target(label)*scores[0] > 0
	}
	for k, q := range c.planes {
		q.score = vec.NearestFinite(scores[k])
	}
	return c.contest(label) > 0
}

// countSparse is count of sparse rows.
func (p *pass) countSparse(all []challenger) {
	var scores []float64
	for i := range p.n() {
		x := p.at(i)
		for k := range all {
			c := &all[k]
			scores = scores[:0]
			for _, q := range c.planes {
				scores = append(scores, x.Score(c.of(q)))
			}
			if !c.has(&p.Config, scores, p.y[i]) {
				c.right--
			}
		}
	}
	for _, c := range all {
		c.pocket.replace(c.planes, c.of, c.right)
	}
}
