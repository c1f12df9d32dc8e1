package train

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"perceptron/internal/vec"
)

// TestAhead: scoring rows ahead changes no result. Epochs gives the same bits as a
// pass of Learn over the same rows, which scores each row when it is learned.
func TestAhead(t *testing.T) {
	for K := 2; K <= 10; K++ {
		for _, n := range []int{7, 8, 9, 41} {
			set := multi(uint64(K), n+K, 5, K)
			for name, b := range onlineGrid(5, 0) {
				if b.config().order != Cyclic {
					continue
				}
				compareStream(t, fmt.Sprintf("%s, K = %d, n = %d", name, K, n), &OneVsRest{Binary: b}, &OneVsRest{Binary: b}, set)
			}
			for name, m := range keslerGrid(5, 0) {
				if m.config().order == Cyclic {
					compareStream(t, fmt.Sprintf("%s, K = %d, n = %d", name, K, n), m, m.Clone(), set)
				}
			}
		}
	}
}

// compareStream compares epochs of m with passes of Learn by rowwise. Both first
// see an example of every class.
func compareStream(t *testing.T, what string, m, rowwise manyModel, set dataset) {
	t.Helper()
	for i, x := range set.X {
		must(m.Update(x, set.y[i]))(t)
		must(rowwise.Update(x, set.y[i]))(t)
	}
	if m.config().keep == Pocket { // rows count for Epochs, and not for Learn
		return
	}
	for e, err := range m.Epochs(set.X, set.y) {
		want := must(rowwise.Learn(stream(set)))(t)
		want.Stop = e.Stop
		if err != nil || e != want || snapshot(m) != snapshot(rowwise) {
			t.Fatalf("%s: %+v (%v), want %+v\n%s\nwant\n%s", what, e, err, want, snapshot(m), snapshot(rowwise))
		}
		if e.N == 6 {
			break
		}
	}
}

// TestAheadFetch: fetching rows ahead changes no result, in any order. It happens
// only for data larger than the caches.
func TestAheadFetch(t *testing.T) {
	set := multi(9, 137, 8000, 6)
	for _, classes := range []int{2, 6} {
		y := make([]int, len(set.y))
		for i := range y {
			y[i] = set.y[i] % classes
		}
		some := dataset{"fetched", set.X, y}
		compareStream(t, "fetched", &OneVsRest{Workers: 1}, new(OneVsRest), some)
		compareStream(t, "fetched", new(Multiclass), new(Multiclass), some)
		compareStream(t, "fetched", &Multiclass{Binary: &Margin{Keep: Average}}, &Multiclass{Binary: &Margin{Keep: Average}}, some)
		for _, order := range []Order{Shuffled, Sampled} {
			b := &Online{Order: order, Seed: 5, MaxEpochs: 3}
			compareSeparate(t, &OneVsRest{Binary: b, Workers: 1}, b, some)
		}
		b := &Batch{MaxEpochs: 3}
		compareSeparate(t, &OneVsRest{Binary: b, Workers: 1}, b, some)
	}
}

// TestAheadWidth: the body of a range makes a row wider or narrower. The error
// names that row, and the epoch is undone.
func TestAheadWidth(t *testing.T) {
	for _, K := range []int{2, 3, 5, 7} {
		for _, at := range []int{0, 3, 12, 19} {
			for _, row := range [][]float64{{1, 2, 3}, {1}, {}} {
				set := multi(1, 20, 2, K)
				for i, x := range gaussianRows(7, 20, 2) {
					set.X[i] = x // no plane separates them: no epoch is the last
				}
				for _, b := range []Model{&Online{MaxEpochs: 5}, &Online{MaxEpochs: 5, Keep: Average}, &Online{MaxEpochs: 5, Keep: Pocket}} {
					widen(t, &OneVsRest{Binary: b}, set, at, row)
					widen(t, &Multiclass{Binary: b}, set, at, row)
				}
			}
		}
	}
}

// widen trains for two epochs, and puts row in the place of another.
func widen(t *testing.T, m manyModel, set dataset, at int, row []float64) {
	t.Helper()
	before, X := "", slices.Clone(set.X)
	for e, err := range m.Epochs(X, set.y) {
		if e.N == 2 {
			before = snapshot(m)
			X[at] = row
		}
		if e.N > 2 || err != nil {
			expect := want{ErrDimension, at, fmt.Sprintf("dimension mismatch: width %d, want 2", len(row))}
			if len(row) == 0 {
				expect = want{ErrEmpty, at, "empty: the row has no features"}
			}
			expect.check(t, err)
		}
	}
	if snapshot(m) != before {
		t.Fatalf("%v: the epoch was not undone", m)
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
		w := want{ErrNotFinite, 3, "not finite: the score overflows, though every feature is finite"}
		for _, workers := range []int{1, 2, 3} {
			w.check(t, only((&OneVsRest{Binary: &Online{Space: Linear}, Workers: workers}).Fit(X, y)))
		}
		X[3][1], w.index = 0, later // class 0 alone
		w.check(t, only((&OneVsRest{Binary: &Online{Space: Linear}, Workers: 2}).Fit(X, y)))
	}
}

// blocks returns the blocks of an epoch over n rows of two features, and k units that
// differ.
func blocks(n, k int) (*rowBlock, []*unit) {
	set := noisy(31, n, 2)
	c := config{rate: 1, scheme: oneVsRest}
	p := &pass{state: &state{config: c, width: 2}, X: set.X, y: set.y}
	units := make([]*unit, k)
	for i := range units {
		units[i], _ = lone(&c, Hyperplane{Weights: []float64{float64(i), 1}, Bias: 0.5}, 2, 1-2*(i/7))
	}
	b := new(rowBlock)
	b.start(p, nil, units)
	return b, units
}

// TestBlockScores: two or more units get the scores of a block ahead, and its bits. A
// unit alone gets none.
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
				if w.scored != (k > 1) {
					t.Fatalf("%d units: scored[%d] = %v", k, i, w.scored)
				}
				right &= u.settled
				for j, row := range b.rows {
					score := affine(w.w, b.X[row])
					if w.scoreRow(j, b.X[row]); w.score != score || w.scored && w.scores[j] != score {
						t.Fatalf("%d units: unit %d has the score %v of row %d, want %v", k, i, w.scores[j], row, score)
					}
					if is, want := u.settled>>j&1 == 1, w.scored && u.target(&b.config, b.y[row])*score > 0; is != want {
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
	m := &Multiclass{Binary: &Margin{Threshold: 1}}
	must(m.Learn(stream(set)))(t)
	u := m.now.units[0]
	b := new(rowBlock)
	b.start(&pass{state: m.now, X: set.X, y: set.y}, nil, m.now.units)
	for b.advance() {
		b.scoreAhead(m.now.units)
		for j, i := range b.rows {
			scores := must(m.Scores(nil, set.X[i]))(t)
			own, want := slices.Index(m.Classes(), set.y[i]), true
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

// TestByRow: rows are scored one by one for one unit; for up to four units of rows with fewer
// than 8 features; and for two or three units of at most 2¹² weights together with a row, whose
// rows exceed the last cache. In Multiclass they never are.
func TestByRow(t *testing.T) {
	for _, c := range []struct {
		scheme         scheme
		n, width, most int // most units
	}{
		{oneVsRest, 100, 7, 4}, {oneVsRest, 1 << 20, 7, 4}, {oneVsRest, 100, 8, 1},
		{oneVsRest, 1 << 11, 1 << 9, 1}, {oneVsRest, 1<<11 + 1, 1 << 9, 3}, {oneVsRest, 1 << 12, 1 << 10, 3},
		{oneVsRest, 1 << 12, 1<<10 + 1, 2}, {oneVsRest, 1 << 12, 1365, 2}, {oneVsRest, 1 << 12, 1366, 1},
		{twoClasses, 100, 100, 1}, {kesler, 100, 7, 0}, {kesler, 1 << 12, 1 << 10, 0},
	} {
		p := &pass{state: &state{config: config{scheme: c.scheme}, width: c.width}, X: make([][]float64, c.n)}
		for k := 1; k < 8; k++ {
			if got := p.byRow(k); got != (k <= c.most) {
				t.Errorf("%+v: %d units: %v", c, k, got)
			}
		}
	}
}

// TestRowByRow: trainSingly and learnFetched present each row to each unit, and return the first
// error with its position. Rows are narrow or wide, and fill windows or do not.
func TestRowByRow(t *testing.T) {
	for _, kind := range []Order{Cyclic, Shuffled, Sampled} {
		for _, d := range []int{1, 8, 100} {
			for _, n := range []int{1, 256 - 1, 256, 256 + 1, 2*256 + 9} {
				for _, bad := range []int{-1, 0, n / 2, n - 1} {
					set := noisy(uint64(n), n, d)
					if bad >= 0 {
						set.X[bad][d-1] = math.NaN()
					}
					checkRowByRow(t, kind, Last, set, d)
					checkRowByRow(t, kind, Average, set, d)
				}
			}
		}
	}
}

// checkRowByRow compares trainSingly, with and without fetching, for two units with its formula.
func checkRowByRow(t *testing.T, kind Order, keep Keep, set dataset, d int) {
	t.Helper()
	c := config{rate: 1, scheme: oneVsRest, keep: keep}
	p := &pass{state: &state{config: c, width: d}, X: set.X, y: set.y}
	order := rowOrder(nil).draw(kind, len(set.X), rand.NewPCG(7, 7))
	run := func(learn func(units []*unit) rowError) string {
		one, v := lone(&c, Hyperplane{}, d, +1)
		two, w := lone(&c, Hyperplane{Bias: 3}, d, -1)
		err := learn([]*unit{one, two})
		if err.err != nil {
			return fmt.Sprint(err.pos, err.err)
		}
		return fmt.Sprint(v.w, w.w, v.average.sum, w.average.sum, one.mistakes, two.mistakes, one.loss, two.loss)
	}
	want := run(func(units []*unit) rowError {
		for pos := range p.X {
			i := order.at(pos)
			for _, u := range units {
				u.planes[0].score = affine(u.planes[0].w, p.X[i])
				if err := p.show(u, pos, i); err != nil {
					return rowError{pos, err}
				}
			}
		}
		return rowError{}
	})
	few := run(func(units []*unit) rowError { return trainSingly(p, order, units, false) })
	if fetched := run(func(units []*unit) rowError { return trainSingly(p, order, units, true) }); few != want || fetched != want {
		t.Fatalf("%v, %v, %d rows of %d features: %.100s, and %.100s with fetching, want %.100s", kind, keep, len(set.X), d, few, fetched, want)
	}
}

// TestRequest: what is fetched are rows that follow. Nothing is for short rows that lie in
// memory in their order, also where they are a little apart.
func TestRequest(t *testing.T) {
	for _, c := range []struct {
		d, apart int
		reverse  bool
		want     bool
	}{
		{8, 0, false, false}, {31, 0, false, false}, {31, 20, false, false}, {32, 0, false, true}, {784, 0, false, true},
		{8, 9, false, true}, {31, 32, false, true}, {8, 0, true, true}, {31, 0, true, true},
	} {
		const n = 500
		X, _ := block(n, c.d+c.apart, func(i, j int) float64 { return 0 })
		for i := range X {
			X[i] = X[i][:c.d]
		}
		if c.reverse {
			slices.Reverse(X)
		}
		f := fetcher{pass: &pass{state: &state{width: c.d}, X: X, y: make([]int, n)}, steps: vec.Steps(c.d)}
		for pos := range n {
			got := f.request(pos)
			if pos+vec.MostAhead < n && (got != nil) != c.want {
				t.Fatalf("%+v: row %d: fetched %v", c, pos, got)
			}
			if got != nil && *got != *new(vec.Ahead).Follow(X, pos, vec.Steps(c.d)) {
				t.Fatalf("%+v: row %d: other rows are fetched", c, pos)
			}
		}
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
