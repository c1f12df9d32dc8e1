package vec

import (
	"math"
	"testing"
)

func TestFinite(t *testing.T) {
	for n := range 20 {
		v := make([]float64, n)
		for i := range v {
			v[i] = math.Copysign(math.MaxFloat64, float64(i%2)-0.5)
		}
		if !Finite(v) {
			t.Fatalf("%v is called not finite", v)
		}
		for i := range v {
			for _, bad := range []float64{inf, -inf, math.NaN()} {
				old := v[i]
				if v[i] = bad; Finite(v) {
					t.Fatalf("%v is called finite", v)
				}
				v[i] = old
			}
		}
	}
	for x, want := range map[float64]bool{0: true, math.MaxFloat64: true, -math.MaxFloat64: true, 5e-324: true, inf: false, -inf: false} {
		if IsFinite(x) != want {
			t.Errorf("IsFinite(%v) = %v", x, !want)
		}
	}
	if IsFinite(math.NaN()) {
		t.Error("IsFinite(NaN)")
	}
}
