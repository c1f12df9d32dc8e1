package perceptron

import (
	"math"
	"slices"

	"perceptron/internal/vec"
)

// A pocket describes the best iterate found so far (Gallant 1990, with ratchet). The planes
// hold its vectors, and those of the longest run.
//
// In epochs, two iterates challenge the pocket, at the end of each epoch: that of the epoch's
// longest run of examples without an update, and the last one. They are counted on all rows,
// so an epoch costs at most one more reading of the rows. In a stream there are no rows to
// count, and the run alone decides.
type pocket struct {
	beat uint64 // what a challenger must exceed: the rows right at the last count, or a stream's run
	run  uint64 // examples since the last update; each epoch begins anew

	longest int // the longest run that an update has ended in this epoch
	from    int // where in the epoch's order the present run began
}

// answer counts an example of a stream. The iterate challenges the pocket with its run.
func (u *unit) answer() {
	k := &u.pocket
	if k.run = min(k.run+1, countable); u.mistaken {
		k.run = 0
	}
	u.replace(inTraining, k.run)
}

// replace puts an iterate in the pocket if its number exceeds the pocket's.
func (u *unit) replace(of selector, number uint64) {
	if number <= u.pocket.beat {
		return
	}
	u.pocket.beat = number
	for _, p := range u.planes {
		copy(p.pocket, of(p))
	}
}

// endRun ends the run of the iterate that the row at pos of the order updates.
func (u *unit) endRun(pos int) {
	k := &u.pocket
	if run := pos - k.from; run > k.longest {
		k.longest = run
		for _, p := range u.planes {
			copy(p.longest, p.w)
		}
	}
	k.from = pos + 1
}

// A selector returns one of a plane's vectors (w, b).
type selector func(*plane) []float64

func inPocket(p *plane) []float64   { return p.pocket }
func ofLongest(p *plane) []float64  { return p.longest }
func inTraining(p *plane) []float64 { return p.w }

// A challenger is an iterate that is counted on all rows.
type challenger struct {
	*unit
	of    selector
	right uint64 // rows
}

// recount counts the rows that the pockets have right. A pocket that is all zero has none.
func (p *pass) recount(units []*unit) {
	var all []challenger
	for _, u := range units {
		u.pocket.beat = 0
		if slices.ContainsFunc(u.planes, func(q *plane) bool { return !(&Hyperplane{Weights: q.pocket}).isZero() }) {
			all = append(all, challenger{unit: u, of: inPocket})
		}
	}
	p.count(all)
}

// challenge lets the iterates of an epoch challenge the pockets. Without an update, the last
// one has all rows right, if the epoch has shown them all. The first of equals comes first.
func (p *pass) challenge(units []*unit) {
	var all []challenger
	for _, u := range units {
		k := &u.pocket
		k.run = uint64(len(p.X) - k.from)
		if u.mistakes == 0 && p.config.order != Sampled {
			u.replace(inTraining, k.run)
			continue
		}
		if k.longest > 0 && uint64(k.longest) >= k.run {
			all = append(all, challenger{unit: u, of: ofLongest})
		}
		all = append(all, challenger{unit: u, of: inTraining})
	}
	p.count(all)
}

// count counts the rows that each challenger has right, in one reading, and puts the better
// ones in the pockets.
func (p *pass) count(all []challenger) {
	var b rowBlock
	var products vec.Block
	var weights [][]float64
	for _, c := range all {
		for _, q := range c.planes {
			weights = append(weights, c.of(q)[:p.width])
		}
	}
	b.start(p, nil, nil)
	products.Load(weights)
	for len(all) > 0 && b.advance() {
		sums := products.Dots(b.block(), b.upcoming())
		for i := range all {
			all[i].countBlock(&b, sums)
			sums = sums[blockRows*len(all[i].planes):]
		}
	}
	for _, c := range all {
		c.replace(c.of, c.right)
	}
}

// countBlock counts the block's rows that c has right. The product of the j-th row with the
// k-th plane is products[blockRows·k + j]. An overflow counts by its sign.
func (c *challenger) countBlock(b *rowBlock, products []float64) {
	for j, label := range b.labels[:len(b.rows)] {
		for k, q := range c.planes {
			s := products[blockRows*k+j] + c.of(q)[b.width]
			q.score = max(-math.MaxFloat64, min(s, math.MaxFloat64))
		}
		if c.decide(&b.config, label) > 0 { // not if NaN
			c.right++
		}
	}
}
