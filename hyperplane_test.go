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

// TestDistanceExtreme: distances where ‖w‖, or its square, leaves float64's range.
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

// TestErrorHyperplane: Score, Predict and Distance reject bad rows and bad planes.
func TestErrorHyperplane(t *testing.T) {
	plane := func(w ...float64) Hyperplane { return Hyperplane{Weights: w} }
	h, nan, top := plane(3, 4), math.NaN(), math.MaxFloat64
	is := func(kind error, text string, h Hyperplane, x ...float64) {
		t.Helper()
		checkErrors(t, kind, -1, text, only(h.Score(x)), only(h.Predict(x)), only(h.Distance(x)))
	}
	is(ErrUntrained, "untrained model: the hyperplane has no weights", plane(), 1)
	is(ErrDimension, "dimension mismatch: width 1, want 2", h, 1)
	is(ErrEmpty, "empty: the row has no features", h)
	is(ErrNotFinite, "not finite: feature 1 is NaN", h, 1, nan)
	is(ErrNotFinite, scoreText, h, top, top)
	is(ErrNotFinite, scoreText, Hyperplane{[]float64{2}, 1}, top) // a bias is no error here
	is(ErrNotFinite, "not finite: weight 1 is -Inf", plane(1, -inf), 1, 2)
	is(ErrNotFinite, "not finite: the bias is NaN", Hyperplane{[]float64{1}, nan}, 1)
	err := only(plane(0).Distance([]float64{5}))
	checkErrors(t, ErrNotFinite, -1, "not finite: distance NaN: score 0 over ‖w‖ = 0", err)
}
