package train

import "testing"

// mixed returns the mean of models.
func mixed(models ...*model) (*model, error) {
	m, parts, mu := models[0].fresh(), make([]*Engine, len(models)), make([]float64, len(models))
	for i, part := range models {
		parts[i], mu[i] = &part.Engine, 1/float64(len(models))
	}
	return m, m.Mix(parts, mu)
}

// TestMixMargin: a mix has the largest R² of its parts, and the θ that follows. In Multiclass, R²
// is that of the rows in Kesler's construction, and θ = (γ′/2)‖W‖ has the mixed W.
func TestMixMargin(t *testing.T) {
	for rival, want := range map[*Rival][2]float64{nil: {10, 30}, &rivalRule: {20, 60}} {
		c := Config{Rival: rival, Rule: WithinR, Rate: 3}
		small, large := newModel(c), newModel(c)
		for _, label := range []int{-1, 1} {
			must(small.Update([]float64{1}, label))(t)
			must(large.Update([]float64{3}, label))(t)
		}
		for _, parts := range [][]*model{{small, large}, {large, small}} {
			m := must(mixed(parts...))(t)
			if u := m.now.units[0]; u.r2 != want[0] || u.theta != want[1] || len(m.now.units) != 1 {
				t.Errorf("R² = %v, θ = %v; want %v", u.r2, u.theta, want)
			}
		}
	}
	gamma := newModel(Config{Rival: &rivalRule, Rule: WithinGamma, Parameters: Parameters{Gamma: 3}})
	for label := range 3 {
		must(gamma.Update([]float64{1 + float64(label), 2}, label))(t)
	}
	other := gamma.Clone()
	must(other.Update([]float64{-1, 7}, 0))(t)
	m := must(mixed(gamma, other))(t)
	if u := m.now.units[0]; u.theta != 1.5*u.norm(m.now.planes.ComputeNorm) || u.theta == 0 {
		t.Errorf("θ = %v, want (γ′/2)‖W‖ = %v", u.theta, 1.5*u.norm(m.now.planes.ComputeNorm))
	}
}
