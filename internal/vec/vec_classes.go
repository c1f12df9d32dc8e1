package vec

import (
	"math"
	"slices"
)

// ShortRow is the most elements of a row that [Classes] and [Lesson.Learn] have kernels for. All
// of them are the last products of Dot's order.
const ShortRow = 31

// Classes holds a vector (w, b) of few elements for each of some classes, so that all of them score
// a row at once: the same element of several vectors is one register. Their number is a group. A
// kernel adds for each vector as [Dot] does, so its sums v[0] to v[7] are eight registers for a
// group, and no register is folded in itself. Where there is no kernel, a group is one vector.
//
// The zero value has no vectors.
type Classes struct {
	Scores  []float64 // ⟨w, x⟩ + b of the row where Scan stopped, with Dot's bits
	d       int       // the elements of a vector beside b
	group   int       // the size of a group, a power of 2
	groups  int       // their number
	fill    int       // minus the rivals of a class
	classes []int     // the label of each vector; those that fill the last group have its last label
	w       []float64 // group by group: d registers of elements, and one of b
	scores  []float64 // Scores, and those that fill the last group
}

// Reset makes c hold vectors of d elements and b, all zero, for the classes, whose labels differ. It
// takes O(k·d) for k classes, and allocates only where c was smaller before.
func (c *Classes) Reset(classes []int, d int) {
	k := len(classes)
	c.d, c.group, c.fill = d, groupOf(k, d), 1-k
	c.groups = (k + c.group - 1) / c.group
	n := c.groups * c.group
	c.w = slices.Grow(c.w[:0], n*(d+1))[:n*(d+1)]
	c.scores = slices.Grow(c.scores[:0], n)[:n]
	c.Scores, c.classes = c.scores[:k], append(c.classes[:0], classes...)
	clear(c.w)
	for i := k; i < n; i++ { // no score exceeds these by a finite number
		c.column(i)[c.group*d] = math.Inf(-1)
		c.classes = append(c.classes, classes[k-1])
	}
}

// column returns the i-th vector, whose elements are group elements apart.
func (c *Classes) column(i int) []float64 { return c.w[i&-c.group*(c.d+1)+i&(c.group-1):] }

// Set sets the i-th vector to w, of d+1 elements: the last is b. It takes O(d).
func (c *Classes) Set(i int, w []float64) {
	column, g := c.column(i), c.group
	for j, v := range w {
		column[g*j] = v
	}
}

// Get sets w, of d+1 elements, to the i-th vector. It takes O(d).
func (c *Classes) Get(i int, w []float64) {
	column, g := c.column(i), c.group
	for j := range w {
		w[j] = column[g*j]
	}
}

// Move adds step·x and bias to the vector rise, as [Axpy] does, and takes them from another, fall.
// It reports whether all elements of both are finite. It takes O(d).
func (c *Classes) Move(rise, fall int, step float64, x []float64, bias float64) bool {
	up, down, g, at, sum := c.column(rise), c.column(fall), c.group, 0, 0.0
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
