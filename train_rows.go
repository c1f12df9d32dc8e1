package perceptron

import (
	"slices"
	"sync"

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
	moved             bool // a plane has moved since its weights were loaded

	products []vec.Block              // of each worker
	x        [blockRows][]float64     // the block
	labels   [blockRows]int           // of its rows
	fetched  [2 * blockRows][]float64 // the blocks after it
	planes   []*plane                 // of the units
	weights  [][]float64              // of the planes
	sums     []float64                // of all workers
}

// rowBlocks keeps the memory of blocks, because an epoch of few rows takes no longer than
// to allocate it.
var rowBlocks = sync.Pool{New: func() any { return new(rowBlock) }}

// newRowBlock returns a block before the first of the epoch: advance moves to that. The
// caller releases it.
func newRowBlock(p *pass, order *rowOrder, units []*unit) *rowBlock {
	b := rowBlocks.Get().(*rowBlock)
	b.pass, b.order, b.left, b.fetch, b.moved = p, order, len(p.X), p.exceeds(secondCache), true
	for _, u := range units {
		b.planes = append(b.planes, u.planes...)
	}
	n := b.scorers()
	b.products = slices.Grow(b.products[:0], n)[:n]
	b.rows, b.next, b.after = b.memory[0][:0], b.memory[1][:0], b.memory[2][:0]
	b.advance()
	b.advance()
	return b
}

// release gives the memory of b back. It forgets the rows and the planes.
func (b *rowBlock) release() {
	for g := range b.products {
		b.products[g].Load(nil)
	}
	clear(b.planes)
	clear(b.weights)
	*b = rowBlock{products: b.products, planes: b.planes[:0], weights: b.weights[:0], sums: b.sums}
	rowBlocks.Put(b)
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
	if b.moved {
		b.load(from)
	}
	x, next, n := b.block(), b.upcoming(), len(b.products)
	if n == 1 {
		return b.products[0].Dots(x, next)
	}
	k := len(b.planes)
	b.sums = slices.Grow(b.sums, blockRows*k)[:blockRows*k]
	parallel(n, func(g int) {
		copy(b.sums[g*k/n*blockRows:], b.products[g].Dots(x, next))
	})
	return b.sums
}

// load loads an iterate of each plane. The workers share the planes.
func (b *rowBlock) load(from source) {
	b.weights = b.weights[:0]
	for _, p := range b.planes {
		b.weights = append(b.weights, from.of(p)[:b.width])
	}
	k, n := len(b.planes), len(b.products)
	for g := range b.products {
		b.products[g].Load(b.weights[g*k/n : (g+1)*k/n])
	}
	b.moved = false
}

// scorers returns the number of workers that score a block. The classes of OneVsRest are
// shared already, and learn on their own. In Multiclass the workers wait for each other after
// every block, so a block must have more multiplications than an epoch of OneVsRest.
func (b *rowBlock) scorers() int {
	k := len(b.planes)
	if b.scheme != kesler || float64(blockRows*k)*float64(b.width) < float64(4*worthwhile) {
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

const (
	windowRows = 256                   // rows that a rowQueue shows at once
	following  = vec.MostAhead + early // rows after them that it shows too
	early      = 12                    // how many rows before its first request a row is touched
)

// A rowQueue is an epoch's order, with the rows that follow the current ones.
type rowQueue struct {
	*pass
	order  *rowOrder
	left   int // rows of the epoch that are not drawn
	last   int // the last row drawn
	window [windowRows + following]int

	steps   [3]int
	ahead   vec.Ahead
	touched int // the result of touch, so that the compiler keeps the loads
}

// start makes q the queue of an epoch, before the first row.
func (q *rowQueue) start(p *pass, order *rowOrder) {
	q.pass, q.order, q.left, q.steps = p, order, len(p.X), vec.Steps(p.width)
	q.draw(q.window[windowRows:])
}

// advance returns the next rows, and those that follow them. After the epoch's last row,
// that row itself follows.
func (q *rowQueue) advance() []int {
	copy(q.window[:], q.window[windowRows:])
	q.draw(q.window[following:])
	return q.window[:]
}

// draw sets rows to the next of the order.
func (q *rowQueue) draw(rows []int) {
	for k := range rows {
		if q.left > 0 {
			q.left--
			q.last = q.order.next()
		}
		rows[k] = q.last
	}
}

// request returns rows to fetch while the k-th of the window is scored, or nil if there are
// none. Of short rows that lie in memory in their order, the processor itself fetches the next
// in time.
func (q *rowQueue) request(k int) *vec.Ahead {
	const short = 32 // float64s
	row := func(k int) []float64 { return q.X[q.window[k]] }
	q.touch(q.window[k+q.steps[2]+early])
	if q.width < short && vec.InOrder(row(k), row(k+q.steps[2]), 2*q.steps[2]*q.width) {
		return nil
	}
	for j, s := range q.steps {
		q.ahead.Set(j, row(k+s))
	}
	return &q.ahead
}

// touch loads the i-th row's slice and label, but not its features. In a random order they
// are in no cache, so touch loads them well before they are needed.
func (q *rowQueue) touch(i int) { q.touched = len(q.X[i]) + q.y[i] }
