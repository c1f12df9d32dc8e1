package vec

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestRow: a sparse row gives the products of the dense row without its zeros.
func TestRow(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 80))
	for d := range 100 {
		w, dense, sparse := make([]float64, d), Row{}, Row{Index: []uint32{}}
		var part []float64
		for j := range w {
			if w[j] = r.NormFloat64(); r.IntN(3) == 0 {
				sparse.Index, part = append(sparse.Index, uint32(j)), append(part, w[j])
				dense.Value = append(dense.Value, r.NormFloat64())
			}
		}
		sparse.Value = dense.Value
		if got, want := sparse.Dot(w), dense.Dot(part); math.Float64bits(got) != math.Float64bits(want) {
			t.Errorf("%d: ⟨w, x⟩ is %v, dense %v", d, got, want)
		}
		for k, j := range sparse.Index {
			if sparse.At(k) != int(j) || dense.At(k) != k {
				t.Errorf("element %d of %v is at %d", k, sparse.Index, sparse.At(k))
			}
		}
	}
}
