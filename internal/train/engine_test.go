package train

import (
	"math"
	"slices"
	"testing"
)

const (
	training = "bad configuration: the model is being trained by an enclosing Epochs or Learn"
	replaced = "bad configuration: the model was replaced while it was being trained"
	copied   = "bad configuration: the model was copied by value after training; use Clone for a copy that can be trained"
)

// each calls every method that trains, and returns what each returned.
func each(m *model, set dataset) (errs []error) {
	_, fit := m.Fit(set.X, set.y)
	_, learn := m.Learn(set.pairs())
	_, update := m.Update(set.X[0], set.y[0])
	errs = append(errs, fit, learn, update)
	for _, err := range m.Epochs(set.X, set.y) {
		errs = append(errs, err)
	}
	return errs
}

// TestWhole: a bad row undoes a fit, an epoch and an update. A pass over a stream keeps the
// examples before it, but does not count.
func TestWhole(t *testing.T) {
	good, bad := noisy(1, 30, 2), noisy(2, 30, 2)
	bad.X[29] = []float64{1, math.NaN()}
	for _, scheme := range []Scheme{TwoClasses, OneVsRest, Kesler} {
		for name, m := range grid(scheme, Shuffled, 2) {
			m.MaxEpochs = 5
			must(m.Fit(good.X, good.y))(t)
			before, prefix := snapshot(m), m.Clone()
			_, fit := m.Fit(bad.X, bad.y)
			_, update := m.Update(bad.X[29], 1)
			refused(t, fit, ErrNotFinite, 29, "not finite: feature 1 is NaN")
			refused(t, update, ErrNotFinite, -1, "not finite: feature 1 is NaN")
			for _, err := range m.Epochs(bad.X, bad.y) {
				refused(t, err, ErrNotFinite, 29, "not finite: feature 1 is NaN")
			}
			if snapshot(m) != before {
				t.Fatalf("%s: an error has changed the model", name)
			}
			e, err := m.Learn(bad.pairs())
			refused(t, err, ErrNotFinite, 29, "not finite: feature 1 is NaN")
			for i, x := range bad.X[:29] {
				must(prefix.Update(x, bad.y[i]))(t)
			}
			if snapshot(m) != snapshot(prefix) || e.Examples != 29 || e.N != prefix.now.passes {
				t.Fatalf("%s: %+v, or other examples were learned", name, e)
			}
		}
	}
}

// TestBusy: no call may train a model in the body of its range or in its stream, or replace
// it there. Reading it, and training a clone, may.
func TestBusy(t *testing.T) {
	m, yields, set := newModel(Config{Keep: Average, MaxEpochs: 3}), 0, noisy(7, 40, 2)
	inside := func() {
		yields++
		if !m.Busy() {
			t.Error("the model is not busy")
		}
		for _, err := range each(m, set) {
			refused(t, err, ErrConfig, -1, training)
		}
		c := m.Clone()
		for _, err := range each(c, set) {
			must(0, err)(t)
		}
	}
	for range must2(t, m.Epochs(set.X, set.y)) {
		inside()
	}
	must(m.Learn(func(yield func([]float64, int) bool) {
		inside()
		yield(set.X[1], 1)
	}))(t)
	if yields != 4 || m.Busy() {
		t.Errorf("%d yields, and the model is busy after its calls: %v", yields, m.Busy())
	}
	other := newModel(Config{})
	must(other.Fit(set.X, set.y))(t)
	for e, err := range m.Epochs(set.X, set.y) {
		if err == nil {
			m.Engine = other.Engine
			continue
		}
		if refused(t, err, ErrConfig, -1, replaced); e != (Epoch{}) {
			t.Errorf("the error comes with %+v", e)
		}
	}
	m = newModel(Config{})
	_, err := m.Learn(func(yield func([]float64, int) bool) {
		yield(set.X[0], 1)
		m.Engine = other.Engine
	})
	refused(t, err, ErrConfig, -1, replaced)
}

// TestCopied: a copy by value of a trained model can be fitted, and not continue to be
// trained.
func TestCopied(t *testing.T) {
	m := newModel(Config{})
	must(m.Fit(xor.X, xor.y))(t)
	c := *m
	before := snapshot(m)
	_, learn := c.Learn(xor.pairs())
	_, update := c.Update(xor.X[0], 1)
	refused(t, learn, ErrConfig, -1, copied)
	refused(t, update, ErrConfig, -1, copied)
	for _, err := range c.Epochs(xor.X, xor.y) {
		refused(t, err, ErrConfig, -1, copied)
	}
	set := noisy(1, 9, 2)
	must(c.Fit(set.X, set.y))(t)
	if must(c.Update(xor.X[1], 1))(t); snapshot(m) != before {
		t.Error("training the copy has changed the model")
	}
	if snapshot(newModel(Config{}).Clone()) != "nothing" {
		t.Error("the clone of an untrained model has learned")
	}
}

// TestBegins: training begins with the first call, with a Fit, and while there was no example.
func TestBegins(t *testing.T) {
	m := newModel(Config{})
	begins := func(fresh, want bool) {
		t.Helper()
		if got, err := m.Begin(fresh); got != want || err != nil {
			t.Errorf("Begin(%v) = %v, %v", fresh, got, err)
		}
	}
	begins(false, true)
	_, err := m.Learn(nil)
	refused(t, err, ErrEmpty, -1, "empty: the iterator is nil")
	for n := 1; n < 3; n++ {
		if e := must(m.Learn(dataset{}.pairs()))(t); e != (Epoch{N: n}) || m.reads(m.Config) {
			t.Errorf("a pass of no examples is %+v", e)
		}
		begins(false, true)
	}
	must(m.Update(xor.X[0], 1))(t)
	begins(false, false)
	begins(true, true)
	if e := must(m.Learn(xor.pairs()))(t); e.N != 3 || !m.reads(m.Config) {
		t.Errorf("%+v, want the third pass", e)
	}
	if m.reads(newModel(Config{Seed: 1}).Config) {
		t.Error("Update would take another seed for the last")
	}
}

// TestUpdate: an update and a pass of one example have the same effect, and Update reports
// the mistake.
func TestUpdate(t *testing.T) {
	set := multi(3, 60, 3, 4)
	for _, scheme := range []Scheme{TwoClasses, OneVsRest, Kesler} {
		y := set.y
		if scheme == TwoClasses {
			y = against(y, 7)
		}
		for name, m := range grid(scheme, Cyclic, 3) {
			other, updates := m.fresh(), 0
			for i, x := range set.X {
				e := must(other.Learn(dataset{"", set.X[i : i+1], y[i : i+1]}.pairs()))(t)
				if updated := must(m.Update(x, y[i]))(t); updated != (e.Mistakes > 0) {
					t.Fatalf("%s: example %d: updated %v, want %+v", name, i, updated, e)
				} else if updated {
					updates++
				}
				if other.now.passes = 0; snapshot(m) != snapshot(other) {
					t.Fatalf("%s: example %d: another state", name, i)
				}
			}
			if updates == 0 || updates == len(y) {
				t.Errorf("%s: %d updates: the test shows nothing", name, updates)
			}
		}
	}
}

// TestSeen: a state counts each example that it learned from or had right, in epochs, streams
// and updates, and none that failed. The count stays at its limit, and is saved.
func TestSeen(t *testing.T) {
	set := whole(5, 9, 3)
	for _, scheme := range []Scheme{TwoClasses, OneVsRest, Kesler} {
		for name, m := range grid(scheme, Shuffled, 3) {
			var want int64
			check := func(what string, n int) {
				t.Helper()
				if want += int64(n); m.now.seen != want {
					t.Fatalf("%s: %d examples seen after %s, want %d", name, m.now.seen, what, want)
				}
			}
			m.MaxEpochs = 3
			res := must(m.Fit(set.X, set.y))(t)
			check("Fit", 9*res.Epochs)
			for range must2(t, m.Epochs(set.X, set.y)) {
				check("an epoch", 9)
				break
			}
			must(m.Learn(set.pairs()))(t)
			check("Learn", 9)
			bad := slices.Concat(set.X[:4], [][]float64{{0, inf, 0}}, set.X[4:])
			if _, err := m.Learn(dataset{"", bad, append([]int{1}, set.y...)}.pairs()); err == nil {
				t.Fatal("Learn takes an infinite feature")
			}
			check("four examples", 4)
			for i, x := range set.X {
				must(m.Update(x, set.y[i]))(t)
				check("Update", 1)
			}
			if _, err := m.Update([]float64{1}, 1); err == nil {
				t.Fatal("Update takes another width")
			}
			check("a bad row", 0)
			m.now.seen = countable - 10
			must(m.Learn(set.pairs()))(t)
			must(m.Learn(set.pairs()))(t)
			want = countable
			c, start, s := m.State()
			loaded := newModel(c)
			if err := loaded.Restore(c, &start, s); err != nil || loaded.now.seen != countable {
				t.Fatalf("%v, %d", err, loaded.now.seen)
			}
			check("2⁵³", 0)
		}
	}
}

// TestStartNegativeZero: an epoch and updates give the same bits from a bias of −0 too. In Linear
// space an update adds 0 to it, or nothing.
func TestStartNegativeZero(t *testing.T) {
	set := dataset{"", [][]float64{{1, 2}, {-3, 1}, {1, -1}}, []int{1, 1, -1}}
	for _, space := range []Space{Affine, Linear} {
		for _, scheme := range []Scheme{TwoClasses, OneVsRest} {
			a := newModel(Config{Scheme: scheme, Space: space})
			a.Start = Hyperplane{[]float64{1, 0}, math.Copysign(0, -1)}
			b, c := a.fresh(), a.fresh()
			for range must2(t, a.Epochs(set.X, set.y)) {
				break
			}
			must(b.Learn(set.pairs()))(t)
			for i, x := range set.X {
				must(c.Update(x, set.y[i]))(t)
			}
			c.now.passes = 1
			if x, y, z := snapshot(a), snapshot(b), snapshot(c); scheme == TwoClasses && x != y || y != z {
				t.Errorf("%v, %v: an epoch gives\n%sa stream gives\n%supdates give\n%s", scheme, space, x, y, z)
			}
		}
	}
}

// TestQuick: a stream learned in the quick way has the loss of an epoch of the same rows, and no
// update is quick while the model is being trained.
func TestQuick(t *testing.T) {
	set := noisy(4, 50, 3)
	m := newModel(Config{})
	other := m.fresh()
	want := Epoch{}
	for want = range must2(t, m.Epochs(set.X, set.y)) {
		if m.Current() != nil {
			t.Error("Current while the model is being trained")
		}
		break
	}
	got := must(other.Learn(set.pairs()))(t)
	if got.Stop = want.Stop; got != want || got.Loss == 0 {
		t.Errorf("a stream gives %+v, an epoch %+v", got, want)
	}
	if c := m.Current(); c == nil || *c != m.Config {
		t.Errorf("Current is %+v after training", c)
	}
}
