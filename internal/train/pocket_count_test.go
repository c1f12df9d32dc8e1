package train

import (
	"math"
	"testing"
)

// TestPocketOverflow: a score that overflows counts by its sign, and NaN as wrong. In
// Multiclass it must exceed all others.
func TestPocketOverflow(t *testing.T) {
	nan := math.NaN()
	binary, many := &Config{Keep: Pocket, Rate: 1}, &Config{Rival: &rivalRule, Keep: Pocket, Rate: 1}
	*binary, *many = ruled(*binary), ruled(*many)
	challenging := func(c *Config, classes ...int) *challenger {
		var planes []*plane
		for _, class := range classes {
			planes = append(planes, newPlane(c, Hyperplane{}, 1, (&state{Config: *c}).classOf(class)))
		}
		return &challenger{unit: newUnit(c, planes), of: inTraining}
	}
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
		u := challenging(c.c, []int{3, 4, 5}[:len(c.scores)]...)
		if got := u.has(c.c, c.scores, c.label); got != c.want {
			t.Errorf("%v of the class %d: right: %v, want %v", c.scores, c.label, got, c.want)
		}
	}
}
