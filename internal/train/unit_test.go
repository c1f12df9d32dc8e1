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

// TestDifference: the margin in Multiclass is finite for all finite scores.
func TestDifference(t *testing.T) {
	const top = math.MaxFloat64
	for _, c := range [][3]float64{{1, 3, -2}, {top, -top, top}, {-top, 1e300, -top}, {1, math.Inf(-1), top}} {
		if got := difference(c[0], c[1]); got != c[2] {
			t.Errorf("%v less %v is %v, want %v", c[0], c[1], got, c[2])
		}
	}
}
