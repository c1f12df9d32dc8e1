package perceptron

import (
	"errors"
	"math"
	"testing"
)

// TestRateBetweenCalls: θ = ηR² follows a change of η.
func TestRateBetweenCalls(t *testing.T) {
	p := new(Margin)
	must(p.Update([]float64{2}, 1))(t) // w = 2, b = 1, R² = 5, θ = 5
	q := p.Clone()
	if !must(p.Update([]float64{2}, 1))(t) {
		t.Error("y·score = 5 = θ is no update")
	}
	q.Rate = 0.5
	if must(q.Update([]float64{2}, 1))(t) {
		t.Error("y·score = 5 > θ = 2.5 is an update")
	}
}

// TestFirstTheta: a θ that is no number is no licence to call a row right.
func TestFirstTheta(t *testing.T) {
	top := math.MaxFloat64
	p := &Margin{Gamma: 5e-324, Space: Linear, Start: Hyperplane{Weights: []float64{top, top}}}
	for _, order := range []Order{Cyclic, Sampled} {
		p.Order = order
		if res, err := p.Fit([][]float64{{-1e-300, 0}}, []int{+1}); !errors.Is(err, ErrNotFinite) {
			t.Errorf("%v: %+v, %v, want ErrNotFinite", order, res, err)
		}
	}
}

// TestRateOfFailure: an Update that fails leaves the rate, and θ, of the last that
// did not.
func TestRateOfFailure(t *testing.T) {
	a := new(Margin)
	must(a.Update([]float64{3, 4}, 1))(t)
	before := snapshot(a)
	a.Rate = 1e308
	for _, x := range [][]float64{{3, 4}, {inf, 0}, {1}} {
		if _, err := a.Update(x, -1); err == nil || snapshot(a) != before {
			t.Fatalf("%v: %v, and the model is\n%s, want\n%s", x, err, snapshot(a), before)
		}
	}
}
