package perceptron

import (
	"slices"

	"perceptron/internal/vec"
)

// Under Pocket, an iterate with a longer run than the pocket's is counted on all rows.
// Training does not depend on the pocket, so such iterates wait, and several are counted
// together: each row is loaded once for all of them. Rows that are likely to be wrong
// come first, because most iterates lose, and a count ends when it cannot exceed that of
// the pocket.
//
// The pocket's decisions are those of counts that do not wait. Let L be the length of the
// pocket's run once all earlier iterates are decided. A count that does not wait happens
// at the first right answer of the range that makes the iterate's run longer than L. An
// iterate waits since its run became longer than some L′, and L′ ≤ L because lengths only
// grow. So it is counted if its whole run is longer than L, and the run was then L + 1, or
// what it was when it began to wait, if that is more.

// waiting is the number of iterates that are counted together. More load the rows less
// often. Fewer are counted in vain after one that wins.
const waiting = 16

// A trial is an iterate that waits to be counted.
type trial struct {
	since, run uint64 // its run when it began to wait, and its whole run
	planes     []int  // where the counter has its planes
	wrong      int    // rows
}

// A counter counts the iterates of one unit.
type counter struct {
	trials []trial
	planes [][]float64 // of the trials, each once
	used   int         // of planes; the others are spare

	keys []float64 // of each row the smallest margin when it was last scored
	rows []int32   // all rows, those with small keys first

	live     []*trial // those that can still win
	weights  [][]float64
	place    []int // of each plane in weights
	products vec.Block
	x        [blockRows][]float64
	fetched  [2 * blockRows][]float64
}

// newCounter returns a counter for n rows.
func newCounter(n int) *counter {
	return &counter{keys: make([]float64, n), rows: make([]int32, n)}
}

// add lets u's iterate wait, which training leaves.
func (c *counter) add(u *unit) {
	t := trial{since: u.pocket.since, run: u.pocket.run, planes: make([]int, len(u.planes))}
	n := len(c.trials)
	for k, p := range u.planes {
		if n > 0 && slices.Equal(c.planes[c.trials[n-1].planes[k]], p.w) { // in Multiclass
			t.planes[k] = c.trials[n-1].planes[k]
		} else {
			t.planes[k] = c.keep(p.w)
		}
	}
	c.trials = append(c.trials, t)
}

// keep copies a plane, and returns where.
func (c *counter) keep(w []float64) int {
	if c.used == len(c.planes) {
		c.planes = append(c.planes, make([]float64, len(w)))
	}
	copy(c.planes[c.used], w)
	c.used++
	return c.used - 1
}

// full reports whether the next iterate must not wait.
func (c *counter) full() bool { return len(c.trials) == waiting }

// reset forgets the trials.
func (c *counter) reset() { c.trials, c.used = c.trials[:0], 0 }

// drop removes the trials that have lost, and loads the weights of the others.
func (c *counter) drop(limit, d int) {
	c.live = slices.DeleteFunc(c.live, func(t *trial) bool { return t.wrong >= limit })
	c.weights = c.weights[:0]
	c.place = c.place[:0]
	for range c.used {
		c.place = append(c.place, -1)
	}
	for _, t := range c.live {
		for _, v := range t.planes {
			if c.place[v] < 0 {
				c.place[v] = len(c.weights)
				c.weights = append(c.weights, c.planes[v][:d])
			}
		}
	}
	c.products.Load(c.weights)
}

// order sorts the rows by their keys, into steps of equal height. Rows in one step stay
// in their order: it is only a guess at what comes first.
func (c *counter) order() {
	const steps = 256
	var start [steps + 1]int
	low, high := slices.Min(c.keys), slices.Max(c.keys)
	scale := (steps - 1) / (high - low)
	step := func(key float64) int {
		if s := (key - low) * scale; s >= 0 && s < steps { // not if NaN
			return int(s)
		}
		return 0
	}
	for _, key := range c.keys {
		start[step(key)+1]++
	}
	for s := range steps {
		start[s+1] += start[s]
	}
	for i, key := range c.keys {
		s := step(key)
		c.rows[start[s]] = int32(i)
		start[s]++
	}
}
