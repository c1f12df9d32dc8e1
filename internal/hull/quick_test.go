package hull

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"perceptron/internal/exact"
	"perceptron/internal/naive"
	"perceptron/internal/vec"
)

// randomColumns draws n columns of length n + 1 with a 1 at the end.
func randomColumns(r *rand.Rand, n int) [][]float64 {
	var columns [][]float64
	for range n {
		columns = append(columns, append(naive.Gaussian(r, n), 1))
		vec.Axpy(columns[len(columns)-1][:n], make([]float64, n), 0x1p-6, columns[len(columns)-1][:n])
	}
	return columns
}

// off fails unless got is want to some hundred roundings of numbers up to 1.
func off(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) < 0x1p-45) {
		t.Fatalf("%s is %v, want %v", what, got, want)
	}
}

// checkQuick compares QR with the columns, the columns of Q with orthonormal ones,
// and Qᵀb and b − QQᵀb with their definitions.
func checkQuick(t *testing.T, f *quickQR, columns [][]float64) {
	t.Helper()
	n := len(columns)
	if len(f.q) != n || len(f.r) != n || len(f.qb) != n {
		t.Fatalf("%d columns of Q, %d of R and %d shares, want %d", len(f.q), len(f.r), len(f.qb), n)
	}
	for k, column := range columns {
		rest := slices.Clone(column)
		for m, r := range f.r[k] {
			vec.Axpy(rest, rest, -r, f.q[m])
		}
		off(t, "A − QR", vec.Largest(rest), 0)
		if len(f.r[k]) != k+1 {
			t.Fatalf("column %d of R has %d elements", k, len(f.r[k]))
		}
	}
	rest := make([]float64, len(f.rest))
	rest[len(rest)-1] = 1
	for m, q := range f.q {
		for l, p := range f.q {
			off(t, "⟨q, q′⟩", vec.Dot(q, p), map[bool]float64{l == m: 1}[true])
		}
		off(t, "Qᵀb", f.qb[m], q[len(q)-1])
		vec.Axpy(rest, rest, -q[len(q)-1], q)
	}
	for j, v := range rest {
		off(t, "b − QQᵀb", f.rest[j], v)
	}
}

// TestQuickQR: columns are added and any of them is dropped. The solution is that of
// factors in double-double.
func TestQuickQR(t *testing.T) {
	columns := randomColumns(rand.New(rand.NewPCG(1, 18)), 40)
	for k := range columns {
		f := quickOf(factorised(columns[:5]))
		checkQuick(t, f, columns[:5])
		for _, a := range columns[5:] {
			if !f.add(doubles(a)) {
				t.Fatal("an independent column is refused")
			}
		}
		checkQuick(t, f, columns)
		f.drop(k)
		left := slices.Delete(slices.Clone(columns), k, k+1)
		checkQuick(t, f, left)
		slow := factorised(left)
		for j, u := range slow.solve() {
			off(t, "u", f.solve()[j].Hi/1e3, u.Hi/1e3)
		}
		for j, v := range slow.project() {
			off(t, "Au", f.project()[j].Hi, v.Hi)
		}
	}
}

func factorised(columns [][]float64) *qr {
	f := &qr{}
	for _, a := range columns {
		f.add(doubles(a))
	}
	return f
}

// TestQuickRefuses: a column that depends on the others changes nothing, and none is
// added to a full space. A column that nearly depends on them keeps Q orthonormal.
func TestQuickRefuses(t *testing.T) {
	columns := [][]float64{{0.5, 0.25, 0, 1}, {-0.25, 0.5, 0, 1}}
	f := quickOf(factorised(columns))
	if f.add(doubles([]float64{0.125, 0.375, 0x1p-41, 1})) {
		t.Error("a dependent column is added")
	}
	checkQuick(t, f, columns)
	for _, a := range [][]float64{{0.125, 0.375, 0x1p-20, 1}, {0, 0, 1, 1}} {
		if !f.add(doubles(a)) {
			t.Fatal("an independent column is refused")
		}
		columns = append(columns, a)
		checkQuick(t, f, columns)
	}
	if f.add(doubles([]float64{1, 2, 3, 1})) {
		t.Error("a fifth column of length 4 is added")
	}
}

// TestQuickHalfTurn: the first rotation after a drop is nearly half a turn.
func TestQuickHalfTurn(t *testing.T) {
	columns := [][]float64{{0, 0, 1}, {0, 0x1p-30, -1}, {0.5, 0, 1}}
	f := quickOf(factorised(columns))
	f.drop(0)
	checkQuick(t, f, columns[1:])
}

// TestQuickCorrect: the correction solves both equations.
func TestQuickCorrect(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 19))
	columns := randomColumns(r, 20)[:12]
	f := quickOf(factorised(columns))
	want, g := naive.Gaussian(r, 21), naive.Gaussian(r, 12)
	x, y := slices.Clone(want), slices.Clone(g)
	f.correct(x, y)
	for k, a := range columns {
		off(t, "Aᵀx", vec.Dot(a, x)/1e3, g[k]/1e3)
	}
	for k, a := range columns {
		vec.Axpy(x, x, y[k], a)
	}
	for j, v := range x {
		off(t, "x + Ay", v/1e3, want[j]/1e3)
	}
}

// TestQuickAdopt: the factors then have the given solution.
func TestQuickAdopt(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 20))
	f := quickOf(factorised(randomColumns(r, 20)[:12]))
	u, rest := naive.Gaussian(r, 12), naive.Gaussian(r, 21)
	f.adopt(u, rest)
	for j, v := range f.solve() {
		off(t, "u", v.Hi, u[j])
	}
	v := f.project()
	for j := range rest {
		off(t, "b − r", exact.Double{Hi: rest[j]}.Plus(v[j]).Hi, map[bool]float64{j == 20: 1}[true])
	}
}

// filler returns the fill of refine for columns that are given.
func filler(columns [][]float64) func([]exact.Double, int) []exact.Double {
	return func(a []exact.Double, i int) []exact.Double { copy(a, doubles(columns[i])); return a }
}

// TestRefine: u and r solve both equations in rational arithmetic, as well as
// double-double can. The order of the rows is that of the factors.
func TestRefine(t *testing.T) {
	for seed := range uint64(5) {
		all := randomColumns(rand.New(rand.NewPCG(seed, 21)), 30)
		rows := rand.New(rand.NewPCG(seed, 22)).Perm(len(all))[:4+5*seed]
		var columns [][]float64
		for _, i := range rows {
			columns = append(columns, all[i])
		}
		f := quickOf(factorised(columns))
		u, r, ok := f.refine(rows, filler(all))
		if !ok {
			t.Fatal("refine fails")
		}
		for j := range r {
			sum := ratOf(r[j])
			for k, a := range columns {
				sum.Add(sum, mul(ratOf(u[k]), rat(a[j])))
			}
			near(t, "r + Au", sum, rat(map[bool]float64{j == 30: 1}[true]), 1)
		}
		for _, a := range columns {
			dot := new(big.Rat)
			for j, v := range a {
				dot.Add(dot, mul(ratOf(r[j]), rat(v)))
			}
			near(t, "Aᵀr", dot, new(big.Rat), 1)
		}
		for j, v := range factorised(columns).solve() {
			near(t, "u", ratOf(u[j]), ratOf(v), 1e4)
		}
	}
}

// TestRefineFails: factors of other columns give corrections that do not converge, or
// that stop before the last digits.
func TestRefineFails(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 23))
	columns := randomColumns(r, 20)[:12]
	rows := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}
	for _, c := range []struct {
		size float64 // of what the factors are off by
		ok   bool
	}{{0x1p-40, true}, {0x1p-12, true}, {0.05, false}, {1, false}} {
		other := make([][]float64, len(columns))
		for k, a := range columns {
			other[k] = slices.Clone(a)
			for j := range a {
				other[k][j] += c.size / 64 * r.NormFloat64()
			}
		}
		if _, _, ok := quickOf(factorised(other)).refine(rows, filler(columns)); ok != c.ok {
			t.Errorf("columns off by %v: refined %v", c.size, ok)
		}
	}
}

// TestRefineSmall: a correction of r counts beside w, one of u beside 1.
func TestRefineSmall(t *testing.T) {
	for _, c := range []struct {
		x, y, w float64
		want    bool
	}{
		{0, 0, 1, true}, {0x1p-64, 0x1p-64, 1, true}, {-0x1p-63, 0, 1, false}, {0, -0x1p-63, 1, false},
		{0x1p-74, 0, 0x1p-10, true}, {0x1p-73, 0, 0x1p-10, false},
		{negligible / 16, 0, 0, true}, {negligible / 8, 0, 0, false}, {0, 0x1p-64, 0, true},
	} {
		r := []exact.Double{{Hi: c.w}, {Hi: 1}}
		if got := small([]float64{0, c.x}, []float64{c.y}, r); got != c.want {
			t.Errorf("%+v: small is %v", c, got)
		}
	}
}
