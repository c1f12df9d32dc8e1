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

// TestMixRefuses: models that do not fit each other, and means that overflow, are errors. The
// model that would be the mean stays as it was.
func TestMixRefuses(t *testing.T) {
	trained := func(c Config, x ...[]float64) *model {
		m := newModel(c)
		for i, x := range x {
			must(m.Update(x, 1-2*(i%2)))(t)
		}
		return m
	}
	one, huge := []float64{1}, []float64{1.7e308}
	plain := trained(Config{}, one)
	for _, c := range []struct {
		a, b *model
		kind error
		text string
	}{
		{plain, trained(Config{}, []float64{1, 2}), ErrDimension, "dimension mismatch: model 1 has width 2, model 0 has 1"},
		{plain, trained(Config{Space: Linear}, one), ErrConfig, "bad configuration: model 1 has Space Linear, model 0 has Affine"},
		{plain, trained(Config{Keep: Average}, one), ErrConfig, "bad configuration: model 1 has Keep Average, model 0 has Last"},
		{plain, trained(Config{Rule: WithinR}, one), ErrConfig, "bad configuration: model 1 has the rule Margin, model 0 has Online"},
		{trained(Config{Rule: WithinTheta, Threshold: 1}, one), trained(Config{Rule: WithinTheta, Threshold: 2}, one), ErrConfig,
			"bad configuration: model 1 has Margin with Threshold 2, model 0 has 1"},
		{trained(Config{Scheme: OneVsRest}, one), trained(Config{Scheme: OneVsRest}, one, one), ErrConfig,
			"bad configuration: model 1 has classes [-1 1], model 0 has [1]"},
		{trained(Config{Keep: Pocket}, one), trained(Config{Keep: Pocket}, one), ErrConfig, "bad configuration: model 0 has Keep Pocket, which cannot be mixed"},
	} {
		m, err := mixed(c.a, c.b)
		if refused(t, err, c.kind, -1, c.text); m.now != nil {
			t.Errorf("%s: a mean", c.text)
		}
	}
	fail := func(a *model, mu []float64, text string) {
		t.Helper()
		refused(t, new(Engine).Mix([]*Engine{&a.Engine, &a.Engine}, mu), ErrNotFinite, -1, text)
	}
	fail(trained(Config{Space: Linear}, huge), []float64{1, 1}, "not finite: the mean overflows")
	fail(trained(Config{Space: Linear, Rule: WithinGamma, Gamma: 2}, []float64{1.2e308, 1.2e308}), []float64{0.55, 0.55}, "not finite: the mean overflows")
	average := trained(Config{Space: Linear, Keep: Average}, huge)
	average.now.units[0].seen = 2
	fail(average, []float64{0.5, 0.5}, "not finite: the mean overflows")
}
