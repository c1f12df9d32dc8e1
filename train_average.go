package perceptron

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"perceptron/internal/exact"
	"perceptron/internal/vec"
)

// countable is the largest count kept: float64 does not count by ones beyond it.
// Counters stay there, so that any saved model can be loaded again. A hundred
// years at a million examples a second do not reach it.
const countable = 1 << 53

// An average sums the iterates after each example seen, lazily: an iterate that
// stood for c examples is added once, as c·w, when a mistake ends it. The sum is
// compensated, so that it keeps its digits over 10⁹ examples (Neumaier 1974: the
// rounding error of each addition is a float64, and is summed separately). Only
// mistakes flush it, so that saving changes no bits.
type average struct {
	sum, low []float64 // Σ c·w over the iterates that have ended, and its rounding errors
	count    float64   // examples in sum
	since    float64   // c: examples seen under the current iterate
	mean     []float64 // as of the last refresh: what predicts

	nextSum, nextLow []float64 // prepared by propose
}

// newAverage starts an average of no iterates. Until there are some, w predicts.
func newAverage(w []float64) average {
	n := len(w)
	return average{
		sum: make([]float64, n), low: make([]float64, n), mean: slices.Clone(w),
		nextSum: make([]float64, n), nextLow: make([]float64, n),
	}
}

// clone returns a copy with memory of its own.
func (a average) clone() average {
	a.sum, a.low, a.mean = slices.Clone(a.sum), slices.Clone(a.low), slices.Clone(a.mean)
	a.nextSum, a.nextLow = make([]float64, len(a.nextSum)), make([]float64, len(a.nextLow))
	return a
}

// plus returns the i-th sum and its low part after the current iterate is added. The
// i-th weight of that iterate is v.
func (a *average) plus(i int, v float64) (sum, low float64) {
	sum, e := exact.TwoSum(a.sum[i], float64(a.since*v))
	return sum, a.low[i] + e
}

// propose prepares the sum that includes the iterate w, which is about to end.
func (a *average) propose(w []float64) error {
	if !vec.Accumulate(a.nextSum, a.nextLow, a.sum, a.low, a.since, w) {
		return fmt.Errorf("%w: the sum of the iterates overflows", ErrNotFinite)
	}
	return nil
}

// see counts an example for the iterate after it. A mistake first ends the old iterate,
// whose sum propose has prepared.
func (a *average) see(mistake bool) {
	if mistake {
		a.sum, a.nextSum = a.nextSum, a.sum
		a.low, a.nextLow = a.nextLow, a.low
		a.count = min(a.count+a.since, countable)
		a.since = 0
	}
	a.since = min(a.since+1, countable)
}

// seen returns the number of examples seen.
func (a *average) seen() float64 { return a.count + a.since }

// refresh computes the mean, including the current iterate w.
func (a *average) refresh(w []float64) {
	n := a.seen()
	if n == 0 {
		copy(a.mean, w)
		return
	}
	c, sums, lows, means := a.since, a.sum[:len(w)], a.low[:len(w)], a.mean[:len(w)]
	for i, v := range w {
		sum, e := exact.TwoSum(sums[i], float64(c*v))
		m := (sum + (lows[i] + e)) / n
		if !vec.IsFinite(m) {
			m = a.divideFirst(i, v)
		}
		means[i] = m
	}
}

// divideFirst returns the i-th mean where the sum with v overflows. The exact mean is
// no larger than the largest iterate, so what exceeds a float64 is rounding.
func (a *average) divideFirst(i int, v float64) float64 {
	n := a.seen()
	mean := a.sum[i]/n + float64(a.since/n*v)
	return max(-math.MaxFloat64, min(mean, math.MaxFloat64))
}

// addShare adds a share mu of another average, whose current iterate is w.
func (a *average) addShare(other *average, w []float64, mu float64) {
	for i, v := range w {
		sum, low := other.plus(i, v)
		var e float64
		a.sum[i], e = exact.TwoSum(a.sum[i], float64(mu*sum))
		a.low[i] += float64(mu*low) + e
	}
	a.count = min(a.count+float64(mu*other.seen()), countable)
}

// A meanLock defers the means to the first read after training: a mean takes O(d),
// and a service may learn many examples between two reads. Any number of goroutines
// may read at once. One of them computes the means, and the others wait for it.
type meanLock struct {
	outdated atomic.Bool
	mu       sync.Mutex
}

// outdate makes the next refresh compute the means again. Only training calls it, with
// exclusive use of the model.
func (l *meanLock) outdate() { l.outdated.Store(true) }

// refresh calls compute if the means are outdated.
func (l *meanLock) refresh(compute func()) {
	if !l.outdated.Load() {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.outdated.Load() { // another reader was first
		return
	}
	compute()
	l.outdated.Store(false)
}
