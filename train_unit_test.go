package perceptron

import (
	"math"
	"slices"
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

// TestUnitClone: a clone has the same weights and shares no memory with the original,
// so that both can be trained at once.
func TestUnitClone(t *testing.T) {
	vectors := func(u *unit) [][]float64 {
		a := u.average
		return [][]float64{u.w, u.next, u.slope, a.sum, a.low, a.mean, a.nextSum, a.nextLow, u.pocket.w}
	}
	start, shared := Hyperplane{Weights: []float64{1, 2}, Bias: 3}, 0
	for _, c := range []config{{}, {keep: Average}, {keep: Pocket}, {rule: onGradient}} {
		u := newUnit(&c, start, 2, 7)
		copies := vectors(u.clone())
		for i, v := range vectors(u) {
			if len(copies[i]) != len(v) {
				t.Errorf("%+v: vector %d has length %d, want %d", c, i, len(copies[i]), len(v))
			} else if len(v) > 0 {
				if shared++; &copies[i][0] == &v[0] {
					t.Errorf("%+v: vector %d is shared", c, i)
				}
			}
		}
		if !slices.Equal(u.clone().w, []float64{1, 2, 3}) {
			t.Errorf("%+v: the clone starts from %v", c, u.clone().w)
		}
	}
	if shared != 4*2+5+1+1 {
		t.Errorf("%d vectors compared, want 15", shared)
	}
}

// TestLargestScore: the largest finite score is right, and the next one overflows.
func TestLargestScore(t *testing.T) {
	top := math.MaxFloat64
	p := &Online{Space: Linear, Start: Hyperplane{Weights: []float64{top}}}
	if updated := must(p.Update([]float64{1}, 1))(t); updated {
		t.Error("y·score = MaxFloat64 is an update")
	}
	_, err := p.Update([]float64{2}, 1)
	want{ErrNotFinite, -1, scoreText}.check(t, err)
}
