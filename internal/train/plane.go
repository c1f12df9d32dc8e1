package train

import (
	"slices"

	"perceptron/internal/vec"
)

// A plane is one hyperplane in training. Vectors over (w, b) hold the bias as their
// last coordinate.
//
// A plane moves in two steps: propose prepares the next iterate in spare vectors, and
// move takes it.
type plane struct {
	class int       // the label that it stands for; 0 in a binary model
	up    int       // the label whose rows should score above 0
	w     []float64 // the iterate
	norm  float64   // ‖w‖, where the rule needs it: WithinGamma

	average average
	pocket  []float64 // Pocket: the iterate that predicts
	longest []float64 // Pocket: the iterate of the epoch's longest run
	slope   []float64 // Batch: the sum of y(x, 1) over the epoch's mistakes

	score float64 // of the example in question

	// An update of a sparse row gathers the elements that it changes, and scatters them later: its
	// vectors have one element for each non-zero, and the bias.
	next     []float64 // the next iterate
	nextNorm float64   // its norm
	part     []float64 // sparse: the elements of w
	beside   *cells    // where the elements stand while planes stand side by side
}

// newPlane starts from start, with rows of d features.
func newPlane(c *Config, start Hyperplane, d, class int) *plane {
	q := &plane{class: class, up: class, w: make([]float64, d+1)}
	for j, v := range start.Weights {
		q.w[j] = v + 0 // a −0 becomes 0, as an update makes it unless it leaves the weight as it is
	}
	q.w[d] = start.Bias + 0
	if c.Scheme == TwoClasses {
		q.up = +1
	}
	switch c.Keep {
	case Average:
		q.average = average{sum: make([]float64, d+1), low: make([]float64, d+1)}
	case Pocket:
		q.pocket, q.longest = slices.Clone(q.w), make([]float64, d+1)
	}
	if c.Rule == OnGradient {
		q.slope = make([]float64, d+1)
	}
	return q
}

// clone returns a copy with memory of its own.
func (q *plane) clone() *plane {
	c := *q
	c.w, c.next, c.part = slices.Clone(q.w), nil, nil
	c.average, c.pocket = q.average.clone(), slices.Clone(q.pocket)
	if cap(q.next) >= len(q.w) { // dense updates have used them
		c.reserve()
	}
	c.longest, c.slope = make([]float64, len(q.longest)), make([]float64, len(q.slope))
	return &c
}

// Score returns ⟨w, x⟩ + b, where w holds the bias last. It is not finite if x has
// a NaN, a ±Inf or another width: one check of the result guards every coordinate.
func Score(w, x []float64) float64 { return vec.Dot(w[:len(w)-1], x) + w[len(w)-1] }

// target returns y of an example with the label.
func (q *plane) target(label int) float64 { return vec.Sign(label == q.up) }

// propose prepares the iterate w + step·x, b + step, which follows n examples, and its average.
// It reports whether they are finite.
func (q *plane) propose(c *Config, x *Row, step, n float64) bool {
	d, w := len(x.Value), q.w
	if x.sparse() {
		at := q.cells()
		q.part = at.w.Gather(q.part[:0], at.column, x.Index)
		w = q.part
	}
	q.next = resized(q.next, d+1)
	ok := vec.Axpy(q.next[:d], w[:d], step, x.Value)
	q.next[d] = w[d]
	if c.Space == Affine {
		q.next[d] += step
	}
	if c.Rule == WithinGamma {
		q.nextNorm = q.normWith(x)
	}
	return ok && vec.IsFinite(q.next[d]) && (c.Keep != Average || q.weigh(x, n, w))
}

// normWith returns the norm of the next iterate.
func (q *plane) normWith(x *Row) float64 {
	if !x.sparse() {
		return vec.Norm(q.next)
	}
	at := q.cells()
	at.w.Scatter(at.column, x.Index, q.next)
	defer at.w.Scatter(at.column, x.Index, q.part)
	return vec.Norm(q.w)
}

// weigh prepares the average for an update that turns w into next after n examples. It reports
// whether the sum is finite.
func (q *plane) weigh(x *Row, n float64, w []float64) bool {
	a := &q.average
	sum, low := a.sum, a.low
	if x.sparse() {
		at := q.cells()
		a.nextSum = at.sum.Gather(a.nextSum[:0], at.column, x.Index)
		a.nextLow = at.low.Gather(a.nextLow[:0], at.column, x.Index)
		sum, low = a.nextSum, a.nextLow
	}
	a.nextSum, a.nextLow = resized(a.nextSum, len(w)), resized(a.nextLow, len(w))
	return vec.Accumulate(a.nextSum, a.nextLow, sum, low, n, w, q.next)
}

// move takes the iterate that propose has prepared for x.
func (q *plane) move(x *Row) {
	a, averaged := &q.average, len(q.average.sum) > 0
	if q.norm = q.nextNorm; !x.sparse() {
		if q.w, q.next = q.next, q.w; averaged {
			a.move()
		}
		return
	}
	at := q.cells()
	if at.w.Scatter(at.column, x.Index, q.next); averaged {
		at.sum.Scatter(at.column, x.Index, a.nextSum)
		at.low.Scatter(at.column, x.Index, a.nextLow)
	}
}

// reserve allocates the spare vectors of dense updates.
func (q *plane) reserve() {
	n, a := len(q.w), &q.average
	q.next, a.nextSum, a.nextLow = make([]float64, n), make([]float64, len(a.sum)), make([]float64, len(a.low))
}

// predictor returns the vector (w, b) that predicts.
func (q *plane) predictor(c *Config) []float64 {
	switch c.Keep {
	case Average:
		return q.average.mean
	case Pocket:
		return q.pocket
	}
	return q.w
}

// cells are a plane's elements as updates of sparse rows find them: the w, and under Average the
// sum and its rounding errors. Each is a column of a matrix.
type cells struct {
	w, sum, low vec.Matrix
	column      int
}

// cells returns where the plane's elements stand.
func (q *plane) cells() cells {
	if q.beside != nil {
		return *q.beside
	}
	return cells{w: vec.Matrix{Elements: q.w, Stride: 1}, sum: vec.Matrix{Elements: q.average.sum, Stride: 1}, low: vec.Matrix{Elements: q.average.low, Stride: 1}}
}
