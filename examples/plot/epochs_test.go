package main

import (
	"math"
	"testing"

	"perceptron"
)

// TestMeasures: the measures after epoch e are those of a Fit with MaxEpochs e.
func TestMeasures(t *testing.T) {
	const epochs, seed = 12, 5
	for _, s := range sets(t) {
		var least []int
		for _, keep := range []perceptron.Keep{perceptron.Last, perceptron.Average, perceptron.Pocket} {
			ms, err := measures(s, keep, epochs, seed)
			if err != nil {
				t.Fatal(err)
			}
			for e, m := range ms {
				p := perceptron.Online{Order: perceptron.Shuffled, Seed: seed, Keep: keep, MaxEpochs: e + 1}
				if _, err := p.Fit(s.X, s.y); err != nil {
					t.Fatal(err)
				}
				want := measured(s, p.Hyperplane())
				if m.wrong != want.wrong || math.Abs(m.loss-want.loss) > 1e-12 {
					t.Errorf("%s, %v, epoch %d: %v, want %v", s.name, keep, e+1, m, want)
				}
				if keep == perceptron.Last {
					least = append(least, m.wrong)
				}
			}
			if len(ms) < 2 || len(ms) > epochs || len(ms) != len(least) {
				t.Errorf("%s, %v: %d epochs, %d of the last iterate", s.name, keep, len(ms), len(least))
			}
			if keep == perceptron.Pocket {
				checkPocket(t, s, ms)
			}
		}
	}
}

// measured computes the measure of a hyperplane from its definition.
func measured(s set, h perceptron.Hyperplane) measure {
	var m measure
	for i, x := range s.X {
		score := h.Weights[0]*x[0] + h.Weights[1]*x[1] + h.Bias
		if (score >= 0) != (s.y[i] > 0) {
			m.wrong++
		}
		if v := -float64(s.y[i]) * score; v > 0 {
			m.loss += v / float64(len(s.X))
		}
	}
	return m
}

// checkPocket checks that the pocket never gets worse from epoch to epoch.
func checkPocket(t *testing.T, s set, ms []measure) {
	t.Helper()
	for e := 1; e < len(ms); e++ {
		if ms[e].wrong > ms[e-1].wrong {
			t.Errorf("%s: the pocket goes from %d wrong to %d", s.name, ms[e-1].wrong, ms[e].wrong)
		}
	}
}

// TestEpochsFigure: the axes go from 0 to the last epoch, and from 0 to the largest value,
// or to 1 if all values are 0.
func TestEpochsFigure(t *testing.T) {
	for _, s := range sets(t) {
		f, err := drawEpochs(s, 5)
		if err != nil {
			t.Fatal(err)
		}
		var most measure
		epochs := 0
		for _, c := range curves {
			ms, err := measures(s, c.keep, 30, 5)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range ms {
				most.wrong, most.loss = max(most.wrong, m.wrong), max(most.loss, m.loss)
			}
			epochs = len(ms)
		}
		if most.wrong == 0 {
			most.wrong = 1
		}
		if most.loss == 0 {
			most.loss = 1
		}
		for i, want := range []float64{float64(most.wrong), most.loss} {
			p := f.panels[i]
			if p.X.Min != 0 || p.X.Max != float64(epochs) || p.Y.Min != 0 || p.Y.Max != want {
				t.Errorf("%s: from (%v, %v) to (%v, %v), want 0 to %d and %v", s.name, p.X.Min, p.Y.Min, p.X.Max, p.Y.Max, epochs, want)
			}
		}
	}
}
