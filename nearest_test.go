package perceptron

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"perceptron/internal/vec"
)

// TestNearestOptimal: where the search ends by its own criterion, no row has a
// score below the limit, by more digits than float64 scores have; and w is what u
// makes of the rows, to the last digits of a double.
func TestNearestOptimal(t *testing.T) {
	var sets []dataset
	for seed := range uint64(2) {
		set := sizedRows(seed, 300, 20, 0.001, false)
		set.X, set.y = append(set.X, set.X[:40]...), append(set.y, set.y[:40]...)
		sets = append(sets, set, turned(set), crowded(t, turned(set)), separable(seed, 200, 10, 0.1))
	}
	for _, set := range sets {
		for _, s := range []Space{Affine, Linear} {
			for _, atOnce := range []int{1, 8} {
				h := newNearest(set.X, set.y, s, must(Radius(set.X, s))(t))
				h.atOnce = atOnce
				h.solve()
				limit := h.limit()
				for i := range set.X {
					if score := h.score(i); !h.in[i] && score.less(limit) {
						t.Fatalf("%s, %v: row %d has the score %v, limit %v", set.name, s, i, score, limit)
					}
				}
				checkNearest(t, h)
			}
		}
	}
}

// crowded adds mixtures of the support vectors, whose scores are what rounding the
// rows makes of the limit.
func crowded(t *testing.T, set dataset) dataset {
	sep := bracketed(t, set, Linear, 1e-6)
	r := rand.New(rand.NewPCG(1, 15))
	var support []int
	for i, lambda := range sep.Multipliers {
		if lambda > 0 {
			support = append(support, i)
		}
	}
	for range 100 {
		x := make([]float64, len(set.X[0]))
		for range 4 {
			i := support[r.IntN(len(support))]
			vec.Axpy(x, x, float64(set.y[i])/4, set.X[i])
		}
		set.X, set.y = append(set.X, x), append(set.y, +1)
	}
	set.name = "crowded"
	return set
}

// checkNearest holds w, Σu, ‖w‖² and the factors to what they are of.
func checkNearest(t *testing.T, h *nearest) {
	t.Helper()
	sum, square := new(big.Rat), new(big.Rat)
	w := make([]*big.Rat, h.dims)
	for j := range w {
		w[j] = new(big.Rat)
	}
	for k, i := range h.support {
		if !h.in[i] || !(h.u[k].hi > 0) {
			t.Fatalf("row %d: in use %v, u = %v", i, h.in[i], h.u[k])
		}
		sum.Add(sum, h.u[k].rat())
		h.column(h.spare, i)
		for j := range w {
			w[j].Add(w[j], mul(h.u[k].rat(), h.spare[j].rat()))
		}
		for j := range h.spare { // A = QR
			a := new(big.Rat)
			for m, r := range h.r[k] {
				a.Add(a, mul(r.rat(), h.q[m][j].rat()))
			}
			near(t, "QR", a, h.spare[j].rat(), 1)
		}
	}
	for m, q := range h.q {
		near(t, "⟨q, q⟩", dotDouble(q, q).rat(), rat(1), 1)
		if m > 0 {
			near(t, "⟨q, q′⟩", dotDouble(q, h.q[m-1]).rat(), new(big.Rat), 1)
		}
	}
	for j, v := range h.w {
		near(t, "w", v.rat(), w[j], 1e4) // u is off by what Q is times the condition
		square.Add(square, mul(v.rat(), v.rat()))
	}
	near(t, "Σu", h.sum.rat(), sum, 1e12)
	near(t, "‖w‖²", h.square.rat(), square, 1)
}

// near allows some 100 roundings of numbers up to 1, times slack.
func near(t *testing.T, what string, got, want *big.Rat, slack float64) {
	t.Helper()
	off, _ := new(big.Rat).Sub(got, want).Float64()
	if math.Abs(off) > 100*roundoff*slack {
		t.Fatalf("%s is off by %v", what, off)
	}
}

// TestNearestFirst: of rows that serve as well, the first is used, and rows equal to
// one in use are not.
func TestNearestFirst(t *testing.T) {
	set := dataset{"duplicates", [][]float64{{1, 2}, {2, 1}, {2, 1}, {1, 2}, {-3, 3}}, []int{1, 1, 1, 1, 1}}
	sep := bracketed(t, set, Linear, 1e-14)
	if !(sep.Multipliers[1] > 0) || sep.Multipliers[2] != 0 || sep.Multipliers[0] != 0 {
		t.Errorf("λ = %v", sep.Multipliers)
	}
	// The largest feature begins, the first of two as large.
	h := newNearest([][]float64{{1, 2}, {-5, 1}, {5, 1}}, []int{1, 1, 1}, Linear, 6)
	if !slices.Equal(h.support, []int{1}) || h.scale[0]*h.scale[1] != 0x1p-3 {
		t.Errorf("begins with %v, at %v", h.support, h.scale)
	}
}

// TestNearestInsert: the lowest are kept, ascending, the first of equal ones first.
func TestNearestInsert(t *testing.T) {
	h := &nearest{atOnce: 3}
	var rows []scored
	for i, v := range []float64{5, 3, 4, 4, 1, 9, 3, 1} {
		rows = h.insert(rows, scored{i, double{v, 0}})
	}
	if want := []scored{{4, double{1, 0}}, {7, double{1, 0}}, {1, double{3, 0}}}; !slices.Equal(rows, want) {
		t.Errorf("%v, want %v", rows, want)
	}
}

// TestNearestDrop: any column may leave the factors.
func TestNearestDrop(t *testing.T) {
	set := separable(7, 12, 11, 0.1)
	for k := range 12 {
		h := newNearest(set.X, set.y, Affine, must(Radius(set.X, Affine))(t))
		for i := range set.X {
			if !h.in[i] && !h.append(i) {
				t.Fatalf("row %d is refused", i)
			}
		}
		h.drop(k)
		h.u = h.weights()
		for j := range h.u {
			h.u[j].hi = math.Abs(h.u[j].hi) // of any sign, which checkNearest forbids
		}
		h.measure()
		if len(h.support) != 11 {
			t.Fatalf("%d rows in use", len(h.support))
		}
	}
	h := newNearest(set.X, set.y, Linear, must(Radius(set.X, Linear))(t))
	before := slices.Clone(h.support)
	if h.append(before[0]) || !slices.Equal(h.support, before) || len(h.q) != 1 || len(h.r) != 1 {
		t.Error("a column that depends on those in use is taken")
	}
}

// TestNearestRefuses: a row that is not below its limit has no weight to win, and
// leaves the search as it was.
func TestNearestRefuses(t *testing.T) {
	h := newNearest([][]float64{{1, 1}, {0.5, 2}}, []int{1, 1}, Linear, 3)
	h.support, h.in, h.u, h.q, h.r = nil, make([]bool, 2), nil, nil, nil
	h.enter(0)
	u, w := slices.Clone(h.u), slices.Clone(h.w)
	if h.enter(1) || !slices.Equal(h.support, []int{0}) || h.in[1] || len(h.q) != 1 || !slices.Equal(h.u, u) || !slices.Equal(h.w, w) {
		t.Errorf("row 1 is taken in: %+v", h)
	}
	want := h.square.over(h.sum)
	if got := h.limit(); got != want.times(double{1 - 0x1p-50, 0}) || !got.less(want) {
		t.Errorf("limit %v, want a little below %v", got, want)
	}
}

// TestNearestAtOnce: where a look at all rows is cheap, each step has its own.
func TestNearestAtOnce(t *testing.T) {
	row := []float64{1, 1, 1, 1, 1, 1, 1}
	for n, want := range map[int]int{1: 1, 8192: 1, 8193: 8} {
		h := newNearest(slices.Repeat([][]float64{row}, n), slices.Repeat([]int{1}, n), Affine, 3)
		if h.atOnce != want {
			t.Errorf("%d rows: %d at once, want %d", n, h.atOnce, want)
		}
	}
}

// TestNearestLowest: the row of the lowest score is selected, the first of equals, but
// for rows in use; and the least score is w's margin, of which equal ones replace it.
func TestNearestLowest(t *testing.T) {
	h := newNearest([][]float64{{4, 0}, {0, 3}, {0, 2}, {-1, 3}}, []int{1, 1, 1, 1}, Linear, 4)
	want := []scored{{3, double{-h.w[0].hi / 8, 0}}}
	if rows := h.lowest(); !slices.Equal(rows, want) || h.bestScore != -0x1p-3 {
		t.Errorf("%v, want %v; margin %v", rows, want, h.bestScore)
	}
	h.in[3] = true
	want = []scored{{1, double{}}}
	if rows := h.lowest(); !slices.Equal(rows, want) || h.bestScore != 0 {
		t.Errorf("%v, want %v; margin %v", rows, want, h.bestScore)
	}
	for _, c := range []struct {
		least double
		kept  bool
	}{{double{-1, 0}, false}, {double{0, 0}, true}, {double{1, 0}, true}, {double{0.5, 0}, false}} {
		h.w = []double{h.w[0].times(double{3, 0}), {}}
		h.note(c.least)
		if kept := h.best[0] == h.w[0]; kept != c.kept {
			t.Errorf("margin %v: kept %v", c.least, kept)
		}
	}
}

// TestNearestAdmit: rows that were selected together come in one after the other,
// and one that is refused keeps none of them out.
func TestNearestAdmit(t *testing.T) {
	X := [][]float64{{4, 0, 0}, {4, 0, 0}, {0, 2, 0}, {0, 0, 2}, {2, 2, 2}}
	h := newNearest(X, []int{1, 1, 1, 1, 1}, Linear, 4)
	h.admit([]scored{{4, double{0.1, 0}}, {1, double{-1, 0}}, {2, double{}}, {3, double{}}})
	if !slices.Equal(h.support, []int{0, 2, 3}) {
		t.Errorf("%v in use, want 0, 2 and 3", h.support)
	}
}

// TestNearestBlocking: the first weight to become 0 on the way, and where.
func TestNearestBlocking(t *testing.T) {
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
		h, u := &nearest{}, []double{}
		for j := range c.from {
			h.u, u = append(h.u, double{c.from[j], 0}), append(u, double{c.to[j], 0})
		}
		if k, step := h.blocking(u); k != c.k || step != (double{c.step, 0}) {
			t.Errorf("from %v to %v: weight %d at %v, want %d at %v", c.from, c.to, k, step, c.k, c.step)
		}
	}
}

// TestNearestVanished: w is too short to go on with at negligible, and not above.
func TestNearestVanished(t *testing.T) {
	for length, want := range map[float64]bool{0: true, negligible: true, above(negligible): false} {
		if h := (&nearest{square: double{length * length, 0}}); h.vanished() != want {
			t.Errorf("‖w‖ = %v: vanished is %v", length, !want)
		}
	}
}

// TestNearestDoubt: scores in float64 hide no row that is below the limit, and let in
// none that is not, among wide rows that lie at it.
func TestNearestDoubt(t *testing.T) {
	const n, d = 20, 1024
	r := rand.New(rand.NewPCG(1, 16))
	var set dataset
	for i := range 600 {
		x := gaussian(r, d)
		if i >= n { // a mixture of the first rows, shorter by a part in 10¹⁵ or two
			clear(x)
			for range 4 {
				vec.Axpy(x, x, 0.25, set.X[r.IntN(n)])
			}
			vec.Axpy(x, x, -0x1p-53*float64(r.IntN(16)), slices.Clone(x))
		}
		set.X, set.y = append(set.X, x), append(set.y, 1)
	}
	h := newNearest(set.X, set.y, Linear, must(Radius(set.X, Linear))(t))
	for i := range n {
		h.enter(i)
	}
	h.atOnce = len(set.X)
	var got, want []int
	for _, s := range h.lowest() {
		got = append(got, s.row)
	}
	slices.Sort(got)
	for i := range set.X {
		if !h.in[i] && h.score(i).less(h.limit()) {
			want = append(want, i)
		}
	}
	if !slices.Equal(got, want) || len(h.support) != n || len(want) < 100 || len(want) > 500 {
		t.Errorf("%d rows below the limit, want %d", len(got), len(want))
	}
}
