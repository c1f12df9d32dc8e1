package train

import "testing"

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
