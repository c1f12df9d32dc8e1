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
	right uint64 // rows
}

// challenge lets the iterates of an epoch challenge the pockets. The first of equals comes
// first: an iterate whose run is as long as the last one's. In the first epoch of a range the
// pocket is counted too, because its last count may be of other rows. A pocket that is all zero
// has none right.
func (p *pass) challenge(units []*unit, first bool) {
	var all []challenger
	for _, u := range units {
		k := &u.pocket
		if first {
			k.beat = 0
			if slices.ContainsFunc(u.planes, func(q *plane) bool { return !allZero(q.pocket) }) {
				all = append(all, challenger{unit: u, of: inPocket})
			}
		}
		if k.run = uint64(len(p.X)) - k.from; k.longest > 0 && k.longest >= k.run {
			all = append(all, challenger{unit: u, of: ofLongest})
		}
		all = append(all, challenger{unit: u, of: inTraining})
		k.longest, k.from = 0, 0
	}
	p.count(all)
}

// count counts the rows that each challenger has right, and puts the better ones in the pockets.
func (p *pass) count(all []challenger) {
	const rows = 64 // that are counted before the next ones: short ones stay in the first cache
	l := p.lesson(nil)
	l.Scan = true
	var counters []*counter
	for pos := 0; pos < len(p.X); pos += rows {
		n, left := len(all), uint64(len(p.X)-pos) // with these right, a challenger must beat the pocket
		all = slices.DeleteFunc(all, func(c challenger) bool { return c.right+left <= c.pocket.beat })
		if pos == 0 || len(all) < n {
			counters = p.share(all)
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
	vec.Classes
	*pass
	challengers []challenger
}

// share shares the challengers among counters: one for all, or for short rows one for each.
func (p *pass) share(all []challenger) (counters []*counter) {
	n := max(1, len(all))
	if p.width <= vec.ShortRow {
		n = 1
	}
	for some := range slices.Chunk(all, n) {
		c := &counter{pass: p, challengers: some}
		var labels []int
		for _, h := range some {
			for _, q := range h.planes {
				labels = append(labels, q.up)
			}
		}
		c.Reset(labels, p.width)
		c.Thetas = make([]float64, len(labels))
		k := 0
		for _, h := range some {
			for _, q := range h.planes {
				c.Set(k, h.of(q))
				if p.Scheme == Kesler { // no plane alone has a row right
					c.Thetas[k] = math.Inf(1)
				}
				k++
			}
		}
		counters = append(counters, c)
	}
	return counters
}

// count counts the rows at the positions from pos to end.
func (c *counter) count(l *vec.Lesson, pos, end int) {
	scan := c.ScanEach
	if c.Scheme == Kesler && c.width <= vec.ShortRow {
		scan = c.Scan
	}
	for ; pos < end; pos++ {
		next := scan(l, pos, end)
		for i := range c.challengers {
			c.challengers[i].right += uint64(next - pos)
		}
		if pos = next; pos == end {
			return
		}
		scores := c.Scores
		for i := range c.challengers {
			h := &c.challengers[i]
			k := len(h.planes)
			if h.has(&c.Config, scores[:k], l.Y[pos]) {
				h.right++
			}
			scores = scores[k:]
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
