package vec

import (
	"math"
	"slices"
)

// Classes holds a vector (w, b) for each class, and scores a row with all of them at once. The zero
// value has no vectors.
//
// The vectors form groups. For rows of few elements a register holds the same element of all
// vectors of a group. A kernel adds for each vector as [Dot] does: its sums v[0] to v[7] are eight
// registers. For longer rows, and where there is no kernel, a group is one vector, and a block of
// rows is scored together.
type Classes struct {
	Scores      []float64 // ⟨w, x⟩ + b of the row where Scan stopped, with Dot's bits
	Thetas      []float64 // for Scan: θ of each vector, or nil
	d           int       // the elements of a vector beside b
	group       int       // the size of a group, a power of 2
	groups      int       // their number
	minusRivals int       // −(k−1): the rivals of a class
	classes     []int     // the labels; the last one is that of those that fill the last group too
	w           []float64 // group by group: d registers of elements, and one of b
	scores      []float64 // of the groups' vectors; if a group is one vector, of a block of rows
	ahead       ahead
}

// Reset makes c hold vectors of d elements and b for the classes, whose labels differ. The caller
// sets each vector with Set. Reset takes O(k·d) for k classes, and allocates only if c was smaller.
func (c *Classes) Reset(classes []int, d int) {
	k := len(classes)
	c.d, c.group, c.minusRivals = d, groupOf(k, d), 1-k
	c.groups = (k + c.group - 1) / c.group
	n := c.groups * c.group
	c.classes = append(c.classes[:0], classes...)
	c.scores = resized(c.scores, max(n, blockRows*k))
	c.Scores = c.scores[:k]
	if c.group == 1 {
		c.ahead.vectors, c.ahead.stale = resized(c.ahead.vectors, k), resized(c.ahead.stale, k)
		c.ahead.last = math.MaxInt
		return
	}
	c.w = resized(c.w, n*(d+1))
	clear(c.w)
	for i := k; i < n; i++ { // no score exceeds these by a finite number
		c.column(i)[c.group*d] = math.Inf(-1)
		c.classes = append(c.classes, classes[k-1])
	}
}

// resized returns a slice of n elements, any values. It reuses the memory of v if that suffices.
func resized[E any](v []E, n int) []E { return slices.Grow(v[:0], n)[:n] }

// column returns the i-th vector, whose elements are group elements apart.
func (c *Classes) column(i int) []float64 {
	if c.group == 1 {
		return c.ahead.vectors[i][:c.d+1]
	}
	return c.w[i&-c.group*(c.d+1)+i&(c.group-1):]
}

// Set sets the i-th vector to w, of d+1 elements: the last is b. It takes O(d). If a group is one
// vector, c keeps w, and Move changes w.
func (c *Classes) Set(i int, w []float64) {
	if c.group == 1 {
		c.ahead.vectors[i] = w[:c.d]
		c.ahead.move(i)
		return
	}
	column, g := c.column(i), c.group
	for j, v := range w {
		column[g*j] = v
	}
}

// Get sets w, of d+1 elements, to the i-th vector. It takes O(d).
func (c *Classes) Get(i int, w []float64) {
	column, g := c.column(i), c.group
	if g == 1 {
		copy(w, column)
		return
	}
	for j := range w {
		w[j] = column[g*j]
	}
}

// Move adds step·x and bias to the i-th vector, as [Axpy] does. It reports whether all elements are
// finite. It takes O(d).
func (c *Classes) Move(i int, step float64, x []float64, bias float64) bool {
	w, g, at := c.column(i), c.group, 0
	b := w[g*c.d] + bias
	if w[g*c.d] = b; g == 1 {
		c.ahead.move(i)
		return Axpy(w[:c.d], w[:c.d], step, x) && IsFinite(b)
	}
	zero := b - b // NaN if an element is not finite
	for _, v := range x {
		s := w[at] + float64(step*v)
		w[at] = s
		zero += s - s
		at += g
	}
	return zero == 0
}

// An ahead has the scores of a block of rows, which were multiplied together. After a vector has
// moved, it scores the other rows of the block again. Either way the scores have the bits of Dot.
type ahead struct {
	block       block
	vectors     [][]float64
	x, next     [blockRows][]float64 // the block, and rows to fetch
	labels      [blockRows]int       // of the block
	first, last int                  // the positions of the block, and of the last row scored
	right       uint                 // the block's rows that all vectors have right, a bit each
	moved       bool                 // whether a vector has moved since the block was multiplied
	stale       []bool               // which
}

// move notes that the i-th vector has moved.
func (a *ahead) move(i int) { a.moved, a.stale[i], a.right = true, true, 0 }

// score reports whether all vectors have the row at a position right. If not, it sets c.Scores. It
// multiplies the block that begins there, unless the row is a later one of the last block.
func (a *ahead) score(c *Classes, l *Lesson, pos int) (right bool) {
	if pos <= a.last || pos >= a.first+blockRows {
		a.multiply(c, l, pos)
	}
	a.last = pos
	if a.right>>(pos-a.first)&1 != 0 {
		return true
	}
	K := c.groups
	c.Scores = c.scores[K*(pos-a.first):][:K]
	for k := 0; a.moved && k < K; k++ {
		if a.stale[k] {
			c.Scores[k] = Dot(a.vectors[k], l.X[l.At(pos)]) + c.column(k)[c.d]
		}
	}
	return false
}

// multiply scores the block of rows that begins at a position.
func (a *ahead) multiply(c *Classes, l *Lesson, pos int) {
	for j := range a.x {
		i := l.At(pos + j)
		a.x[j], a.labels[j] = l.X[i], l.Y[i]
	}
	if a.moved {
		a.block.load(a.vectors)
		a.moved = false
		clear(a.stale)
	}
	products := a.block.dots(&a.x, a.upcoming(c, l, pos))
	a.first, a.right = pos, 1<<blockRows-1
	for k := range c.groups {
		b, class, theta := c.column(k)[c.d], c.classes[k], math.Inf(1)
		if c.Thetas != nil {
			theta = c.Thetas[k]
		}
		for j, s := range (*[blockRows]float64)(products[blockRows*k:]) {
			s += b
			c.scores[c.groups*j+k] = s
			if m := Sign(a.labels[j] == class) * s; !(m > theta && m <= math.MaxFloat64) {
				a.right &^= 1 << j
			}
		}
	}
}

// upcoming returns the rows of a later block to fetch, or nil if all rows fit in a cache.
func (a *ahead) upcoming(c *Classes, l *Lesson, pos int) *[blockRows][]float64 {
	if float64(len(l.X))*float64(c.d) <= SecondCache {
		return nil
	}
	first := pos + max(blockRows, rowsAhead(c.d))
	if first >= len(l.X) {
		return nil
	}
	for j := range a.next {
		a.next[j] = l.X[l.At(first+j)]
	}
	return &a.next
}
