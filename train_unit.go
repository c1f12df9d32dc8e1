package perceptron

import (
	"fmt"
	"math"
	"slices"

	"perceptron/internal/vec"
)

// blockRows is the number of rows that are scored ahead of learning. It changes no
// result. More rows load the weights less often. Fewer rows waste fewer scores, because
// an update invalidates the scores of its unit that are not used yet.
const blockRows = vec.BlockRows

// together is the least number of units that score a block together.
const together = 2

// A unit is one hyperplane in training. Vectors over (w, b) hold the bias as their
// last coordinate.
//
// A unit learns an example in two steps: consider prepares the update in spare
// vectors and can fail, accept cannot. So units that share a row learn it
// together, or not at all.
type unit struct {
	class int       // the label that is +1 to this unit, in OneVsRest
	w     []float64 // the iterate
	r2    float64   // R², the largest ‖x‖² updated on so far
	theta float64   // θ, which follows from w, r2 and the configuration

	average average
	pocket  pocket
	slope   []float64 // Batch: the sum of y(x, 1) over the epoch's mistakes

	scored bool               // scores and right are those of the current block
	scores [blockRows]float64 // of the block's rows
	right  uint               // the block's rows that need no update, a bit each

	mistaken  bool      // whether consider found an update to make; if so, it sets:
	next      []float64 // the next iterate
	nextR2    float64   // its R²
	nextTheta float64   // its θ
	nextLoss  float64   // this example's max(0, −y·score)

	mistakes int     // in this pass
	loss     float64 // in this pass, the sum of max(0, −y·score)
}

// newUnit starts from start, with rows of d features.
func newUnit(c *config, start Hyperplane, d, class int) *unit {
	u := &unit{class: class, w: make([]float64, d+1), next: make([]float64, d+1)}
	copy(u.w, start.Weights)
	u.w[d] = start.Bias
	u.theta = c.thetaFor(u.w, 0)
	switch c.keep {
	case Average:
		u.average = newAverage(u.w)
	case Pocket:
		u.pocket.w = slices.Clone(u.w)
	}
	if c.rule == onGradient {
		u.slope = make([]float64, d+1)
	}
	return u
}

// clone returns a copy with memory of its own.
func (u *unit) clone() *unit {
	v := *u
	v.w, v.next = slices.Clone(u.w), make([]float64, len(u.next))
	v.average, v.pocket = u.average.clone(), u.pocket.clone()
	v.slope = make([]float64, len(u.slope))
	return &v
}

// affine returns ⟨w, x⟩ + b, where w holds the bias last. It is not finite if x has
// a NaN, a ±Inf or another width: one check of the result guards every coordinate.
func affine(w, x []float64) float64 {
	return vec.Dot(w[:len(w)-1], x) + w[len(w)-1]
}

// affineFetch returns affine(w, x), and fetches next meanwhile, unless it is nil.
func affineFetch(w, x, next []float64) float64 {
	d := len(w) - 1
	return vec.DotFetch(w[:d], x, next) + w[d]
}

// signedScore returns y·(⟨w, x⟩ + b), or the reason why it is not a finite number.
func signedScore(w, x []float64, y float64) (float64, error) { return signedScoreFetch(w, x, y, nil) }

// signedScoreFetch returns signedScore(w, x, y), and fetches next meanwhile, unless it is nil.
func signedScoreFetch(w, x []float64, y float64, next []float64) (float64, error) {
	m := y * affineFetch(w, x, next)
	if !vec.IsFinite(m) {
		return 0, scoreError(len(w)-1, x)
	}
	return m, nil
}

// target returns y, +1 or −1, for an example with the label.
func (u *unit) target(c *config, label int) float64 {
	switch {
	case !c.multiclass:
		return float64(label)
	case label == u.class:
		return +1
	}
	return -1
}

// satisfied reports whether an example with m = y·score needs no update. If so, the
// score is finite.
func (u *unit) satisfied(m float64) bool { return m > u.theta && m <= math.MaxFloat64 }

// consider finds whether an example with this score needs an update, y·score ≤ θ,
// and prepares it.
func (u *unit) consider(c *config, x []float64, y, score float64) error {
	m := y * score
	if u.mistaken = !u.satisfied(m); !u.mistaken {
		return nil
	}
	if !vec.IsFinite(m) {
		return scoreError(len(u.w)-1, x)
	}
	u.nextLoss = max(0, -m)
	return u.propose(c, x, y)
}

// propose prepares the update w + ηyx, b + ηy. It changes nothing but the spare
// vectors, so an overflow leaves the unit as it was.
func (u *unit) propose(c *config, x []float64, y float64) error {
	d := len(x)
	step := float64(c.rate * y)
	ok := vec.Axpy(u.next[:d], u.w[:d], step, x)
	u.next[d] = u.w[d]
	if c.space == Affine {
		u.next[d] += step
	}
	if c.rule == withinR {
		u.nextR2 = max(u.r2, c.squaredNorm(x))
	}
	u.nextTheta = c.thetaFor(u.next, u.nextR2)
	if !ok || !vec.IsFinite(u.next[d]) || !vec.IsFinite(u.nextTheta) {
		return fmt.Errorf("%w: the update overflows, though every feature is finite", ErrNotFinite)
	}
	if c.keep == Average {
		return u.average.propose(u.w)
	}
	return nil
}

// accept applies what consider found.
func (u *unit) accept(c *config) {
	if u.mistaken {
		u.w, u.next = u.next, u.w
		u.r2, u.theta = u.nextR2, u.nextTheta
		u.scored, u.right = false, 0
		u.mistakes++
		u.loss += u.nextLoss
	}
	switch c.keep {
	case Average:
		u.average.see(u.mistaken)
	case Pocket:
		u.pocket.see(u.mistaken)
	}
}

// setScores records the scores of a block's rows: the products of the rows with the
// weights, and the bias. It also records which rows need no update. The labels are those
// of the rows, for units of many classes.
func (u *unit) setScores(products *[blockRows]float64, labels *[blockRows]int) {
	b, class, right := u.w[len(u.w)-1], u.class, uint(0)
	for j, s := range products {
		s += b
		u.scores[j] = s
		if labels[j] != class {
			s = -s
		}
		if u.satisfied(s) {
			right |= 1 << j
		}
	}
	u.scored, u.right = true, right
}

// score returns ⟨w, x⟩ + b for x, the j-th row of the block. It fetches next
// meanwhile, unless it is nil.
func (u *unit) score(j int, x, next []float64) float64 {
	if u.scored {
		return u.scores[j]
	}
	return affineFetch(u.w, x, next)
}

// countRight returns the number of rows that w has right, y·score > 0. It stops
// once the number cannot exceed beat.
func (u *unit) countRight(c *config, w []float64, X [][]float64, y []int, beat int) (int, error) {
	right := 0
	for i, x := range X {
		if right+len(X)-i <= beat {
			break
		}
		m, err := signedScore(w, x, u.target(c, y[i]))
		if err != nil {
			return 0, &ExampleError{i, err}
		}
		if m > 0 {
			right++
		}
	}
	return right, nil
}

// step takes Batch's step, w + η Σ yx and b + η Σ y.
func (u *unit) step(c *config) error {
	if u.mistakes == 0 {
		return nil
	}
	if !vec.Axpy(u.next, u.w, c.rate, u.slope) {
		return fmt.Errorf("%w: the update overflows, though every feature is finite", ErrNotFinite)
	}
	u.w, u.next = u.next, u.w
	return nil
}

// predictor returns the vector (w, b) that predicts.
func (u *unit) predictor(c *config) []float64 {
	switch c.keep {
	case Average:
		return u.average.mean
	case Pocket:
		return u.pocket.w
	}
	return u.w
}

// mix sets u to the mean of units with the shares mu.
func (u *unit) mix(c *config, units []*unit, mu []float64) error {
	clear(u.w)
	for s, v := range units {
		vec.Axpy(u.w, u.w, mu[s], v.w)
		u.r2 = max(u.r2, v.r2)
	}
	u.theta = c.thetaFor(u.w, u.r2)
	if !vec.Finite(u.w) || !vec.IsFinite(u.theta) {
		return fmt.Errorf("%w: the mean overflows", ErrNotFinite)
	}
	if c.keep != Average {
		return nil
	}
	u.average = newAverage(u.w)
	for s, v := range units {
		u.average.addShare(&v.average, v.w, mu[s])
	}
	if !vec.Finite(u.average.sum) || !vec.Finite(u.average.low) {
		return fmt.Errorf("%w: the sum of the iterates overflows", ErrNotFinite)
	}
	u.average.refresh(u.w)
	return nil
}
