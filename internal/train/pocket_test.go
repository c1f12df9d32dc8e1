package train

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
)

// TestPocketStream: in a stream the run alone decides. It must exceed the number of rows
// that the last count found right, or the run of the iterate in the pocket.
func TestPocketStream(t *testing.T) {
	u, q := lone(&Config{Keep: Pocket}, Hyperplane{}, 1, 0)
	u.pocket.beat = 5
	answer := func(i int, mistaken bool, beat, run uint64, held float64) {
		t.Helper()
		q.w[0], u.mistaken = float64(i), mistaken
		if u.pocket.answer(u.planes, u.mistaken); u.pocket.beat != beat || u.pocket.run != run || q.pocket[0] != held {
			t.Fatalf("example %d: %+v with %v, want %d and %d with %v", i, u.pocket, q.pocket, beat, run, held)
		}
	}
	for i := 1; i <= 5; i++ {
		answer(i, false, 5, uint64(i), 0)
	}
	answer(6, false, 6, 6, 6)
	answer(7, false, 7, 7, 7)
	answer(8, true, 7, 0, 7)
	for i := 1; i <= 7; i++ {
		answer(8+i, false, 7, uint64(i), 7)
	}
	answer(16, false, 8, 8, 16)
}

// TestPocketBest: within a range, the pocket never has fewer rows right than an epoch
// before. When training converges, it has all of them right.
func TestPocketBest(t *testing.T) {
	for _, order := range []Order{Cyclic, Shuffled, Sampled} {
		for seed := range uint64(30) {
			set := noisy(seed, 40, 3)
			p := newModel(Config{Keep: Pocket, Order: order, Seed: seed, MaxEpochs: 30})
			best := 0.0
			for range must2(t, p.Epochs(set.X, set.y)) {
				a := p.accuracy(set.X, set.y)
				if a < best {
					t.Fatalf("the pocket fell from %v to %v", best, a)
				}
				best = a
			}
			easy := separable(seed, 40, 3, 0.05)
			p.MaxEpochs = 1e6
			if must(p.Fit(easy.X, easy.y))(t); p.accuracy(easy.X, easy.y) != 1 {
				t.Fatalf("%v: converged, but the pocket is wrong on a row", order)
			}
		}
	}
}

// TestPocketRecount: each range counts the rows that the pocket has right anew, whether it
// comes from a stream or from other labels. So a pocket that is good no more loses its
// place.
func TestPocketRecount(t *testing.T) {
	for _, order := range []Order{Cyclic, Shuffled, Sampled} {
		p := newModel(Config{Keep: Pocket, Order: order, MaxEpochs: 50})
		set := separable(3, 60, 3, 0.1)
		for range 100 {
			must(p.Update(set.X[0], -set.y[0]))(t)
		}
		if k := p.now.units[0].pocket; k.beat != 99 {
			t.Fatalf("the stream's run is %d, want 99", k.beat)
		}
		for range 2 {
			for range must2(t, p.Epochs(set.X, set.y)) {
			}
			if a, k := p.accuracy(set.X, set.y), p.now.units[0].pocket; a != 1 || k.beat != 60 {
				t.Fatalf("%v: accuracy %v, pocket %+v", order, a, k)
			}
			for i := range set.y {
				set.y[i] = -set.y[i]
			}
		}
	}
}

// TestPocketSaturates: the run stays at its largest value.
func TestPocketSaturates(t *testing.T) {
	u, _ := lone(&Config{Keep: Pocket}, Hyperplane{}, 1, 0)
	u.pocket = pocket{run: countable - 1, beat: countable - 1}
	for range 3 {
		if u.pocket.answer(u.planes, u.mistaken); u.pocket.run != countable || u.pocket.beat != countable {
			t.Fatalf("%+v", u.pocket)
		}
	}
}

// TestPocketNaive: a pocket's decisions are those of the naive reference, in a stream and
// then over ranges whose body changes rows and labels.
func TestPocketNaive(t *testing.T) {
	runs := 0 // ended by an iterate that is not the last
	for _, order := range []Order{Cyclic, Shuffled, Sampled} {
		for seed := range uint64(40) {
			r := rand.New(rand.NewPCG(seed, 4))
			set := whole(seed, []int{12, 150}[seed%2], 4) // runs of equal length; challengers that cannot win any more
			for i, x := range set.X {
				for j := range x {
					x[j] += float64(set.y[i])
				}
			}
			p := newModel(Config{Keep: Pocket, Order: order, Seed: seed, MaxEpochs: 8})
			n := newNaivePocket(order, seed, 4)
			must(p.Learn(set.pairs()))(t)
			for i, x := range set.X {
				n.stream(x, set.y[i])
			}
			for range 2 {
				n.begin(set.X, set.y)
				for e := range must2(t, p.Epochs(set.X, set.y)) {
					n.epoch(set.X, set.y)
					k := p.now.units[0].pocket
					if !samePlane(p.plane(), n.held) || int(k.beat) != n.beat || int(k.run) != n.run {
						t.Fatalf("%v, seed %d, epoch %d: %+v, want %v after %d with the run %d", order, seed, e.N, k, n.held, n.beat, n.run)
					}
					if n.longest > n.run && samePlane(n.held, n.ofLong) {
						runs++
					}
					i := r.IntN(len(set.y))
					set.y[i] = -set.y[i]
					set.X[r.IntN(len(set.X))][r.IntN(4)]++
				}
				must(p.Update(set.X[0], set.y[0]))(t)
				n.stream(set.X[0], set.y[0])
			}
		}
	}
	if runs < 100 {
		t.Errorf("only %d longest runs won: the test shows little", runs)
	}
}

// TestPocketFrozen: in Fit each class has the pocket of its own Fit, and a class that has
// stopped does not challenge.
func TestPocketFrozen(t *testing.T) {
	for _, workers := range []int{1, 2} {
		for seed := range uint64(20) {
			c := Config{Scheme: OneVsRest, Keep: Pocket, MaxEpochs: 12, Order: Order(seed % 3), Seed: seed, Workers: workers}
			compareSeparate(t, newModel(c), multi(seed, 50, 2, 3+int(seed%4))) // rows singly, or from 5 classes in blocks
		}
	}
}

// TestPocketMemory: a pocket takes two vectors for each hyperplane, and nothing for each
// row.
func TestPocketMemory(t *testing.T) {
	const n, d, K = 20000, 20, 10
	set := multi(1, n, d, K)
	of := func(scheme Scheme, keep Keep) float64 {
		m := newModel(Config{Scheme: scheme, Keep: keep, MaxEpochs: 1, Workers: 1})
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		must(m.Fit(set.X, set.y))(t)
		runtime.ReadMemStats(&after)
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	for _, scheme := range []Scheme{OneVsRest, Kesler} {
		if more := of(scheme, Pocket) - of(scheme, Last); more > 2*n {
			t.Errorf("scheme %d uses %v bytes more under Pocket, for %d rows", scheme, more, n)
		}
	}
}

// TestPocketRuns: the first of several longest runs challenges, with the iterate that
// answered it.
func TestPocketRuns(t *testing.T) {
	u, q := lone(&Config{Keep: Pocket}, Hyperplane{}, 1, 0)
	for pos, w := range []float64{1, 2, 3, 4, 5} {
		q.w[0] = w
		u.pocket.endRun(u.planes, []uint64{0, 3, 6, 7, 11}[pos]) // runs of 0, 2, 2, 0 and 3 examples
		if want := [...]float64{0, 2, 2, 2, 5}[pos]; q.longest[0] != want || !slices.Equal(q.pocket, []float64{0, 0}) {
			t.Errorf("after position %d the longest run is that of %v, want %v", u.pocket.from-1, q.longest[0], want)
		}
	}
}
