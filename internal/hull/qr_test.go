package hull

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"perceptron/internal/exact"
)

// checkFactors compares QR with the columns, and the columns of Q with orthonormal ones.
func checkFactors(t *testing.T, f *qr, columns [][]float64) {
	t.Helper()
	if len(f.q) != len(columns) || len(f.r) != len(columns) {
		t.Fatalf("%d columns of Q and %d of R, want %d", len(f.q), len(f.r), len(columns))
	}
	for k, column := range columns {
		for j, want := range column {
			a := new(big.Rat)
			for m, r := range f.r[k] {
				a.Add(a, mul(ratOf(r), ratOf(f.q[m][j])))
			}
			near(t, "QR", a, rat(want), 1)
		}
	}
	for m, q := range f.q {
		near(t, "⟨q, q⟩", ratOf(exact.Dot(q, q)), rat(1), 1)
		if m > 0 {
			near(t, "⟨q, q′⟩", ratOf(exact.Dot(q, f.q[m-1])), new(big.Rat), 1)
		}
	}
}

// TestQR: columns are added and any of them is dropped. solve leaves a residual at
// right angles to the columns.
func TestQR(t *testing.T) {
	const n = 9
	r := rand.New(rand.NewPCG(1, 17))
	var columns [][]float64
	for range n - 1 {
		a := make([]float64, n)
		for j := range a {
			a[j] = r.Float64() / 3
		}
		a[n-1] = 1
		columns = append(columns, a)
	}
	for k := range columns {
		f := &qr{}
		for _, a := range columns {
			if !f.add(doubles(a)) {
				t.Fatal("an independent column is refused")
			}
		}
		checkFactors(t, f, columns)
		f.drop(k)
		left := slices.Delete(slices.Clone(columns), k, k+1)
		checkFactors(t, f, left)

		rest := complement(f.project())
		product := make([]exact.Double, n)
		for m, u := range f.solve() {
			exact.Axpy(product, u, doubles(left[m]))
			near(t, "⟨a, b − Au⟩", ratOf(exact.Dot(rest, doubles(left[m]))), new(big.Rat), 1)
		}
		for j, v := range f.project() {
			near(t, "Au", ratOf(product[j]), ratOf(v), 1e4)
		}
	}
}

// TestQRRefuses: a column that depends on the others changes nothing. A column that
// the others fill the space without is not added.
func TestQRRefuses(t *testing.T) {
	var f qr
	f.add(doubles([]float64{1, 1}))
	if f.add(doubles([]float64{2, 2})) || len(f.q) != 1 || len(f.r) != 1 {
		t.Errorf("a dependent column is added: %v", f)
	}
	if !f.add(doubles([]float64{2, 1})) || f.add(doubles([]float64{1, 2})) || len(f.q) != 2 || len(f.r) != 2 {
		t.Errorf("two coordinates have other than two columns: %v", f)
	}
}
