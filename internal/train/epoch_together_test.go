package train

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"perceptron/internal/naive"
	"perceptron/internal/vec"
	"perceptron/internal/weights"
)

// TestAhead: scoring rows ahead, or with all planes together, changes no result. Epochs gives the
// same bits as a pass of Learn over the same rows, which scores each row when it is learned.
func TestAhead(t *testing.T) {
	step := 3
	if os.Getenv("PERCEPTRON_FULL") != "" {
		step = 1
	}
	for K := 2; K <= 10; K += step {
		for i, n := range []int{0, 33, 0, 33} { // n + K rows: a last block of any size
			d := []int{5, vec.ShortRow, vec.ShortRow + 1, vec.ShortRow + 1}[i]
			set := naive.Multi(uint64(K), n+K, d, K)
			for _, kind := range []Config{{Rest: true}, {Rival: &rivalRule}} {
				for name, m := range grid(kind, Cyclic, d) {
					if m.Keep != Pocket { // rows count for Epochs, and not for Learn
						compareStream(t, fmt.Sprintf("%s, K = %d, n = %d", name, K, n), m, set)
					}
				}
			}
		}
	}
}

// compareStream compares epochs of m with passes of Learn. Both first see an example of
// every class.
func compareStream(t *testing.T, what string, m *model, set naive.Set) {
	t.Helper()
	rowwise := m.fresh()
	for i, x := range set.X {
		must(m.Update(x, set.Y[i]))(t)
		must(rowwise.Update(x, set.Y[i]))(t)
	}
	for e, err := range m.Epochs(set.X, set.Y) {
		want := must(rowwise.Learn(set.X, set.Y))(t)
		want.Stop = e.Stop
		if err != nil || e != want || snapshot(m) != snapshot(rowwise) {
			t.Fatalf("%s: %+v (%v), want %+v\n%s\nwant\n%s", what, e, err, want, snapshot(m), snapshot(rowwise))
		}
		if e.N == 6 {
			break
		}
	}
}

// TestAheadFetch: fetching rows ahead changes no result. It happens
// only for data larger than the caches.
func TestAheadFetch(t *testing.T) {
	set := naive.Multi(9, 137, 8000, 6)
	for _, classes := range []int{2, 6} {
		y := make([]int, len(set.Y))
		for i := range y {
			y[i] = i % classes
		}
		some := naive.Set{Name: "fetched", X: set.X, Y: y}
		for _, c := range []Config{{Rest: true, Workers: 1}, {Rival: &rivalRule}, {Rival: &rivalRule, Rule: WithinR, Keep: Average}} {
			compareStream(t, "fetched", newModel(c), some)
		}
	}
}

// TestAheadWidth: the body of a range makes a row wider or narrower. The error
// names that row, and the epoch is undone.
func TestAheadWidth(t *testing.T) {
	texts := []string{"empty: the row has no features", "dimension mismatch: width 1, want 2", 3: "dimension mismatch: width 3, want 2"}
	for _, K := range []int{2, 3, 5, 7} {
		set := naive.Multi(1, 20, 2, K)
		set.X = naive.Noisy(7, 20, 2).X // no plane separates them: no epoch is the last
		for i := range 2 * 3 * 4 * 3 {
			at, width := []int{0, 3, 12, 19}[i/6%4], []int{0, 1, 3}[i/24]
			m := newModel(Config{Rest: i%2 == 0, Rival: []*Rival{nil, &rivalRule}[i%2], Keep: uint8(i / 2 % 3), MaxEpochs: 5})
			before, X := "", slices.Clone(set.X)
			for e, err := range m.Epochs(X, set.Y) {
				if e.N == 2 {
					before, X[at] = snapshot(m), make([]float64, width)
				} else if e.N != 1 {
					refused(t, err, map[bool]error{true: ErrEmpty, false: ErrDimension}[width == 0], at, texts[width])
				}
			}
			if snapshot(m) != before {
				t.Fatalf("%+v: the epoch was not undone", m.Config)
			}
		}
	}
}

// TestAheadFirst: units fail at different rows, each by its own overflow. The error
// names the first of these rows, for any number of workers.
func TestAheadFirst(t *testing.T) {
	manyWorkers(t)
	const d, huge = 1000, 1e200
	for _, later := range []int{4, 5, 7, 8, 9, 16, 39} {
		X, y := make([][]float64, 40), make([]int, 40)
		for i := range X {
			X[i], y[i] = make([]float64, d), i%3
		}
		X[0][0], y[0] = 1, 0                   // w = e₀ for class 0, −e₀ for 1 and 2
		X[1][0], X[1][1], y[1] = -0.5, huge, 1 // only class 2 is wrong, and learns e₁
		X[2][0], X[2][2], y[2] = 1, huge, 1    // class 0 is wrong, and learns e₂
		X[3][1], X[later][2] = huge, huge      // overflow for class 2, and for class 0
		fails := func(workers, row int) {
			t.Helper()
			_, err := newModel(Config{Rest: true, Space: Linear, Workers: workers}).Fit(X, y)
			refused(t, err, ErrNotFinite, row, "not finite: the score overflows, though every feature is finite")
		}
		for _, workers := range []int{1, 2, 3} {
			fails(workers, 3)
		}
		X[3][1] = 0
		fails(2, later) // class 0 alone
	}
}

// TestGroupScores: each row has the scores of Score, with each plane, whether it has moved in this
// block or not.
func TestGroupScores(t *testing.T) {
	for _, d := range []int{vec.ShortRow + 1, 50} {
		set := naive.Noisy(31, 23, d)
		for k := 1; k <= 13; k++ {
			c := ruled(Config{Rate: 1, Rest: true})
			var together vec.Classes
			s := planesFor(&c, []float64{0}, d)
			for i := range k {
				s.start = append(slices.Repeat([]float64{float64(i)}, d), 0.5)
				s.addClass(i)
			}
			l := vec.Lesson{X: set.X, Y: set.Y, Halt: true}
			for epoch := range 2 {
				together.Reset(make([]int, k), d)
				together.Thetas = slices.Repeat([]float64{inf}, k)
				for i := range k {
					together.Set(i, s.planes.InTraining(i))
				}
				for pos, x := range set.X {
					together.Scan(&l, pos, pos+1)
					for i := range k {
						if want := weights.Score(s.planes.InTraining(i), x); together.Scores[i] != want {
							t.Fatalf("%d features, %d planes, epoch %d: row %d has the score %v with plane %d, want %v", d, k, epoch, pos, together.Scores[i], i, want)
						}
					}
					if i := pos % k; pos%3 != 0 {
						s.planes.Propose(i, &vec.Row{Value: x}, 1, 0)
						s.planes.Commit(i, &vec.Row{Value: x})
						together.Set(i, s.planes.InTraining(i))
					}
				}
			}
		}
	}
}
