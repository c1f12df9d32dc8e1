package train

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
)

// TestPocketStream: in a stream the run alone decides. It must exceed the number of rows
// that the last count found right, or the run of the iterate in the pocket.
func TestPocketStream(t *testing.T) {
	u, q := lone(&config{keep: Pocket}, Hyperplane{}, 1, 0)
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

// TestPocketRecount: each range counts the rows that the pocket has right anew, whether it
// comes from a stream or from other labels. So a pocket that is good no more loses its
// place.
func TestPocketRecount(t *testing.T) {
	for _, order := range []Order{Cyclic, Shuffled, Sampled} {
		p := &Online{Keep: Pocket, Order: order, MaxEpochs: 50}
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
			if a, k := must(Accuracy(p, set.X, set.y))(t), p.now.units[0].pocket; a != 1 || k.beat != 60 {
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
	u, _ := lone(&config{keep: Pocket}, Hyperplane{}, 1, 0)
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
				n.stream(x, set.y[i])
			}
			for range 2 {
				n.begin(set.X, set.y)
				for e := range must2(t, p.Epochs(set.X, set.y)) {
					n.epoch(set.X, set.y)
					k := p.now.units[0].pocket
					if !samePlane(p.Hyperplane(), n.pocket) || int(k.beat) != n.beat || int(k.run) != n.run {
						t.Fatalf("%v, seed %d, epoch %d: %+v, want %v after %d with the run %d", order, seed, e.N, k, n.pocket, n.beat, n.run)
					}
					if n.longest > n.run && samePlane(n.pocket, n.ofLong) {
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

// TestPocketOverflow: a score that overflows counts by its sign, and NaN as wrong. In
// Multiclass it must exceed all others.
func TestPocketOverflow(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	binary, many := &config{scheme: twoClasses, keep: Pocket}, &config{scheme: kesler, keep: Pocket}
	challenging := func(c *config, classes ...int) *challenger {
		u := &unit{}
		for _, class := range classes {
			u.planes = append(u.planes, newPlane(c, Hyperplane{}, 1, class))
		}
		return &challenger{unit: u, of: inTraining}
	}
	for _, c := range []struct {
		c      *config
		scores []float64
		label  int
		want   bool
	}{
		{binary, []float64{inf}, 1, true}, {binary, []float64{-inf}, 1, false}, {binary, []float64{-inf}, -1, true},
		{binary, []float64{0}, 1, false}, {binary, []float64{0}, -1, false}, {binary, []float64{nan}, 1, false}, {binary, []float64{5e-324}, 1, true},
		{many, []float64{1, 0, -1}, 3, true}, {many, []float64{1, 0, -1}, 4, false}, {many, []float64{1, 1, 0}, 3, false}, {many, []float64{0, 1, 1}, 5, false},
		{many, []float64{inf, 1, -inf}, 3, true}, {many, []float64{5, -inf, -inf}, 3, true}, {many, []float64{inf, inf, 0}, 3, false}, {many, []float64{1, nan, 0}, 3, false}, {many, []float64{nan, 1, 0}, 3, false},
		{many, []float64{-inf, -inf, -1}, 5, true}, {many, []float64{7}, 3, true},
	} {
		u := challenging(c.c, []int{3, 4, 5}[:len(c.scores)]...)
		b := &rowBlock{pass: &pass{state: &state{config: *c.c, width: 1}}, rows: []int{0, 0}, labels: [blockRows]int{c.label, c.label}}
		products := make([]float64, blockRows*len(c.scores))
		for k, s := range c.scores {
			products[blockRows*k], products[blockRows*k+1], products[blockRows*k+2] = s, s, s
		}
		if u.countBlock(b, products); u.right != 2 && c.want || u.right != 0 && !c.want {
			t.Errorf("%v of the class %d: %d rows of 2 right, want all: %v", c.scores, c.label, u.right, c.want)
		}
	}
}

// TestPocketFrozen: in Fit each class has the pocket of its own Fit, and a class that has
// stopped does not challenge.
func TestPocketFrozen(t *testing.T) {
	for _, workers := range []int{1, 2} {
		for seed := range uint64(20) {
			b := &Online{Keep: Pocket, MaxEpochs: 12, Order: Order(seed % 3), Seed: seed}
			compareSeparate(t, &OneVsRest{Binary: b, Workers: workers}, b, multi(seed, 50, 2, 4))
		}
	}
}

// TestPocketMemory: a pocket takes two vectors for each hyperplane, and nothing for each
// row.
func TestPocketMemory(t *testing.T) {
	const n, d, K = 20000, 20, 10
	set := uniformRows(1, n, d, K)
	of := func(m Model) float64 {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		must(m.Fit(set.X, set.y))(t)
		runtime.ReadMemStats(&after)
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	last, pocket := &Online{MaxEpochs: 1}, &Online{MaxEpochs: 1, Keep: Pocket}
	for _, c := range [][2]Model{{&OneVsRest{Binary: last, Workers: 1}, &OneVsRest{Binary: pocket, Workers: 1}}, {&Multiclass{Binary: last}, &Multiclass{Binary: pocket}}} {
		if more := of(c[1]) - of(c[0]); more > 2*n {
			t.Errorf("%T uses %v bytes more under Pocket, for %d rows", c[1], more, n)
		}
	}
}

// TestPocketRuns: the first of several longest runs challenges, with the iterate that
// answered it.
func TestPocketRuns(t *testing.T) {
	u, q := lone(&config{keep: Pocket}, Hyperplane{}, 1, 0)
	for pos, w := range []float64{1, 2, 3, 4, 5} {
		q.w[0] = w
		u.pocket.endRun(u.planes, []int{0, 3, 6, 7, 11}[pos]) // runs of 0, 2, 2, 0 and 3 examples
		if want := [...]float64{0, 2, 2, 2, 5}[pos]; q.longest[0] != want || !slices.Equal(q.pocket, []float64{0, 0}) {
			t.Errorf("after position %d the longest run is that of %v, want %v", u.pocket.from-1, q.longest[0], want)
		}
	}
}
