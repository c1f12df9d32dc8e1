package main

import (
	"math"

	"perceptron"
)

// A theorem holds the numbers of the theorem for one rule.
type theorem struct {
	fields
	R, gamma float64 // R and γ of the points
}

// bound returns the largest number of updates that the rule can make. It is +Inf if
// no separating line is known.
func (t theorem) bound() float64 {
	switch {
	case t.Model == "Margin" && t.Gamma > 0:
		return perceptron.MarginBound(t.R, t.gamma, t.Gamma)
	case t.Model == "Margin":
		k, _ := perceptron.ThresholdBound(t.R, t.gamma, 1, t.R*t.R)
		return k
	}
	return perceptron.MistakeBound(t.R, t.gamma)
}

// low returns ηkγ, the lower bound on ⟨u, w⟩ after k updates. It is also a lower bound on ‖w‖,
// because u is a unit vector.
func (t theorem) low(k float64) float64 { return t.rate() * k * max(0, t.gamma) }

// high returns the upper bound on ‖w‖ after k updates. For Online it is η√k R.
func (t theorem) high(k float64) float64 {
	eta := t.rate()
	switch {
	case t.Model == "Margin" && t.Gamma > 0:
		return eta * (k*t.Gamma/2 + math.Sqrt(k)*t.R)
	case t.Model == "Margin":
		return eta * math.Sqrt(3*k) * t.R
	}
	return eta * math.Sqrt(k) * t.R
}

// highName returns the formula of high.
func (t theorem) highName() string {
	switch {
	case t.Model == "Margin" && t.Gamma > 0:
		return "η(kγ′/2 + √k R)"
	case t.Model == "Margin":
		return "η√(3k) R"
	}
	return "η√k R"
}

// swell returns an upper bound on the growth of ‖w‖² in one update, and the formula of the bound.
// length is ‖w‖ before the update.
func (t theorem) swell(length float64) (float64, string) {
	step := t.rate() * t.R
	most, name := step*step, "η²R²"
	switch {
	case t.Model == "Margin" && t.Gamma > 0:
		most, name = most+t.rate()*t.Gamma*length, "η²R² + ηγ′‖w‖"
	case t.Model == "Margin":
		most, name = 3*most, "3η²R²"
	}
	return most, name
}
