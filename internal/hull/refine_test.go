package hull

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"perceptron/internal/exact"
)

// filler returns the fill of refine for columns that are given.
func filler(columns [][]float64) func([]float64, int) {
	return func(a []float64, i int) { copy(a, columns[i]) }
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
