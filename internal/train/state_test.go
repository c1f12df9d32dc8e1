package train

import (
	"testing"

	"perceptron/internal/naive"
)

// TestLateTheta: θ = (γ′/2)‖W‖ counts a class that arrived late, also before its first
// update. The norms of many classes are added in lanes, so another class moves them.
func TestLateTheta(t *testing.T) {
	set, moved := naive.Multi(4, 400, 3, 1), 0
	for i := range set.Y {
		set.Y[i] = i % 40
	}
	m := newModel(Config{Rival: &rivalRule, Rule: WithinGamma, Parameters: Parameters{Gamma: 0.5}})
	for i, x := range set.X {
		must(m.Update(x, set.Y[i]))(t)
		late := m.now.clone()
		late.addClass(-1)
		got := late.units[0].theta
		late.units[0].normalise(&late.core)
		if want := late.units[0].theta; got != want {
			t.Fatalf("after %d examples and a class, θ = %v, want %v", i+1, got, want)
		}
		if got != m.now.units[0].theta {
			moved++
		}
	}
	if moved == 0 {
		t.Error("a class never moved a rounding")
	}
}
