package train

import (
	"math"
	"testing"
)

// TestLargestScore: the largest finite score is right, and the next one overflows.
func TestLargestScore(t *testing.T) {
	p := newModel(Config{Space: Linear})
	p.Start = []float64{math.MaxFloat64, 0}
	if must(p.Update([]float64{1}, 1))(t) {
		t.Error("y·score = MaxFloat64 is an update")
	}
	_, err := p.Update([]float64{2}, 1)
	refused(t, err, ErrNotFinite, -1, "not finite: the score overflows, though every feature is finite")
}

// overflows checks that a call had the error of an update that overflows, and left m as it was.
func overflows(t *testing.T, m *model, before string, err error, index int) {
	t.Helper()
	refused(t, err, ErrNotFinite, index, "not finite: the update overflows, though every feature is finite")
	if got := snapshot(m); got != before {
		t.Errorf("the model is\n%s, want\n%s", got, before)
	}
}

// TestSecondOverflows: the update of the rival overflows, after that of the example's class
// was prepared, and the other way round. It leaves both as they were, and the class that is
// new stays unknown.
func TestSecondOverflows(t *testing.T) {
	for _, known := range []bool{false, true} {
		for _, late := range []int{-2, 2} { // before and after the others
			for _, sign := range []float64{1, -1} {
				m := newModel(Config{Rival: &rivalRule, Rate: 1e308, Space: Linear})
				for i, x := range [][]float64{{0, 0}, {1, 0}, {0, sign}} { // w₀ = (−1, sign)·10³⁰⁸ = −w₁
					must(m.Update(x, i%2))(t)
				}
				if known {
					must(m.Update([]float64{0, 0}, late))(t)
				}
				x, y := []float64{0.9, sign}, late // w₀ − ηx overflows
				if sign < 0 && known {
					x, y = []float64{0.9, -0.9}, 1 // all scores are 0, and w₁ + ηx overflows
				}
				before := snapshot(m)
				_, err := m.Update(x, y)
				overflows(t, m, before, err, -1)
				must(m.Update([]float64{1e-300, 1e-300}, late))(t)
				if len(m.Classes()) != 3 {
					t.Errorf("classes %v", m.Classes())
				}
			}
		}
	}
}

// TestSecondSumOverflows: the sum of one class's iterates overflows, and that of the other
// does not.
func TestSecondSumOverflows(t *testing.T) {
	for _, late := range []int{-2, 2} {
		m := newModel(Config{Rival: &rivalRule, Rate: 1e308, Space: Linear, Keep: Average})
		for _, y := range []int{0, 1, 1, 1} {
			must(m.Update([]float64{1}, y))(t)
		}
		before := snapshot(m)
		_, err := m.Update([]float64{1}, late)
		overflows(t, m, before, err, -1)
		_, err = m.Learn([][]float64{{1}}, []int{late})
		overflows(t, m, before, err, 0)
		must(m.Update([]float64{1}, 1))(t)
	}
}
