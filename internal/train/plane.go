package train

import (
	"slices"

	"perceptron/internal/vec"
)

// A plane is one hyperplane in training. Each of its vectors has the d weights and then the bias.
// An iterate is the vector (w, b) after some updates.
//
// An update has two steps. propose computes the next iterate in a spare vector, and reports whether
// it is finite. If so, move makes it the iterate. So an update that overflows changes nothing.
type plane struct {
	// class is the label of the rows that should score above 0: +1 in a binary model.
	class int
	// w is the iterate in training.
	w []float64
	// norm is ‖(w, b)‖ if the rule has Norm. propose sets it to the norm of the next iterate, before
	// move makes the update.
	norm float64

	// kept predicts under Average and Pocket: it is the mean, or the best iterate. Under Last it is
	// nil, and w predicts.
	kept []float64
	// average has the sums from which setMean computes the mean, under Average.
	average average
	// longest is, under Pocket, the iterate that had the longest streak of this epoch.
	longest []float64

	// next is the next iterate, which propose has computed. For a sparse row it has only an element
	// for each non-zero, and then the bias.
	next []float64
	// part has the elements of w that correspond to those of next, for a sparse row.
	part []float64
	// stride is the distance between consecutive elements of w, and of the average's sums. It is 1,
	// or the number of planes while the vectors are in a table.
	stride int
}

// newPlane returns the plane of a class before training. Its iterate has d weights, and is start, or
// zero if start has no weights.
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

// clone returns a copy that shares no memory with q. It leaves out the vectors that only one update
// or one epoch uses. It copies q.kept only if kept is true, because another goroutine may be
// computing the mean in q.kept.
func (q *plane) clone(kept bool) *plane {
	c := &plane{class: q.class, norm: q.norm, stride: 1, w: slices.Clone(q.w)}
	if kept {
		c.kept = slices.Clone(q.kept)
	}
	c.average.sum, c.average.low = slices.Clone(q.average.sum), slices.Clone(q.average.low)
	if cap(q.next) >= len(q.w) { // dense updates have used the spare vectors, and may need them again
		c.resize(len(c.w))
	}
	return c
}

// Score returns ⟨w, x⟩ + b, where the last element of w is b. The score is not finite if a feature
// is not finite, or if x has the wrong width. So one check of the score checks all features.
func Score(w, x []float64) float64 { return vec.Dot(w[:len(w)-1], x) + w[len(w)-1] }

// target returns y for a label: +1 if the label is the plane's class, else −1.
func (q *plane) target(label int) float64 { return vec.Sign(label == q.class) }

// propose computes the next iterate, w + step·x and in Affine space b + step, in O(d), or in
// O(non-zeros) for a sparse row. If the rule has Norm, propose also computes the norm of the next
// iterate, in O(d). Under Average it also computes the next sums, for an update after n examples.
// It reports whether the next iterate and sums are finite. w and the present sums do not change.
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
// elements of u stay as they are. accumulate reports whether the computed elements are finite.
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

// normWith returns the norm of the iterate after the update by x. The norm must have the same bits
// for a sparse row as for the equal dense row, so the squares of all elements are added in their
// order. For a sparse row, next has only the elements that change. So normWith stores these in w,
// computes the norm, and then restores w.
func (q *plane) normWith(x *vec.Row) float64 {
	if x.Index == nil {
		return vec.Norm(q.next)
	}
	vec.Scatter(q.w, 1, x.Index, q.next) // with Norm there is no table, and there are no slots
	defer vec.Scatter(q.w, 1, x.Index, q.part)
	return vec.Norm(q.w)
}

// move makes the update that propose has computed for x. For a dense row it swaps the vectors with
// the spare ones, in O(1). For a sparse row it stores the elements that change.
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

// resize makes the vectors that propose computes n elements long. For a dense row, n is the length
// of w. For a sparse row, n is the number of non-zeros plus 1. So a model that learns only sparse
// rows needs little memory for these vectors.
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

// A table has the vectors of several planes side by side: the first element of each vector, then the
// second element of each, and so on. So the weights of a feature for all planes are in one place of
// memory, where a sparse row reads them faster. As long as there is a table, the vectors of the
// planes are strided parts of it.
type table struct {
	planes []*plane
	// vectors are the iterates, and under Average the sums and their rounding errors.
	vectors [3][]float64
	// scratch is memory for scores.
	scratch []float64
}

// tabled returns pointers to the vectors of q that an update changes. A table holds these vectors.
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
