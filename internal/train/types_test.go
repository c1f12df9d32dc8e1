package train

import (
	"fmt"
	"math"
	"testing"
)

// TestNames: each value has its constant's name, and a value that is none shows its number.
func TestNames(t *testing.T) {
	got := fmt.Sprint(Cyclic, Shuffled, Sampled, Order(3), Last, Average, Pocket, Keep(200), Affine, Linear, Space(2))
	if want := "Cyclic Shuffled Sampled Order(3) Last Average Pocket Keep(200) Affine Linear Space(2)"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

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
