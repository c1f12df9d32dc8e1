package perceptron

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"perceptron/internal/vec"
)

// A rule says when an example is learned: when y·score ≤ θ.
type rule uint8

const (
	onMistake   rule = iota // θ = 0: Rosenblatt's
	withinGamma             // θ = (γ′/2)‖(w, b)‖
	withinTheta             // a θ that is given
	withinR                 // θ = ηR², R the largest norm learned so far
	onGradient              // θ = 0, all mistakes of an epoch at once: Batch
)

// A reading is what every training call reads of a model's exported fields, as
// it stands there.
type reading struct {
	rate, gamma, threshold float64
	maxEpochs              int
	space                  Space
	order                  Order
	keep                   Keep
}

// settings are a model's exported fields as a training call reads them, zeros
// replaced by what they mean.
type settings struct {
	read       reading
	rate       float64
	space      Space
	start      Hyperplane
	maxEpochs  int
	order      Order
	seed       uint64
	keep       Keep
	rule       rule
	bound      float64 // γ′ or θ
	workers    int
	multiclass bool
}

// check fills in the defaults, or tells what is wrong.
func (s *settings) check() error {
	if s.rate == 0 {
		s.rate = 1
	}
	if s.maxEpochs == 0 {
		s.maxEpochs = 1000
	}
	switch {
	case !(s.rate > 0) || !vec.IsFinite(s.rate):
		return fmt.Errorf("%w: Rate is %v, want a positive finite number, or 0 for 1", ErrConfig, s.rate)
	case s.maxEpochs < 0:
		return fmt.Errorf("%w: MaxEpochs is %d, want at least 1, or 0 for 1000", ErrConfig, s.maxEpochs)
	case s.workers < 0:
		return fmt.Errorf("%w: Workers is %d, want at least 1, or 0 for GOMAXPROCS", ErrConfig, s.workers)
	case int(s.space) >= len(spaceNames):
		return noName("Space", int(s.space), spaceNames)
	case int(s.order) >= len(orderNames):
		return noName("Order", int(s.order), orderNames)
	case int(s.keep) >= len(keepNames):
		return noName("Keep", int(s.keep), keepNames)
	}
	return nil
}

// startable checks Start, which is read only where training begins.
func (s *settings) startable() error {
	switch {
	case s.space == Linear && s.start.Bias != 0:
		return fmt.Errorf("%w: Start.Bias is %v in Linear space, want 0", ErrConfig, s.start.Bias)
	case !vec.IsFinite(s.start.Bias):
		return fmt.Errorf("%w: Start.Bias is %v, want a finite number", ErrConfig, s.start.Bias)
	}
	for j, v := range s.start.Weights {
		if !vec.IsFinite(v) {
			return fmt.Errorf("%w: Start.Weights[%d] is %v, want a finite number", ErrConfig, j, v)
		}
	}
	return nil
}

// noName is the error for a field whose value is none of the constants.
func noName(field string, value int, names []string) error {
	return fmt.Errorf("%w: %s is %d, want one of %s", ErrConfig, field, value, strings.Join(names, ", "))
}

// continues checks that training begun under s may go on under next.
func (s *settings) continues(next *settings) error {
	changed := func(field string, now, then any) error {
		return fmt.Errorf("%w: %s is %v, but training began with %v; Fit begins afresh", ErrConfig, field, now, then)
	}
	switch {
	case s.space != next.space:
		return changed("Space", next.space, s.space)
	case s.order != next.order:
		return changed("Order", next.order, s.order)
	case s.keep != next.keep:
		return changed("Keep", next.keep, s.keep)
	case s.rule != next.rule:
		return changed("the rule", next.rule, s.rule)
	case s.bound != next.bound:
		return changed(s.rule.String(), next.bound, s.bound)
	}
	return nil
}

func (r rule) String() string {
	return [...]string{"Online", "Margin with Gamma", "Margin with Threshold", "Margin", "Batch"}[r]
}

// threshold returns θ for the iterate w and R².
func (s *settings) threshold(w []float64, r2 float64) float64 {
	switch s.rule {
	case withinGamma:
		return s.bound / 2 * vec.Norm(w)
	case withinTheta:
		return s.bound
	case withinR:
		return s.rate * r2
	}
	return 0
}

// fromZero tells whether training starts from the zero vector.
func (s *settings) fromZero() bool {
	return s.start.Bias == 0 && !slices.ContainsFunc(s.start.Weights, func(v float64) bool { return v != 0 })
}

// A learner is one hyperplane in training. Vectors over (w, b) hold the bias as
// their last coordinate.
//
// It learns an example in two steps, so that a row is learned whole or not at
// all, also when several learners share it: consider prepares the update in
// spare vectors and can fail, accept cannot.
type learner struct {
	class int       // the label that is +1 to this learner, in OneVsRest
	w     []float64 // the iterate
	r2    float64   // R², the largest ‖x‖² learned so far
	theta float64   // follows from w, r2 and the settings

	average average
	pocket  pocket
	slope   []float64 // Batch: the sum of y(x, 1) over the epoch's mistakes

	scored bool               // the scores of the block of rows stand in
	ahead  [aheadRows]float64 // here: see window,
	sure   uint               // and these are right, a bit a row

	wrong     bool      // what consider found
	next      []float64 // the iterate that it proposes, with
	nextR2    float64   // its R²
	nextTheta float64   // its θ,
	nextLoss  float64   // and max(0, −y·score)

	mistakes int     // in this pass
	loss     float64 // in this pass, the sum of max(0, −y·score)
}

func (l *learner) width() int { return len(l.w) - 1 }

// newLearner starts from s.start with rows of d features.
func newLearner(s *settings, d, class int) *learner {
	l := &learner{class: class, w: make([]float64, d+1), next: make([]float64, d+1)}
	copy(l.w, s.start.Weights)
	l.w[d] = s.start.Bias
	l.theta = s.threshold(l.w, 0)
	switch s.keep {
	case Average:
		l.average = newAverage(l.w)
	case Pocket:
		l.pocket.w = slices.Clone(l.w)
	}
	if s.rule == onGradient {
		l.slope = make([]float64, d+1)
	}
	return l
}

// copyFrom makes l equal to from, with memory of its own.
func (l *learner) copyFrom(from *learner) {
	old := *l
	*l = *from
	l.w = append(old.w[:0], from.w...)
	l.next = sized(old.next, len(from.next))
	l.average = from.average.in(old.average)
	l.pocket.w = append(old.pocket.w[:0], from.pocket.w...)
	l.slope = sized(old.slope, len(from.slope))
}

// sized returns a vector of length n, in the memory of v if that is large enough.
func sized(v []float64, n int) []float64 {
	if cap(v) < n {
		return make([]float64, n)
	}
	return v[:n]
}

// affine returns ⟨w, x⟩ + b, w holding the bias last. A NaN or ±Inf anywhere in
// x makes it non-finite, and so does a row of another width: the one test of the
// result guards every coordinate.
func affine(w, x []float64) float64 {
	d := len(w) - 1
	return vec.Dot(w[:d], x) + w[d]
}

// margin returns y·(⟨w, x⟩ + b), or the reason why it is no finite number.
func margin(w, x []float64, y float64) (float64, error) {
	m := y * affine(w, x)
	if !vec.IsFinite(m) {
		return 0, scoreError(len(w)-1, x)
	}
	return m, nil
}

// target is +1 or −1 for this learner.
func (l *learner) target(s *settings, label int) float64 {
	switch {
	case !s.multiclass:
		return float64(label)
	case label == l.class:
		return +1
	}
	return -1
}

// right tells whether there is nothing to learn from an example with m = y·score,
// which includes that the score is finite.
func (l *learner) right(m float64) bool { return m > l.theta && m <= math.MaxFloat64 }

// consider finds whether an example of this score is to be learned, y·score ≤ θ,
// and if so prepares the update w + (ηy)x.
func (l *learner) consider(s *settings, x []float64, y, score float64) error {
	m := y * score
	if l.wrong = !l.right(m); !l.wrong {
		return nil
	}
	if !vec.IsFinite(m) {
		return scoreError(len(l.w)-1, x)
	}
	l.nextLoss = max(0, -m)
	return l.propose(s, x, y)
}

// propose prepares the update by (x, y).
func (l *learner) propose(s *settings, x []float64, y float64) error {
	d := len(x)
	c := float64(s.rate * y)
	ok := vec.Axpy(l.next[:d], l.w[:d], c, x)
	l.next[d] = l.w[d]
	if s.space == Affine {
		l.next[d] += c
	}
	l.nextR2 = l.r2
	if s.rule == withinR {
		l.nextR2 = max(l.r2, squaredNorm(x, s.space))
	}
	l.nextTheta = s.threshold(l.next, l.nextR2)
	if !ok || !vec.IsFinite(l.next[d]) || !vec.IsFinite(l.nextTheta) {
		return fmt.Errorf("%w: the update overflows, though every feature is finite", ErrNotFinite)
	}
	if s.keep == Average {
		if err := l.average.propose(l.w); err != nil {
			return err
		}
	}
	return nil
}

// squaredNorm returns ‖x‖², or ‖(x, 1)‖² in Affine space.
func squaredNorm(x []float64, s Space) float64 {
	if s == Affine {
		return vec.Dot(x, x) + 1
	}
	return vec.Dot(x, x)
}

// accept takes what consider found.
func (l *learner) accept(s *settings) {
	if l.wrong {
		l.w, l.next = l.next, l.w
		l.r2, l.theta = l.nextR2, l.nextTheta
		l.scored, l.sure = false, 0
		l.mistakes++
		l.loss += l.nextLoss
	}
	switch s.keep {
	case Average:
		l.average.accept(l.wrong)
	case Pocket:
		l.pocket.accept(l.wrong)
	}
}

// converge ends a run on n rows, all of which the iterate has right. A pocket that
// a stream or other rows gave a longer run may have fewer, so it takes the
// iterate without a challenge.
func (l *learner) converge(s *settings, n int) {
	if s.keep == Pocket {
		l.pocket.challenge(l.w, n)
	}
}

// publish brings up to date what predicts, where that is not the iterate.
func (l *learner) publish(s *settings) {
	if s.keep == Average {
		l.average.publish(l.w)
	}
}

// predictor returns the vector (w, b) that predicts.
func (l *learner) predictor(s *settings) []float64 {
	switch s.keep {
	case Average:
		return l.average.mean
	case Pocket:
		return l.pocket.w
	}
	return l.w
}

// mix sets l to the mean of learners in the shares mu.
func (l *learner) mix(s *settings, learners []*learner, mu []float64) error {
	clear(l.w)
	for i, m := range learners {
		vec.Axpy(l.w, l.w, mu[i], m.w)
		l.r2 = max(l.r2, m.r2)
	}
	l.theta = s.threshold(l.w, l.r2)
	if !vec.Finite(l.w) || !vec.IsFinite(l.theta) {
		return fmt.Errorf("%w: the mean overflows", ErrNotFinite)
	}
	if s.keep != Average {
		return nil
	}
	l.average = newAverage(l.w)
	for i, m := range learners {
		l.average.mix(&m.average, m.w, mu[i])
	}
	if !vec.Finite(l.average.sum) || !vec.Finite(l.average.low) {
		return fmt.Errorf("%w: the mean overflows", ErrNotFinite)
	}
	l.average.publish(l.w)
	return nil
}
