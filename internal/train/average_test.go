package train

import (
	"math"
	"math/big"
	"runtime"
	"sync"
	"testing"
)

// TestAverageDigits: over 10⁸ examples the compensated sum is right to the last
// digit, and a plain sum is not. Each c·w is exact, and their sum has 57 bits.
func TestAverageDigits(t *testing.T) {
	w := []float64{1}
	a := newAverage(w)
	plain, exact := 0.0, new(big.Float).SetPrec(300)
	for i := range 1 << 20 {
		a.since += float64(99 + i%3) // as that many right answers
		exact.Add(exact, big.NewFloat(a.since*w[0]))
		plain += float64(a.since * w[0])
		if err := a.propose(w); err != nil {
			t.Fatal(err)
		}
		a.see(1, true)
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

// TestAverageBegins: before the first example the start predicts.
func TestAverageBegins(t *testing.T) {
	a := newAverage([]float64{1, 2})
	if a.mean[0] != 1 || a.mean[1] != 2 {
		t.Fatalf("mean %v", a.mean)
	}
}

// TestAverageLarge: where the sum overflows, the mean is still found, and is
// finite.
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

// TestMixDigits: a mix keeps the digits that a plain sum of the sums would lose.
func TestMixDigits(t *testing.T) {
	mixed := newAverage([]float64{0})
	for _, part := range []average{
		{sum: []float64{1 << 60}, low: []float64{1}, count: 2},
		{sum: []float64{0x1p-20}, low: []float64{0}, count: 2},
		{sum: []float64{-1 << 60}, low: []float64{0}, count: 3, since: 1},
		{sum: []float64{0}, low: []float64{0.5}, count: 4},
	} {
		mixed.addShare(&part, []float64{0}, 0.25)
	}
	if mixed.refresh([]float64{0}); mixed.count != 3 {
		t.Fatalf("count %v", mixed.count)
	}
	if want := (0x1p-20 + 1 + 0.5) / 4 / 3; mixed.mean[0] != want {
		t.Errorf("mean = %v, want %v", mixed.mean[0], want)
	}
}

// TestAverageSaturates: counts stay at their largest value.
func TestAverageSaturates(t *testing.T) {
	for _, count := range []float64{0, countable - 1, countable} {
		a := newAverage([]float64{2})
		a.count, a.since = count, countable
		a.see(1, false)
		if a.since != countable || a.count != count {
			t.Errorf("after a right answer the counts are %v and %v, want %v and %v", a.count, a.since, count, float64(countable))
		}
		a.see(1, true)
		if a.count != countable || a.since != 1 {
			t.Errorf("after a mistake the counts are %v and %v, want %v and 1", a.count, a.since, float64(countable))
		}
		b := newAverage([]float64{2})
		b.count = countable
		b.addShare(&a, []float64{2}, 0.5)
		if b.count != countable {
			t.Errorf("a mix has the count %v, want %v", b.count, float64(countable))
		}
	}
}

// TestAverageDeferred: Update leaves the mean to the next read. That read gives the
// bits of a model that is read after every example, whichever of the goroutines that
// read at once computes it.
func TestAverageDeferred(t *testing.T) {
	set := multi(5, 61, 40, 3)
	m := newModel(Config{Scheme: OneVsRest, Keep: Average})
	often := m.fresh()
	must(m.Fit(set.X, set.y))(t)
	must(often.Fit(set.X, set.y))(t)
	reads := []func() [][]float64{
		m.vectors,
		func() [][]float64 { return m.Clone().vectors() },
		func() [][]float64 { m.Vector(2); return m.vectors() },
		func() [][]float64 {
			loaded := m.fresh()
			c, start, s := m.State()
			if err := loaded.Restore(c, &start, s); err != nil {
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
	for i := range set.X {
		before := m.now.planes[0].average.mean[0]
		for j := range 7 { // odd, so that some calls make no update
			x, y := set.X[(i+j)%61], set.y[(i*j)%61]
			must(m.Update(x, y))(t)
			must(often.Update(x, y))(t)
			often.vectors()
		}
		if m.now.planes[0].average.mean[0] != before {
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
				wg.Go(read)
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

// TestAverageClone: a read of a model computes the mean of that model alone, not of a
// clone that was trained since.
func TestAverageClone(t *testing.T) {
	set := noisy(6, 40, 5)
	p := newModel(Config{Keep: Average})
	want := p.fresh()
	must(p.Fit(set.X, set.y))(t)
	must(want.Fit(set.X, set.y))(t)
	q := p.Clone()
	must(q.Update(set.X[0], set.y[0]))(t)
	must(want.Update(set.X[0], set.y[0]))(t)
	p.vectors()
	if got, want := q.vectors(), want.vectors(); !sameVectors(got, want) {
		t.Errorf("the clone predicts with %v, want %v", got, want)
	}
}

// TestMeanOnce: of many readers one computes the means, and the others wait for it.
func TestMeanOnce(t *testing.T) {
	var l meanLock
	var readers sync.WaitGroup
	computed, compute := 0, func() { t.Error("a second reader computes the means") }
	l.outdate()
	l.refresh(func() {
		computed++
		for range 20 {
			readers.Go(func() { l.refresh(compute) })
		}
		for range 1000 {
			runtime.Gosched() // to let the readers wait for the lock
		}
	})
	readers.Wait()
	if l.refresh(compute); computed != 1 {
		t.Errorf("computed %d times", computed)
	}
}
