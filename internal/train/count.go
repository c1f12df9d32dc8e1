package train

import (
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

// count counts the rows that each challenger has right, in one reading, and puts the better
// ones in the pockets.
func (p *pass) count(all []challenger) {
	var b rowBlock
	for b.start(p, nil); len(all) > 0 && b.pos < len(p.X); b.pos += blockRows {
		if b.pos%(16*blockRows) == 0 {
			all = b.contend(all)
		}
		products := b.multiply()
		for i := range all {
			all[i].countBlock(&b, products)
			products = products[blockRows*len(all[i].planes):]
		}
	}
	for _, c := range all {
		c.pocket.replace(c.planes, c.of, c.right)
	}
}

// contend loads the vectors of the challengers that can still win, and returns them: with
// all rows left right, they would have more right than the pocket.
func (b *rowBlock) contend(all []challenger) []challenger {
	left := uint64(len(b.X) - b.pos)
	all = slices.DeleteFunc(all, func(c challenger) bool { return c.right+left <= c.pocket.beat })
	b.weights = b.weights[:0]
	for _, c := range all {
		for _, q := range c.planes {
			b.weights = append(b.weights, c.of(q)[:b.width])
		}
	}
	b.products.Load(b.weights)
	return all
}

// countBlock counts the block's rows that c has right. An overflow counts by its sign, and a
// NaN is wrong.
func (c *challenger) countBlock(b *rowBlock, products []float64) {
	if b.Scheme != Kesler {
		bias := c.of(c.planes[0])[b.width]
		for j, label := range b.labels[:min(blockRows, len(b.X)-b.pos)] {
			if c.planes[0].target(label)*(products[j]+bias) > 0 {
				c.right++
			}
		}
		return
	}
	for j, label := range b.labels[:min(blockRows, len(b.X)-b.pos)] {
		for k, q := range c.planes {
			q.score = vec.NearestFinite(products[blockRows*k+j] + c.of(q)[b.width])
		}
		if c.contest(label) > 0 {
			c.right++
		}
	}
}
