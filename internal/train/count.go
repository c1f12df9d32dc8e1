package train

import (
	"math"
	"slices"
)

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
		if slices.ContainsFunc(u.planes, func(q *plane) bool { return !allZero(q.pocket) }) {
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
		if u.mistakes == 0 && p.Order != Sampled {
			k.replace(u.planes, inTraining, k.run)
			continue
		}
		if k.longest > 0 && uint64(k.longest) >= k.run {
			all = append(all, challenger{unit: u, of: ofLongest})
		}
		all = append(all, challenger{unit: u, of: inTraining})
		k.longest, k.from = 0, 0
	}
	p.count(all)
}

// count counts the rows that each challenger has right, in one reading, and puts the better
// ones in the pockets.
func (p *pass) count(all []challenger) {
	var b rowBlock
	var weights [][]float64
	for _, c := range all {
		for _, q := range c.planes {
			weights = append(weights, c.of(q)[:p.width])
		}
	}
	b.start(p, nil, nil)
	b.products.Load(weights)
	for len(all) > 0 && b.advance() {
		sums := b.products.Dots(b.block(), b.upcoming())
		for i := range all {
			all[i].countBlock(&b, sums)
			sums = sums[blockRows*len(all[i].planes):]
		}
	}
	for _, c := range all {
		c.pocket.replace(c.planes, c.of, c.right)
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
		if c.decide(&b.Config, label) > 0 { // not if NaN
			c.right++
		}
	}
}
