package train

import (
	"math"
	"testing"
)

// TestLearnFails: an error leaves the state as it was, also before the first example.
func TestLearnFails(t *testing.T) {
	for _, x := range [][]float64{{}, {inf}, {math.MaxFloat64}} {
		s := newState(&Config{Rate: math.MaxFloat64}, &Hyperplane{})
		if _, err := s.learnExample(&Row{Value: x}, 1); err == nil || s.width != 0 || len(s.units) != 0 {
			t.Errorf("%v: %v, and the state has width %d and %d units", x, err, s.width, len(s.units))
		}
	}
}

// TestLateCounts: in Multiclass every average counts all examples, also those before its
// class arrived.
func TestLateCounts(t *testing.T) {
	set := multi(2, 80, 3, 4)
	m := newModel(Config{Scheme: Kesler, Keep: Average})
	see := func(n int) {
		t.Helper()
		if got := m.now.units[0].seen; got != float64(n) {
			t.Fatalf("seen %v examples, want %d", got, n)
		}
	}
	for i, x := range set.X {
		must(m.Update(x, set.y[i/20]))(t) // a class arrives every 20 examples
		see(i + 1)
	}
	set.y[5] = 1000
	must(m.Learn(set.pairs()))(t)
	see(160)
	set.y[6] = 2000
	for e := range must2(t, m.Epochs(set.X, set.y)) {
		if see(160 + 80*(e.N-1)); e.N == 3 {
			break
		}
	}
}

// TestLateTheta: θ = (γ′/2)‖W‖ counts a class that arrived late, also before its first
// update. The norms of many classes are added in lanes, so another class moves them.
func TestLateTheta(t *testing.T) {
	set, moved := multi(4, 400, 3, 1), 0
	for i := range set.y {
		set.y[i] = i % 40
	}
	m := newModel(Config{Scheme: Kesler, Rule: WithinGamma, Gamma: 0.5})
	for i, x := range set.X {
		must(m.Update(x, set.y[i]))(t)
		late := m.now.clone()
		late.admitClass(-1, true)
		got := late.units[0].theta
		late.units[0].normalise(&late.Config)
		if want := late.units[0].theta; got != want {
			t.Fatalf("after %d examples and a class, θ = %v, want %v", i+1, got, want)
		}
		if got != m.now.units[0].theta {
			moved++
		}
	}
	if moved == 0 {
		t.Error("a class never moved a rounding")
	}
}

// TestLabelUnknown: the body of a range changes a label. The next epoch ends with ErrLabel at
// that row, and is undone. In OneVsRest the row is then one of the rest.
func TestLabelUnknown(t *testing.T) {
	for scheme, text := range []string{"bad label: 1000, want +1 or -1", "", "bad label: 1000 was not among the labels when Epochs began"} {
		m, before, failed := newModel(Config{Scheme: Scheme(scheme), MaxEpochs: 3}), "", false
		set := noisy(14, 40, 2)
		for e, err := range m.Epochs(set.X, set.y) {
			switch {
			case err != nil:
				failed = true
				if refused(t, err, ErrLabel, 3, text); snapshot(m) != before {
					t.Errorf("scheme %d: the epoch was not undone", scheme)
				}
			case e.N == 1:
				before, set.y[3] = snapshot(m), 1000
			}
		}
		if failed != (text != "") {
			t.Errorf("scheme %d: failed %v", scheme, failed)
		}
	}
}

// TestSigns: a binary model learns +1 and −1 only.
func TestSigns(t *testing.T) {
	const text = "bad label: 7, want +1 or -1"
	m, y := newModel(Config{}), []int{1, -1, 7, 1}
	_, err := m.Fit(xor.X, y)
	refused(t, err, ErrLabel, 2, text)
	_, err = m.Update(xor.X[0], 7)
	if refused(t, err, ErrLabel, -1, text); m.now != nil {
		t.Error("the model has learned")
	}
	_, err = m.Learn(dataset{"", xor.X, y}.pairs())
	refused(t, err, ErrLabel, 2, text)
}

// TestWidths: each call checks the widths of its rows.
func TestWidths(t *testing.T) {
	const text = "dimension mismatch: width 1, want 2"
	m := newModel(Config{})
	rows := dataset{"", [][]float64{{1, 2}, {3}}, []int{1, -1}}
	_, err := m.Fit(rows.X, rows.y)
	refused(t, err, ErrDimension, 1, text)
	_, err = m.Learn(rows.pairs())
	refused(t, err, ErrDimension, 1, text)
	_, err = m.Update(rows.X[1], 1)
	refused(t, err, ErrDimension, -1, text)
}

// TestStartWidth: a Start of another width than the rows is an error of every call.
func TestStartWidth(t *testing.T) {
	const text = "dimension mismatch: Start has width 1, but the rows have 2"
	m := newModel(Config{})
	m.Start.Weights = []float64{1}
	_, err := m.Fit(xor.X, xor.y)
	refused(t, err, ErrDimension, -1, text)
	for _, err := range m.Epochs(xor.X, xor.y) {
		refused(t, err, ErrDimension, -1, text)
	}
	_, err = m.Learn(xor.pairs())
	refused(t, err, ErrDimension, 0, text)
	_, err = m.Update(xor.X[0], 1)
	refused(t, err, ErrDimension, -1, text)
}

// TestPassesSaturate: the count of passes stays at its largest value.
func TestPassesSaturate(t *testing.T) {
	m := newModel(Config{MaxEpochs: 1})
	must(m.Fit(xor.X, xor.y))(t)
	m.now.passes = math.MaxInt - 1
	for range 3 {
		if e := must(m.Learn(xor.pairs()))(t); e.N != math.MaxInt {
			t.Errorf("N = %d, want %d", e.N, math.MaxInt)
		}
	}
}
