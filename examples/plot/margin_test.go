package main

import (
	"errors"
	"math"
	"slices"
	"testing"

	"perceptron"
)

// TestSeparators checks the margin of each method. Margin promises a third of the best
// margin. Every support vector must be on the margin.
func TestSeparators(t *testing.T) {
	separable := 0
	for _, s := range sets(t) {
		found, err := separators(s)
		if errors.Is(err, errInseparable) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		separable++
		best := found[0].gamma
		for i, want := range []struct {
			method string
			least  float64
		}{{"Separate", 1 - 1e-12}, {"Margin", 1. / 3}, {"Online", 0}} {
			sep := found[i]
			gamma, at := nearest(s, sep.hyperplane)
			if sep.method != want.method || math.Abs(sep.gamma/gamma-1) > 1e-12 {
				t.Errorf("%s, %s: γ = %v, want %v", s.name, sep.method, sep.gamma, gamma)
			}
			if ratio := sep.gamma / best; !(ratio > want.least && ratio <= 1+1e-12) {
				t.Errorf("%s, %s: margin is %v of the best", s.name, sep.method, ratio)
			}
			for _, row := range sep.support {
				if !slices.Contains(at, row) {
					t.Errorf("%s: support vector %d is not on the margin", s.name, row)
				}
			}
			if n := len(sep.support); (i == 0) != (n > 0) || n > 3 {
				t.Errorf("%s, %s: %d support vectors", s.name, sep.method, n)
			}
		}
	}
	if separable < 3 {
		t.Errorf("%d sets are separable, want at least 3", separable)
	}
}

// nearest returns the margin of a hyperplane and the rows on the margin.
func nearest(s set, h perceptron.Hyperplane) (gamma float64, at []int) {
	length := math.Sqrt(h.Weights[0]*h.Weights[0] + h.Weights[1]*h.Weights[1] + h.Bias*h.Bias)
	margin := func(i int) float64 {
		x := s.X[i]
		return float64(s.y[i]) * (h.Weights[0]*x[0] + h.Weights[1]*x[1] + h.Bias) / length
	}
	gamma = math.Inf(1)
	for i := range s.X {
		gamma = min(gamma, margin(i))
	}
	for i := range s.X {
		if margin(i) < gamma*(1+1e-9) {
			at = append(at, i)
		}
	}
	return gamma, at
}

// TestMarginsFigure: no point is between the dashed lines, and each point is on the side
// of its class.
func TestMarginsFigure(t *testing.T) {
	s := clouds(100, 0.4, 1)
	f, err := drawMargins(s)
	if err != nil {
		t.Fatal(err)
	}
	found, err := separators(s)
	if err != nil {
		t.Fatal(err)
	}
	for p, sep := range found {
		h, level := s.uncentred(sep.hyperplane), sep.gamma*norm(sep.hyperplane)
		for i, x := range s.X {
			if float64(s.y[i])*score(h, s.at(x)) < level-1e-12 {
				t.Errorf("%s: row %d is inside the margin", sep.method, i)
			}
		}
		for _, v := range []float64{-level, 0, level} {
			if _, cut := clip(view(f.panels[p]), h, v); len(cut) != 2 {
				t.Errorf("%s: the line at %v is not in the picture", sep.method, v)
			}
		}
	}
	for i, want := range []string{"Separate: γ = 0.1592", "Margin: γ = 0.1434, 90 % of it", "Online: γ = 0.0097, 6 % of it"} {
		if got := f.panels[i].Title.Text; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
