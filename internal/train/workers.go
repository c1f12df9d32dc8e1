package train

import (
	"runtime"
	"sync"

	"perceptron/internal/vec"
)

// A pass is what the workers of an epoch share: the state in training, and the rows.
type pass struct {
	*state
	Rows
	y []int
}

// lesson returns the rows in an order for package vec, and how a unit of one plane learns them.
func (p *pass) lesson(order rowOrder) vec.Lesson {
	l := vec.Lesson{X: p.X, Y: p.y, Order: order, Step: p.Rate, Scan: !p.plain(), Fetch: p.exceeds(lastCache)}
	if p.Space == Affine {
		l.Bias = p.Rate
	}
	return l
}

// show trains a unit with the i-th row, x, at position pos of the order. The unit has the row's
// scores.
func (p *pass) show(u *unit, x *Row, pos, i int) error {
	if err := u.consider(&p.Config, x, p.y[i], pos); err != nil {
		return &ExampleError{i, err}
	}
	if u.mistaken {
		if p.Keep == Pocket {
			u.pocket.endRun(u.planes, uint64(pos))
		}
		u.accept(x)
	}
	return nil
}

// lastCache is a guess of how many float64s the processor's last cache holds. If the rows are
// larger, package vec requests each row from memory before it is scored.
const lastCache = 1 << 20

// exceeds reports whether the rows have more features than a cache of so many float64s holds.
func (p *pass) exceeds(cache float64) bool { return p.products() > cache }

// The number of workers changes no result. Below these limits, several workers would take longer
// than one. Tests lower the limits.
var (
	// worthwhile is the least number of multiplications in an epoch of several workers. So many
	// take about .14 ms. To start goroutines on idle cores and to wait for them takes up to .1 ms.
	worthwhile = 1 << 20

	// leastUnits is the least number of units for a worker. Each worker reads all rows, and scores
	// a row with two units in the time of three.
	leastUnits = 3
)

// products returns the number of multiplications that score all rows by one plane.
func (p *pass) products() float64 {
	if p.Sparse != nil {
		return float64(p.nonZeros)
	}
	return float64(len(p.X)) * float64(p.width)
}

// workersFor returns the number of workers for an epoch that scores each row with k planes. The
// work of the epoch has so many parts, which cannot be divided.
func (p *pass) workersFor(parts, k int) int {
	workers := p.Workers
	switch {
	case p.products()*float64(k) < float64(worthwhile):
		return 1
	case workers == 0:
		workers = runtime.GOMAXPROCS(0)
	}
	return max(1, min(workers, parts))
}

// split divides the units among the workers, leastUnits or more for each. The numbers of units
// differ by at most one. Neighbours stay together, so that the classes of a part ascend.
func (p *pass) split(units []*unit) [][]*unit {
	k := len(units)
	parts := make([][]*unit, p.workersFor(k/leastUnits, k))
	for g := range parts {
		parts[g] = units[g*k/len(parts) : (g+1)*k/len(parts)]
	}
	return parts
}

// parallel calls f(0), …, f(n−1), each in a goroutine, and waits for them. If n is 1, it makes the
// call itself, because to start a goroutine takes as long as an epoch of a few rows.
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

// A rowError is an error about a row, and the row's position in the epoch's order. In the zero
// value there is no error.
type rowError struct {
	pos int
	err error
}

// earlier returns the error at the lower position, or f if the positions are equal.
func earlier(f, g rowError) rowError {
	if g.err != nil && (f.err == nil || g.pos < f.pos) {
		return g
	}
	return f
}
