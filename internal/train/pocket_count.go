package train

import (
	"slices"

	"perceptron/internal/vec"
	"perceptron/internal/weights"
)

// A challenger is an iterate of a unit that may replace the one in the pocket.
type challenger struct {
	*unit
	// of says which of the unit's iterates the challenger is.
	of weights.Iterate
	// most is the largest number of rows that the challenger can have right: the number of all rows,
	// less those found wrong so far.
	most uint64
}

// challenge puts the best iterate of an epoch in the pocket of each unit, if it beats the one there.
// If two iterates have equally many rows right, it takes the earlier one in the list. So the list
// has the iterate of the longest streak before the last iterate. If the present streak is the
// longest, the two are the same iterate, which is counted once.
//
// After the first epoch of a run, the iterate in the pocket is counted too, because beat may count
// other rows. If that iterate is all zero, it has no row right, and need not be counted.
func (p *pass) challenge(units []*unit, first bool) {
	n := uint64(len(p.y))
	var all []challenger
	for _, u := range units {
		k := &u.pocket
		if first {
			k.beat = 0
			if !u.isZero(&p.planes, weights.Best) {
				all = append(all, challenger{u, weights.Best, n})
			}
		}
		if k.streak = n - k.from; k.record > 0 && k.record >= k.streak {
			all = append(all, challenger{u, weights.Longest, n})
		}
		all = append(all, challenger{u, weights.Training, n})
		k.record, k.from = 0, 0
	}
	size := max(1, len(all))
	if p.fields.Rival != nil || p.Sparse == nil && p.planes.Width() <= vec.ShortRow {
		size = 1 // Scan can score only one unit's planes then, and skips the rows that the unit has right
	}
	p.count(all, size)
}

// isZero reports whether all elements of an iterate are 0.
func (u *unit) isZero(planes *weights.Planes, of weights.Iterate) bool {
	for k := range u.scores {
		if !planes.IsZero(u.first+k, of) {
			return false
		}
	}
	return true
}

// count counts the rows that each challenger has right, and puts those that beat the pockets there.
// size is the number of challengers that score a row together. A challenger that can no longer beat
// its pocket is left out from then on, and the scanners are made again without it.
func (p *pass) count(all []challenger, size int) {
	// Each block of rows is scored by all challengers before the next block, while it is in a cache.
	const rows = 64
	var scans []scanner
	scanned := 0
	for pos := 0; pos < len(p.y); pos += rows {
		all = slices.DeleteFunc(all, func(c challenger) bool { return c.most <= c.pocket.beat })
		if len(all) != scanned {
			scans, scanned = scans[:0], len(all)
			for some := range slices.Chunk(all, size) {
				scans = append(scans, p.scanFor(some))
			}
		}
		for i, scan := range scans {
			p.countRows(all[i*size:min((i+1)*size, len(all))], scan, pos, min(pos+rows, len(p.y)))
		}
	}
	for _, c := range all {
		c.replace(&p.planes, c.of, c.most)
	}
}

// countRows scans the rows at positions from pos on, before end, for challengers that score together.
// It takes 1 from most of a challenger for each row that the challenger has wrong.
func (p *pass) countRows(some []challenger, scan scanner, pos, end int) {
	for ; pos < end; pos++ {
		var scores []float64
		if pos, scores = scan(pos, end); pos == end {
			return
		}
		for i := range some {
			c, k := &some[i], len(some[i].scores)
			if !c.isRight(&p.core, scores[:k], p.y[pos]) {
				c.most--
			}
			scores = scores[k:]
		}
	}
}

// A scanner looks for a row that a challenger may have wrong, from pos on. It returns the position
// and the scores of the first such row, or end if there is none before end.
type scanner func(pos, end int) (next int, scores []float64)

// scanFor returns the scanner for challengers, whose planes score each row together.
func (p *pass) scanFor(all []challenger) scanner {
	if p.Sparse != nil { // the scanner stops at each row
		var scores []float64
		return func(pos, _ int) (int, []float64) {
			x := p.at(pos)
			scores = scores[:0]
			for _, c := range all {
				for k := range c.scores {
					scores = append(scores, p.planes.Score(c.first+k, c.of, &x))
				}
			}
			return pos, scores
		}
	}
	var labels []int
	var vectors [][]float64
	for _, c := range all {
		for k := range c.scores {
			labels, vectors = append(labels, p.classes[c.first+k]), append(vectors, p.planes.Vector(c.first+k, c.of))
		}
	}
	l, together := p.lesson(nil), new(vec.Classes)
	together.Reset(labels, p.planes.Width())
	for k, w := range vectors {
		together.Set(k, w)
	}
	if p.fields.Rival == nil {
		together.Thetas = make([]float64, len(labels))
	}
	return func(pos, end int) (int, []float64) {
		pos = together.Scan(&l, pos, end)
		return pos, together.Scores
	}
}

// isRight reports whether c has a row right, from the scores of its planes. A score of ±Inf counts as
// ±math.MaxFloat64. A row with a score that is NaN is wrong. An overflow is no error here: the rows
// have been learned, but their scores by other iterates than the last may overflow.
func (c *challenger) isRight(t *core, scores []float64, label int) bool {
	for k, s := range scores {
		c.scores[k] = vec.NearestFinite(s)
	}
	right, finite := c.unit.right(t, label, 0)
	return right && finite
}
