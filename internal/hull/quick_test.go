package hull

import (
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
	checkFactors(t, f, columns)
	for _, a := range [][]float64{{0.125, 0.375, 0x1p-20, 1}, {0, 0, 1, 1}} {
		if !f.add(doubles(a)) {
			t.Fatal("an independent column is refused")
		}
		columns = append(columns, a)
		checkFactors(t, f, columns)
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
	checkFactors(t, f, columns[1:])
}

// filler returns the fill of refine for columns that are given.
func filler(columns [][]float64) func([]exact.Double, int) []exact.Double {
	return func(a []exact.Double, i int) []exact.Double { copy(a, doubles(columns[i])); return a }
}

// TestRefine: u and r solve both equations as well as double-double can. The order of the rows is
// that of the factors.
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
		rest, slow := complement(r), factorised(columns).solve()
		for k, a := range columns {
			exact.Axpy(rest, u[k].Negated(), doubles(a))
			tiny(t, "Aᵀr", rounded, exact.Dot(r, doubles(a)))
			tiny(t, "u", 1e4*rounded, u[k].Minus(slow[k]))
		}
		tiny(t, "b − r − Au", rounded, rest...)
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
