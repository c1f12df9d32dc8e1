package perceptron

import (
	"math"
	"testing"
)

// TestCountGivesUp: the count stops reading rows when it cannot exceed beat.
func TestCountGivesUp(t *testing.T) {
	c := &config{rate: 1}
	u := newUnit(c, Hyperplane{}, 1, 0)
	w, y := []float64{1, 0}, []int{-1, +1, +1, +1}
	X := [][]float64{{1}, {1}, {math.NaN()}, {1}}
	for beat, want := range []int{-1, -1, -1, 0, 0} {
		right, err := u.countRight(c, w, X, y, beat)
		if want < 0 != (err != nil) || err == nil && right != want {
			t.Errorf("beat %d: %d right, %v; want %d", beat, right, err, want)
		}
	}
}

// TestMixMargin: a mix has the largest R of its parts, and the θ that follows.
func TestMixMargin(t *testing.T) {
	small, large := new(Margin), new(Margin)
	must(small.Update([]float64{1}, 1))(t)
	must(large.Update([]float64{3}, -1))(t)
	mixed := must(Mix([]*Margin{small, large}, nil))(t)
	l := mixed.now.units[0]
	if l.r2 != 10 || l.theta != 10 || l.w[0] != -1 || l.w[1] != 0 {
		t.Fatalf("R² = %v, θ = %v, w = %v; want 10, 10, [-1 0]", l.r2, l.theta, l.w)
	}
}
