package train

import (
	"runtime"
	"sync"

	"perceptron/internal/vec"
)

// A pass is what the workers of an epoch share: the state in training, the rows and their labels.
// Each worker changes only its own units, and reads the rest. The exception is updated, to which a
// worker writes: it is nil unless there is only one worker.
type pass struct {
	*state
	Rows
	y []int
	// order is the order of the rows in the present epoch. The next epoch reuses its memory.
	order rowOrder
	// updated has the rows with an update in this Fit, if Result.Rows counts them. Else it is nil.
	updated vec.RowSet
}

// lesson returns what package vec needs to show the rows to a unit in the given order:
// the rows, the labels and η. The caller sets θ. If training is plain, package vec makes the updates itself.
// Else it stops at each row that may need an update, and leaves the update to the caller.
func (p *pass) lesson(order rowOrder) vec.Lesson {
	l := vec.Lesson{X: p.X, Sparse: p.Sparse, Y: p.y, Order: order, Rate: p.fields.Rate, Halt: !p.fields.plain(), Updated: p.updated}
	l.Fetch = p.exceeds(lastCache) || p.Sparse != nil && (order != nil || p.exceeds(vec.SecondCache))
	if p.fields.Space == Affine {
		l.Bias = p.fields.Rate
	}
	return l
}

// learnRow trains a unit with x, the i-th row, which is at position pos of the order. The caller has
// set u.scores. Under Pocket, an update ends the streak of the present iterate. endStreak is called
// before the update, because it may copy that iterate.
func (p *pass) learnRow(u *unit, x *vec.Row, pos, i int) error {
	if err := u.propose(&p.core, x, p.y[i], pos); err != nil {
		return ErrorAt(i, err)
	}
	if u.step != 0 {
		if p.fields.Keep == Pocket {
			u.endStreak(&p.planes, uint64(pos))
		}
		u.commit(&p.core, x)
		p.updated.Add(i)
	}
	return nil
}

// lastCache is a guess of how many float64s the processor's last cache holds. If all rows together
// have more features, they come from memory in every epoch. Then package vec requests each row from
// memory ahead of time, while it scores earlier rows.
const lastCache = 1 << 20

// exceeds reports whether a cache that holds this number of float64s is too small for the rows.
func (p *pass) exceeds(cache float64) bool { return p.products() > cache }

// The number of workers changes no result, but a small epoch takes longer with several workers than
// with one. These limits on the number of workers are by measurement. Tests lower them.
var (
	// worthwhile is the least number of multiplications of an epoch that has several workers. One
	// worker makes this number in about .14 ms. Starting goroutines and waiting for them takes up to
	// .1 ms.
	worthwhile = 1 << 20

	// leastUnits is the least number of units for a worker. Each worker reads all rows, and takes
	// as long to score a row with two units as with three.
	leastUnits = 3
)

// products returns the number of multiplications with which one plane scores all rows: one for each
// feature, or for each non-zero of sparse rows. The result is a float64, because an int may overflow.
func (p *pass) products() float64 {
	if p.Sparse != nil {
		return float64(p.nonZeros)
	}
	return float64(len(p.X)) * float64(p.planes.Width())
}

// workersFor returns the number of workers for an epoch that scores each row with k planes. parts is
// the number of parts into which the work can be divided: more workers would have no work.
func (p *pass) workersFor(parts, k int) int {
	workers := p.fields.Workers
	switch {
	case p.products()*float64(k) < float64(worthwhile):
		return 1
	case workers == 0:
		workers = runtime.GOMAXPROCS(0)
	}
	return max(1, min(workers, parts))
}

// split divides the units among the workers. Each gets at least leastUnits units, unless there is
// one worker. The numbers of units differ by at most one. Each worker gets consecutive units, so that
// the classes of its units ascend.
func (p *pass) split(units []*unit) [][]*unit {
	k := len(units)
	parts := make([][]*unit, p.workersFor(k/leastUnits, k))
	for g := range parts {
		parts[g] = units[g*k/len(parts) : (g+1)*k/len(parts)]
	}
	return parts
}

// parallel calls f(0), …, f(n−1), each in its own goroutine, and waits until all have returned. It
// returns the error at the lowest position, because a single worker would have stopped there.
//
// For n = 1 it starts no goroutine, because starting one takes as long as an epoch of a few rows.
func parallel(n int, f func(i int) rowError) (first rowError) {
	if n == 1 {
		return f(0)
	}
	errs := make([]rowError, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			errs[i] = f(i)
		}()
	}
	wg.Wait()
	for _, err := range errs {
		first = earlier(first, err)
	}
	return first
}

// A rowError is an error about a row, and the row's position in the epoch's order. Several workers
// may each find a bad row. The position decides which error is returned: the error that a single
// worker would have found first. The zero value is no error.
type rowError struct {
	pos int
	err error
}

// earlier returns the error at the lower position. At equal positions it returns f: the callers pass
// the error of the lower class as f.
func earlier(f, g rowError) rowError {
	if g.err != nil && (f.err == nil || g.pos < f.pos) {
		return g
	}
	return f
}
