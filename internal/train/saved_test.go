package train

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"testing"

	"perceptron/internal/saved"
)

// restored returns a model with the fields and the state of m, by way of JSON, after change has
// changed the state.
func restored(t *testing.T, m *model, change func(*State)) (*model, error) {
	t.Helper()
	c, start, s := m.State()
	read := new(State)
	must(0, json.Unmarshal(must(json.Marshal(s))(t), read))(t)
	change(read)
	r := &model{Config: c, Start: start}
	return r, r.Restore(c, &start, read)
}

// TestSaved: a model that was saved and restored goes on as one that was not.
func TestSaved(t *testing.T) {
	set := multi(3, 40, 3, 4)
	for _, scheme := range []Scheme{TwoClasses, OneVsRest, Kesler} {
		y := set.y
		if scheme == TwoClasses {
			y = against(y, 7)
		}
		for name, m := range grid(scheme, Shuffled, 3) {
			for range 2 {
				m.MaxEpochs = 2
				for range must2(t, m.Epochs(set.X, y)) {
				}
				r := must(restored(t, m, func(*State) {}))(t)
				for range must2(t, r.Epochs(set.X, y)) {
				}
				for range must2(t, m.Epochs(set.X, y)) {
				}
				if snapshot(r) != snapshot(m) {
					t.Fatalf("%s: restored:\n%s, want\n%s", name, snapshot(r), snapshot(m))
				}
				must(m.Learn(dataset{"", set.X[:9], y[:9]}.pairs()))(t)
			}
		}
	}
	if _, _, s := new(Engine).State(); s != nil {
		t.Errorf("an untrained model has the state %+v", s)
	}
	empty := newModel(Config{})
	must(empty.Learn(dataset{}.pairs()))(t)
	if r := must(restored(t, empty, func(*State) {}))(t); r.now.passes != 1 || r.Trained() == nil {
		t.Errorf("a model of one empty pass is restored with %d passes", r.now.passes)
	}
}

// TestSavedRounded: a mean that another version has rounded in another way is read, and kept.
func TestSavedRounded(t *testing.T) {
	m := newModel(Config{Keep: Average})
	m.Start = Hyperplane{[]float64{3, 4}, 1}
	must(m.Update([]float64{1, 1}, 1))(t) // right: the sums are 0
	want := math.Nextafter(4, 5)
	r := must(restored(t, m, func(s *State) { s.Hyperplanes[0].Weights[1] = want }))(t)
	if got := r.Vector(0)[1]; got != want {
		t.Errorf("the mean is %v, want %v", got, want)
	}
	for _, c := range [][3]float64{{2, 0, 0}, {0, 8, 0}, {0, 0, -8}} { // w, u and its errors; the mean of 4 is ±2
		a := average{sum: c[1:2], low: c[2:], mean: []float64{c[0] - c[1]/4 - c[2]/4}}
		a.mean[0] *= 1 + 0x1p-41
		near := checkMean(&plane{w: c[:1], average: a}, 4)
		a.mean[0] *= 1 + 0x1p-39
		if far := checkMean(&plane{w: c[:1], average: a}, 4); near != nil || far == nil {
			t.Errorf("%v: %v, %v", c, near, far)
		}
	}
	zero := []float64{0}
	must(0, checkMean(&plane{w: zero, average: average{sum: zero, low: zero, mean: []float64{0x1p-1060}}}, 4))(t)
}

// TestSavedCopies: a restored model may be copied by value, and each copy may be trained.
func TestSavedCopies(t *testing.T) {
	m := newModel(Config{})
	must(m.Fit(xor.X, xor.y))(t)
	r := must(restored(t, m, func(*State) {}))(t)
	c := *r
	must(c.Update([]float64{5, 5}, -1))(t)
	must(r.Update([]float64{-5, 5}, 1))(t)
	if slices.Equal(c.Vector(0), r.Vector(0)) {
		t.Error("the copies share what they learn")
	}
	r = must(restored(t, m, func(*State) {}))(t)
	r.Order = Shuffled
	_, err := r.Update(xor.X[0], 1)
	refused(t, err, ErrConfig, -1, "bad configuration: Order is Shuffled, but training began with Cyclic; Fit starts from scratch")
}

// TestRestoreLimits: counts at their limits are restored.
func TestRestoreLimits(t *testing.T) {
	average, pocket := newModel(Config{Keep: Average}), newModel(Config{Keep: Pocket})
	must(average.Fit(xor.X, xor.y))(t)
	must(pocket.Fit(xor.X, xor.y))(t)
	must(restored(t, pocket, func(s *State) { p := s.Hyperplanes[0].Pocket; p.Beat, p.Run = countable, countable }))(t)
	must(restored(t, average, func(s *State) {
		h := &s.Hyperplanes[0]
		h.Average.Count = countable
		clear(h.Average.Iterate)
		h.Weights, h.Bias = []float64{-h.Average.Sum[0] / countable, -h.Average.Sum[1] / countable}, -h.Average.Sum[2]/countable
	}))(t)
}

// TestRestoreRefuses: a state that training cannot reach is an error, and restores nothing.
func TestRestoreRefuses(t *testing.T) {
	last, linear, many := Config{}, Config{Space: Linear}, Config{Scheme: Kesler}
	growing, average, pocket := Config{Rule: WithinR}, Config{Keep: Average}, Config{Keep: Pocket}
	first := func(f func(h *savedUnit)) func(*State) { return func(s *State) { f(&s.Hyperplanes[0]) } }
	mean := func(f func(a *savedAverage)) func(*State) { return first(func(h *savedUnit) { f(h.Average) }) }
	held := func(f func(k *savedPocket)) func(*State) { return first(func(h *savedUnit) { f(h.Pocket) }) }
	for _, c := range []struct {
		c      Config
		change func(*State)
		text   string
	}{
		{last, func(s *State) { s.Width = -1 }, "width: -1, want at least 0"},
		{last, func(s *State) { s.Width = 0 }, "width: 0 with 1 hyperplanes"},
		{last, func(s *State) { s.Passes = -1 }, "passes: -1, want at least 0"},
		{many, func(s *State) { slices.Reverse(s.Hyperplanes) }, "hyperplanes: want classes that ascend"},
		{last, func(s *State) { s.Hyperplanes = append(s.Hyperplanes, savedUnit{Class: 1}) }, "hyperplanes: 2 hyperplanes in a binary model"},
		{last, first(func(h *savedUnit) { h.Class = 1 }), "hyperplanes[0].class: 1, want 0 in a binary model"},
		{last, first(func(h *savedUnit) { h.Weights = h.Weights[:1] }), "hyperplanes[0].weights: 1 weights, want 2"},
		{last, first(func(h *savedUnit) { h.Average = new(savedAverage) }), "hyperplanes[0].average: does not fit Keep Last"},
		{pocket, first(func(h *savedUnit) { h.Pocket = nil }), "hyperplanes[0].pocket: does not fit Keep Pocket"},
		{growing, first(func(h *savedUnit) { h.R2 = -1 }), "hyperplanes[0].r2: -1, want at least 0"},
		{growing, first(func(h *savedUnit) { h.R2 = 0.5 }), "hyperplanes[0].r2: 0.5 in Affine space, want 0 or at least 1"},
		{last, first(func(h *savedUnit) { h.R2 = 1 }), "hyperplanes[0].r2: 1, want 0: only Margin's default rule needs R"},
		{linear, first(func(h *savedUnit) { h.Bias = 1 }), "hyperplanes[0].bias: 1 in Linear space, want 0"},
		{many, first(func(h *savedUnit) { h.R2 = 1 }), "hyperplanes: want one r2, one pocket and one count of examples for all"},
		{Config{Scheme: Kesler, Keep: Average}, mean(func(a *savedAverage) { a.Count++ }), "hyperplanes: want one r2, one pocket and one count of examples for all"},
		{Config{Scheme: Kesler, Keep: Pocket}, held(func(k *savedPocket) { k.Beat++ }), "hyperplanes: want one r2, one pocket and one count of examples for all"},
		{average, mean(func(a *savedAverage) { a.Iterate = nil }), "hyperplanes[0].average.iterate: 0 numbers, want 3"},
		{average, mean(func(a *savedAverage) { a.Sum = a.Sum[1:] }), "hyperplanes[0].average.sum: 2 numbers, want 3"},
		{average, mean(func(a *savedAverage) { a.Low = a.Low[1:] }), "hyperplanes[0].average.low: 2 numbers, want 3"},
		{average, mean(func(a *savedAverage) { a.Count = -1 }), "hyperplanes[0].average.count: -1, want 1 to 2⁵³"},
		{average, mean(func(a *savedAverage) { a.Count = 0.5 }), "hyperplanes[0].average.count: 0.5, want 1 to 2⁵³"},
		{average, mean(func(a *savedAverage) { a.Count = countable + 2 }), "hyperplanes[0].average.count: 9.007199254740994e+15, want 1 to 2⁵³"},
		{average, first(func(h *savedUnit) { h.Weights[1] = 9 }), "hyperplanes[0].weights: 9 at 1, but the sums of the average give 0.5"},
		{pocket, held(func(k *savedPocket) { k.Iterate = nil }), "hyperplanes[0].pocket.iterate: 0 numbers, want 3"},
		{pocket, held(func(k *savedPocket) { k.Beat = countable + 1 }), "hyperplanes[0].pocket.beat: 9007199254740993, want 0 to 2⁵³"},
		{pocket, held(func(k *savedPocket) { k.Run = -1 }), "hyperplanes[0].pocket.run: -1, want 0 to 2⁵³"},
		{pocket, held(func(k *savedPocket) { k.Run = k.Beat + 1 }), "hyperplanes[0].pocket.run: 1, want at most beat, 0"},
	} {
		m := newModel(c.c)
		must(m.Fit(xor.X, xor.y))(t)
		r, err := restored(t, m, c.change)
		if err == nil || err.Error() != "perceptron: bad format: "+c.text || !errors.Is(err, saved.ErrFormat) || r.now != nil {
			t.Errorf("%v, want %s", err, c.text)
		}
	}
	m := newModel(last)
	m.Start.Weights = []float64{0, 0}
	must(m.Fit(xor.X, xor.y))(t)
	m.now.start.Weights = []float64{0}
	if _, err := restored(t, m, func(*State) {}); err == nil {
		t.Error("a start of another width is restored")
	}
}

// TestRestoreOverflows: θ follows from the rest. Where it overflows, the next call is an error.
func TestRestoreOverflows(t *testing.T) {
	m := newModel(Config{Rule: WithinR})
	must(m.Update([]float64{1}, 1))(t)
	r := must(restored(t, m, func(s *State) { s.Hyperplanes[0].R2 = math.MaxFloat64 }))(t)
	r.Rate = 4
	_, err := r.Update([]float64{1}, 1)
	refused(t, err, ErrNotFinite, -1, "not finite: the update overflows, though every feature is finite")
}
