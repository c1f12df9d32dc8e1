package vec

import (
	"math"
	"slices"
)

// ShortRow is the most elements of a row that [Classes] and [Lesson.Learn] have kernels for. All
// of them are the last products of Dot's order.
const ShortRow = 31

// Classes holds a vector (w, b) for each of some classes, so that all of them score a row at once.
// For rows of few elements the same element of several vectors is one register. Their number is a group. A
// kernel adds for each vector as [Dot] does, so its sums v[0] to v[7] are eight registers for a
// group, and no register is folded in itself. Where there is no kernel, as for longer rows, a group
// is one vector, and rows are scored ahead in blocks.
//
// The zero value has no vectors.
type Classes struct {
	Scores  []float64 // ⟨w, x⟩ + b of the row where Scan stopped, with Dot's bits
	Thetas  []float64 // for Scan: θ of each vector, or nil
	d       int       // the elements of a vector beside b
	group   int       // the size of a group, a power of 2
	groups  int       // their number
	fill    int       // minus the rivals of a class
	classes []int     // the label of each vector; those that fill the last group have its last label
	w       []float64 // group by group: d registers of elements, and one of b
	scores  []float64 // Scores, and those that fill the last group; those of a block where a group is one vector
	ahead   ahead
}

// Reset makes c hold vectors of d elements and b for the classes, whose labels differ. Set must set
// each of them. It takes O(k·d) for k classes, and allocates only where c was smaller before.
func (c *Classes) Reset(classes []int, d int) {
	k := len(classes)
	c.d, c.group, c.fill = d, groupOf(k, d), 1-k
	c.groups = (k + c.group - 1) / c.group
	n := c.groups * c.group
	c.classes = append(c.classes[:0], classes...)
	if c.group == 1 {
		c.scores, c.w = slices.Grow(c.scores[:0], BlockRows*k)[:BlockRows*k], nil
		c.Scores = c.scores[:k]
		c.ahead.reset(k)
		return
	}
	c.w = slices.Grow(c.w[:0], n*(d+1))[:n*(d+1)]
	c.scores = slices.Grow(c.scores[:0], n)[:n]
	c.Scores = c.scores[:k]
	clear(c.w)
	for i := k; i < n; i++ { // no score exceeds these by a finite number
		c.column(i)[c.group*d] = math.Inf(-1)
		c.classes = append(c.classes, classes[k-1])
	}
}

// column returns the i-th vector, whose elements are group elements apart.
func (c *Classes) column(i int) []float64 {
	if c.group == 1 {
		return c.ahead.vectors[i][:c.d+1]
	}
	return c.w[i&-c.group*(c.d+1)+i&(c.group-1):]
}

// Set sets the i-th vector to w, of d+1 elements: the last is b. It takes O(d). Where a group is one
// vector, c keeps w, and Move changes it.
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

// Move adds step·x and bias to the vector rise, as [Axpy] does, and takes them from another, fall.
// It reports whether all elements of both are finite. It takes O(d).
func (c *Classes) Move(rise, fall int, step float64, x []float64, bias float64) bool {
	up, down, g, at, sum := c.column(rise), c.column(fall), c.group, 0, 0.0
	if g == 1 {
		c.ahead.move(rise)
		c.ahead.move(fall)
		ok := Axpy(up[:c.d], up[:c.d], step, x)
		ok = Axpy(down[:c.d], down[:c.d], -step, x) && ok
		up[c.d] += bias
		down[c.d] -= bias
		return ok && IsFinite(up[c.d]) && IsFinite(down[c.d])
	}
	for _, v := range x {
		p := float64(step * v)
		r, f := up[at]+p, down[at]-p
		up[at], down[at] = r, f
		sum += (r - r) + (f - f)
		at += g
	}
	up[at] += bias
	down[at] -= bias
	return sum == 0 && IsFinite(up[at]) && IsFinite(down[at])
}

// An ahead has the scores of a block of rows, which were multiplied together. A vector that moves
// scores the rest of the block anew. All these scores have the same bits, because [Block] adds as Dot
// does.
type ahead struct {
	block       Block
	vectors     [][]float64
	x, next     [BlockRows][]float64 // the block, and rows to fetch
	labels      [BlockRows]int       // of the block
	first, last int                  // the positions of the block's first row, and of the last row scored
	right       uint                 // the block's rows that all vectors have right, a bit each
	moved       bool                 // whether a vector has moved since the block was multiplied
	stale       []bool               // which
}

// reset makes room for k vectors.
func (a *ahead) reset(k int) {
	a.vectors, a.stale = slices.Grow(a.vectors[:0], k)[:k], slices.Grow(a.stale[:0], k)[:k]
	a.last = math.MaxInt
}

// move notes that the i-th vector has moved.
func (a *ahead) move(i int) { a.moved, a.stale[i], a.right = true, true, 0 }

// score sets c's scores of the row at a position, unless all vectors have it right. It reports that. It
// multiplies the block that begins there, unless the row follows the last one in the block.
func (a *ahead) score(c *Classes, l *Lesson, pos int) (right bool) {
	if pos <= a.last || pos >= a.first+BlockRows {
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

// multiply scores the block of rows at a position.
func (a *ahead) multiply(c *Classes, l *Lesson, pos int) {
	for j := range a.x {
		i := l.At(pos + j)
		a.x[j], a.labels[j] = l.X[i], l.Y[i]
	}
	if a.moved {
		a.block.Load(a.vectors)
		a.moved = false
		clear(a.stale)
	}
	products := a.block.Dots(&a.x, a.upcoming(c, l, pos))
	a.first, a.right = pos, 1<<BlockRows-1
	for k := range c.groups {
		b, class, theta := c.column(k)[c.d], c.classes[k], math.Inf(1)
		if c.Thetas != nil {
			theta = c.Thetas[k]
		}
		for j, s := range (*[BlockRows]float64)(products[BlockRows*k:]) {
			s += b
			c.scores[c.groups*j+k] = s
			if m := Sign(a.labels[j] == class) * s; !(m > theta && m <= math.MaxFloat64) {
				a.right &^= 1 << j
			}
		}
	}
}

// upcoming returns the rows of a later block to fetch, or nil. It pays if they exceed a cache.
func (a *ahead) upcoming(c *Classes, l *Lesson, pos int) *[BlockRows][]float64 {
	if float64(len(l.X))*float64(c.d) <= SecondCache {
		return nil
	}
	first := pos + max(BlockRows, Ahead(c.d))
	if first >= len(l.X) {
		return nil
	}
	for j := range a.next {
		a.next[j] = l.X[l.At(first+j)]
	}
	return &a.next
}

// A Lesson has labelled rows, and how a perceptron learns them. The row at a position is
// X[Order[position]], or X[position] if Order is nil.
type Lesson struct {
	X        [][]float64 // rows of as many elements, one or more
	Y, Order []int       // a label for each; the order of the rows, or nil
	Theta    float64     // a row is right if y·score > Theta, and finite
	Step     float64     // η: a row that is not right adds ηyx to the vector
	Bias     float64     // and Bias·y to b
	Scan     bool        // to stop at such a row instead
	Fetch    bool        // the rows exceed the caches, so fetching them ahead pays
	touched  int         // so that the compiler keeps the loads of fetch
}

// A Learned is what Learn did.
type Learned struct {
	Next     int     // the position where it stopped
	Mistakes int     // the rows learned
	Loss     float64 // the loss before, and their shortfalls max(0, −y·score)
	Score    float64 // the last score
}

// At returns the index of the row at a position, or the last one's.
func (l *Lesson) At(pos int) int {
	if pos = min(pos, len(l.X)-1); l.Order != nil {
		return l.Order[pos]
	}
	return pos
}
