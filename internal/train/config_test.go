package train

import (
	"testing"
)

// TestResume: training may continue with another rate, seed, and limits of epochs and
// workers. Another Space, Order, Keep or rule is an error, and changes nothing.
func TestResume(t *testing.T) {
	for _, c := range []struct {
		from   Config
		change func(c *Config)
		text   string
	}{
		{Config{}, func(c *Config) { c.Rate, c.Seed, c.MaxEpochs, c.Workers = 0.5, 5, 7, 3 }, ""},
		{Config{}, func(c *Config) { c.Space = Linear }, "Space is Linear, but training began with Affine"},
		{Config{}, func(c *Config) { c.Order = Sampled }, "Order is Sampled, but training began with Cyclic"},
		{Config{}, func(c *Config) { c.Keep = Average }, "Keep is Average, but training began with Last"},
		{Config{}, func(c *Config) { c.Rule = WithinR }, "the rule is Margin, but training began with Online"},
		{Config{Rule: OnGradient}, func(c *Config) { c.Rule = OnMistake }, "the rule is Online, but training began with Batch"},
		{Config{Rule: WithinGamma, Gamma: 2}, func(c *Config) { c.Gamma = 1 }, "Margin with Gamma is 1, but training began with 2"},
		{Config{Rule: WithinTheta, Threshold: 2}, func(c *Config) { c.Threshold = 1 }, "Margin with Threshold is 1, but training began with 2"},
	} {
		m := newModel(c.from)
		must(m.Fit(xor.X, xor.y))(t)
		before := snapshot(m)
		c.change(&m.Config)
		for what, call := range map[string]func(m *model) error{
			"Update": func(m *model) error { _, err := m.Update(xor.X[1], 1); return err },
			"Learn":  func(m *model) error { _, err := m.Learn(xor.pairs()); return err },
			"Epochs": func(m *model) (last error) {
				for _, err := range m.Epochs(xor.X, xor.y) {
					last = err
				}
				return last
			},
		} {
			if c.from.Rule == OnGradient && what != "Epochs" { // Batch has no others
				continue
			}
			n := m.Clone()
			if err := call(n); c.text == "" {
				must(0, err)(t)
			} else if refused(t, err, ErrConfig, -1, "bad configuration: "+c.text+"; Fit starts from scratch"); snapshot(n) != before {
				t.Errorf("%s, %s: the model has changed", what, c.text)
			}
		}
	}
}

// TestRule: a rule's name is that of the model and its field.
func TestRule(t *testing.T) {
	for r, want := range []string{"Online", "Margin with Gamma", "Margin with Threshold", "Margin", "Batch"} {
		if got := Rule(r).String(); got != want {
			t.Errorf("rule %d is %q, want %q", r, got, want)
		}
	}
}

// TestTheta: θ follows a rate that changes, and returns if the example is an error.
func TestTheta(t *testing.T) {
	m := newModel(Config{Rule: WithinR})
	must(m.Update([]float64{3}, 1))(t)
	m.Rate = 0.5
	theta := func(want float64) {
		t.Helper()
		if got := m.now.units[0].theta; got != want {
			t.Errorf("θ = %v, want %v", got, want)
		}
	}
	theta(10)
	_, err := m.Update([]float64{inf}, 1)
	refused(t, err, ErrNotFinite, -1, "not finite: feature 0 is +Inf")
	theta(10)
	must(m.Update([]float64{3}, 1))(t)
	theta(5)
}
