package train

import (
	"math"
	"testing"
)

// TestLargestScore: the largest finite score is right, and the next one overflows.
func TestLargestScore(t *testing.T) {
	p := newModel(Config{Space: Linear})
	p.Start.Weights = []float64{math.MaxFloat64}
	if must(p.Update([]float64{1}, 1))(t) {
		t.Error("y·score = MaxFloat64 is an update")
	}
	_, err := p.Update([]float64{2}, 1)
	refused(t, err, ErrNotFinite, -1, "not finite: the score overflows, though every feature is finite")
}

// TestContest: in Multiclass an example's class contends with the best other, the first of several.
func TestContest(t *testing.T) {
	for _, s := range []struct {
		scores     []float64
		own, rival int
		want       float64
	}{
		{[]float64{1, 5, 3}, 1, 2, 2}, {[]float64{1, 5, 3}, 2, 1, -2}, {[]float64{4, 1, 4}, 1, 0, -3},
		{[]float64{1, math.NaN(), 3}, 0, -1, math.NaN()}, {[]float64{1, 5, inf}, 0, -1, math.NaN()},
		{[]float64{-7}, 0, -1, math.MaxFloat64}, // a class without a rival
	} {
		got, rival := contest(s.scores, s.own)
		if rival != s.rival || got != s.want && !(math.IsNaN(got) && math.IsNaN(s.want)) {
			t.Errorf("%+v: %v against %d", s, got, rival)
		}
	}
}
