package train

import (
	"errors"
	"slices"
	"testing"
)

// TestVector: a trained model predicts by the iterate that Keep selects, with the bias last.
// SingleVector is the short way of Predict: a model of one hyperplane under Last.
func TestVector(t *testing.T) {
	X, y := [][]float64{{1, 2}, {3, 1}, {5, 0}}, []int{1, -1, -1}
	for keep, want := range [][]float64{{-2, 1, 0}, {-1, 1 + 1./3, 1. / 3}, {-2, 1, 0}} {
		m := newModel(Config{Keep: Keep(keep), MaxEpochs: 4})
		if m.SingleVector() != nil || !errors.Is(m.Trained(), ErrUntrained) {
			t.Errorf("%v: an untrained model predicts", m.Keep)
		}
		m.Start.Weights = []float64{0, 0}
		must(m.Learn(dataset{"", X, y}.pairs()))(t)
		if got := m.Vector(0); !slices.Equal(got, want) || m.Trained() != nil || m.Planes() != 1 || m.Classes()[0] != 0 {
			t.Errorf("%v: %v, want %v", m.Keep, got, want)
		}
		if got := m.SingleVector(); (got != nil) != (keep == 0) || got != nil && !slices.Equal(got, want) {
			t.Errorf("%v: SingleVector is %v", m.Keep, got)
		}
		if c, width, seen, passes := m.Summary(); c != m.Config || width != 2 || seen != int64(len(X)) || passes != 1 {
			t.Errorf("the fields are %+v, %d, %d, %d", c, width, seen, passes)
		}
	}
	many := newModel(Config{Scheme: OneVsRest})
	must(many.Fit(X, y))(t)
	if many.Planes() != 2 || many.Classes()[0] != -1 || many.Classes()[1] != 1 || many.SingleVector() != nil {
		t.Errorf("%d hyperplanes", many.Planes())
	}
}

// TestScoreMeans: under Average a sparse read computes means of its own, until a dense read has
// computed them all, and again after the next example. All have the same bits.
func TestScoreMeans(t *testing.T) {
	set := noisy(9, 30, 4)
	m := newModel(Config{Keep: Average})
	must(m.Fit(set.X, set.y))(t)
	x := Row{Index: []uint32{1, 3}, Value: []float64{0.3, -7}, Width: 4}
	score := func() float64 { return must(m.Score(0, &x))(t) }
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
		must(m.Update(set.X[0], set.y[0]))(t)
	}
}
