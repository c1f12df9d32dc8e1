package train

import (
	"math"
	"slices"
	"testing"
)

// TestMixMargin: a mix has the largest R of its parts, and the θ that follows.
func TestMixMargin(t *testing.T) {
	small, large := new(Margin), new(Margin)
	must(small.Update([]float64{1}, 1))(t)
	must(large.Update([]float64{3}, -1))(t)
	mixed := must(Mix([]*Margin{small, large}, nil))(t)
	l, w := mixed.now.units[0], mixed.now.planes[0].w
	if l.r2 != 10 || l.theta != 10 || w[0] != -1 || w[1] != 0 {
		t.Fatalf("R² = %v, θ = %v, w = %v; want 10, 10, [-1 0]", l.r2, l.theta, w)
	}
}

// TestMixTogetherR: a mix of Multiclass has the largest R² of its parts, that of the rows in
// Kesler's construction, and the θ that follows.
func TestMixTogetherR(t *testing.T) {
	small, large := &Multiclass{Binary: &Margin{Rate: 3}}, &Multiclass{Binary: &Margin{Rate: 3}}
	for label := range 2 {
		must(small.Update([]float64{1}, label))(t)
		must(large.Update([]float64{float64(3 * label)}, label))(t)
	}
	for _, parts := range [][]*Multiclass{{small, large}, {large, small}} {
		mixed := must(Mix(parts, nil))(t)
		if u := mixed.now.units[0]; u.r2 != 20 || u.theta != 60 || len(mixed.now.units) != 1 {
			t.Errorf("R² = %v, θ = %v; want 2·(3² + 1) and 3 times that", u.r2, u.theta)
		}
	}
	gamma := &Multiclass{Binary: &Margin{Gamma: 3}}
	for label := range 3 {
		must(gamma.Update([]float64{1 + float64(label), 2}, label))(t)
	}
	other := gamma.Clone()
	must(other.Update([]float64{-1, 7}, 0))(t)
	mixed := must(Mix([]*Multiclass{gamma, other}, nil))(t)
	if u := mixed.now.units[0]; u.theta != 1.5*u.norm() || u.norm() == 0 {
		t.Errorf("θ = %v, want (γ′/2)‖W‖ = %v", u.theta, 1.5*u.norm())
	}
}

// TestPlaneClone: a clone has the same weights and shares no memory with the original,
// so that both can be trained at once.
func TestPlaneClone(t *testing.T) {
	vectors := func(q *plane) [][]float64 {
		a := q.average
		return [][]float64{q.w, q.next, q.slope, a.sum, a.low, a.mean, a.nextSum, a.nextLow, q.pocket}
	}
	start, shared := Hyperplane{Weights: []float64{1, 2}, Bias: 3}, 0
	for _, c := range []config{{}, {keep: Average}, {keep: Pocket}, {rule: onGradient}} {
		u := newPlane(&c, start, 2, 7)
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
