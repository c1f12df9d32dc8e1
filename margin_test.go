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

// TestFirstTheta: a θ that is not finite makes no row right.
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

// TestRateOfFailure: an Update that fails restores the rate and θ. A Rate changed
// after it takes effect.
func TestRateOfFailure(t *testing.T) {
	x := []float64{3, 4}
	m := new(Margin)
	must(m.Update(x, 1))(t) // w = x, b = 1, R² = 26, θ = 26, y·score = 26
	before := snapshot(m)
	for _, bad := range [][]float64{x, {inf, 0}, {1}} {
		m.Rate = 1e308
		if _, err := m.Update(bad, -1); err == nil || snapshot(m) != before {
			t.Fatalf("%v: %v, and the model is\n%s, want\n%s", bad, err, snapshot(m), before)
		}
		for rate, want := range map[float64]bool{0: true, 0.5: false} {
			c := m.Clone()
			c.Rate = rate
			if updated := must(c.Update(x, 1))(t); updated != want {
				t.Errorf("Rate %v: updated = %v, want %v", rate, updated, want)
			}
		}
	}
	m.Rate = 0.5
	must(m.Update(x, 1))(t)
	for score, want := range map[float64]bool{13: true, math.Nextafter(13, 14): false} { // θ = 13 now
		c := must(m.Score([]float64{0, 0}))(t)
		w := m.Hyperplane().Weights
		scale := (score - c) / (w[0]*w[0] + w[1]*w[1])
		if s := []float64{scale * w[0], scale * w[1]}; must(m.Score(s))(t) == score && must(m.Clone().Update(s, 1))(t) != want {
			t.Errorf("a score of %v updates: %v, want θ = 13", score, !want)
		}
	}
}
