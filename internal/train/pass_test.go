package train

import (
	"runtime"
	"testing"

	"perceptron/internal/vec"
)

// manyWorkers lets any epoch have as many workers as there are units.
func manyWorkers(t *testing.T) {
	w, c := worthwhile, leastUnits
	worthwhile, leastUnits = 0, 1
	t.Cleanup(func() { worthwhile, leastUnits = w, c })
}

// TestFirst: the error is the one that a single worker would have met first.
func TestFirst(t *testing.T) {
	none, a, b := rowError{}, rowError{3, ErrLabel}, rowError{7, ErrEmpty}
	for _, c := range [][3]rowError{{none, none, none}, {none, b, b}, {b, none, b}, {a, b, a}, {b, a, a}, {a, {3, ErrEmpty}, a}} {
		if got := earlier(c[0], c[1]); got != c[2] {
			t.Errorf("of %v and %v the first is %v, want %v", c[0], c[1], got, c[2])
		}
	}
}

// TestCount: there are as many workers as asked for, if each has work. There is one
// worker if an epoch takes less time than starting a goroutine.
func TestCount(t *testing.T) {
	procs := runtime.GOMAXPROCS(0)
	for _, c := range []struct{ rows, width, k, workers, parts, want int }{
		{1 << 10, 1 << 9, 2, 3, 10, 3}, {1 << 10, 1 << 9, 2, 3, 2, 2}, {1 << 10, 1 << 9, 2, 0, 1 << 20, procs},
		{1<<10 - 1, 1 << 9, 2, 3, 10, 1}, {1 << 10, 1 << 9, 1, 3, 10, 1}, {1 << 10, 1<<9 - 1, 2, 3, 10, 1},
		{1 << 22, 1, 1, 3, 0, 1},
	} {
		p := pass{state: planesFor(&Config{Rule: OnMistake}, []float64{0}, c.width), Rows: Rows{X: make([][]float64, c.rows)}}
		p.fields.Workers = c.workers
		if got := p.workersFor(c.parts, c.k); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}

// TestGroups: no group has fewer units than the least, and the sizes are nearly equal.
func TestGroups(t *testing.T) {
	p := pass{state: planesFor(&Config{Rule: OnMistake}, []float64{0}, 1<<11), Rows: Rows{X: make([][]float64, 1<<11)}}
	defer func(least int) { leastUnits = least }(leastUnits)
	for workers := 1; workers < 6; workers++ {
		p.fields.Workers = workers
		for k := 1; k < 20; k++ {
			for least := range 3 {
				least++
				leastUnits = least
				groups := p.split(make([]*unit, k))
				sum, smallest, largest := 0, k, 0
				for _, g := range groups {
					sum, smallest, largest = sum+len(g), min(smallest, len(g)), max(largest, len(g))
				}
				if want := max(1, min(workers, k/least)); len(groups) != want || sum != k || largest > smallest+1 || smallest < min(least, k) {
					t.Errorf("%d workers, %d units, least %d: %d groups of %d to %d", workers, k, least, len(groups), smallest, largest)
				}
			}
		}
	}
}

// TestExceeds: rows are fetched ahead for blocks if they have more than 2¹⁷ features in
// all, and one by one if they have more than 2²⁰.
func TestExceeds(t *testing.T) {
	for rows, want := range map[int][2]bool{1 << 8: {}, 1<<8 + 1: {true}, 1 << 11: {true}, 1<<11 + 1: {true, true}} {
		p := pass{state: planesFor(&Config{Rule: OnMistake}, []float64{0}, 1<<9), Rows: Rows{X: make([][]float64, rows)}}
		if got := [2]bool{p.exceeds(vec.SecondCache), p.exceeds(lastCache)}; got != want {
			t.Errorf("%d rows of %d features: %v, want %v", rows, p.planes.Width(), got, want)
		}
	}
}
