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
	if got := r.Vector(0)[1]; got != want {
		t.Errorf("the mean is %v, want %v", got, want)
	}
}
