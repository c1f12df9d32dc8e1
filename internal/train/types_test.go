package train

import (
	"math"
	"testing"
)

// TestIsZero: a hyperplane is zero if all its numbers are +0 or −0.
func TestIsZero(t *testing.T) {
	minus := math.Copysign(0, -1)
	for _, c := range []struct {
		h    Hyperplane
		want bool
	}{
		{Hyperplane{}, true}, {Hyperplane{[]float64{0, minus}, minus}, true}, {Hyperplane{Bias: 5e-324}, false},
		{Hyperplane{Weights: []float64{0, -1}}, false}, {Hyperplane{Weights: []float64{math.NaN()}}, false},
	} {
		if got := c.h.IsZero(); got != c.want {
			t.Errorf("%v is zero: %v", c.h, got)
		}
	}
}
