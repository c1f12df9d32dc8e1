package vec

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestRow: a dense and a sparse row with equal elements give equal products.
func TestRow(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 80))
	for d := range 100 {
		w, dense, sparse := make([]float64, d), Row{Value: make([]float64, d)}, Row{Index: []uint32{}}
		for j := range w {
			if w[j] = r.NormFloat64(); r.IntN(3) == 0 {
				dense.Value[j] = r.NormFloat64()
				sparse.Index, sparse.Value = append(sparse.Index, uint32(j)), append(sparse.Value, dense.Value[j])
			}
		}
		if got, want := sparse.Dot(w), dense.Dot(w); math.Float64bits(got) != math.Float64bits(want) {
			t.Errorf("%d: ⟨w, x⟩ is %v, dense %v", d, got, want)
		}
		for k, j := range sparse.Index {
			if sparse.At(k) != int(j) || dense.At(k) != k {
				t.Errorf("element %d of %v is at %d", k, sparse.Index, sparse.At(k))
			}
		}
	}
}
