package perceptron

import (
	"math"
	"slices"
	"testing"
)

func TestDistance(t *testing.T) {
	h := Hyperplane{Weights: []float64{3, 4}, Bias: -5}
	for _, c := range []struct {
		x    []float64
		want float64
	}{{[]float64{3, 4}, 4}, {[]float64{0, 0}, -1}, {[]float64{3, -1}, 0}} {
		if got := must(h.Distance(c.x))(t); got != c.want {
			t.Errorf("Distance(%v) = %v, want %v", c.x, got, c.want)
		}
	}
}

// TestDistanceExtreme: where ‖w‖, or its square, leaves float64's range.
func TestDistanceExtreme(t *testing.T) {
	top := math.MaxFloat64
	long := Hyperplane{Weights: slices.Repeat([]float64{0.99 * 0x1p-460}, 9), Bias: 0x1p564}
	if d, want := must(long.Distance(make([]float64, 9)))(t), 0x1p1023/(0.99*3)*2; math.Abs(d-want) > 1e-15*want {
		t.Errorf("distance %v, want %v", d, want)
	}
	for _, c := range []struct{ w, x, want float64 }{
		{top, 1e-10, 1e-10 / math.Sqrt2}, {1e200, 2, 2 / math.Sqrt2}, {1e-200, 2, 2 / math.Sqrt2}, {5e-324, 2, 2 / math.Sqrt2},
	} {
		h := Hyperplane{Weights: []float64{c.w, c.w}}
		if d := must(h.Distance([]float64{c.x, 0}))(t); math.Abs(d-c.want) > 1e-15*c.want {
			t.Errorf("w = %v: distance %v, want %v", c.w, d, c.want)
		}
	}
}
