package train

import (
	"math"
	"runtime"
	"slices"
	"testing"
)

// TestCycle: R is part of the state. Equal weights with another R are no repetition.
func TestCycle(t *testing.T) {
	var c cycle
	u, q := lone(&Config{}, Hyperplane{}, 1, 0)
	c.save(u)
	if u.r2 = 1; c.repeats(u) {
		t.Error("a state with another R is called a repetition")
	}
	if !c.repeats(u) {
		t.Error("the same state is not found")
	}
	if q.w[0] = math.Copysign(0, -1); c.repeats(u) {
		t.Error("−0 is called a repetition of +0")
	}
}

// TestStops: training ends for each of its reasons, and Upper bounds the margin only from
// the zero vector.
func TestStops(t *testing.T) {
	easy := separable(8, 30, 2, 0.3)
	for _, c := range []struct {
		c    Config
		set  dataset
		want Stop
	}{
		{Config{}, xor, Cycled}, {Config{Rule: OnGradient}, xor, Cycled}, {Config{Rule: WithinR}, xor, Cycled},
		{Config{Order: Shuffled}, xor, EpochLimit}, {Config{Order: Sampled}, xor, EpochLimit}, {Config{MaxEpochs: 1}, noisy(1, 30, 2), EpochLimit},
		{Config{}, easy, Converged}, {Config{Order: Sampled}, easy, Converged}, {Config{Scheme: Kesler}, easy, Converged},
		{Config{Scheme: OneVsRest}, xor, Cycled}, {Config{Scheme: OneVsRest}, easy, Converged},
	} {
		m := newModel(c.c)
		res := must(m.Fit(c.set.X, c.set.y))(t)
		if res.Stop != c.want || math.IsInf(res.Upper, 1) || (res.Stop == Converged) != (m.accuracy(c.set.X, c.set.y) == 1) {
			t.Errorf("%+v on %s: %+v, want Stop %d", c.c, c.set.name, res, c.want)
		}
		if m.Start.Weights = []float64{0, 1}; c.c.Scheme == Kesler {
			continue
		}
		if res := must(m.Fit(c.set.X, c.set.y))(t); !math.IsInf(res.Upper, 1) {
			t.Errorf("%+v from another start: Upper is %v", c.c, res.Upper)
		}
	}
}

// TestConfirm: the rows that a sampled epoch did not draw are scored too. An overflow there
// is the error of that row.
func TestConfirm(t *testing.T) {
	m := newModel(Config{Order: Sampled, Space: Linear})
	m.Start.Weights = []float64{1e300}
	X, y := [][]float64{{1}, {1}, {1}, {1}, {1}, {1}, {1}, {1e300}}, []int{1, 1, 1, 1, 1, 1, 1, 1}
	confirmed := 0
	for m.Seed = range 20 {
		_, err := m.Fit(X, y)
		if refused(t, err, ErrNotFinite, 7, "not finite: the score overflows, though every feature is finite"); m.now != nil {
			t.Fatal("the epoch was not undone")
		}
		if drawn := rowOrder(nil).draw(Sampled, len(X), &newState(&m.Config, &m.Start).gen); !slices.Contains(drawn, 7) {
			confirmed++
		}
	}
	if confirmed == 0 {
		t.Error("every epoch drew the row: the test shows nothing")
	}
}

// TestOneClass: a fit of many classes needs two.
func TestOneClass(t *testing.T) {
	for _, scheme := range []Scheme{OneVsRest, Kesler} {
		_, err := newModel(Config{Scheme: scheme}).Fit(xor.X, []int{7, 7, 7, 7})
		refused(t, err, ErrLabel, -1, "bad label: every label is 7, want at least two classes")
	}
}

// TestMoreWorkers: the number of processors may grow in the body of a range, because a program
// or the runtime changes it.
func TestMoreWorkers(t *testing.T) {
	manyWorkers(t)
	before := runtime.GOMAXPROCS(1)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
	set := multi(1, 40, 40, 6)
	m, alone := newModel(Config{Scheme: OneVsRest, MaxEpochs: 4}), newModel(Config{Scheme: OneVsRest, MaxEpochs: 4, Workers: 1})
	for range must2(t, alone.Epochs(set.X, set.y)) {
	}
	for e := range must2(t, m.Epochs(set.X, set.y)) {
		runtime.GOMAXPROCS(1 + e.N%4)
	}
	if got, want := snapshot(m), snapshot(alone); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
