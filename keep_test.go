package perceptron

import (
	"math"
	"math/big"
	"testing"
)

// TestAverageDigits: over 10⁸ examples the compensated sum is right to the last
// digit, where a plain one is not. Each c·w is exact, their sum has 57 bits.
func TestAverageDigits(t *testing.T) {
	w := []float64{1}
	a := newAverage(w)
	plain, exact := 0.0, new(big.Float).SetPrec(300)
	for i := range 1 << 20 {
		for range 99 + i%3 {
			a.see(false)
		}
		exact.Add(exact, big.NewFloat(a.since*w[0]))
		plain += float64(a.since * w[0])
		if err := a.propose(w); err != nil {
			t.Fatal(err)
		}
		a.see(true)
		w[0] = 1 + float64(int64(i)*7919%(1<<20))*0x1p-30
	}
	exact.Add(exact, big.NewFloat(w[0]))
	a.refresh(w)
	n := a.count + a.since
	want, _ := exact.Quo(exact, big.NewFloat(n)).Float64()
	if got := a.mean[0]; math.Abs(got-want) > 0x1p-52 {
		t.Errorf("mean = %v, want %v", got, want)
	}
	if math.Abs((plain+w[0])/n-want) <= 0x1p-50 {
		t.Error("a plain sum is as good: the test shows nothing")
	}
}

// TestAverageBegins: until an example was seen, the start predicts.
func TestAverageBegins(t *testing.T) {
	a := newAverage([]float64{1, 2})
	if a.refresh([]float64{3, 4}); a.mean[0] != 3 || a.mean[1] != 4 {
		t.Fatalf("mean %v", a.mean)
	}
}

// TestAverageLarge: a mean is found where its sum overflows, and stays finite.
func TestAverageLarge(t *testing.T) {
	a := newAverage([]float64{0})
	a.sum[0], a.count, a.since = math.MaxFloat64, 1, 3
	for w, want := range map[float64]float64{math.MaxFloat64: math.MaxFloat64, 1e308: math.MaxFloat64/4 + 0.75*1e308, 0.5: math.MaxFloat64 / 4} {
		if a.refresh([]float64{w}); !(math.Abs(a.mean[0]-want) <= 1e-15*want) {
			t.Errorf("the mean with %v is %v, want %v", w, a.mean[0], want)
		}
	}
	a.sum[0] = -math.MaxFloat64
	if a.refresh([]float64{-math.MaxFloat64}); a.mean[0] != -math.MaxFloat64 {
		t.Errorf("the mean is %v", a.mean[0])
	}
}

// TestPocketRatchet: a challenger needs a longer run, and then strictly more
// rows right, and is tried once.
func TestPocketRatchet(t *testing.T) {
	p := pocket{w: []float64{1}, length: 2, right: 5}
	for i, want := range []bool{false, false, true} {
		if p.see(false); p.challenged() != want {
			t.Fatalf("run %d: challenged = %v", i+1, !want)
		}
	}
	p.challenge([]float64{2}, 5)
	if p.w[0] != 1 || p.length != 2 || p.right != 5 {
		t.Fatalf("as many rows right replaced the pocket: %+v", p)
	}
	if p.see(false); p.challenged() {
		t.Fatal("the same iterate is tried again")
	}
	p.see(true)
	for range 3 {
		p.see(false)
	}
	if !p.challenged() {
		t.Fatal("the next iterate is not tried")
	}
	if p.challenge([]float64{3}, 6); p.w[0] != 3 || p.length != 3 || p.right != 6 {
		t.Fatalf("a better iterate did not replace the pocket: %+v", p)
	}
}

// TestPocketStream: in a stream the run alone decides, and must exceed the
// rows that the last count found right.
func TestPocketStream(t *testing.T) {
	p := pocket{w: []float64{1}, length: 2, right: 5}
	for run := 1; run <= 6; run++ {
		p.see(false)
		p.challengeByRun([]float64{2})
		if want := 1 + float64(run/6); p.w[0] != want {
			t.Fatalf("run %d: pocket %v, want %v", run, p.w, want)
		}
	}
	if p.length != 6 || p.right != 5 {
		t.Fatalf("%+v", p)
	}
	p.see(true)
	for range 6 {
		p.see(false)
	}
	if p.challengeByRun([]float64{3}); p.w[0] != 2 {
		t.Fatal("a run as long replaced the pocket")
	}
}

// TestPocketBest: from epoch to epoch the pocket never has fewer rows right, and
// it ends with all when training converges.
func TestPocketBest(t *testing.T) {
	for _, order := range []Order{Cyclic, Shuffled, Sampled} {
		for seed := range uint64(30) {
			set := noisy(seed, 40, 3)
			p := &Online{Keep: Pocket, Order: order, Seed: seed, MaxEpochs: 30}
			best := 0.0
			for range must2(t, p.Epochs(set.X, set.y)) {
				a := must(Accuracy(p, set.X, set.y))(t)
				if a < best {
					t.Fatalf("the pocket fell from %v to %v", best, a)
				}
				best = a
			}
			easy := separable(seed, 40, 3, 0.05)
			p.MaxEpochs = 1e6
			if must(p.Fit(easy.X, easy.y))(t); must(Accuracy(p, easy.X, easy.y))(t) != 1 {
				t.Fatalf("%v: converged, but the pocket is wrong on a row", order)
			}
		}
	}
}

// TestPocketConverges: a stream may have brought an iterate in whose run was
// longer than there are rows. The one that has all of them right replaces it all
// the same.
func TestPocketConverges(t *testing.T) {
	for _, order := range []Order{Cyclic, Shuffled, Sampled} {
		p := &Online{Keep: Pocket, Order: order}
		for range 100 {
			must(p.Update([]float64{1, 2}, +1))(t)
		}
		X, y := [][]float64{{1, 2}, {2, 1}, {-1, -1}}, []int{-1, -1, +1}
		for range must2(t, p.Epochs(X, y)) {
		}
		if a := must(Accuracy(p, X, y))(t); a != 1 {
			t.Errorf("%v: converged with accuracy %v", order, a)
		}
		if k := p.now.units[0].pocket; k.right != 3 {
			t.Errorf("%v: the pocket has %d rows right, want 3", order, k.right)
		}
	}
}

// TestPocketCount: a range begins by counting all that the pocket has right.
func TestPocketCount(t *testing.T) {
	s := must(newState(&config{rate: 1, keep: Pocket}, &Hyperplane{Weights: []float64{1}}))(t)
	X, y := [][]float64{{-1}, {1}}, []int{1, 1}
	if err := s.admit(X, y); err != nil {
		t.Fatal(err)
	}
	must(newRun(s, X, y))(t)
	pocket := &s.units[0].pocket
	if pocket.right != 1 {
		t.Errorf("%d rows right, want 1", pocket.right)
	}
	pocket.tried = true // on the rows of this range, not of the next
	if must(newRun(s, X, y))(t); pocket.tried {
		t.Error("an iterate that lost on other rows is not tried again")
	}
}

// TestCountGivesUp: once more rows cannot be right, no further row is read.
func TestCountGivesUp(t *testing.T) {
	c := &config{rate: 1}
	u := newUnit(c, Hyperplane{}, 1, 0)
	w, y := []float64{1, 0}, []int{-1, +1, +1, +1}
	X := [][]float64{{1}, {1}, {math.NaN()}, {1}}
	for beat, want := range []int{-1, -1, -1, 0, 0} {
		right, err := u.countRight(c, w, X, y, beat)
		if want < 0 != (err != nil) || err == nil && right != want {
			t.Errorf("beat %d: %d right, %v; want %d", beat, right, err, want)
		}
	}
}

// TestPocketRecount: each range counts the pocket's right answers on its own
// rows, so that a pocket that was good elsewhere has to earn its place anew.
func TestPocketRecount(t *testing.T) {
	set := separable(3, 60, 3, 0.1)
	p := &Online{Keep: Pocket}
	must(p.Fit(set.X, set.y))(t)
	if right := p.now.units[0].pocket.right; right != 60 {
		t.Fatalf("%d rows right, want 60", right)
	}
	flipped := make([]int, 60)
	for i, label := range set.y {
		flipped[i] = -label
	}
	p.MaxEpochs = 50
	for range must2(t, p.Epochs(set.X, flipped)) {
	}
	if a := must(Accuracy(p, set.X, flipped))(t); a != 1 {
		t.Fatalf("accuracy on the new rows is %v", a)
	}
}
