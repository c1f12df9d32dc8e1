package train

import (
	"runtime"
	"sync"

	"perceptron/internal/vec"
)

// A pass is what an epoch's workers share: the state in training and the rows.
type pass struct {
	*state
	Rows
	y []int
}

// lesson returns the rows in this order, and how a unit learns them.
func (p *pass) lesson(order rowOrder) vec.Lesson {
	l := vec.Lesson{X: p.X, Y: p.y, Order: order, Step: p.Rate, Scan: !p.plain(), Fetch: p.exceeds(lastCache)}
	if p.Space == Affine {
		l.Bias = p.Rate
	}
	return l
}

// show shows the i-th row, at pos of the order, to a unit whose planes have scored it.
func (p *pass) show(u *unit, pos, i int) error {
	x := p.at(i)
	if err := u.consider(&p.Config, &x, p.y[i], pos); err != nil {
		return &ExampleError{i, err}
	}
	if u.mistaken && p.Keep == Pocket {
		u.pocket.endRun(u.planes, uint64(pos))
	}
	u.accept(&x)
	return nil
}

// Rows are fetched ahead where that pays. Blocks fetch them if they exceed the second cache.
// Single rows are fetched if they may exceed the last cache: from that cache the processor
// itself fetches them in time. Its size is in float64s, and is only a guess.
const lastCache = 1 << 20

// exceeds reports whether the rows are larger than the cache.
func (p *pass) exceeds(cache float64) bool { return float64(len(p.X))*float64(p.width) > cache }

// More workers than one change no result, and must not take longer. Tests lower both
// limits.
var (
	// worthwhile is the least number of multiplications in an epoch for more workers than
	// one. They take about a seventh of a millisecond; to start and await goroutines on
	// cores that sleep takes up to a tenth.
	worthwhile = 1 << 20

	// leastUnits is the fewest units in a group, which scores each row once for all of them.
	// Each group reads all rows, and two units take as long as three.
	leastUnits = 3
)

// workersFor returns the number of workers for an epoch that has this many parts and
// computes the scores of k hyperplanes.
func (p *pass) workersFor(parts, k int) int {
	workers := p.Workers
	switch {
	case float64(len(p.X))*float64(p.width)*float64(k) < float64(worthwhile):
		return 1
	case workers == 0:
		workers = runtime.GOMAXPROCS(0)
	}
	return max(1, min(workers, parts))
}

// split splits the units into one group for each worker, of leastUnits or more. The sizes of
// the groups differ by one at most.
func (p *pass) split(units []*unit) [][]*unit {
	k := len(units)
	parts := make([][]*unit, p.workersFor(k/leastUnits, k))
	for g := range parts {
		parts[g] = units[g*k/len(parts) : (g+1)*k/len(parts)]
	}
	return parts
}

// parallel calls f(0), …, f(n−1), each in its own goroutine, and waits for them. A
// single call needs no goroutine.
func parallel(n int, f func(i int)) {
	if n == 1 {
		f(0)
		return
	}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { f(i) })
	}
	wg.Wait()
}

// A rowError is an error and its position in the epoch's order. The zero value is
// no error.
type rowError struct {
	pos int
	err error
}

// earlier returns the error that comes first; f, if both are at one position.
func earlier(f, g rowError) rowError {
	if g.err != nil && (f.err == nil || g.pos < f.pos) {
		return g
	}
	return f
}
