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

	next     []float64 // the next iterate
	nextNorm float64   // its norm
}

// newPlane starts from start, with rows of d features.
func newPlane(c *Config, start Hyperplane, d, class int) *plane {
	q := &plane{class: class, up: class, w: make([]float64, d+1), next: make([]float64, d+1)}
	copy(q.w, start.Weights)
	q.w[d] = start.Bias + 0 // a −0 becomes 0, as it would in Epochs but not in Update
	if c.Scheme == TwoClasses {
		q.up = +1
	}
	switch c.Keep {
	case Average:
		q.average = newAverage(q.w)
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
	c.w, c.next = slices.Clone(q.w), make([]float64, len(q.next))
	c.average, c.pocket = q.average.clone(), slices.Clone(q.pocket)
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
func (q *plane) propose(c *Config, x []float64, step, n float64) bool {
	d := len(x)
	ok := vec.Axpy(q.next[:d], q.w[:d], step, x)
	q.next[d] = q.w[d]
	if c.Space == Affine {
		q.next[d] += step
	}
	if c.Rule == WithinGamma {
		q.nextNorm = vec.Norm(q.next)
	}
	return ok && vec.IsFinite(q.next[d]) && (c.Keep != Average || q.average.propose(n, q.w, q.next))
}

// move takes the iterate that propose has prepared.
func (q *plane) move() {
	q.w, q.next = q.next, q.w
	q.norm = q.nextNorm
	if len(q.average.sum) > 0 {
		q.average.move()
	}
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
