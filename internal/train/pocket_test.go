package train

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"perceptron/internal/naive"
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
			set := naive.Noisy(seed, 40, 3)
			p := newModel(Config{Keep: Pocket, Order: order, Seed: seed, MaxEpochs: 30})
			best := 0.0
			for range must2(t, p.Epochs(set.X, set.Y)) {
				a := p.accuracy(set.X, set.Y)
				if a < best {
					t.Fatalf("the pocket fell from %v to %v", best, a)
				}
				best = a
			}
			easy := naive.Separable(seed, 40, 3, 0.05)
			p.MaxEpochs = 1e6
			if must(p.Fit(easy.X, easy.Y))(t); p.accuracy(easy.X, easy.Y) != 1 {
				t.Fatalf("%v: converged, but the pocket is wrong on a row", order)
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
			set := naive.Whole(seed, []int{12, 150}[seed%2], 4) // runs of equal length; challengers that cannot win any more
			for i, x := range set.X {
				for j := range x {
					x[j] += float64(set.Y[i])
				}
			}
			p := newModel(Config{Keep: Pocket, Order: order, Seed: seed, MaxEpochs: 8})
			n := naive.New(naive.Config{Rate: 1, Order: int(order), Keep: naive.Pocket, Seed: seed}, 4)
			must(p.Learn(set.Pairs()))(t)
			for i, x := range set.X {
				n.Stream(x, set.Y[i])
			}
			for range 2 {
				n.Begin(set.X, set.Y)
				for e := range must2(t, p.Epochs(set.X, set.Y)) {
					n.Epoch(set.X, set.Y)
					k := p.now.units[0].pocket
					if !samePlane(p.plane(), Hyperplane(n.Held)) || int(k.beat) != n.Beat || int(k.run) != n.Run {
						t.Fatalf("%v, seed %d, epoch %d: %+v, want %v after %d with the run %d", order, seed, e.N, k, n.Held, n.Beat, n.Run)
					}
					if n.Longest > n.Run && samePlane(Hyperplane(n.Held), Hyperplane(n.OfLongest)) {
						runs++
					}
					i := r.IntN(len(set.Y))
					set.Y[i] = -set.Y[i]
					set.X[r.IntN(len(set.X))][r.IntN(4)]++
				}
				must(p.Update(set.X[0], set.Y[0]))(t)
				n.Stream(set.X[0], set.Y[0])
			}
		}
	}
	if runs < 100 {
		t.Errorf("only %d longest runs won: the test shows little", runs)
	}
}

// TestPocketMemory: a pocket takes two vectors for each hyperplane, and nothing for each row.
func TestPocketMemory(t *testing.T) {
	const n, d, K = 20000, 20, 10
	set := naive.Multi(1, n, d, K)
	of := func(scheme Scheme, keep Keep) float64 {
		m := newModel(Config{Scheme: scheme, Keep: keep, MaxEpochs: 1, Workers: 1})
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		must(m.Fit(set.X, set.Y))(t)
		runtime.ReadMemStats(&after)
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	for _, scheme := range []Scheme{OneVsRest, Kesler} {
		if more := of(scheme, Pocket) - of(scheme, Last); more > 2*n {
			t.Errorf("scheme %d uses %v bytes more under Pocket, for %d rows", scheme, more, n)
		}
	}
}

// TestPocketRuns: the first of several longest runs challenges, with the iterate that answered it.
func TestPocketRuns(t *testing.T) {
	u, q := lone(&Config{Keep: Pocket}, Hyperplane{}, 1, 0)
	for pos, w := range []float64{1, 2, 3, 4, 5} {
		q.w[0] = w
		u.pocket.endRun(u.planes, []uint64{0, 3, 6, 7, 11}[pos]) // runs of 0, 2, 2, 0 and 3 examples
		if want := [][]float64{nil, {2, 0}, {2, 0}, {2, 0}, {5, 0}}[pos]; !slices.Equal(q.longest, want) || !slices.Equal(q.pocket, []float64{0, 0}) {
			t.Errorf("after position %d the longest run is that of %v, want %v", u.pocket.from-1, q.longest, want)
		}
	}
}
