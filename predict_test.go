package perceptron

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"sync"
	"testing"

	"perceptron/internal/naive"
	"perceptron/internal/train"
)

// TestFitTwice: Fit starts from scratch, whatever came before.
func TestFitTwice(t *testing.T) {
	set, other := naive.Noisy(11, 30, 3), naive.Noisy(12, 20, 7)
	for name, p := range onlineGrid(3, 4) {
		first := must(p.Fit(set.X, set.Y))(t)
		h := p.Hyperplane()
		must(p.Update(set.X[0], 1))(t)
		q := p.unlearned().(binaryModel)
		if _, err := p.Fit(other.X, other.Y); (err != nil) != (startOf(p).Weights != nil) {
			t.Fatalf("%s: Fit on another width: %v", name, err)
		}
		if again := must(p.Fit(set.X, set.Y))(t); again != first || !samePlane(p.Hyperplane(), h) {
			t.Fatalf("%s: the second Fit differs: %+v, want %+v", name, again, first)
		}
		if must(q.Fit(set.X, set.Y))(t); !samePlane(q.Hyperplane(), h) {
			t.Fatalf("%s: a new model differs", name)
		}
	}
}

// TestReplaced: a body or an iterator that assigns to the model's struct ends the
// training. What it assigned remains.
func TestReplaced(t *testing.T) {
	set := naive.Noisy(15, 10, 2)
	for _, with := range []*Online{new(Online), {MaxEpochs: 3}} {
		must(with.Fit(set.X, set.Y))(t)
		p, n := new(Online), 0
		for e, err := range p.Epochs(set.X, set.Y) {
			if n++; n == 1 {
				*p = *with
			} else if !errors.Is(err, ErrConfig) || e != (Epoch{}) {
				t.Fatalf("%+v, %v", e, err)
			}
		}
		if n != 2 || !samePlane(p.Hyperplane(), with.Hyperplane()) {
			t.Fatalf("%d yields, %v", n, p.Hyperplane())
		}
	}
	p := new(Online)
	_, err := p.Learn(func(yield func([]float64, int) bool) {
		yield([]float64{1}, 1)
		*p = Online{Rate: 3}
	})
	if !errors.Is(err, ErrConfig) || p.Rate != 3 || stateOf(p) != nil {
		t.Fatalf("%v, %+v", err, p)
	}
}

// TestCopiedInside: a copy made in a body shares nothing with a later training, and
// is not marked as being trained.
func TestCopiedInside(t *testing.T) {
	set, other := naive.Noisy(17, 10, 2), naive.Noisy(18, 12, 2)
	var a, b, best Online
	n := 0
	for e, err := range a.Epochs(set.X, set.Y) {
		if n++; n == 1 {
			b, best = a, a
			must(b.Fit(other.X, other.Y))(t)
			a = b
		} else if !errors.Is(err, ErrConfig) || e != (Epoch{}) {
			t.Fatalf("%+v, %v", e, err)
		}
	}
	want := snapshot(&b)
	if _, err := a.Update([]float64{1, 1}, 1); !errors.Is(err, ErrConfig) || snapshot(&b) != want || n != 2 {
		t.Fatalf("%d yields; a copy of b is trained: %v", n, err)
	}
	must(b.Update([]float64{1, 1}, 1))(t)
	a = best // best was copied while a was in training
	if _, err := a.Fit(set.X, set.Y); err != nil {
		t.Fatal(err)
	}

	c, m := new(OneVsRest), new(OneVsRest)
	three := naive.Multi(1, 12, 2, 3)
	for range c.Epochs(set.X, set.Y) {
		*m = *c
		must(m.Fit(three.X, three.Y))(t)
		*c = *m
	}
	_, err := c.Learn(func(yield func([]float64, int) bool) {})
	if !errors.Is(err, ErrConfig) {
		t.Fatalf("a copy is trained: %v", err)
	}
	p := new(Online)
	must(p.Fit(set.X, set.Y))(t)
	_, err = p.Learn(func(yield func([]float64, int) bool) {
		q := *p
		must(q.Fit(other.X, other.Y))(t)
		*p = q
	})
	if !errors.Is(err, ErrConfig) {
		t.Fatalf("Learn on a model replaced by its copy: %v", err)
	}
}

// TestEmptyPass: a pass of no examples counts, and determines no field.
func TestEmptyPass(t *testing.T) {
	p := new(Online)
	none := func(func([]float64, int) bool) {}
	must(p.Learn(none))(t)
	p.Space, p.Keep, p.Start = Linear, Average, Hyperplane{Weights: []float64{2}}
	if e := must(p.Learn(none))(t); e != (Epoch{N: 2}) {
		t.Fatalf("%+v", e)
	}
	must(p.Update([]float64{1}, -1))(t)
	if want := (Hyperplane{Weights: []float64{1}}); !samePlane(p.Hyperplane(), want) {
		t.Fatalf("%v, want %v", p.Hyperplane(), want)
	}
}

// byValue copies the model's struct.
func byValue(m model) model {
	c := reflect.New(reflect.TypeOf(m).Elem())
	c.Elem().Set(reflect.ValueOf(m).Elem())
	return c.Interface().(model)
}

// TestCopyMemory: a clone, and a copy by value after Fit, share no memory with the
// original. Whatever trains one model leaves the other as it was.
func TestCopyMemory(t *testing.T) {
	set := naive.Noisy(16, 10, 2)
	for name, m := range zoo(t, 2) {
		seed := uint64(50)
		for _, clone := range []bool{true, false} {
			c := copyOf(m)
			if !clone {
				c = byValue(m)
				must(c.Fit(set.X, set.Y))(t)
			}
			for _, method := range methods(m, "Update Update Epochs Update Learn Update Fit Update") {
				for _, pair := range [][2]model{{m, c}, {c, m}} {
					trained, other := pair[0], pair[1]
					before, rows := snapshot(other), naive.Noisy(seed, 10, 2)
					accept.of(t, trained, rows.X, rows.Y, method)
					for i := 1; i < len(rows.X) && method == "Update"; i++ {
						accept.of(t, trained, rows.X[i:], rows.Y[i:], method)
					}
					if after := snapshot(other); after != before {
						t.Fatalf("%s: %s on one model made the other\n%s, want\n%s", name, method, after, before)
					}
					seed++
				}
			}
		}
	}
}

// TestCopyBest: a copy by value made in the body of a range keeps what it has
// learned while the range goes on.
func TestCopyBest(t *testing.T) {
	set := naive.Noisy(19, 30, 2)
	for name, m := range zoo(t, 2) {
		var copies []model
		var want []string
		err := drain(m, set.X, set.Y, func() {
			if len(copies) < 3 {
				copies, want = append(copies, byValue(m)), append(want, snapshot(m))
			}
		})
		must(0, err)(t)
		for i, c := range copies {
			if i+1 < len(copies) && snapshot(c) != want[i] {
				t.Fatalf("%s: the copy of epoch %d is\n%s, want\n%s", name, i+1, snapshot(c), want[i])
			}
		}
	}
}

// TestString: a model prints its kind and its state, by pointer and by value.
func TestString(t *testing.T) {
	X, y := [][]float64{{1, 0}, {0, 1}}, []int{1, -1}
	online, margin, batch := new(Online), &Margin{Space: Linear, Keep: Average}, new(Batch)
	rest, late, kesler := &OneVsRest{Binary: &Margin{Keep: Pocket}}, &OneVsRest{Binary: new(Batch)}, &Multiclass{Binary: &Margin{Gamma: 1}}
	for _, c := range []struct {
		m        Model
		value    func() any
		kind     string
		training string
	}{
		{online, func() any { return *online }, "Online", "Online: 2 classes, width 2, Affine, Last, examples: 12, passes: 3"},
		{margin, func() any { return *margin }, "Margin", "Margin: 2 classes, width 2, Linear, Average, examples: 12, passes: 3"},
		{batch, func() any { return *batch }, "Batch", "Batch: 2 classes, width 2, Affine, Last, examples: 12, passes: 3"},
		{rest, func() any { return *rest }, "OneVsRest", "OneVsRest of Margin: 2 classes, width 2, Affine, Pocket, examples: 12, passes: 3"},
		{late, func() any { return *late }, "OneVsRest", "OneVsRest of Batch: 2 classes, width 2, Affine, Last, examples: 12, passes: 3"},
		{kesler, func() any { return *kesler }, "Multiclass", "Multiclass of Margin with Gamma: 2 classes, width 2, Affine, Last, examples: 12, passes: 3"},
	} {
		if got, want := fmt.Sprint(c.m, "|", c.value()), c.kind+": untrained"; got != want+"|"+want {
			t.Errorf("%s, want %s twice", got, want)
		}
		must(c.m.Fit(X, y))(t)
		edit(t, c.m.(model), func(s *train.State) { s.Passes, s.Seen = 3, 12 })
		if got := fmt.Sprintf("%v|%v", c.m, c.value()); got != c.training+"|"+c.training {
			t.Errorf("%s, want %s twice", got, c.training)
		}
	}
}

// TestErrorInside: in the body of its range, or in Learn's iterator, a model can be
// read but not trained.
func TestErrorInside(t *testing.T) {
	w, set := want{ErrConfig, -1, "bad configuration: the model is being trained by an enclosing Epochs or Learn"}, naive.Separable(25, 20, 2, 0.5)
	for _, m := range zoo(t, 2) {
		must(0, drain(m, set.X, set.Y, func() {
			w.of(t, m, set.X, set.Y, anew+" "+anew)
			accept.of(t, m, set.X, nil, read)
		}))(t)
		if len(methods(m, "Learn")) > 0 {
			must(m.(streamer).Learn(func(yield func([]float64, int) bool) {
				w.of(t, m, set.X, set.Y, anew)
				yield(set.X[0], 1)
				w.of(t, m, set.X, set.Y, anew)
			}))(t)
		}
		accept.of(t, m, set.X, set.Y, anew) // the training has ended
	}
}

// TestErrorCopied: a copy by value of a trained model can be trained only by Fit.
func TestErrorCopied(t *testing.T) {
	w := want{ErrConfig, -1, "bad configuration: the model was copied by value after training; use Clone for a copy that can be trained"}
	for name, m := range zoo(t, 2) {
		c, before, afresh := byValue(m), snapshot(m), m.unlearned()
		if stateOf(m) != nil {
			w.of(t, c, XOR.X, XOR.Y, resume)
		}
		accept.of(t, c, XOR.X, XOR.Y, anew)
		if accept.of(t, afresh, XOR.X, XOR.Y, anew); snapshot(c) != snapshot(afresh) || snapshot(m) != before {
			t.Errorf("%s: the copy is\n%s, want\n%s; the original\n%s, want\n%s", name, snapshot(c), snapshot(afresh), snapshot(m), before)
		}
	}
}

// TestErrorPartial: an error undoes one epoch of Epochs. Learn keeps, and reports,
// the examples before the error.
func TestErrorPartial(t *testing.T) {
	w, good := want{ErrNotFinite, 5, "not finite: feature 1 is NaN"}, naive.Noisy(27, 30, 2)
	for name, m := range zoo(t, 2) {
		m, X, left := copyOf(m), slices.Clone(good.X), ""
		w.check(t, drain(m, X, good.Y, func() { left, X[5] = left+snapshot(m), []float64{1, math.NaN()} }))
		if snapshot(m) != left {
			t.Fatalf("%s is\n%s, want\n%s", name, snapshot(m), left)
		}
		if len(methods(m, "Learn")) > 0 {
			told := must(copyOf(m).(streamer).Learn(pairs(X[:5], good.Y[:5])))(t)
			e, err := m.(streamer).Learn(pairs(X, good.Y))
			if told.N--; e != told { // the pass did not finish
				t.Errorf("%s: Learn = %+v, want %+v", name, e, told)
			}
			w.check(t, err)
		}
	}
}

// TestConcurrentReads: any number of goroutines may read a model at once, as the race detector
// confirms. All see the same, also the first reads after training, which compute the means that
// Average defers.
func TestConcurrentReads(t *testing.T) {
	set := naive.Multi(1, 40, 3, 4)
	for name, m := range zoo(t, 3) {
		if stateOf(m) == nil {
			continue
		}
		for _, method := range methods(m, resume) {
			y := set.Y
			if !isMany(m) {
				y = Against(y, 7)
			}
			accept.of(t, m, set.X, y, method)
			alone := copyOf(m)
			for _, p := range []model{m, alone} { // the means are out of date again
				accept.of(t, p, set.X, y, methods(m, "Update Epochs")[0])
			}
			want := fmt.Sprint(vectorsOf(alone))
			var wg sync.WaitGroup
			for g := range 4 {
				wg.Go(func() {
					_, _ = m.Predict(set.X[g])
					if got := fmt.Sprint(vectorsOf(m)); got != want {
						t.Errorf("%s: reader %d: %v, want %v", name, g, got, want)
					}
					for _, method := range methods(m, read) {
						_ = calls[method](m, set.X[g:], y)
					}
					_, _ = cloneOf(m), fmt.Sprint(m)
					_, _ = m.(coder).MarshalJSON()
					_ = come(m, 3) // a mix
				})
			}
			wg.Wait()
		}
	}
}

// TestLearnMemory: a pass over 10⁵ examples allocates no more than one over 10.
func TestLearnMemory(t *testing.T) {
	set := naive.Noisy(1, 10, 20)
	p := &Online{Keep: Average}
	pass := func(times int) float64 {
		return testing.AllocsPerRun(5, func() {
			must(p.Learn(func(yield func([]float64, int) bool) {
				for i := range 10 * times {
					if !yield(set.X[i%10], set.Y[i%10]) {
						return
					}
				}
			}))(t)
		})
	}
	pass(1)
	if few, many := pass(1), pass(10000); many > few {
		t.Errorf("%v allocations for 10 examples, %v for 100,000", few, many)
	}
}

// TestPredictNothing: after a pass of no examples, a model of two classes still cannot predict, and
// has no hyperplane.
func TestPredictNothing(t *testing.T) {
	for _, m := range []binaryModel{new(Online), &Margin{Keep: Average}} {
		must(m.Learn(func(func([]float64, int) bool) {}))(t)
		if k, err := m.Predict([]float64{1}); k != 0 || !errors.Is(err, ErrUntrained) {
			t.Errorf("%T: Predict returns %d, %v", m, k, err)
		}
		if h := m.Hyperplane(); h.Weights != nil || h.Bias != 0 {
			t.Errorf("%T: the hyperplane is %v, want none", m, h)
		}
	}
}
