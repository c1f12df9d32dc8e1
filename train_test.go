package perceptron

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"sync"
	"testing"
)

// TestFitThenStream: what Fit trained is what Learn and Update train on.
func TestFitThenStream(t *testing.T) {
	set := noisy(13, 20, 3)
	for name, p := range onlineGrid(3, 2) {
		must(p.Fit(set.X, set.y))(t)
		e := must(p.Learn(stream(set)))(t)
		must(p.Update(set.X[0], set.y[0]))(t)
		if n := len(p.engine().now.units); n != 1 || e.Mistakes > len(set.X) {
			t.Fatalf("%s: %d learners, %+v", name, n, e)
		}
	}
}

// TestFitTwice: Fit starts from scratch, whatever came before.
func TestFitTwice(t *testing.T) {
	set, other := noisy(11, 30, 3), noisy(12, 20, 7)
	for name, p := range onlineGrid(3, 4) {
		first := must(p.Fit(set.X, set.y))(t)
		h := p.Hyperplane()
		must(p.Update(set.X[0], 1))(t)
		q := p.fields().(binaryModel)
		if _, err := p.Fit(other.X, other.y); (err != nil) != (p.start().Weights != nil) {
			t.Fatalf("%s: Fit on another width: %v", name, err)
		}
		if again := must(p.Fit(set.X, set.y))(t); again != first || !samePlane(p.Hyperplane(), h) {
			t.Fatalf("%s: the second Fit differs: %+v, want %+v", name, again, first)
		}
		if must(q.Fit(set.X, set.y))(t); !samePlane(q.Hyperplane(), h) {
			t.Fatalf("%s: a new model differs", name)
		}
	}
}

// TestStartReadOnce: Start is read where training begins, and nowhere later,
// whatever it then holds.
func TestStartReadOnce(t *testing.T) {
	p := new(Online)
	must(p.Update([]float64{1}, 1))(t)
	p.Start = Hyperplane{Weights: []float64{math.NaN(), 1}, Bias: inf}
	p.Seed = 99
	must(p.Update([]float64{1}, -1))(t)
	if want := (Hyperplane{Weights: []float64{0}}); !samePlane(p.Hyperplane(), want) {
		t.Errorf("%v, want %v", p.Hyperplane(), want)
	}
	if _, err := p.Fit([][]float64{{1}}, []int{1}); err == nil {
		t.Error("Fit takes a Start that is not finite")
	}
}

// TestReplaced: a body or an iterator that assigns to the model's struct ends the
// training, and what it assigned stays.
func TestReplaced(t *testing.T) {
	set := noisy(15, 10, 2)
	for _, with := range []*Online{new(Online), {MaxEpochs: 3}} {
		must(with.Fit(set.X, set.y))(t)
		p, n := new(Online), 0
		for e, err := range p.Epochs(set.X, set.y) {
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
	if !errors.Is(err, ErrConfig) || p.Rate != 3 || p.now != nil {
		t.Fatalf("%v, %+v", err, p)
	}
}

// TestCopiedInside: a copy made in a body shares nothing with a later training, and
// is never stuck in it.
func TestCopiedInside(t *testing.T) {
	set, other := noisy(17, 10, 2), noisy(18, 12, 2)
	var a, b, best Online
	n := 0
	for e, err := range a.Epochs(set.X, set.y) {
		if n++; n == 1 {
			b, best = a, a
			must(b.Fit(other.X, other.y))(t)
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
	a = best // the copy of a model that was in training when it was made
	if _, err := a.Fit(set.X, set.y); err != nil {
		t.Fatal(err)
	}

	c, m := new(OneVsRest), new(OneVsRest)
	three := multi(1, 12, 2, 3)
	for range c.Epochs(set.X, set.y) {
		*m = *c
		must(m.Fit(three.X, three.y))(t)
		*c = *m
	}
	_, err := c.Learn(func(yield func([]float64, int) bool) {})
	if !errors.Is(err, ErrConfig) {
		t.Fatalf("a copy is trained: %v", err)
	}
	p := new(Online)
	must(p.Fit(set.X, set.y))(t)
	_, err = p.Learn(func(yield func([]float64, int) bool) {
		q := *p
		must(q.Fit(other.X, other.y))(t)
		*p = q
	})
	if !errors.Is(err, ErrConfig) {
		t.Fatalf("Learn on a model replaced by its copy: %v", err)
	}
}

// TestEmptyPass: a pass of no examples counts, and fixes nothing.
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

// TestCopySpare: after Fit on a copy, neither model trains the other.
func TestCopySpare(t *testing.T) {
	set := noisy(16, 10, 2)
	p := new(Online)
	must(p.Learn(stream(set)))(t)
	must(p.Learn(stream(set)))(t)
	q := *p
	must(q.Fit(set.X, set.y))(t)
	want := snapshot(&q)
	for range 3 {
		must(p.Learn(stream(set)))(t)
		if got := snapshot(&q); got != want {
			t.Fatalf("training the original made the copy\n%s, want\n%s", got, want)
		}
		must(q.Learn(stream(set)))(t)
		want = snapshot(&q)
	}
}

// TestErrorInside: a model in training can be read, but not trained.
func TestErrorInside(t *testing.T) {
	w, set := want{ErrConfig, -1, "bad configuration: the model is being trained by an enclosing Epochs or Learn"}, separable(25, 20, 2, 0.5)
	for _, m := range zoo(t, 2) {
		must(0, drain(m, set.X, set.y, func() {
			w.of(t, m, set.X, set.y, train+" "+train)
			accept.of(t, m, set.X, nil, read)
		}))(t)
		if len(methods(m, "Learn")) > 0 {
			must(m.(streamer).Learn(func(yield func([]float64, int) bool) {
				w.of(t, m, set.X, set.y, train)
				yield(set.X[0], 1)
				w.of(t, m, set.X, set.y, train)
			}))(t)
		}
		accept.of(t, m, set.X, set.y, train) // the training is over
	}
}

// TestErrorCopied: of a trained model, a copy by value goes on only after Fit.
func TestErrorCopied(t *testing.T) {
	w := want{ErrConfig, -1, "bad configuration: the model was copied by value after training; use Clone for a copy that can be trained"}
	for name, m := range zoo(t, 2) {
		v, before, afresh := reflect.New(reflect.TypeOf(m).Elem()), snapshot(m), m.fields()
		v.Elem().Set(reflect.ValueOf(m).Elem())
		c := v.Interface().(model)
		if m.engine().now != nil {
			w.of(t, c, xor.X, xor.y, resume)
		}
		accept.of(t, c, xor.X, xor.y, train)
		if accept.of(t, afresh, xor.X, xor.y, train); snapshot(c) != snapshot(afresh) || snapshot(m) != before {
			t.Errorf("%s: the copy is\n%s, want\n%s; the original\n%s, want\n%s", name, snapshot(c), snapshot(afresh), snapshot(m), before)
		}
	}
}

// TestErrorPartial: an error undoes one epoch; of Learn it leaves, and tells, what came before.
func TestErrorPartial(t *testing.T) {
	w, good := want{ErrNotFinite, 5, "not finite: feature 1 is NaN"}, noisy(27, 30, 2)
	for name, m := range zoo(t, 2) {
		m, X, left := copyOf(m), slices.Clone(good.X), ""
		w.check(t, drain(m, X, good.y, func() { left, X[5] = left+snapshot(m), []float64{1, math.NaN()} }))
		if snapshot(m) != left {
			t.Fatalf("%s is\n%s, want\n%s", name, snapshot(m), left)
		}
		if len(methods(m, "Learn")) > 0 {
			told := must(copyOf(m).(streamer).Learn(pairs(X[:5], good.y)))(t)
			e, err := m.(streamer).Learn(pairs(X, good.y))
			if told.N--; e != told { // the pass is not finished
				t.Errorf("%s: Learn = %+v, want %+v", name, e, told)
			}
			w.check(t, err)
		}
	}
}

// TestConcurrentReads is for the race detector: reads never write.
func TestConcurrentReads(t *testing.T) {
	set := multi(1, 40, 3, 3)
	for _, keep := range []Keep{Last, Average, Pocket} {
		m := &OneVsRest{Binary: &Margin{Keep: keep}}
		p := &Online{Keep: keep}
		must(m.Fit(set.X, set.y))(t)
		must(p.Learn(stream(dataset{"", set.X, against(set.y, 7)})))(t)
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for _, x := range set.X {
					_, _ = m.Predict(x)
					_, _ = m.Scores(nil, x)
					_, _ = p.Predict(x)
				}
				_, _ = m.Clone(), p.Clone()
				_, _, _ = m.Hyperplanes(), p.Hyperplane(), m.Classes()
				_, _ = Mix([]*Online{p, p}, nil)
			})
		}
		wg.Wait()
	}
}

// TestLearnMemory: a pass allocates as much for 10⁵ examples as for 10.
func TestLearnMemory(t *testing.T) {
	set := noisy(1, 10, 20)
	p := &Online{Keep: Average}
	pass := func(times int) float64 {
		return testing.AllocsPerRun(5, func() {
			must(p.Learn(func(yield func([]float64, int) bool) {
				for i := range 10 * times {
					if !yield(set.X[i%10], set.y[i%10]) {
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
