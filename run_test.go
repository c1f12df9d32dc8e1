package perceptron

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"
)

var inf = math.Inf(1)

// TestFourPoints: the loops of THEORY's four points begin and last as they
// should, and are found when Brent's method can first see them: it compares
// with the state at the end of epoch 2^k − 1 ≥ μ, 2^k ≥ λ, after λ more.
func TestFourPoints(t *testing.T) {
	set := fourPoints
	for _, c := range []struct {
		p      Model
		mu     int
		lambda int
	}{
		{new(Online), 149, 65},
		{&Online{Keep: Pocket}, 149, 65},
		{&Online{Keep: Average}, 149, 65},
		{new(Batch), 91, 75},
	} {
		t.Run(fmt.Sprintf("%T", c.p), func(t *testing.T) {
			saved := 1
			for saved-1 < c.mu || saved < c.lambda {
				saved *= 2
			}
			res := must(c.p.Fit(set.X, set.y))(t)
			if want := saved - 1 + c.lambda; res.Stop != Cycled || res.Epochs != want {
				t.Fatalf("%+v, want Cycled after %d epochs", res, want)
			}
			compareLoop(t, c.p, c.mu, c.lambda)
		})
	}
}

// compareLoop steps an iterate by hand and finds the loop by looking at all.
func compareLoop(t *testing.T, p Model, mu, lambda int) {
	var trace []Hyperplane
	w := naiveOf(p.(model), 2)
	for e := range mu + 2*lambda + 1 {
		if _, batch := p.(*Batch); batch {
			h, _ := naiveBatch(p.(model), fourPoints.X, fourPoints.y, e)
			trace = append(trace, h)
			continue
		}
		trace = append(trace, w.plane())
		w.epoch(fourPoints.X, fourPoints.y)
	}
	for e, h := range trace {
		first := slices.IndexFunc(trace, func(g Hyperplane) bool { return samePlane(g, h) })
		want := e
		if e >= mu+lambda {
			want = mu + (e-mu)%lambda
		}
		if first != want {
			t.Fatalf("the state after epoch %d was first seen after %d, want %d", e, first, want)
		}
	}
}

// TestXOR: back at zero after one epoch, with a bias too.
func TestXOR(t *testing.T) {
	for _, p := range []Model{new(Online), new(Batch), &Online{Space: Linear}, &Online{Keep: Pocket}} {
		res := must(p.Fit(xor.X, xor.y))(t)
		if res.Stop != Cycled {
			t.Errorf("%T: %+v, want Cycled", p, res)
		}
	}
	res := must(new(Online).Fit(xor.X, xor.y))(t)
	if want := (Result{Epochs: 1, Mistakes: 4, Stop: Cycled, Upper: 0}); res != want {
		t.Errorf("%+v, want %+v", res, want)
	}
}

// TestMarginCycle: for the rule without parameters R is part of the state, so
// that equal weights with another R are no repetition.
func TestMarginCycle(t *testing.T) {
	for _, p := range []Model{new(Margin), &Margin{Gamma: 0.5}, &Margin{Threshold: 2}} {
		res := must(p.Fit(xor.X, xor.y))(t)
		if res.Stop != Cycled {
			t.Errorf("%+v: %+v, want Cycled", p, res)
		}
	}
	var c cycle
	l := newUnit(&config{}, Hyperplane{}, 1, 0)
	c.save(l)
	if l.r2 = 1; c.repeats(l) {
		t.Error("a state with another R is called a repetition")
	}
	if !c.repeats(l) {
		t.Error("the same state is not found")
	}
	if l.w[0] = math.Copysign(0, -1); c.repeats(l) {
		t.Error("−0 is called a repetition of +0")
	}
}

// TestNoCycle: orders that are not fixed never stop as Cycled, nor does a run
// that converges.
func TestNoCycle(t *testing.T) {
	for _, order := range []Order{Shuffled, Sampled} {
		for seed := range uint64(20) {
			res := must((&Online{Order: order, Seed: seed, MaxEpochs: 300}).Fit(xor.X, xor.y))(t)
			if res.Stop != EpochLimit || res.Epochs != 300 {
				t.Fatalf("%v: %+v, want EpochLimit after 300 epochs", order, res)
			}
		}
	}
	for seed := range uint64(50) {
		set := separable(seed, 40, 3, 0.02)
		for _, p := range []Model{new(Online), &Batch{MaxEpochs: 1e6}, &Margin{MaxEpochs: 1e6}} {
			if res := must(p.Fit(set.X, set.y))(t); res.Stop != Converged {
				t.Fatalf("%T: %+v, want Converged", p, res)
			}
		}
	}
}

// TestSampledConfirms: an epoch that drew no mistake does not end a sampled run
// unless every row is right.
func TestSampledConfirms(t *testing.T) {
	set := separable(3, 12, 2, 0.01)
	unconfirmed := 0
	for seed := range uint64(200) {
		p := &Online{Order: Sampled, Seed: seed}
		for e := range must2(t, p.Epochs(set.X, set.y)) {
			right := must(Accuracy(p, set.X, set.y))(t) == 1
			if e.Mistakes == 0 && e.Stop == Running {
				unconfirmed++
				if right {
					t.Fatal("every row is right, and the run goes on")
				}
			}
			if e.Stop == Converged && !right {
				t.Fatal("Converged with a row that is wrong")
			}
		}
	}
	if unconfirmed == 0 {
		t.Fatal("no sampled epoch missed a wrong row: the test shows nothing")
	}
}

// TestSampledZero: a row of zeros through the origin has score 0 whatever the
// weights, and is never right, drawn or not.
func TestSampledZero(t *testing.T) {
	for seed := range uint64(20) {
		p := &Online{Order: Sampled, Space: Linear, Seed: seed, MaxEpochs: 50}
		if res := must(p.Fit([][]float64{{1}, {0}}, []int{1, 1}))(t); res.Stop != EpochLimit {
			t.Fatalf("%+v, want EpochLimit", res)
		}
	}
}

// TestFirst: the failure that one worker alone would have met, whoever met it.
func TestFirst(t *testing.T) {
	a, b := rowError{3, ErrLabel}, rowError{7, ErrEmpty}
	for _, c := range []struct {
		failures []rowError
		want     error
	}{
		{nil, nil}, {[]rowError{{}, {}}, nil}, {[]rowError{{}, b, {}}, ErrEmpty}, {[]rowError{a, b}, ErrLabel},
		{[]rowError{b, a}, ErrLabel}, {[]rowError{{}, b, {}, a}, ErrLabel}, {[]rowError{a, {3, ErrEmpty}}, ErrLabel},
	} {
		if got := firstError(c.failures); got != c.want {
			t.Errorf("firstError(%v) = %v, want %v", c.failures, got, c.want)
		}
	}
}

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

// TestBroken: a range that is broken off and taken up again, by the model or by
// its clone, is the unbroken one, epoch by epoch, until either stops.
func TestBroken(t *testing.T) {
	for _, set := range []dataset{separable(8, 40, 4, 0.02), noisy(9, 40, 4)} {
		for name, p := range onlineGrid(4, 9) {
			t.Run(set.name+"/"+name, func(t *testing.T) {
				q := p.fields().(binaryModel)
				var unbroken []string
				for e := range must2(t, p.Epochs(set.X, set.y)) {
					unbroken = append(unbroken, fmt.Sprintln(e.N, e.Mistakes, e.Loss, p.Hyperplane()))
				}
				for i := 0; i < len(unbroken); i++ {
					for e := range must2(t, q.Epochs(set.X, set.y)) {
						if got := fmt.Sprintln(e.N, e.Mistakes, e.Loss, q.Hyperplane()); got != unbroken[i] {
							t.Fatalf("epoch %d: %s, want %s", i+1, got, unbroken[i])
						}
						break
					}
					q = cloneOf(q)
				}
			})
		}
	}
}

func cloneOf(p binaryModel) binaryModel {
	if m, ok := p.(*Margin); ok {
		return m.Clone()
	}
	return p.(*Online).Clone()
}

// TestRange: a range ends by itself at MaxEpochs, and the next begins anew.
func TestRange(t *testing.T) {
	set := noisy(10, 30, 3)
	p := &Online{Order: Shuffled, MaxEpochs: 3}
	n := 0
	for range 2 {
		var last Epoch
		for e := range must2(t, p.Epochs(set.X, set.y)) {
			if n++; e.N != n {
				t.Fatalf("N = %d, want %d", e.N, n)
			}
			last = e
		}
		if last.Stop != EpochLimit || last.N%3 != 0 {
			t.Fatalf("the last epoch is %+v", last)
		}
	}
	p.MaxEpochs = 1
	for e := range must2(t, p.Epochs(set.X, set.y)) {
		if e.N != 7 || e.Stop != EpochLimit {
			t.Fatalf("%+v, want N 7 and EpochLimit", e)
		}
	}
	if res := must(p.Fit(set.X, set.y))(t); res.Epochs != 1 {
		t.Fatalf("Fit: %+v", res)
	}
	for e := range must2(t, p.Epochs(set.X, set.y)) {
		if e.N != 2 {
			t.Fatalf("after Fit's epoch N = %d, want 2", e.N)
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

// TestRateBetweenCalls: θ = ηR² follows a change of η.
func TestRateBetweenCalls(t *testing.T) {
	p := new(Margin)
	must(p.Update([]float64{2}, 1))(t) // w = 2, b = 1, R² = 5, θ = 5
	q := p.Clone()
	if !must(p.Update([]float64{2}, 1))(t) {
		t.Error("y·score = 5 = θ is no update")
	}
	q.Rate = 0.5
	if must(q.Update([]float64{2}, 1))(t) {
		t.Error("y·score = 5 > θ = 2.5 is an update")
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

// TestRateOfFailure: an Update that fails leaves the rate, and θ, of the last that
// did not.
func TestRateOfFailure(t *testing.T) {
	a := new(Margin)
	must(a.Update([]float64{3, 4}, 1))(t)
	before := snapshot(a)
	a.Rate = 1e308
	for _, x := range [][]float64{{3, 4}, {inf, 0}, {1}} {
		if _, err := a.Update(x, -1); err == nil || snapshot(a) != before {
			t.Fatalf("%v: %v, and the model is\n%s, want\n%s", x, err, snapshot(a), before)
		}
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

// TestFirstTheta: a θ that is no number is no licence to call a row right.
func TestFirstTheta(t *testing.T) {
	top := math.MaxFloat64
	p := &Margin{Gamma: 5e-324, Space: Linear, Start: Hyperplane{Weights: []float64{top, top}}}
	for _, order := range []Order{Cyclic, Sampled} {
		p.Order = order
		if res, err := p.Fit([][]float64{{-1e-300, 0}}, []int{+1}); !errors.Is(err, ErrNotFinite) {
			t.Errorf("%v: %+v, %v, want ErrNotFinite", order, res, err)
		}
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

// TestLabelsGoBad: a label that the body of a range spoils is met before the next
// epoch.
func TestLabelsGoBad(t *testing.T) {
	set := noisy(14, 10, 2)
	p, n := new(Online), 0
	for e, err := range p.Epochs(set.X, set.y) {
		if n++; n == 1 {
			set.y[3] = 1000
			continue
		}
		if want := "perceptron: example 3: bad label: 1000, want +1 or -1"; err == nil || err.Error() != want || e != (Epoch{}) {
			t.Fatalf("%+v, %v, want %s", e, err, want)
		}
	}
	if n != 2 {
		t.Fatalf("%d yields", n)
	}
}

// TestCount: as many workers as are asked for and have something to do, and one
// where an epoch is over sooner than a goroutine has started.
func TestCount(t *testing.T) {
	procs := runtime.GOMAXPROCS(0)
	for _, c := range []struct{ rows, width, k, workers, parts, want int }{
		{1 << 10, 1 << 5, 2, 3, 10, 3}, {1 << 10, 1 << 5, 2, 3, 2, 2}, {1 << 10, 1 << 5, 2, 0, 1 << 20, procs},
		{1<<10 - 1, 1 << 5, 2, 3, 10, 1}, {1 << 10, 1 << 5, 1, 3, 10, 1}, {1 << 10, 1<<5 - 1, 2, 3, 10, 1},
		{1 << 20, 1, 1, 3, 0, 1},
	} {
		p := pass{state: &state{width: c.width}, X: make([][]float64, c.rows)}
		p.workers = c.workers
		if got := p.workersFor(c.parts, c.k); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}
