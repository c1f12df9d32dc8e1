package perceptron

import "perceptron/internal/vec"

// leastPlanes is the fewest planes for which rows are scored in blocks.
const leastPlanes = 2

// A rowBlock is the block of an epoch's rows that is being learned. Its memory serves the next
// epoch too.
type rowBlock struct {
	*pass
	order   rowOrder
	pos     int   // of the block's first row in the order
	rows    []int // the block's
	memory  [blockRows]int
	settled uint // the block's rows that need no update of any unit, a bit each
	fetch   bool // the rows exceed a cache, so that fetching them ahead pays
	moved   bool // a plane has moved since its weights were loaded

	products vec.Block                // with the planes
	x        [blockRows][]float64     // the block
	labels   [blockRows]int           // of its rows
	fetched  [2 * blockRows][]float64 // the blocks after it
	planes   []*plane                 // of the units
	weights  [][]float64              // of the planes
}

// start moves b before the first block of an epoch: advance moves to that.
func (b *rowBlock) start(p *pass, order rowOrder, units []*unit) {
	b.pass, b.order, b.pos, b.rows = p, order, 0, nil
	b.fetch, b.moved, b.planes = p.exceeds(secondCache), true, b.planes[:0]
	for _, u := range units {
		b.planes = append(b.planes, u.planes...)
	}
}

// advance moves to the next block, and reports whether there is one.
func (b *rowBlock) advance() bool {
	b.pos += len(b.rows)
	b.rows = b.memory[:min(blockRows, len(b.X)-b.pos)]
	for j := range b.rows {
		b.rows[j] = b.order.at(b.pos + j)
	}
	return len(b.rows) > 0
}

// multiply returns the products of the block's rows with the iterate of each plane: that of
// the j-th row with the k-th plane is element blockRows·k + j. It returns nil for a plane
// alone, which gains nothing.
func (b *rowBlock) multiply() []float64 {
	if len(b.planes) < leastPlanes {
		return nil
	}
	if b.moved {
		b.load()
	}
	return b.products.Dots(b.block(), b.upcoming())
}

// load loads the iterate of each plane.
func (b *rowBlock) load() {
	b.weights = b.weights[:0]
	for _, q := range b.planes {
		b.weights = append(b.weights, q.w[:b.width])
	}
	b.products.Load(b.weights)
	b.moved = false
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
	if !b.fetch || b.pos+blockRows >= len(b.X) {
		return nil
	}
	for j := range b.fetched {
		b.fetched[j] = b.X[b.order.at(min(b.pos+blockRows+j, len(b.X)-1))]
	}
	return &b.fetched
}

// A fetcher requests the rows of an epoch ahead of their use, where single rows are scored.
type fetcher struct {
	*pass
	order   rowOrder
	steps   [3]int
	ahead   vec.Ahead
	touched int // the result of touch, so that the compiler keeps the loads
}

// row returns the row at a position, or the last.
func (f *fetcher) row(pos int) []float64 { return f.X[f.order.at(min(pos, len(f.X)-1))] }

// request returns rows to fetch while the row at pos is scored, or nil if there are none.
// Of short rows that lie in memory in their order, the processor itself fetches the next in
// time.
func (f *fetcher) request(pos int) *vec.Ahead {
	const short = 32 // float64s
	f.touch(pos + f.steps[2] + touchRows)
	if f.width < short && vec.InOrder(f.row(pos), f.row(pos+f.steps[2]), 2*f.steps[2]*f.width) {
		return nil
	}
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
