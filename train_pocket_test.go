package perceptron

import (
	"math/rand/v2"
	"testing"
)

// TestPocketRatchet: a challenger needs a longer run, and then strictly more rows
// right. It is tried once.
func TestPocketRatchet(t *testing.T) {
	p := pocket{length: 2, right: 5}
	for i, want := range []bool{false, false, true} {
		if p.see(false); p.challenged() != want {
			t.Fatalf("run %d: challenged = %v", i+1, !want)
		}
	}
	if p.challenge(5) || p.length != 2 || p.right != 5 {
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
	if !p.challenge(6) || p.length != 3 || p.right != 6 {
		t.Fatalf("a better iterate did not replace the pocket: %+v", p)
	}
}

// TestPocketStream: in a stream the run alone decides. It must exceed the number of
// rows that the last count found right.
func TestPocketStream(t *testing.T) {
	p := pocket{length: 2, right: 5}
	for run := 1; run <= 6; run++ {
		p.see(false)
		if took := p.challengeByRun(); took != (run == 6) {
			t.Fatalf("run %d replaced the pocket: %v", run, took)
		}
	}
	if p.length != 6 || p.right != 5 {
		t.Fatalf("%+v", p)
	}
	p.see(true)
	for range 6 {
		p.see(false)
	}
	if p.challengeByRun() {
		t.Fatal("a run as long replaced the pocket")
	}
}

// TestPocketBest: the pocket never has fewer rows right than an epoch before. When
// training converges, it has all of them right.
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

// TestPocketConverges: the pocket may hold an iterate from a stream, whose run is
// longer than there are rows. An iterate that has all rows right still replaces it.
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

// TestPocketCount: a range begins by counting the rows that the pocket has right.
func TestPocketCount(t *testing.T) {
	s := must(newState(&config{rate: 1, keep: Pocket}, &Hyperplane{Weights: []float64{1}}))(t)
	X, y := [][]float64{{-1}, {1}}, []int{1, 1}
	must(newRun(s, X, y, false))(t)
	pocket := &s.units[0].pocket
	if pocket.right != 1 {
		t.Errorf("%d rows right, want 1", pocket.right)
	}
	pocket.tried = true // on the rows of this range, not of the next
	if must(newRun(s, X, y, false))(t); pocket.tried {
		t.Error("an iterate that lost on other rows is not tried again")
	}
}

// TestPocketRecount: each range counts the rows that the pocket has right anew. A
// pocket that was good on other rows can lose its place.
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

// TestPocketSaturates: the run of right answers stays at its largest value, and
// still challenges.
func TestPocketSaturates(t *testing.T) {
	p := pocket{run: countable - 1, length: countable - 1}
	for range 3 {
		if p.see(false); p.run != countable || !p.challenged() {
			t.Fatalf("the run is %d, want %d, and challenged = %v", p.run, uint64(countable), p.challenged())
		}
	}
}

// TestPocketNaive: a pocket's decisions are those of the naive reference, which counts
// all rows, in a stream and then over ranges whose body changes rows and labels.
func TestPocketNaive(t *testing.T) {
	for _, order := range []Order{Cyclic, Shuffled, Sampled} {
		for seed := range uint64(20) {
			r := rand.New(rand.NewPCG(seed, 4))
			set := uniformRows(seed, 70, 4, 2)
			p := &Online{Keep: Pocket, Order: order, Seed: seed, MaxEpochs: 8}
			for i := range set.y {
				set.y[i] = 2*r.IntN(2) - 1
				for j := range set.X[i] {
					set.X[i][j] = float64(r.IntN(7)-3) + float64(set.y[i])
				}
			}
			n := naiveOf(p, 4)
			must(p.Learn(stream(set)))(t)
			for i, x := range set.X {
				n.see(x, set.y[i], nil, nil)
			}
			for range 2 {
				n.right, n.tried = n.count(n.pocket, set.X, set.y), false
				for e := range must2(t, p.Epochs(set.X, set.y)) {
					n.epoch(set.X, set.y)
					k := p.now.units[0].pocket
					if !samePlane(p.Hyperplane(), n.pocket) || k.right != n.right || int(k.length) != n.length || k.tried != n.tried {
						t.Fatalf("%v, seed %d, epoch %d: %+v, want %v with %d right after %d", order, seed, e.N, k, n.pocket, n.right, n.length)
					}
					i := r.IntN(len(set.y))
					set.y[i] = -set.y[i]
					set.X[r.IntN(len(set.X))][r.IntN(4)]++
				}
			}
		}
	}
}
