package train

import (
	"testing"

	"perceptron/internal/naive"
)

// TestScoreMeans: under Average a sparse read computes means of its own, until a dense read has
// computed them all, and again after the next example. All have the same bits.
func TestScoreMeans(t *testing.T) {
	set := naive.Noisy(9, 30, 4)
	m := newModel(Config{Keep: Average})
	must(m.Fit(set.X, set.Y))(t)
	x := Row{Index: []uint32{1, 3}, Value: []float64{0.3, -7}, Width: 4}
	score := func() float64 { return must(m.Score(0, x.Index, x.Value))(t) }
	for range 3 {
		want := score()
		if !m.now.means.outdated.Load() {
			t.Error("a sparse read has computed all means")
		}
		mean := m.Vector(0)
		if got := score(); got != want || m.now.means.outdated.Load() {
			t.Errorf("the score is %v after a dense read, want %v", got, want)
		}
		mean[4]++ // the bias
		if got := score(); got == want {
			t.Error("a sparse read does not use the means that a dense read has computed")
		}
		if c := m.Clone(); c.Vector(0)[4] != mean[4] {
			t.Error("a clone has other means")
		}
		must(m.Update(set.X[0], set.Y[0]))(t)
	}
}
