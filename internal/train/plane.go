package train

import (
	"slices"

	"perceptron/internal/vec"
)

// A plane is one hyperplane in training. Each of its vectors has the d weights and then the bias.
// An iterate is the vector (w, b) after some updates.
//
// An update has two steps. propose computes the next iterate in a spare vector, and may find that
// it overflows. move then makes it the iterate. So an update that fails changes nothing.
type plane struct {
	// class is the label of the rows that should score above 0: +1 in a binary model.
	class int
	// w is the iterate in training.
	w []float64
	// norm is the length of w if the rule has Norm. propose already sets it to the length of next,
	// which move then makes the iterate.
	norm float64

	// kept predicts under Average and Pocket: it is the mean, or the best iterate. Under Last it is
	// nil, and w predicts.
	kept []float64
	// average is used under Average: the mean follows from it.
	average average
	// longest is, under Pocket, the iterate that had the longest streak of this epoch.
	longest []float64

	// next is the next iterate, which propose has computed. For a sparse row it has only an element
	// for each non-zero, and one for the bias.
	next []float64
	// part has, for a sparse row, the same elements of w.
	part []float64
	// stride is the distance between two elements of w, and of the average's sums: 1, or more while
	// they are in a table.
	stride int
}

// newPlane returns the plane of a class before training. Its iterate is start, with d weights.
func newPlane(c *Config, start Hyperplane, d, class int) *plane {
	q := &plane{class: class, w: make([]float64, d+1), stride: 1}
	for j, v := range start.Weights {
		q.w[j] = v + 0 // turns −0 into 0: no weight is ever −0
	}
	q.w[d] = start.Bias + 0
	switch c.Keep {
	case Average:
		q.average = average{sum: make([]float64, d+1), low: make([]float64, d+1)}
	case Pocket:
		q.kept = slices.Clone(q.w)
	}
	return q
}

// clone returns a copy with memory of its own. It leaves out the vectors that only an epoch uses.
// It copies kept only on request, because another reader may be computing a mean in it.
func (q *plane) clone(kept bool) *plane {
	c := &plane{class: q.class, norm: q.norm, stride: 1, w: slices.Clone(q.w)}
	if kept {
		c.kept = slices.Clone(q.kept)
	}
	c.average.sum, c.average.low = slices.Clone(q.average.sum), slices.Clone(q.average.low)
	if cap(q.next) >= len(q.w) { // dense updates have used them
		c.resize(len(c.w))
	}
	return c
}

// Score returns ⟨w, x⟩ + b, where the last element of w is b. The score is not finite if a feature
// is not, or if x has another width. So one check of the score checks all features.
func Score(w, x []float64) float64 { return vec.Dot(w[:len(w)-1], x) + w[len(w)-1] }

// target returns y for a label: +1 for that of the class, else −1.
func (q *plane) target(label int) float64 { return vec.Sign(label == q.class) }

// propose computes the next iterate, w + step·x and b + step, in O(d), or in O(non-zeros) for a
// sparse row. If the rule has Norm it also computes the norm, in O(d), and under Average the sum of
// the n iterates so far. It reports whether all numbers are finite. w and the sums do not change.
func (q *plane) propose(c *Config, x *vec.Row, step, n float64) bool {
	d, w := len(x.Value), q.w
	if len(q.next) != d+1 {
		q.resize(d + 1)
	}
	if at, _ := x.Where(); x.Index != nil {
		q.part = vec.Gather(q.part[:0], q.w, q.stride, at)
		w = q.part
	}
	next := q.next
	ok := vec.Axpy(next[:d], w[:d], step, x.Value)
	b := w[d]
	if c.Space == Affine {
		b += step
	}
	if next[d] = b; c.Rule.Norm {
		q.norm = q.normWith(x)
	}
	return ok && vec.IsFinite(b) && (!c.averages() || q.accumulate(x, w, n))
}

// accumulate computes the next u, and the next sum of its rounding errors, for an update after n
// examples: see average. w has the elements of the present iterate that x changes. The other
// elements of u stay as they are.
func (q *plane) accumulate(x *vec.Row, w []float64, n float64) bool {
	a := &q.average
	sum, low := a.sum, a.low
	if at, _ := x.Where(); x.Index != nil {
		a.nextSum = vec.Gather(a.nextSum[:0], a.sum, q.stride, at)
		a.nextLow = vec.Gather(a.nextLow[:0], a.low, q.stride, at)
		sum, low = a.nextSum, a.nextLow
	}
	return vec.Accumulate(a.nextSum, a.nextLow, sum, low, n, w, q.next)
}

// normWith returns the norm of the iterate after the update by x. For a sparse row, next has only the
// elements that change. So w gets these for a moment: the norm must have the bits that it has after a
// dense row, and so it adds the squares of all elements in their order.
func (q *plane) normWith(x *vec.Row) float64 {
	if x.Index == nil {
		return vec.Norm(q.next)
	}
	vec.Scatter(q.w, 1, x.Index, q.next) // with Norm there is no table
	defer vec.Scatter(q.w, 1, x.Index, q.part)
	return vec.Norm(q.w)
}

// move makes the iterate that propose has computed for x the iterate of q. For a dense row it
// exchanges the vectors, in O(1). For a sparse row it stores the elements that change.
func (q *plane) move(x *vec.Row) {
	a := &q.average
	if x.Index == nil {
		if q.w, q.next = q.next, q.w; len(a.sum) > 0 {
			a.sum, a.nextSum = a.nextSum, a.sum
			a.low, a.nextLow = a.nextLow, a.low
		}
		return
	}
	at, _ := x.Where()
	if vec.Scatter(q.w, q.stride, at, q.next); len(a.sum) > 0 {
		vec.Scatter(a.sum, q.stride, at, a.nextSum)
		vec.Scatter(a.low, q.stride, at, a.nextLow)
	}
}

// resize makes the vectors that propose computes n elements long: a plane's number of elements for
// a dense row, and the row's for a sparse one. So a model that learns only sparse rows needs little
// memory for them.
func (q *plane) resize(n int) {
	if q.next = resized(q.next, n); len(q.average.sum) > 0 {
		q.average.nextSum, q.average.nextLow = resized(q.average.nextSum, n), resized(q.average.nextLow, n)
	}
}

// setMean sets kept to the mean of the iterates after n examples, (n·w − u)/n, where w is the last
// iterate. vec.Mean computes it without overflow, even if n·w overflows.
func (q *plane) setMean(n float64) {
	if cap(q.kept) < len(q.w) {
		q.kept = make([]float64, len(q.w))
	}
	q.kept = q.kept[:len(q.w)]
	for j, v := range q.w {
		q.kept[j] = vec.Mean(v, q.average.sum[j], q.average.low[j], n)
	}
}

// A table has the vectors of several planes side by side: first the first element of each plane,
// then the second of each, and so on. So a sparse row finds the weights of a feature in one place
// of memory, and not in one place for each plane. As long as there is a table, the vectors of the
// planes are parts of it, with a stride.
type table struct {
	planes []*plane
	// vectors are the iterates, and under Average the sums and their rounding errors.
	vectors [3][]float64
	// scratch is memory for scores.
	scratch []float64
}

// tabled returns pointers to the vectors of q that an update changes. A table holds these.
func (q *plane) tabled() []*[]float64 {
	if len(q.average.sum) == 0 {
		return []*[]float64{&q.w}
	}
	return []*[]float64{&q.w, &q.average.sum, &q.average.low}
}

// newTable moves the vectors of planes into a table, one kind of vector after another, so that at
// most one kind is in memory twice.
func newTable(planes []*plane) *table {
	k := len(planes)
	t := &table{planes: planes, scratch: make([]float64, k)}
	for i := range planes[0].tabled() {
		var apart [][]float64
		for _, q := range planes {
			apart = append(apart, *q.tabled()[i])
		}
		m := vec.Join(apart)
		for c, q := range planes {
			q.stride, *q.tabled()[i] = k, m[c:len(m)-k+c+1]
		}
		t.vectors[i] = m
	}
	return t
}

// remove moves the vectors back to the planes, each into memory of its own. It does nothing if t is
// nil.
func (t *table) remove() {
	if t == nil {
		return
	}
	for i := range t.planes[0].tabled() {
		apart := vec.Split(t.vectors[i], len(t.planes))
		t.vectors[i] = nil // its memory is free for the next vectors
		for c, q := range t.planes {
			q.stride, *q.tabled()[i] = 1, apart[c]
		}
	}
}

// scores returns each plane's score of a sparse row, in memory that the next call reuses.
func (t *table) scores(x *vec.Row) []float64 {
	at, ordered := x.Where()
	vec.SparseScores(t.scratch, t.vectors[0], 0, len(t.planes), at, x.Value, ordered)
	return t.scratch
}
