package train

import "perceptron/internal/vec"

// A rowBlock is a block of an epoch's rows, which are multiplied together, while later rows are
// fetched from memory.
type rowBlock struct {
	*pass
	lesson vec.Lesson
	pos    int // of the block's first row in the order
	ahead  int // how many rows ahead rows are fetched, or 0: it pays if they exceed a cache

	products vec.Block            // with the weights
	x        [blockRows][]float64 // the block
	labels   [blockRows]int       // of its rows
	fetched  [blockRows][]float64 // rows after it
	weights  [][]float64          // of planes
}

// start moves b to the first block of an epoch.
func (b *rowBlock) start(p *pass, order rowOrder) {
	if b.pass, b.lesson, b.pos, b.ahead = p, p.lesson(order), 0, 0; p.exceeds(vec.SecondCache) {
		b.ahead = max(blockRows, vec.Ahead(p.width))
	}
}

// multiply returns the products of the block's rows with the weights, and sets the rows'
// labels: the product of the j-th row with the k-th weights is element blockRows·k + j. The
// last row fills a block that has fewer.
func (b *rowBlock) multiply() []float64 {
	for j := range b.x {
		i := b.lesson.At(b.pos + j)
		b.x[j], b.labels[j] = b.X[i], b.y[i]
	}
	return b.products.Dots(&b.x, b.upcoming())
}

// upcoming returns the rows of a later block to fetch, or nil if there are none.
func (b *rowBlock) upcoming() *[blockRows][]float64 {
	first := b.pos + b.ahead
	if b.ahead == 0 || first >= len(b.X) {
		return nil
	}
	for j := range b.fetched {
		b.fetched[j] = b.X[b.lesson.At(first+j)]
	}
	return &b.fetched
}
