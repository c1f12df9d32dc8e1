package hull

import (
	"math/rand/v2"
	"slices"
	"testing"

	"perceptron/internal/exact"
)

// checkFactors compares QR with the columns, and the columns of Q with orthonormal ones.
func checkFactors(t *testing.T, f factors, columns [][]float64) {
	t.Helper()
	var q, r [][]exact.Double
	most := rounded
	switch f := f.(type) {
	case *qr:
		q, r = f.q, f.r
	case *quickQR:
		most = quickly
		for k := range f.q {
			q, r = append(q, doubles(f.q[k])), append(r, doubles(f.r[k]))
		}
	}
	if len(q) != len(columns) || len(r) != len(columns) {
		t.Fatalf("%d columns of Q and %d of R, want %d", len(q), len(r), len(columns))
	}
	for k, column := range columns {
		rest := doubles(column)
		for m, v := range r[k] {
			exact.Axpy(rest, v.Negated(), q[m])
		}
		tiny(t, "A − QR", most, rest...)
		for _, other := range q[:k] {
			tiny(t, "⟨q, q′⟩", most, exact.Dot(q[k], other))
		}
		tiny(t, "⟨q, q⟩", most, exact.Dot(q[k], q[k]).Minus(exact.Double{Hi: 1}))
	}
}

// TestFactors: columns are added and any of them is dropped, in double-double and in float64. solve
// and project agree, and leave a residual at right angles to the columns.
func TestFactors(t *testing.T) {
	columns := randomColumns(rand.New(rand.NewPCG(1, 18)), 20)
	for k := range columns {
		left := slices.Delete(slices.Clone(columns), k, k+1)
		for most, f := range map[float64]factors{rounded: factorised(columns[:5]), quickly: quickOf(factorised(columns[:5]))} {
			checkFactors(t, f, columns[:5])
			for _, a := range columns[5:] {
				if !f.add(doubles(a)) {
					t.Fatal("an independent column is refused")
				}
			}
			checkFactors(t, f, columns)
			f.drop(k)
			checkFactors(t, f, left)
			product, rest := f.project(), complement(f.project())
			for m, u := range f.solve() {
				exact.Axpy(product, u.Negated(), doubles(left[m]))
				tiny(t, "⟨a, b − Au⟩", most, exact.Dot(rest, doubles(left[m])))
			}
			tiny(t, "Au", 1e3*most, product...)
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
