package perceptron

import (
	"slices"

	"perceptron/internal/vec"
)

// together is the least number of planes that score a block together.
const together = 2

// A rowBlock is the block of an epoch's rows that is being learned, and the two after it.
type rowBlock struct {
	*pass
	order             *rowOrder
	left              int // rows of the epoch in none of the blocks
	rows, next, after []int
	memory            [3][blockRows]int
	right             uint // the block's rows that need no update of any unit, a bit each
	fetch             bool // the rows exceed a cache, so that fetching them ahead pays

	products []vec.Block              // of each worker
	x        [blockRows][]float64     // the block
	labels   [blockRows]int           // of its rows
	fetched  [2 * blockRows][]float64 // the blocks after it
	planes   []*plane                 // of the units
	weights  [][]float64              // of the planes
	sums     []float64                // of all workers
}

// newRowBlock returns a block before the first of the epoch: advance moves to that.
func newRowBlock(p *pass, order *rowOrder, units []*unit) *rowBlock {
	b := &rowBlock{pass: p, order: order, left: len(p.X), fetch: p.exceeds(secondCache)}
	for _, u := range units {
		b.planes = append(b.planes, u.planes...)
	}
	b.products = make([]vec.Block, b.scorers())
	b.rows, b.next, b.after = b.memory[0][:0], b.memory[1][:0], b.memory[2][:0]
	b.advance()
	b.advance()
	return b
}

// advance moves to the next block, and reports whether there is one.
func (b *rowBlock) advance() bool {
	b.rows, b.next, b.after = b.next, b.after, b.rows[:min(blockRows, b.left)]
	for j := range b.after {
		b.after[j] = b.order.next()
	}
	b.left -= len(b.after)
	return len(b.rows) > 0
}

// multiply returns the products of the block's rows with an iterate of each plane: that of
// the j-th row with the k-th plane is element blockRows·k + j. It returns nil for a plane
// alone, which gains nothing, and for rows of different widths.
func (b *rowBlock) multiply(from source) []float64 {
	if len(b.planes) < together || !b.sameWidth() {
		return nil
	}
	b.weights = b.weights[:0]
	for _, p := range b.planes {
		b.weights = append(b.weights, from.of(p)[:b.width])
	}
	x, next, n := b.block(), b.upcoming(), len(b.products)
	if n == 1 {
		return b.products[0].Dots(x, b.weights, next)
	}
	k := len(b.planes)
	b.sums = slices.Grow(b.sums, blockRows*k)[:blockRows*k]
	parallel(n, func(g int) {
		some := b.weights[g*k/n : (g+1)*k/n]
		copy(b.sums[g*k/n*blockRows:], b.products[g].Dots(x, some, next))
	})
	return b.sums
}

// scorers returns the number of workers that score a block. The classes of OneVsRest are
// shared already, and learn on their own. In Multiclass all wait for each other after
// every block, so a block must be worth it.
func (b *rowBlock) scorers() int {
	k := len(b.planes)
	if b.scheme != kesler || float64(blockRows*k)*float64(b.width) < float64(worthwhile) {
		return 1
	}
	return b.workersFor(k/companions, k)
}

// sameWidth reports whether the block's rows still have the width that was
// validated: the caller may have changed them since.
func (b *rowBlock) sameWidth() bool {
	for _, i := range b.rows {
		if len(b.X[i]) != b.width {
			return false
		}
	}
	return true
}

// block returns the rows of the block, and sets their labels. The last block may have
// fewer: its last row fills the rest.
func (b *rowBlock) block() *[blockRows][]float64 {
	for j := range b.x {
		i := b.rows[min(j, len(b.rows)-1)]
		b.x[j], b.labels[j] = b.X[i], b.y[i]
	}
	return &b.x
}

// upcoming returns the rows of the next two blocks, or nil if there is nothing to fetch.
// A processor drops requests that it has no room for, so each row is requested twice:
// while the block before it is scored, and while the block before that is.
func (b *rowBlock) upcoming() *[2 * blockRows][]float64 {
	if !b.fetch || len(b.next) == 0 {
		return nil
	}
	after := b.after
	if len(after) == 0 {
		after = b.next
	}
	for j := range blockRows {
		b.fetched[j] = b.X[b.next[min(j, len(b.next)-1)]]
		b.fetched[blockRows+j] = b.X[after[min(j, len(after)-1)]]
	}
	return &b.fetched
}

// A rowQueue is an epoch's order, with the rows that follow the current one.
type rowQueue struct {
	*pass
	order *rowOrder
	left  int // rows of the epoch that are not drawn
	last  int // the last that is drawn
	pos   int // of the current row
	lead  int
	drawn [4 * vec.MaxLead]int // the row at each position, and the 4·lead after it
	ahead vec.Ahead
}

// newRowQueue returns the queue of an epoch, before the first row.
func newRowQueue(p *pass, order *rowOrder) *rowQueue {
	q := &rowQueue{pass: p, order: order, left: len(p.X), pos: -1, lead: vec.Lead(p.width)}
	for k := range 4 * q.lead {
		q.draw(k)
	}
	return q
}

// draw sets the row at a position. After the last row, that row itself follows.
func (q *rowQueue) draw(pos int) {
	if q.left > 0 {
		q.left--
		q.last = q.order.next()
	}
	q.drawn[uint(pos)%uint(len(q.drawn))] = q.last
}

// at returns the row at a position.
func (q *rowQueue) at(pos int) int { return q.drawn[uint(pos)%uint(len(q.drawn))] }

// advance returns the next row.
func (q *rowQueue) advance() int {
	q.pos++
	i := q.at(q.pos)
	q.draw(q.pos + 4*q.lead)
	for j := range q.ahead {
		q.ahead[j] = q.X[q.at(q.pos+q.lead<<j)]
	}
	return i
}
