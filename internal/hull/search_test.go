package hull

import (
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"perceptron/internal/exact"
	"perceptron/internal/naive"
	"perceptron/internal/vec"
)

// run makes all steps.
func (s *search) run() {
	for !s.step() {
	}
}

// TestSearchOptimal: if the search ends by its own criterion, no row has a score below the limit in
// double-double arithmetic, and w is the sum of the rows with the weights u. It does so with either
// kind of factors.
func TestSearchOptimal(t *testing.T) {
	seeds, n := 1, 120
	if os.Getenv("PERCEPTRON_FULL") != "" {
		seeds, n = 2, 300
	}
	var clouds []cloud
	for seed := range uint64(seeds) {
		c := sized(separable(seed, n, 20, 0.001))
		c.X, c.Y = append(c.X, c.X[:40]...), append(c.Y, c.Y[:40]...)
		clouds = append(clouds, c, turned(c), crowded(turned(c)), separable(seed, 200, 10, 0.1))
	}
	refined := map[int]int{}
	for _, c := range clouds {
		for _, ones := range []bool{true, false} {
			for _, atOnce := range []int{1, 8} {
				for _, large := range []int{0, math.MaxInt} {
					p := c.withOnes(ones).Points
					s := newSearch(p, longest(p))
					s.atOnce, s.mostDoubles = atOnce, large
					s.run()
					if s.quick != nil {
						refined[large]++
					}
					checkOptimal(t, c.name, s)
				}
			}
		}
	}
	if refined[0] < 12*seeds || refined[math.MaxInt] > 0 {
		t.Errorf("%v of %d searches end with factors in float64", refined, 32*seeds)
	}
}

// checkOptimal fails if a row is below the limit.
func checkOptimal(t *testing.T, name string, s *search) {
	t.Helper()
	limit := s.limit()
	for i := range s.X {
		if score := s.score(i); !s.in[i] && score.Less(limit) {
			t.Fatalf("%s, ones %v: row %d has the score %v, limit %v", name, s.Ones, i, score, limit)
		}
	}
	checkSearch(t, s)
}

// TestSearchRestarts: points that float64 factors are too coarse for. The search ends
// with factors in double-double, and with the w that these find from the start.
func TestSearchRestarts(t *testing.T) {
	clouds := []cloud{{"a column refused", linear([]float64{1, 0x1p-20}, []float64{-1, 0x1p-20}, []float64{-1, 0x1p-20 - 0x1p-42})}}
	for seed := range uint64(8) {
		c := separable(seed, 40, 8, 0)
		for j := range 8 {
			for i, x := range features(c.Points) {
				x[j] *= math.Exp2(-6 * float64(j))
				c.Y[i] = int(math.Copysign(1, x[7]))
			}
		}
		c.name += ", of sizes far apart"
		clouds = append(clouds, c, turned(c))
	}
	restarts := 0
	for _, c := range clouds {
		want := newSearch(c.Points, longest(c.Points))
		want.mostDoubles = math.MaxInt
		want.run()
		s := newSearch(c.Points, longest(c.Points))
		s.mostDoubles = 0
		s.run()
		checkOptimal(t, c.name, s)
		if share := s.square.Minus(want.square).Over(want.square).Hi; math.Abs(share) > 0x1p-50 {
			t.Errorf("%s: ‖w‖² is off by %v of it", c.name, share)
		}
		if s.quick == nil {
			restarts++
		}
	}
	if restarts < 14 {
		t.Errorf("%d restarts of %d", restarts, len(clouds))
	}
}

// TestSearchEndsRefined: a search never ends with a w that float64 factors give,
// though it may seem to vanish.
func TestSearchEndsRefined(t *testing.T) {
	p := linear([]float64{3, 1, 0}, []float64{1, 3, 0}, []float64{1, 1, 2})
	s := newSearch(p, longest(p))
	s.mostDoubles = 0
	s.run()
	want := s.square
	s.exact, s.square, s.settled.Hi = false, exact.Double{}, math.Inf(1)
	s.run()
	if !s.exact || s.quick == nil {
		t.Fatalf("ends with %+v", s)
	}
	tiny(t, "‖w‖²", rounded, s.square.Minus(want))
}

// checkSearch compares w, Σu, ‖w‖² and the factors with the rows in use.
func checkSearch(t *testing.T, s *search) {
	t.Helper()
	sum, w := exact.Double{}, make([]exact.Double, s.dims())
	var columns [][]float64
	for k, i := range s.support {
		if !s.in[i] || !(s.u[k].Hi > 0) {
			t.Fatalf("row %d: in use %v, u = %v", i, s.in[i], s.u[k])
		}
		sum = sum.Plus(s.u[k])
		exact.Axpy(w, s.u[k], s.column(i)[:len(w)])
		columns = append(columns, floats(s.column(i)))
	}
	if f, ok := s.factors.(*qr); ok {
		checkFactors(t, f, columns)
	}
	for j, v := range s.w {
		tiny(t, "w", 1e4*rounded, v.Minus(w[j])) // the error of u is that of Q times the condition
	}
	tiny(t, "Σu", 1e12*rounded, s.sum.Minus(sum))
	tiny(t, "‖w‖²", rounded, s.square.Minus(exact.Dot(s.w, s.w)))
}

// TestSearchRefuses: a row above the limit gets no positive weight, and the search stays unchanged.
func TestSearchRefuses(t *testing.T) {
	s := newSearch(linear([]float64{1, 1}, []float64{0.5, 2}), 3)
	s.support, s.in, s.u, s.factors = nil, make([]bool, 2), nil, &qr{}
	if !s.enter(0) {
		t.Fatal("the first row is refused")
	}
	u, w := slices.Clone(s.u), slices.Clone(s.w)
	if s.enter(1) || !slices.Equal(s.support, []int{0}) || s.in[1] || len(s.factors.(*qr).q) != 1 || !slices.Equal(s.u, u) || !slices.Equal(s.w, w) {
		t.Errorf("row 1 comes into use: %+v", s)
	}
	want := s.square.Over(s.sum)
	if got := s.limit(); got != want.Times(exact.Double{Hi: 1 - 0x1p-50}) || !got.Less(want) {
		t.Errorf("limit %v, want a little below %v", got, want)
	}
	s.exact = false
	if got := s.limit(); got != want.Times(exact.Double{Hi: 1 - 0x1p-20}) {
		t.Errorf("limit %v for a w in float64, want somewhat below %v", got, want)
	}
}

// TestSearchAtOnce: if a pass over all rows is cheap, each step makes its own.
func TestSearchAtOnce(t *testing.T) {
	row := []float64{1, 1, 1, 1, 1, 1, 1}
	for n, want := range map[int]int{1: 1, 8192: 1, 8193: 8} {
		s := newSearch(Points{slices.Repeat(dense(row), n), slices.Repeat([]int{1}, n), len(row), true}, 3)
		if s.atOnce != want {
			t.Errorf("%d rows: %d at once, want %d", n, s.atOnce, want)
		}
	}
}

// TestSearchLowest: the row of the lowest score is selected, the first of equals, and
// no row in use. The least score is w's margin. A w replaces a best of equal margin.
func TestSearchLowest(t *testing.T) {
	s := newSearch(linear([]float64{4, 0}, []float64{0, 3}, []float64{0, 2}, []float64{-1, 3}), 4)
	want := []scoredRow{{3, exact.Double{Hi: -s.w[0].Hi / 8}}}
	if rows := s.lowest(); !slices.Equal(rows, want) || s.bestScore != -0x1p-3 {
		t.Errorf("%v, want %v; margin %v", rows, want, s.bestScore)
	}
	s.in[3] = true
	want = []scoredRow{{1, exact.Double{}}}
	if rows := s.lowest(); !slices.Equal(rows, want) || s.bestScore != 0 {
		t.Errorf("%v, want %v; margin %v", rows, want, s.bestScore)
	}
	for _, c := range []struct {
		least exact.Double
		kept  bool
	}{{exact.Double{Hi: -1}, false}, {exact.Double{Hi: 0}, true}, {exact.Double{Hi: 1}, true}, {exact.Double{Hi: 0.5}, false}} {
		s.w = []exact.Double{s.w[0].Times(exact.Double{Hi: 3}), {}}
		s.keep(c.least)
		if kept := s.best[0] == s.w[0]; kept != c.kept {
			t.Errorf("margin %v: kept %v", c.least, kept)
		}
	}
}

// TestSearchKeepsRefined: a w that is not refined replaces the best if its margin is negative.
// Rounding does not change that sign.
func TestSearchKeepsRefined(t *testing.T) {
	for _, c := range []struct{ other, want float64 }{{2, -8}, {0, -8}, {-2, -0.25}} {
		s := newSearch(linear([]float64{4, 0}, []float64{c.other, 1}), 4)
		s.exact, s.bestScore = false, -8
		if s.lowest(); s.bestScore != c.want {
			t.Errorf("a row at %v: the best margin is %v, want %v", c.other, s.bestScore, c.want)
		}
	}
}

// TestSearchAdmit: rows that were selected together come in one after the other, even
// if one of them is refused.
func TestSearchAdmit(t *testing.T) {
	s := newSearch(linear([]float64{4, 0, 0}, []float64{4, 0, 0}, []float64{0, 2, 0}, []float64{0, 0, 2}, []float64{2, 2, 2}), 4)
	s.admit([]scoredRow{{4, exact.Double{Hi: 0.1}}, {1, exact.Double{Hi: -1}}, {2, exact.Double{}}, {3, exact.Double{}}})
	if !slices.Equal(s.support, []int{0, 2, 3}) {
		t.Errorf("%v in use, want 0, 2 and 3", s.support)
	}
	s = newSearch(linear([]float64{4, 0}, []float64{0, 3}, []float64{0, 3}), 4)
	s.admit([]scoredRow{{1, exact.Double{Hi: -1}}, {2, exact.Double{Hi: -2}}})
	if !slices.Equal(s.support, []int{0, 2}) {
		t.Errorf("%v in use, want 0 and the lowest, 2", s.support)
	}
}

// TestSearchBlocking: the first weight to become 0 on the way, and where.
func TestSearchBlocking(t *testing.T) {
	for _, c := range []struct {
		from, to []float64
		k        int
		step     float64
	}{
		{[]float64{0.5, 0.25, 0}, []float64{0.25, 0.5, 0.25}, -1, 1},
		{[]float64{0.5, 0.25, 0}, []float64{-0.5, -0.75, 0.25}, 1, 0.25},
		{[]float64{0.5, 0.25, 0.5}, []float64{-0.5, 0.5, -0.5}, 0, 0.5},
		{[]float64{0.5, 0.25}, []float64{0, 0.5}, 0, 1},
		{[]float64{0.5, 0, 0.25}, []float64{-0.5, 0, 0.5}, 1, 0},
		{[]float64{0.5, -0x1p-110, 0.25}, []float64{-0.5, -0.5, 0.5}, 1, 0},
		{[]float64{0.5, 0}, []float64{0.5, -0.5}, 1, 0},
	} {
		s, u := &search{}, []exact.Double{}
		for j := range c.from {
			s.u, u = append(s.u, exact.Double{Hi: c.from[j]}), append(u, exact.Double{Hi: c.to[j]})
		}
		if k, step := s.blocking(u, negligible); k != c.k || step != (exact.Double{Hi: c.step}) {
			t.Errorf("from %v to %v: weight %d at %v, want %d at %v", c.from, c.to, k, step, c.k, c.step)
		}
	}
}

// TestSearchVanished: w has vanished up to the length negligible.
func TestSearchVanished(t *testing.T) {
	for length, want := range map[float64]bool{0: true, negligible: true, math.Nextafter(negligible, 1): false} {
		if s := (&active{square: exact.Double{Hi: length * length}}); s.vanished() != want {
			t.Errorf("‖w‖ = %v: vanished is %v", length, !want)
		}
	}
}

// TestSearchDoubt: among wide rows near the limit, scores in float64 select exactly
// the rows below it. Neither the first row nor the last is in use.
func TestSearchDoubt(t *testing.T) {
	const n, d, from = 20, 1024, 300
	r := rand.New(rand.NewPCG(1, 16))
	var X [][]float64
	for i := range 600 {
		x := naive.Gaussian(r, d)
		if i >= n { // a mixture of the first rows, shorter by a part in 10¹⁵ or two
			clear(x)
			for range 4 {
				vec.Axpy(x, x, 0.25, X[r.IntN(n)])
			}
			vec.Axpy(x, x, -0x1p-53*float64(r.IntN(16)), slices.Clone(x))
		}
		X = append(X, x)
	}
	X = slices.Concat(X[from:], X[:from])
	s := newSearch(linear(X...), longest(linear(X...)))
	s.mostDoubles = math.MaxInt // w as exact as its rows
	for i := range n {
		s.enter(len(X) - from + i)
	}
	s.atOnce = len(X)
	var got, want []int
	for _, r := range s.lowest() {
		got = append(got, r.row)
	}
	slices.Sort(got)
	for i := range X {
		if !s.in[i] && s.score(i).Less(s.limit()) {
			want = append(want, i)
		}
	}
	if !slices.Equal(got, want) || len(s.support) != n || len(want) < 100 || len(want) > 500 {
		t.Errorf("%d rows below the limit, want %d", len(got), len(want))
	}
}
