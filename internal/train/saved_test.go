package train

import (
	"encoding/json"
	"math"
	"testing"

	"perceptron/internal/saved"
)

// restored returns a model with the fields and the state of m, by way of JSON, after change has
// changed the state.
func restored(t *testing.T, m *model, change func(*State)) (*model, error) {
	t.Helper()
	c, start, s := m.State()
	read := new(State)
	must(0, saved.ReadJSON(must(json.Marshal(s))(t), read, func() error { return nil }))(t)
	change(read)
	r := &model{Config: c, Start: start}
	return r, r.Restore(c, &start, read)
}

// TestSavedRounded: a mean that another version has rounded in another way is read, and kept.
func TestSavedRounded(t *testing.T) {
	m := newModel(Config{Keep: Average})
	m.Start = Hyperplane{[]float64{3, 4}, 1}
	must(m.Update([]float64{1, 1}, 1))(t) // right: the sums are 0
	want := math.Nextafter(4, 5)
	r := must(restored(t, m, func(s *State) { s.Hyperplanes[0].Weights.Value[1] = want }))(t)
	if got := r.Dense().Vector(0)[1]; got != want {
		t.Errorf("the mean is %v, want %v", got, want)
	}
	for _, c := range [][3]float64{{2, 0, 0}, {0, 8, 0}, {0, 0, -8}} { // w, u and its errors; the mean of 4 is ±2
		q := &plane{w: c[:1], average: average{sum: c[1:2], low: c[2:]}, kept: []float64{c[0] - c[1]/4 - c[2]/4}}
		q.kept[0] *= 1 + 0x1p-41
		near := q.checkMean(4)
		q.kept[0] *= 1 + 0x1p-39
		if far := q.checkMean(4); near != nil || far == nil {
			t.Errorf("%v: %v, %v", c, near, far)
		}
	}
	zero := []float64{0}
	must(0, (&plane{w: zero, average: average{sum: zero, low: zero}, kept: []float64{0x1p-1060}}).checkMean(4))(t)
}
