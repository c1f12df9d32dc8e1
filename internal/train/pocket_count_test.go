package train

import (
	"math"
	"testing"

	"perceptron/internal/weights"
)

// TestPocketOverflow: a score that overflows counts by its sign, and NaN as wrong. In
// Multiclass it must exceed all others.
func TestPocketOverflow(t *testing.T) {
	nan := math.NaN()
	binary, many := &Config{Keep: Pocket, Rate: 1}, &Config{Rival: &rivalRule, Keep: Pocket, Rate: 1}
	*binary, *many = ruled(*binary), ruled(*many)
	for _, c := range []struct {
		c      *Config
		scores []float64
		label  int
		want   bool
	}{
		{binary, []float64{inf}, 1, true}, {binary, []float64{-inf}, 1, false}, {binary, []float64{-inf}, -1, true},
		{binary, []float64{0}, 1, false}, {binary, []float64{0}, -1, false}, {binary, []float64{nan}, 1, false}, {binary, []float64{5e-324}, 1, true},
		{many, []float64{1, 0, -1}, 3, true}, {many, []float64{1, 0, -1}, 4, false}, {many, []float64{1, 1, 0}, 3, false}, {many, []float64{0, 1, 1}, 5, false},
		{many, []float64{inf, 1, -inf}, 3, true}, {many, []float64{5, -inf, -inf}, 3, true}, {many, []float64{inf, inf, 0}, 3, false}, {many, []float64{1, nan, 0}, 3, false}, {many, []float64{nan, 1, 0}, 3, false},
		{many, []float64{-inf, -inf, -1}, 5, true}, {many, []float64{7}, 3, true},
	} {
		s := planesFor(c.c, []float64{0}, 1, []int{3, 4, 5}[:len(c.scores)]...)
		u := challenger{unit: s.units[0], of: weights.Training}
		if got := u.isRight(&s.core, c.scores, c.label); got != c.want {
			t.Errorf("%v of the class %d: right: %v, want %v", c.scores, c.label, got, c.want)
		}
	}
}

// TestSaturates: the counts of a pocket stay at their largest value.
func TestSaturates(t *testing.T) {
	s := planesFor(&Config{Rule: OnMistake, Keep: Pocket}, []float64{0}, 1, 1)
	u := s.units[0]
	u.pocket = pocket{streak: weights.Countable - 1, beat: weights.Countable - 1}
	for range 3 {
		u.countStreak(&s.planes, false)
		if u.pocket.streak != weights.Countable || u.pocket.beat != weights.Countable {
			t.Errorf("the pocket is %+v", u.pocket)
		}
	}
}
