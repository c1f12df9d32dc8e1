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
