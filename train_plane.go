package perceptron

import (
	"fmt"
	"slices"

	"perceptron/internal/vec"
)

// blockRows is the number of rows that are scored ahead of learning. It changes no
// result. More rows load the weights less often. Fewer rows waste fewer scores, because
// an update invalidates the scores of its planes that are not used yet.
const blockRows = vec.BlockRows

// A plane is one hyperplane in training. Vectors over (w, b) hold the bias as their
// last coordinate.
//
// A plane moves in two steps: propose prepares the next iterate in spare vectors, and
// accept takes it.
type plane struct {
	class int       // the label that it stands for; 0 in a binary model
	w     []float64 // the iterate
	norm  float64   // ‖w‖, where the rule needs it: withinGamma

	average average
	pocket  []float64 // Pocket: the iterate that predicts
	longest []float64 // Pocket: the iterate of the epoch's longest run
	slope   []float64 // Batch: the sum of y(x, 1) over the epoch's mistakes

	score  float64            // of the example in question
	scored bool               // scores are those of the current block
	scores [blockRows]float64 // of the block's rows

	next     []float64 // the next iterate
	nextNorm float64   // its norm
}

// newPlane starts from start, with rows of d features.
func newPlane(c *config, start Hyperplane, d, class int) *plane {
	p := &plane{class: class, w: make([]float64, d+1), next: make([]float64, d+1)}
	copy(p.w, start.Weights)
	p.w[d] = start.Bias
	switch c.keep {
	case Average:
		p.average = newAverage(p.w)
	case Pocket:
		p.pocket, p.longest = slices.Clone(p.w), make([]float64, d+1)
	}
	if c.rule == onGradient {
		p.slope = make([]float64, d+1)
	}
	return p
}

// clone returns a copy with memory of its own.
func (p *plane) clone() *plane {
	q := *p
	q.w, q.next = slices.Clone(p.w), make([]float64, len(p.next))
	q.average, q.pocket = p.average.clone(), slices.Clone(p.pocket)
	q.longest, q.slope = make([]float64, len(p.longest)), make([]float64, len(p.slope))
	return &q
}

// affine returns ⟨w, x⟩ + b, where w holds the bias last. It is not finite if x has
// a NaN, a ±Inf or another width: one check of the result guards every coordinate.
func affine(w, x []float64) float64 {
	return vec.Dot(w[:len(w)-1], x) + w[len(w)-1]
}

// affineFetch returns affine(w, x), and fetches rows meanwhile, unless ahead is nil.
func affineFetch(w, x []float64, ahead *vec.Ahead) float64 {
	d := len(w) - 1
	return vec.DotFetch(w[:d], x, ahead) + w[d]
}

// scoreRow scores x, the j-th row of the block.
func (p *plane) scoreRow(j int, x []float64) {
	if p.scored {
		p.score = p.scores[j]
		return
	}
	p.score = affine(p.w, x)
}

// setScores records the scores of a block's rows: their products with the weights, and
// the bias.
func (p *plane) setScores(products *[blockRows]float64) {
	b := p.w[len(p.w)-1]
	for j, s := range products {
		p.scores[j] = s + b
	}
	p.scored = true
}

// propose prepares the iterate w + step·x, b + step. It reports whether that is finite.
func (p *plane) propose(c *config, x []float64, step float64) bool {
	d := len(x)
	ok := vec.Axpy(p.next[:d], p.w[:d], step, x)
	p.next[d] = p.w[d]
	if c.space == Affine {
		p.next[d] += step
	}
	if c.rule == withinGamma {
		p.nextNorm = vec.Norm(p.next)
	}
	return ok && vec.IsFinite(p.next[d])
}

// accept takes the iterate that propose has prepared.
func (p *plane) accept() {
	p.w, p.next = p.next, p.w
	p.norm = p.nextNorm
	p.scored = false
}

// predictor returns the vector (w, b) that predicts.
func (p *plane) predictor(c *config) []float64 {
	switch c.keep {
	case Average:
		return p.average.mean
	case Pocket:
		return p.pocket
	}
	return p.w
}

// errMean is for a mean of iterates that overflows.
var errMean = fmt.Errorf("%w: the mean overflows", ErrNotFinite)

// mix sets p to the mean of planes with the shares mu.
func (p *plane) mix(c *config, planes []*plane, mu []float64) error {
	clear(p.w)
	for s, q := range planes {
		vec.Axpy(p.w, p.w, mu[s], q.w)
	}
	if !vec.Finite(p.w) {
		return errMean
	}
	if c.keep != Average {
		return nil
	}
	p.average = newAverage(p.w)
	for s, q := range planes {
		p.average.addShare(&q.average, q.w, mu[s])
	}
	if !vec.Finite(p.average.sum) || !vec.Finite(p.average.low) {
		return fmt.Errorf("%w: the sum of the iterates overflows", ErrNotFinite)
	}
	p.average.refresh(p.w)
	return nil
}
