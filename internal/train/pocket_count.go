package train

import (
	"math"
	"slices"

	"perceptron/internal/vec"
)

// A challenger is an iterate of a unit that may replace the one in the pocket.
type challenger struct {
	*unit
	of    selector // which iterate
	right uint64   // the rows that it has right, if it has all rows right that are still to be counted
}

// challenge puts the better iterates of an epoch in the pockets of the units. Of equal iterates it
// takes the earlier one, so the iterate of the longest run is counted before the last iterate. They
// are one iterate if the run has not ended.
//
// In the first epoch of a range, the pocket's own iterate is counted too, because its last count
// may be of other rows. If that iterate is all zero, it has no row right, and needs no count.
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

// count counts the rows that each challenger has right, and puts the better ones in the pockets. It
// stops counting for a challenger that can no longer have more rows right than the pocket.
func (p *pass) count(all []challenger) {
	const rows = 64 // each counter counts so many before the next counter does: they stay in a cache
	var counters []*counter
	n, l := -1, p.lesson(nil)
	l.Scan = true
	for pos := 0; pos < p.n(); pos += rows {
		all = slices.DeleteFunc(all, func(c challenger) bool { return c.right <= c.pocket.beat })
		end := min(pos+rows, p.n())
		if p.Sparse != nil {
			p.countSparse(all, pos, end)
			continue
		}
		if len(all) != n {
			n, counters = len(all), p.share(all)
		}
		for _, c := range counters {
			c.count(&l, pos, end)
		}
	}
	for _, c := range all {
		c.pocket.replace(c.planes, c.of, c.right)
	}
}

// A counter counts rows for several challengers. Their planes score each row together.
type counter struct {
	*pass
	challengers []challenger
	together    vec.Classes // the challengers' iterates
}

// share returns the counters for the challengers: one for all of them, or for short rows one for
// each, because the kernels for short rows score one perceptron.
func (p *pass) share(all []challenger) (counters []*counter) {
	short, theta := p.width <= vec.ShortRow, 0.0
	if p.Scheme == Kesler {
		theta = math.Inf(1) // in Multiclass no plane alone has a row right, so that Scan stops at each row
	}
	n := max(1, len(all))
	if short {
		n = 1
	}
	for some := range slices.Chunk(all, n) {
		c := &counter{pass: p, challengers: some}
		var labels []int
		var vectors [][]float64
		for _, h := range some {
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

// count counts the rows from pos to end, end not included.
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

// has reports whether c has a row right that its planes score so. A score of ±Inf counts by its
// sign. A row with the score NaN is wrong.
func (c *challenger) has(f *Config, scores []float64, label int) bool {
	if f.Scheme != Kesler {
		return c.planes[0].target(label)*scores[0] > 0
	}
	for k, q := range c.planes {
		q.score = vec.NearestFinite(scores[k])
	}
	return c.contest(label) > 0
}

// countSparse counts the sparse rows from pos to end, end not included, row by row.
func (p *pass) countSparse(all []challenger, pos, end int) {
	var scores []float64
	for ; pos < end; pos++ {
		x := p.at(pos)
		for k := range all {
			c := &all[k]
			scores = scores[:0]
			for _, q := range c.planes {
				scores = append(scores, x.Score(c.of(q)))
			}
			if !c.has(&p.Config, scores, p.y[pos]) {
				c.right--
			}
		}
	}
}
