package perceptron

import (
	"fmt"
	"math"
	"slices"

	"perceptron/internal/exact"
	"perceptron/internal/vec"
)

// countable is the limit of the counts here, at which they stay. Beyond it a float64
// cannot count by ones. A million examples a second take 285 years to reach it.
const countable = 1 << 53

// An average sums the iterates after each example seen, lazily: an iterate that
// stood for c examples is added once, as c·w, when a mistake ends it. The sum is
// compensated (Neumaier 1974: the rounding error of each addition, which is a
// float64 itself, is summed beside it), so that it keeps its digits over 10⁹
// examples. It is flushed at mistakes only, so that saving changes no bits.
type average struct {
	sum, low []float64 // Σ c·w over the iterates that have ended, and its rounding errors
	count    float64   // examples in sum
	since    float64   // c: examples seen since, each with the iterate that stands
	mean     []float64 // as published: what predicts

	nextSum, nextLow []float64 // what propose prepared
}

// newAverage starts an average of no iterates; until there are some, w predicts.
func newAverage(w []float64) average {
	n := len(w)
	return average{
		sum: make([]float64, n), low: make([]float64, n), mean: slices.Clone(w),
		nextSum: make([]float64, n), nextLow: make([]float64, n),
	}
}

// in returns a copy of a in the memory of old.
func (a average) in(old average) average {
	a.sum = append(old.sum[:0], a.sum...)
	a.low = append(old.low[:0], a.low...)
	a.mean = append(old.mean[:0], a.mean...)
	a.nextSum = sized(old.nextSum, len(a.nextSum))
	a.nextLow = sized(old.nextLow, len(a.nextLow))
	return a
}

// with returns the i-th sum, and its low part, with that of the iterate that
// stands added: v.
func (a *average) with(i int, v float64) (sum, low float64) {
	sum, e := exact.TwoSum(a.sum[i], float64(a.since*v))
	return sum, a.low[i] + e
}

// propose prepares the sum with the iterate w added, which is about to end.
func (a *average) propose(w []float64) error {
	for i, v := range w {
		a.nextSum[i], a.nextLow[i] = a.with(i, v)
	}
	if !vec.Finite(a.nextSum) || !vec.Finite(a.nextLow) {
		return fmt.Errorf("%w: the sum of the iterates overflows", ErrNotFinite)
	}
	return nil
}

// accept counts an example, after which the iterate is a new one if it was
// wrong, else the one that stands.
func (a *average) accept(wrong bool) {
	if wrong {
		a.sum, a.nextSum = a.nextSum, a.sum
		a.low, a.nextLow = a.nextLow, a.low
		a.count = min(a.count+a.since, countable)
		a.since = 0
	}
	a.since = min(a.since+1, countable)
}

// publish sets the mean, the iterate w that stands included.
func (a *average) publish(w []float64) {
	n := a.count + a.since
	if n == 0 {
		copy(a.mean, w)
		return
	}
	c, sums, lows, means := a.since, a.sum[:len(w)], a.low[:len(w)], a.mean[:len(w)]
	for i, v := range w {
		sum, e := exact.TwoSum(sums[i], float64(c*v))
		m := (sum + (lows[i] + e)) / n
		if !vec.IsFinite(m) {
			m = a.small(i, v)
		}
		means[i] = m
	}
}

// small returns the i-th mean where the sum with v overflows though the sums that
// are held do not: it divides first. A mean is no larger than the iterates, but
// for rounding.
func (a *average) small(i int, v float64) float64 {
	n := a.count + a.since
	mean := a.sum[i]/n + float64(a.since/n*v)
	return max(-math.MaxFloat64, min(mean, math.MaxFloat64))
}

// mix adds a share of m's average, whose iterate that stands is w.
func (a *average) mix(m *average, w []float64, mu float64) {
	for i, v := range w {
		sum, low := m.with(i, v)
		var e float64
		a.sum[i], e = exact.TwoSum(a.sum[i], float64(mu*sum))
		a.low[i] += float64(mu*low) + e
	}
	a.count = min(a.count+float64(mu*(m.count+m.since)), countable)
}

// A pocket keeps the best iterate found so far (Gallant 1990, with ratchet).
type pocket struct {
	w      []float64 // the iterate in the pocket
	length uint64    // the run of right answers that brought it in
	right  int       // the rows that the last count found it to have right
	run    uint64    // right answers of the iterate in training since its last update
	tried  bool      // that iterate has been held against the pocket on these rows
}

// accept counts an answer of the iterate in training.
func (p *pocket) accept(wrong bool) {
	if wrong {
		p.run, p.tried = 0, false
		return
	}
	p.run = min(p.run+1, countable)
}

// challenged tells whether the run is a longer one, of an iterate not yet tried.
func (p *pocket) challenged() bool { return p.run > p.length && !p.tried }

// challenge puts w, which has this many rows right, in the pocket if that is
// strictly more than are right by the one there.
func (p *pocket) challenge(w []float64, right int) {
	p.tried = true
	if right > p.right {
		copy(p.w, w)
		p.length, p.right = p.run, right
	}
}

// outrun puts w in the pocket for its run alone, where there are no rows.
func (p *pocket) outrun(w []float64) {
	if p.run > max(p.length, uint64(p.right)) {
		copy(p.w, w)
		p.length = p.run
	}
}

// countRight returns the number of rows that w has right, y·score > 0. It gives
// up once that cannot be more than beat.
func (l *learner) countRight(s *settings, w []float64, X [][]float64, y []int, beat int) (int, error) {
	right := 0
	for i, x := range X {
		if right+len(X)-i <= beat {
			break
		}
		m, err := margin(w, x, l.target(s, y[i]))
		if err != nil {
			return 0, &ExampleError{i, err}
		}
		if m > 0 {
			right++
		}
	}
	return right, nil
}
