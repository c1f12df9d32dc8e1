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

// TestMixMargin: a mix has the largest R of its parts, and the θ that follows.
func TestMixMargin(t *testing.T) {
	small, large := newModel(Config{Rule: WithinR}), newModel(Config{Rule: WithinR})
	must(small.Update([]float64{1}, 1))(t)
	must(large.Update([]float64{3}, -1))(t)
	m := must(mixed(small, large))(t)
	u, w := m.now.units[0], m.now.planes[0].w
	if u.r2 != 10 || u.theta != 10 || w[0] != -1 || w[1] != 0 {
		t.Fatalf("R² = %v, θ = %v, w = %v; want 10, 10, [-1 0]", u.r2, u.theta, w)
	}
}

// TestMixTogetherR: a mix of Multiclass has the largest R² of its parts, that of the rows in
// Kesler's construction, and the θ that follows.
func TestMixTogetherR(t *testing.T) {
	c := Config{Scheme: Kesler, Rule: WithinR, Rate: 3}
	small, large := newModel(c), newModel(c)
	for label := range 2 {
		must(small.Update([]float64{1}, label))(t)
		must(large.Update([]float64{float64(3 * label)}, label))(t)
	}
	for _, parts := range [][]*model{{small, large}, {large, small}} {
		m := must(mixed(parts...))(t)
		if u := m.now.units[0]; u.r2 != 20 || u.theta != 60 || len(m.now.units) != 1 {
			t.Errorf("R² = %v, θ = %v; want 2·(3² + 1) and 3 times that", u.r2, u.theta)
		}
	}
	gamma := newModel(Config{Scheme: Kesler, Rule: WithinGamma, Gamma: 3})
	for label := range 3 {
		must(gamma.Update([]float64{1 + float64(label), 2}, label))(t)
	}
	other := gamma.Clone()
	must(other.Update([]float64{-1, 7}, 0))(t)
	m := must(mixed(gamma, other))(t)
	if u := m.now.units[0]; u.theta != 1.5*u.norm() || u.norm() == 0 {
		t.Errorf("θ = %v, want (γ′/2)‖W‖ = %v", u.theta, 1.5*u.norm())
	}
}
