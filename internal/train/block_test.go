package train

import (
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"perceptron/internal/vec"
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
			set := multi(uint64(K), n+K, d, K)
			for _, scheme := range []Scheme{OneVsRest, Kesler} {
				for name, m := range grid(scheme, Cyclic, d) {
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
func compareStream(t *testing.T, what string, m *model, set dataset) {
	t.Helper()
	rowwise := m.fresh()
	for i, x := range set.X {
		must(m.Update(x, set.y[i]))(t)
		must(rowwise.Update(x, set.y[i]))(t)
	}
	for e, err := range m.Epochs(set.X, set.y) {
		want := must(rowwise.Learn(set.pairs()))(t)
		want.Stop = e.Stop
		if err != nil || e != want || snapshot(m) != snapshot(rowwise) {
			t.Fatalf("%s: %+v (%v), want %+v\n%s\nwant\n%s", what, e, err, want, snapshot(m), snapshot(rowwise))
		}
		if e.N == 6 {
			break
		}
	}
}

// compareSeparate compares a fit of OneVsRest with a fit for each class.
func compareSeparate(t *testing.T, m *model, set dataset) {
	t.Helper()
	res := must(m.Fit(set.X, set.y))(t)
	want := Result{Upper: inf, Stop: Converged}
	for i, w := range m.vectors() {
		one := m.fresh()
		one.Scheme = TwoClasses
		r := must(one.Fit(set.X, against(set.y, m.Class(i))))(t)
		if !slices.EqualFunc(w, one.vectors()[0], sameBits) {
			t.Fatalf("class %d: %v, want %v of the separate fit", m.Class(i), w, one.vectors()[0])
		}
		want.Epochs = max(want.Epochs, r.Epochs)
		want.Mistakes += r.Mistakes
		want.Upper = min(want.Upper, r.Upper)
		if r.Stop == EpochLimit || r.Stop == Cycled && want.Stop != EpochLimit {
			want.Stop = r.Stop
		}
	}
	if res != want {
		t.Fatalf("Result %+v, want %+v", res, want)
	}
}

// TestAheadFetch: fetching rows ahead changes no result, in any order. It happens
// only for data larger than the caches.
func TestAheadFetch(t *testing.T) {
	set := multi(9, 137, 8000, 6)
	for _, classes := range []int{2, 6} {
		y := make([]int, len(set.y))
		for i := range y {
			y[i] = i % classes
		}
		some := dataset{"fetched", set.X, y}
		for _, c := range []Config{{Scheme: OneVsRest, Workers: 1}, {Scheme: Kesler}, {Scheme: Kesler, Rule: WithinR, Keep: Average}} {
			compareStream(t, "fetched", newModel(c), some)
		}
		for _, c := range []Config{{Order: Shuffled, Seed: 5}, {Order: Sampled, Seed: 5}, {Rule: OnGradient}} {
			c.Scheme, c.Workers, c.MaxEpochs = OneVsRest, 1, 3
			compareSeparate(t, newModel(c), some)
		}
	}
}

// TestAheadWidth: the body of a range makes a row wider or narrower. The error
// names that row, and the epoch is undone.
func TestAheadWidth(t *testing.T) {
	for _, K := range []int{2, 3, 5, 7} {
		for _, at := range []int{0, 3, 12, 19} {
			for _, row := range [][]float64{{1, 2, 3}, {1}, {}} {
				set := multi(1, 20, 2, K)
				set.X = gaussianRows(7, 20, 2) // no plane separates them: no epoch is the last
				for _, keep := range []Keep{Last, Average, Pocket} {
					widen(t, newModel(Config{Scheme: OneVsRest, Keep: keep, MaxEpochs: 5}), set, at, row)
					widen(t, newModel(Config{Scheme: Kesler, Keep: keep, MaxEpochs: 5}), set, at, row)
				}
			}
		}
	}
}

// widen trains for two epochs, and puts row in the place of another.
func widen(t *testing.T, m *model, set dataset, at int, row []float64) {
	t.Helper()
	before, X := "", slices.Clone(set.X)
	for e, err := range m.Epochs(X, set.y) {
		switch {
		case e.N == 2:
			before = snapshot(m)
			X[at] = row
		case e.N != 1 && len(row) == 0:
			refused(t, err, ErrEmpty, at, "empty: the row has no features")
		case e.N != 1:
			refused(t, err, ErrDimension, at, fmt.Sprintf("dimension mismatch: width %d, want 2", len(row)))
		}
	}
	if snapshot(m) != before {
		t.Fatalf("%+v: the epoch was not undone", m.Config)
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
			_, err := newModel(Config{Scheme: OneVsRest, Space: Linear, Workers: workers}).Fit(X, y)
			refused(t, err, ErrNotFinite, row, "not finite: the score overflows, though every feature is finite")
		}
		for _, workers := range []int{1, 2, 3} {
			fails(workers, 3)
		}
		X[3][1] = 0
		fails(2, later) // class 0 alone
	}
}

// TestTeamScores: each row has the scores of Score, with each plane, whether it has moved in this
// block or not.
func TestTeamScores(t *testing.T) {
	for _, d := range []int{vec.ShortRow + 1, 50} {
		set := noisy(31, 23, d)
		for k := 1; k <= 13; k++ {
			c := Config{Rate: 1, Scheme: OneVsRest}
			units := make([]*unit, k)
			for i := range units {
				units[i], _ = lone(&c, Hyperplane{Weights: slices.Repeat([]float64{float64(i)}, d), Bias: 0.5}, d, i)
			}
			g := new(team)
			for epoch := range 2 {
				g.start(&pass{state: &state{Config: c, width: d}, X: set.X, y: set.y}, nil, units)
				for pos, x := range set.X {
					if pos%blockRows == 0 {
						g.multiply(pos)
					}
					g.score(pos, pos)
					for i, q := range g.members {
						if want := naiveScore(Hyperplane{q.w[:d], q.w[d]}, x); g.scores[i] != want {
							t.Fatalf("%d features, %d planes, epoch %d: row %d has the score %v with plane %d, want %v", d, k, epoch, pos, g.scores[i], i, want)
						}
					}
					if q := g.members[pos%k].plane; pos%3 != 0 {
						q.propose(&c, x, 1, 0)
						q.move()
						g.move(q)
					}
				}
			}
		}
	}
}

// TestTeamWon: a row of Multiclass that is skipped is one whose class is ahead of every other by
// more than θ.
func TestTeamWon(t *testing.T) {
	values := []float64{-inf, -math.MaxFloat64, -1, 0, 1, 3, math.MaxFloat64, inf, math.NaN()}
	classes, u, skipped := []int{-7, 0, 4}, new(unit), 0
	g := &team{scores: make([]float64, 3)}
	for _, class := range classes {
		u.planes = append(u.planes, newPlane(&Config{Scheme: Kesler}, Hyperplane{}, 1, class))
		g.members = append(g.members, member{class: class})
	}
	for i := range 9 * 9 * 9 {
		g.scores[0], g.scores[1], g.scores[2] = values[i%9], values[i/9%9], values[i/81%9]
		for k, s := range g.scores {
			u.planes[k].score = s
		}
		for _, u.theta = range []float64{0, 1, 2} {
			for _, label := range classes {
				if g.won(u.theta, label) {
					skipped++
					if m := u.contest(label); !satisfied(m, u.theta) {
						t.Fatalf("θ %v: %v are right for %d, with the margin %v", u.theta, g.scores, label, m)
					}
				} else if m := u.contest(label); satisfied(m, u.theta) && m < math.MaxFloat64 {
					t.Fatalf("θ %v: %v are wrong for %d, with the margin %v", u.theta, g.scores, label, m)
				}
			}
		}
	}
	if skipped == 0 {
		t.Error("no row is skipped")
	}
	g.members, g.scores = g.members[:1], []float64{-1}
	if !g.won(0, -7) {
		t.Error("a class without a rival is wrong")
	}
	if g.scores[0] = inf; g.won(0, -7) {
		t.Error("a class without a rival is right with an infinite score")
	}
}

// TestBlockUpcoming: what is fetched while a block is scored is the rows of a later block, if
// the rows exceed a cache. The last row stands for what is missing. Their width counts here, not their length.
func TestBlockUpcoming(t *testing.T) {
	for _, c := range []struct{ n, d, ahead int }{
		{1311, 100, 24}, {168, 784, 4}, {169, 784, 4}, {170, 784, 4}, {171, 784, 4}, {9, 40000, 4},
		{1310, 100, 0}, {167, 784, 0}, {3, 40000, 0}, // 2¹⁷ numbers or fewer
	} {
		b := new(rowBlock)
		X, y := make([][]float64, c.n), make([]int, c.n)
		for i := range X {
			X[i] = []float64{float64(i)}
		}
		b.start(&pass{state: &state{width: c.d}, X: X, y: y}, nil)
		for ; b.pos < c.n; b.pos += blockRows {
			first := b.pos + c.ahead
			got := b.upcoming()
			if (got != nil) != (c.ahead > 0 && first < c.n) {
				t.Fatalf("%+v: before row %d: %v", c, first, got)
			}
			for j := 0; got != nil && j < blockRows; j++ {
				if want := min(first+j, c.n-1); got[j][0] != float64(want) {
					t.Errorf("%+v: row %v is fetched, want %d", c, got[j][0], want)
				}
			}
		}
	}
}
