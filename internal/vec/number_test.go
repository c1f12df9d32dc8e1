package vec

import (
	"math"
	"slices"
	"testing"
)

func TestFinite(t *testing.T) {
	for x, want := range map[float64]bool{0: true, math.MaxFloat64: true, -math.MaxFloat64: true, 5e-324: true, inf: false, -inf: false, math.NaN(): false} {
		if IsFinite(x) != want {
			t.Errorf("IsFinite(%v) = %v", x, !want)
		}
		for n := range 20 {
			for i := range n {
				v := slices.Repeat([]float64{math.MaxFloat64, -math.MaxFloat64}, n)[:n]
				if v[i] = x; Finite(v) != want {
					t.Errorf("Finite(%v) = %v", v, !want)
				}
			}
		}
	}
}
