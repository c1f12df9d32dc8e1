package perceptron

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
)

// An eager is a pocket whose challengers are counted at once, on all rows.
type eager struct {
	pocket
	planes [][]float64
}

// accept takes what u has accepted.
func (e *eager) accept(p *pass, u *unit) {
	if e.see(u.mistaken); !e.challenged() {
		return
	}
	right := 0
	for i, x := range p.X {
		for _, q := range u.planes {
			q.score = affine(q.w, x)
		}
		if u.decide(&p.config, p.y[i]) > 0 {
			right++
		}
	}
	if e.challenge(right) {
		e.planes = e.planes[:0]
		for _, q := range u.planes {
			e.planes = append(e.planes, slices.Clone(q.w))
		}
	}
}

// differs compares the pockets once no iterate waits.
func (e *eager) differs(u *unit) string {
	if e.pocket != u.pocket {
		return fmt.Sprintf("pocket %+v, want %+v", u.pocket, e.pocket)
	}
	for k, q := range u.planes {
		if !slices.Equal(q.pocket, e.planes[k]) {
			return fmt.Sprintf("plane %d in the pocket is %v, want %v", k, q.pocket, e.planes[k])
		}
	}
	return ""
}

// countScales put the rows where scores underflow, where a few updates lead to counts that
// do not wait and back, and where scores overflow.
var countScales = []float64{1, 0x1p-500, 0x1p-1040, 0x1p491, 0x1p493, 0x1p501, 0x1p700}

// TestPocketCounts: iterates that wait, to be counted together on few rows, give the
// pocket that counts at once of all rows give. It has the same run and the same rows
// right, and errors come at the same example.
func TestPocketCounts(t *testing.T) {
	for seed := range uint64(600) {
		r := rand.New(rand.NewPCG(seed, 3))
		n, d, K := 1+r.IntN(60), 2+r.IntN(8), 2
		c := &config{keep: Pocket, rate: []float64{1, 16, 0x1p60}[r.IntN(3)], space: Space(seed % 2)}
		if seed%3 == 0 {
			c.scheme, K = kesler, 2+r.IntN(3)
		}
		set := noisy(seed, n, d)
		scale := countScales[r.IntN(len(countScales))]
		for i, x := range set.X {
			if set.y[i] = r.IntN(K); c.scheme == twoClasses {
				set.y[i] = 2*set.y[i] - 1
			}
			for j := range x {
				x[j] = scale * float64(r.IntN(5)-2+2*set.y[i]*(j&1))
				if i > 0 && c.rate > 16 { // updates are small, and row 0 has a score that overflows
					x[j] *= 0x1p-20
				}
			}
		}
		s := must(newState(c, &Hyperplane{}))(t)
		run, err := newRun(s, set.X, set.y, false)
		if err != nil {
			t.Fatal(err)
		}
		compareCounts(t, seed, r, &run.pass)
	}
}

// compareCounts trains one unit beside an eager. Rows and labels change between epochs.
func compareCounts(t *testing.T, seed uint64, r *rand.Rand, p *pass) {
	u := p.units[0]
	e := &eager{pocket: u.pocket}
	for _, q := range u.planes {
		e.planes = append(e.planes, slices.Clone(q.pocket))
	}
	for epoch := range 5 {
		for range r.IntN(200) {
			i := max(r.IntN(len(p.X)), min(1, len(p.X)-1)) // not row 0
			if _, err := u.margin(&p.config, p.X[i], p.y[i]); err != nil {
				return
			}
			if err := u.consider(&p.config, p.X[i], p.y[i]); err != nil {
				return
			}
			mistaken := u.mistaken
			p.accept(u)
			u.mistaken = mistaken
			e.accept(p, u)
		}
		p.settle(p.units)
		if text := e.differs(u); text != "" {
			t.Fatalf("seed %d, epoch %d: %s", seed, epoch, text)
		}
		if k := len(p.counters[u].planes); k > waiting*len(u.planes) {
			t.Fatalf("seed %d, epoch %d: %d planes kept", seed, epoch, k)
		}
		spoil(r, p)
		u.pocket.length /= 4 // another range may begin so during a run
		u.pocket.right, u.pocket.tried = u.pocket.right/2, false
		e.pocket = u.pocket
		p.startCounts(p.units, p.units)
	}
}

// spoil changes rows and labels, as the body of a range over Epochs may.
func spoil(r *rand.Rand, p *pass) {
	x, i := p.X[r.IntN(len(p.X))], r.IntN(len(p.X))
	x[r.IntN(len(x))] *= -1
	p.y[i] = p.y[0]
	switch r.IntN(10) {
	case 0:
		x[0] = math.NaN()
	case 1:
		x[0] = math.Inf(1)
	}
}

// TestPocketMemory: counting uses 12 bytes per row for each class that learns on its own,
// and memory for 16 iterates.
func TestPocketMemory(t *testing.T) {
	const n, K, fixed = 20000, 4, 52 << 10
	set := multi(2, n, 3, K)
	of := func(m manyModel) float64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		must(m.Fit(set.X, set.y))(t)
		runtime.ReadMemStats(&after)
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	last, pocket := &Online{MaxEpochs: 1}, &Online{MaxEpochs: 1, Keep: Pocket}
	for _, c := range []struct {
		last, pocket manyModel
		perRow       int
	}{
		{&OneVsRest{Binary: last}, &OneVsRest{Binary: pocket}, 12 * K},
		{&Multiclass{Binary: last}, &Multiclass{Binary: pocket}, 12},
	} {
		if more := of(c.pocket) - of(c.last); more > float64(c.perRow*n+K*fixed) {
			t.Errorf("%T uses %v bytes more under Pocket, want %d per row", c.pocket, more, c.perRow)
		}
	}
}

// TestPocketGivesUp: a count ends with the block in which the last trial has lost. The rows
// that it scored have the smallest margin as their key.
func TestPocketGivesUp(t *testing.T) {
	const n, unseen = 10 * blockRows, 7
	X, y := make([][]float64, n), make([]int, n)
	for i := range X {
		X[i], y[i] = []float64{1}, 1-2*(i&1)
	}
	run := must(newRun(must(newState(&config{keep: Pocket, rate: 1}, &Hyperplane{}))(t), X, y, false))(t)
	u, p := run.units[0], &run.pass
	c := p.counters[u]
	for _, w := range []float64{-3, 5} { // each has every other row wrong
		u.planes[0].w[0] = w
		c.add(u)
	}
	for i := range c.keys {
		c.keys[i] = unseen
	}
	c.count(p, u, n-3)
	for i, key := range c.keys {
		want := float64(unseen)
		if i < 2*blockRows { // with three rows wrong a trial has lost
			want = []float64{-3, -5}[i&1]
		}
		if key != want {
			t.Fatalf("row %d has the key %v, want %v", i, key, want)
		}
	}
}
