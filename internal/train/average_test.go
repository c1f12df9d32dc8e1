package train

import (
	"math"
	"math/big"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	"perceptron/internal/exact"
	"perceptron/internal/naive"
	"perceptron/internal/vec"
)

// TestAverageDigits: over 10⁶ examples with 3·10⁵ mistakes the mean is right to the last digit, and
// a plain sum is not, whatever the size of the features.
func TestAverageDigits(t *testing.T) {
	const d, examples = 8, 1000000
	for seed, scale := range []float64{1e-6, 1, 1e6} {
		r := rand.New(rand.NewPCG(5, uint64(seed)))
		X, y := make([][]float64, 5000), make([]int, 5000)
		for i := range X {
			X[i] = make([]float64, d)
			for j := range X[i] {
				X[i][j] = r.NormFloat64() * scale
			}
			X[i][1] *= float64(i % 2)                               // often leaves its weight as it was
			X[i][2] += 3 * scale                                    // is never near 0
			y[i] = int(vec.Sign(X[i][0]+scale*r.NormFloat64() > 0)) // so the weight of the first one grows
		}
		m := newModel(Config{Keep: Average, Rate: 0.1})
		var sums [d + 1]exact.Double // of the iterates
		var u, former [d + 1]float64
		mistakes, count := 0, 0.0
		for n := range examples {
			i := r.IntN(len(X))
			if updated, err := m.Update(X[i], y[i]); err != nil {
				t.Fatal(err)
			} else if updated {
				for j, w := range m.now.planes[0].w {
					sums[j] = sums[j].Plus(exact.Double{Hi: former[j]}.Times(exact.Double{Hi: count}))
					u[j] += float64(float64(n) * (w - former[j]))
					former[j] = w
				}
				mistakes, count = mistakes+1, 0
			}
			count++
		}
		worst, plain := 0.0, 0.0
		for j, mean := range m.vectors()[0] {
			sum := sums[j].Plus(exact.Double{Hi: former[j]}.Times(exact.Double{Hi: count}))
			want := sum.Over(exact.Double{Hi: examples})
			off := func(v float64) float64 { return math.Abs(want.Minus(exact.Double{Hi: v}).Over(want).Hi) }
			worst, plain = max(worst, off(mean)), max(plain, off(former[j]-u[j]/examples))
		}
		if mistakes < 300000 || worst > 1.5e-16 || plain < 1e-14 {
			t.Errorf("scale %v: %d mistakes; off by %.3g, a plain sum by %.3g", scale, mistakes, worst, plain)
		}
	}
}

// TestAverageLarge: where the sum of 3 iterates overflows, the mean is still right, and finite.
func TestAverageLarge(t *testing.T) {
	a, top := average{sum: []float64{0}, low: []float64{0}}, math.MaxFloat64
	for _, c := range []struct{ sum, low, w float64 }{
		{0, 0, top}, {0, 0, -top}, {top, 0, top}, {-top, 0, -top}, {top, 0, 0.5}, {3, 0, 1e308}, {-top, 0, top}, {top, 0x1p968, 0x1.6p1022}, {-top, 0, -0x1.57p1022},
	} {
		sum := new(big.Float).SetPrec(2500).SetFloat64(c.sum)
		sum.Sub(new(big.Float).Mul(big.NewFloat(3), new(big.Float).SetPrec(2500).SetFloat64(c.w)), sum.Add(sum, big.NewFloat(c.low)))
		mean, _ := sum.Quo(sum, big.NewFloat(3)).Float64()
		a.sum[0], a.low[0] = c.sum, c.low
		q := &plane{w: []float64{c.w}, average: a}
		q.setMean(3)
		if got := q.kept[0]; !(math.Abs(got-vec.NearestFinite(mean)) <= 0x1p-52*math.Abs(got)) {
			t.Errorf("the mean of %v is %v, want %v", c, got, mean)
		}
	}
}

// TestMixDigits: a mix keeps the digits that a plain sum of the sums would lose.
func TestMixDigits(t *testing.T) {
	unitOf := func(w, sum, low, seen float64) *unit {
		q := &plane{w: []float64{w}, average: average{sum: []float64{sum}, low: []float64{low}}}
		return &unit{planes: []*plane{q}, seen: seen}
	}
	mixed := unitOf(0, 0, 0, 0)
	parts := []*unit{unitOf(0, 1<<60, 1, 2), unitOf(0x1p-30, 0x1p-20, 0, 2), unitOf(0, -1<<60, 0, 4), unitOf(1<<40, 3<<42, 0.5, 4)}
	must(0, mixed.mix(&Config{Rule: OnMistake, Keep: Average}, parts, []float64{0.25, 0.25, 0.25, 0.25}))(t)
	want, _ := new(big.Float).Quo(new(big.Float).Add(big.NewFloat(0x1p-29-0x1p-20-1.5), big.NewFloat(1<<42-3<<42)), big.NewFloat(12)).Float64()
	q := mixed.planes[0]
	q.setMean(mixed.seen)
	if got := q.kept[0]; mixed.seen != 3 || got != want {
		t.Errorf("mean of %v = %v, want %v of 3", mixed.seen, got, want)
	}
}

// TestSaturates: counts stay at their largest value: those of a mean, of a mix and of a pocket.
func TestSaturates(t *testing.T) {
	u, _ := lone(&Config{Rule: OnMistake, Keep: Pocket}, Hyperplane{}, 1, 0)
	u.seen, u.pocket = countable-1, pocket{streak: countable - 1, beat: countable - 1}
	for range 3 {
		u.see(1)
		u.pocket.answer(u.planes, false)
		if u.seen != countable || u.pocket.streak != countable || u.pocket.beat != countable {
			t.Errorf("the count is %v, the pocket is %+v", u.seen, u.pocket)
		}
	}
	mixed := new(unit)
	if must(0, mixed.mix(&Config{Rule: OnMistake}, []*unit{u, u}, []float64{0.75, 0.75}))(t); mixed.seen != countable {
		t.Errorf("a mix has the count %v, want %v", mixed.seen, float64(countable))
	}
}

// TestAverageDeferred: Update leaves the mean to the next read. That read gives the bits of a model
// that is read after every example, whichever of the goroutines that read at once computes it.
func TestAverageDeferred(t *testing.T) {
	set := naive.Multi(5, 61, 40, 3)
	m := newModel(Config{Rest: true, Keep: Average})
	often := m.fresh()
	must(m.Fit(set.X, set.Y))(t)
	must(often.Fit(set.X, set.Y))(t)
	reads := []func() [][]float64{
		m.vectors,
		func() [][]float64 { return m.Clone().vectors() },
		func() [][]float64 { m.Dense().Vector(2); return m.vectors() },
		func() [][]float64 {
			loaded, err := restored(t, m, func(*State) {}) // Restore alone would share the memory of m
			if err != nil {
				t.Error(err)
			}
			return loaded.vectors()
		},
		func() [][]float64 {
			mixed := m.fresh()
			if err := mixed.Mix([]*Engine{&m.Engine}, []float64{1}); err != nil {
				t.Error(err)
			}
			return mixed.vectors()
		},
	}
	m.vectors()
	for i := range set.X {
		before := m.now.planes[0].kept[0]
		for j := range 7 { // odd, so that some calls make no update
			x, y := set.X[(i+j)%61], set.Y[(i*j)%61]
			must(m.Update(x, y))(t)
			must(often.Update(x, y))(t)
			often.vectors()
		}
		if m.now.planes[0].kept[0] != before {
			t.Fatal("Update computed the mean")
		}
		want := often.vectors()
		got := make([][][]float64, len(reads))
		var wg sync.WaitGroup
		for r := range reads {
			read := func() { got[r] = reads[(r+i)%len(reads)]() }
			if i%2 == 0 { // each read is the first once, and once one of many
				read()
			} else {
				naive.Go(&wg, read)
			}
		}
		wg.Wait()
		for r, vectors := range got {
			if !sameVectors(vectors, want) {
				t.Fatalf("after %d examples, read %d: %v, want %v", 7*i+7, (r+i)%len(reads), vectors, want)
			}
		}
		if _, err := m.Update([]float64{math.NaN()}, 1); err == nil || snapshot(m) != snapshot(often) {
			t.Fatalf("after an error (%v) the model differs", err)
		}
	}
}

// TestMeanOnce: of many readers one computes the means, and the others wait for it.
func TestMeanOnce(t *testing.T) {
	m := newModel(Config{Keep: Average})
	must(m.Update([]float64{1}, 1))(t)
	var readers sync.WaitGroup
	l := m.now.means
	l.mutex.Lock() // the test is the reader that computes
	for range 20 {
		naive.Go(&readers, func() {
			if got := m.Dense().Vector(0)[0]; got != 7 {
				t.Errorf("a second reader computes the mean: %v", got)
			}
		})
	}
	for range 1000 {
		runtime.Gosched() // to let the readers wait for the lock
	}
	m.now.planes[0].kept = []float64{7, 7}
	l.outdated.Store(false)
	l.mutex.Unlock()
	readers.Wait()
}
