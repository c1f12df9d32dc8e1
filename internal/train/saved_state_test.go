package train

import (
	"math"
	"testing"
)

// TestSavedRounded: a mean that another version has rounded in another way is read, and kept.
func TestSavedRounded(t *testing.T) {
	m := newModel(Config{Keep: Average})
	m.Start = []float64{3, 4, 1}
	must(m.Update([]float64{1, 1}, 1))(t) // right: the sums are 0
	c, start, s := m.State()
	want := math.Nextafter(4, 5)
	s.Vectors[0][1] = want
	r := &model{Config: c, Start: start}
	must(0, r.Restore(c, start, s))(t)
	if got := r.Vector(0)[1]; got != want {
		t.Errorf("the mean is %v, want %v", got, want)
	}
}
