package train

import "testing"

// TestCycle: R is part of the state. Equal weights with another R are no repetition.
func TestCycle(t *testing.T) {
	var c cycle
	u, _ := lone(&Config{Rule: OnMistake}, Hyperplane{}, 1, 0)
	if c.repeats(u) {
		t.Error("the first state is called a repetition")
	}
	if u.r2 = 1; c.repeats(u) {
		t.Error("a state with another R is called a repetition")
	}
	if !c.repeats(u) {
		t.Error("the same state is not found")
	}
}
