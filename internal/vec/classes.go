package vec

import (
	"math"
	"slices"
)

// Reset prepares c for k = len(classes) vectors. The i-th vector is for the label classes[i], and has
// d elements and a bias b. If the classes compete (see Scan), no class may occur twice. After Reset,
// the caller sets each vector with Set. Reset takes O(k·d), and allocates only if c has too little
// memory.
func (c *Classes) Reset(classes []int, d int) {
	k := len(classes)
	c.d, c.group, c.minusRivals = d, groupOf(k, d), 1-k
	c.groups = (k + c.group - 1) / c.group
	n := c.groups * c.group
	c.classes = append(c.classes[:0], classes...)
	c.scores = Resized(c.scores, max(n, blockRows*k))
	c.Scores = c.scores[:k]
	if c.group == 1 {
		c.ahead.vectors, c.ahead.stale = Resized(c.ahead.vectors, k), Resized(c.ahead.stale, k)
		c.ahead.last = math.MaxInt
		return
	}
	c.w = Resized(c.w, n*(d+1))
	clear(c.w)
	for i := k; i < n; i++ { // padding: no score exceeds its score −Inf by a finite number
		c.column(i)[c.group*d] = math.Inf(-1)
		c.classes = append(c.classes, classes[k-1])
	}
}

// Resized returns a slice of n elements with arbitrary values. It reuses v's memory if that memory is
// large enough.
func Resized[E any](v []E, n int) []E {
	if cap(v) < n {
		return make([]E, n) // slices.Grow allocates twice under the race detector
	}
	return v[:n]
}

// column returns a slice with the i-th vector: element j is at index c.group·j, and b at c.group·d.
func (c *Classes) column(i int) []float64 {
	if c.group == 1 {
		return c.ahead.vectors[i][:c.d+1]
	}
	return c.w[i&-c.group*(c.d+1)+i&(c.group-1):]
}

// Set sets the i-th vector to w, which has d+1 elements. The last element is b. Set takes O(d). If
// each group is one vector, c keeps w instead of a copy, and Move changes w.
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

// Get copies the i-th vector to w, which has d+1 elements. The last element is b. Get takes O(d).
func (c *Classes) Get(i int, w []float64) {
	column := c.column(i)
	for j := range w {
		w[j] = column[c.group*j]
	}
}

// Move adds step·x to the i-th vector, with the bits of [Axpy], and bias to its b. It reports whether
// b and all elements of the vector are then finite. It takes O(d).
func (c *Classes) Move(i int, step float64, x []float64, bias float64) bool {
	w, g, at := c.column(i), c.group, 0
	b := w[g*c.d] + bias
	if w[g*c.d] = b; g == 1 {
		c.ahead.move(i)
		return Axpy(w[:c.d], w[:c.d], step, x) && IsFinite(b)
	}
	zero := b - b // becomes NaN if an element is not finite
	for _, v := range x {
		s := w[at] + float64(step*v)
		w[at] = s
		zero += s - s
		at += g
	}
	return zero == 0
}

// Scan skips rows that are right, from the position pos on. It returns the position of the first row
// that may be wrong, and sets Scores to that row's scores. The caller decides whether the row is wrong.
// If all rows before end are right, Scan returns end.
//
//   - If c.Thetas is nil, the classes compete. A row is right if the score of its class exceeds every
//     other score by more than l.Theta, and by a finite number. l.Theta is not negative.
//   - Otherwise each vector decides alone. For the k-th vector, y is +1 if the row has the vector's
//     class, else −1. The vector has the row right if y·score exceeds Thetas[k] and is finite. A row is
//     right if all vectors have it right.
//
// The rows of l have d elements. If the classes compete, each label is a class of c. Otherwise c has
// one vector, or the rows are longer than [ShortRow]. Scan changes no vector, whatever l.Halt is. If it
// needs [Lesson.Learn], it sets l.Halt and l.Theta. It takes O(k·d) for a row, and allocates nothing.
func (c *Classes) Scan(l *Lesson, pos, end int) int {
	if next, done := scanKernel(c, l, pos, end); done {
		return next
	}
	if len(c.Thetas) == 1 {
		l.Halt, l.Theta = true, c.Thetas[0]
		r := l.Learn(c.column(0), c.classes[0], pos, end, 0)
		c.Scores[0] = r.Score
		return r.Next
	}
	for ; pos < end; pos++ {
		if c.group > 1 {
			scoresKernel(c, l.X[l.At(pos)])
		} else if c.ahead.score(c, l, pos) {
			continue
		}
		if c.Thetas != nil || !exceeds(c.Scores, slices.Index(c.classes, l.Y[l.At(pos)]), l.Theta) {
			break
		}
	}
	return pos
}

// exceeds reports whether scores[own] is finite, and exceeds every other score by more than theta and
// by a finite number.
func exceeds(scores []float64, own int, theta float64) bool {
	for i, s := range scores {
		if m := scores[own] - s; i != own && !(m > theta && m <= math.MaxFloat64) {
			return false
		}
	}
	return IsFinite(scores[own])
}

// move records that the i-th vector has moved, so no row of the block is known to be right any more.
func (a *ahead) move(i int) { a.moved, a.stale[i], a.right = true, true, 0 }

// score returns true if each vector decides alone, every vector has the row at pos right, and no
// vector has moved since the row's block was scored. Otherwise the row may be wrong, and score sets
// c.Scores. If pos is outside the block, or not after the row scored last, score first scores a new
// block, which begins at pos.
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

// multiply scores the block of rows that begins at pos. The bits of right say which of these rows
// every vector classifies correctly.
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

// upcoming returns the rows of a later block, for a kernel to prefetch. It returns nil if all rows fit
// in the second-level cache, or if there is no later block.
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
