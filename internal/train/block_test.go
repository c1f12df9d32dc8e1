package train

import (
	"fmt"
	"slices"
	"testing"
)

// TestAhead: scoring rows ahead changes no result. Epochs gives the same bits as a
// pass of Learn over the same rows, which scores each row when it is learned.
func TestAhead(t *testing.T) {
	for K := 2; K <= 10; K++ {
		for _, n := range []int{0, 33} { // n + K rows: a last block of any size
			set := multi(uint64(K), n+K, 5, K)
			for _, scheme := range []Scheme{OneVsRest, Kesler} {
				for name, m := range grid(scheme, Cyclic, 5) {
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

// blocks returns the blocks of an epoch over n rows of two features, and k units that
// differ.
func blocks(n, k int) (*rowBlock, []*unit) {
	set := noisy(31, n, 2)
	c := Config{Rate: 1, Scheme: OneVsRest}
	p := &pass{state: &state{Config: c, width: 2}, X: set.X, y: set.y}
	units := make([]*unit, k)
	for i := range units {
		units[i], _ = lone(&c, Hyperplane{Weights: []float64{float64(i), 1}, Bias: 0.5}, 2, 1-2*(i/7))
	}
	b := new(rowBlock)
	b.start(p, nil, units)
	return b, units
}

// TestBlockScores: units get the scores of a block ahead, and its bits.
func TestBlockScores(t *testing.T) {
	some := uint(0)
	for k := 1; k <= 13; k++ {
		b, units := blocks(20, k)
		seen := 0
		for b.advance() {
			b.scoreAhead(units)
			right := ^uint(0)
			for i, u := range units {
				w := u.planes[0]
				if !w.scored {
					t.Fatalf("%d units: scored[%d] = %v", k, i, w.scored)
				}
				right &= u.settled
				for j, row := range b.rows {
					score := Score(w.w, b.X[row])
					if w.scoreRow(j, b.X[row]); w.score != score || w.scored && w.scores[j] != score {
						t.Fatalf("%d units: unit %d has the score %v of row %d, want %v", k, i, w.scores[j], row, score)
					}
					if is, want := u.settled>>j&1 == 1, w.scored && w.target(b.y[row])*score > 0; is != want {
						t.Fatalf("%d units: unit %d has row %d right: %v, want %v", k, i, row, is, want)
					}
				}
				if w.scored {
					w.scores[0]++ // the next block overwrites it
				}
			}
			if b.settled != right {
				t.Fatalf("%d units: right %b, want %b", k, b.settled, right)
			}
			some |= right
			seen += len(b.rows)
		}
		if seen != 20 {
			t.Fatalf("the blocks have %d rows, want 20", seen)
		}
	}
	if some == 0 {
		t.Error("no row is right for all units: the test shows nothing")
	}
}

// TestBlockTogether: Multiclass gets the scores of a block ahead, and knows which rows it
// has right: those whose class is ahead of every other by more than θ.
func TestBlockTogether(t *testing.T) {
	set, right := multi(3, 43, 2, 5), 0
	m := newModel(Config{Scheme: Kesler, Rule: WithinTheta, Threshold: 1})
	must(m.Learn(set.pairs()))(t)
	u := m.now.units[0]
	b := new(rowBlock)
	b.start(&pass{state: m.now, X: set.X, y: set.y}, nil, m.now.units)
	for b.advance() {
		b.scoreAhead(m.now.units)
		for j, i := range b.rows {
			own, want := slices.Index(m.now.classes(), set.y[i]), true
			scores := make([]float64, len(u.planes))
			for k, q := range u.planes {
				scores[k] = naiveScore(Hyperplane{q.w[:2], q.w[2]}, set.X[i])
			}
			for k, s := range scores {
				want = want && (k == own || scores[own]-s > 1)
				if got := u.planes[k].scores[j]; got != s {
					t.Fatalf("row %d has the score %v for plane %d, want %v", i, got, k, s)
				}
			}
			if is := u.settled>>j&1 == 1; is != want || b.settled != u.settled {
				t.Fatalf("row %d is right: %v, want %v; the block's %b, the unit's %b", i, is, want, b.settled, u.settled)
			}
			if want {
				right++
			}
		}
	}
	if right == 0 || right == len(set.X) {
		t.Errorf("%d of %d rows are right: the test shows nothing", right, len(set.X))
	}
}

// TestBlockUpcoming: what is fetched while a block is scored is the next two blocks. The
// last row stands for what is missing.
func TestBlockUpcoming(t *testing.T) {
	for n := 1; n <= 4*blockRows; n++ {
		for _, fetch := range []bool{true, false} {
			b, _ := blocks(n, 1)
			b.fetch = fetch
			for first := blockRows; b.advance(); first += blockRows {
				got := b.upcoming()
				if (got != nil) != (fetch && first < n) {
					t.Fatalf("%d rows, fetch %v: before row %d: %v", n, fetch, first, got)
				}
				if got == nil {
					continue
				}
				second := first + blockRows
				for j := range blockRows {
					x, z := b.X[min(first+j, n-1)], b.X[min(second+j, n-1)]
					if &got[j][0] != &x[0] || &got[blockRows+j][0] != &z[0] {
						t.Errorf("%d rows: before row %d: another row at %d", n, first, j)
					}
				}
			}
		}
	}
}
