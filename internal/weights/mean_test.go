package weights

import (
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"perceptron/internal/exact"
	"perceptron/internal/vec"
)

// TestAverageDigits: over 10⁶ examples with 3·10⁵ mistakes the mean is right to the last digit, for
// features of every size. A plain sum is not.
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
		p := New(Shape{Keep: Average})
		p.SetWidth(d)
		p.Insert(0, []float64{0}, 0)
		var sums [d + 1]exact.Double // of the iterates
		var u, former [d + 1]float64
		mistakes, count := 0, 0.0
		for n := range examples {
			i := r.IntN(len(X))
			if target := float64(y[i]); target*Score(p.InTraining(0), X[i]) <= 0 {
				x := vec.Row{Value: X[i]}
				if !p.Propose(0, &x, 0.1*target, 0) {
					t.Fatal("an overflow")
				}
				p.Commit(0, &x)
				for j, w := range p.InTraining(0) {
					sums[j] = sums[j].Plus(exact.Double{Hi: former[j]}.Times(exact.Double{Hi: count}))
					u[j] += float64(float64(n) * (w - former[j]))
					former[j] = w
				}
				mistakes, count = mistakes+1, 0
			}
			count++
			p.Count(0, 1, 0)
		}
		p.Outdate()
		worst, plain := 0.0, 0.0
		for j, mean := range p.Predicting(0) {
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
	top := math.MaxFloat64
	for _, c := range []struct{ sum, low, w float64 }{
		{0, 0, top}, {0, 0, -top}, {top, 0, top}, {-top, 0, -top}, {top, 0, 0.5}, {3, 0, 1e308}, {-top, 0, top}, {top, 0x1p968, 0x1.6p1022}, {-top, 0, -0x1.57p1022},
	} {
		sum := new(big.Float).SetPrec(2500).SetFloat64(c.sum)
		sum.Sub(new(big.Float).Mul(big.NewFloat(3), new(big.Float).SetPrec(2500).SetFloat64(c.w)), sum.Add(sum, big.NewFloat(c.low)))
		want, _ := sum.Quo(sum, big.NewFloat(3)).Float64()
		q := &plane{moving: moving{{c.w}, {c.sum}, {c.low}}, stride: 1, counted: 3, weight: 1}
		if got := q.predicts(0); !(math.Abs(got-vec.NearestFinite(want)) <= 0x1p-52*math.Abs(got)) {
			t.Errorf("the mean of %v is %v, want %v", c, got, want)
		}
	}
}

// TestMixDigits: a mix keeps the digits that a plain sum of the sums would lose.
func TestMixDigits(t *testing.T) {
	of := func(w, sum, low, seen float64) *Planes {
		p := New(Shape{Keep: Average})
		p.SetWidth(1)
		p.Insert(0, []float64{w, 0}, seen)
		p.all[0].moving[sums][0], p.all[0].moving[rests][0] = sum, low
		return &p
	}
	parts := []*Planes{of(0, 1<<60, 1, 2), of(0x1p-30, 0x1p-20, 0, 2), of(0, -1<<60, 0, 4), of(1<<40, 3<<42, 0.5, 4)}
	mixed, finite := Mix(parts, []float64{0.25, 0.25, 0.25, 0.25})
	want, _ := new(big.Float).Quo(new(big.Float).Add(big.NewFloat(0x1p-29-0x1p-20-1.5), big.NewFloat(1<<42-3<<42)), big.NewFloat(12)).Float64()
	if got := mixed.Predicting(0)[0]; mixed.Counted(0) != 3 || got != want || !finite {
		t.Errorf("mean of %v = %v, want %v of 3", mixed.Counted(0), got, want)
	}
}

// TestSeenLimit: the count of a mean stays at its largest value, and so does that of a mix.
func TestSeenLimit(t *testing.T) {
	p := New(Shape{Keep: Average})
	p.SetWidth(1)
	p.Insert(0, []float64{0}, Countable-1)
	for range 3 {
		if p.Count(0, 1, 0); p.Counted(0) != Countable {
			t.Errorf("the count is %v", p.Counted(0))
		}
	}
	if mixed, _ := Mix([]*Planes{&p, &p}, []float64{0.75, 0.75}); mixed.Counted(0) != Countable {
		t.Errorf("a mix has the count %v, want %v", mixed.Counted(0), float64(Countable))
	}
}

// TestWindow compares with the formula: as soon as 2·window examples count, the count, u and its rounding errors
// are halved. Every bit is as if the sums were halved at once. This holds through copies, a saved form, a mix
// and rows side by side.
func TestWindow(t *testing.T) {
	const d = 3
	for _, window := range []float64{1, 2, 3, 10, 700, 1 << 52} {
		r := rand.New(rand.NewPCG(79, uint64(window)))
		const k = 4
		p := New(Shape{Keep: Average, Many: true})
		p.SetWidth(d)
		for range k {
			p.Insert(0, []float64{0}, 0)
		}
		q := newPlane(Average, d+1) // halved at once
		for step := range 3000 {
			x := vec.Row{Value: []float64{r.NormFloat64(), r.NormFloat64(), 0}}
			if step%3 > 0 {
				x = vec.Row{Index: []uint32{0, 2}, Value: []float64{r.NormFloat64(), 1}, Width: d}
			}
			n := 1
			if step%50 == 0 {
				n = 1 + r.IntN(30) // an epoch
			}
			if step%7 == 0 || x.Index == nil {
				p.LayOut(x.Index != nil)
			}
			for i := range k {
				if !p.Propose(i, &x, float64(i+1), n-1) {
					t.Fatal("an overflow")
				}
				p.Commit(i, &x)
				p.Count(i, n, window)
			}
			q.resize(d + 1)
			if x.Index != nil {
				q.resize(len(x.Value) + 1)
			}
			naive := Planes{Shape: p.Shape, width: d, all: []*plane{q}, reads: new(reads)}
			naive.Propose(0, &x, 1, n-1)
			naive.Commit(0, &x)
			for q.counted += float64(n); q.counted >= 2*window; q.counted /= 2 {
				for j := range q.moving[sums] {
					q.moving[sums][j], q.moving[rests][j] = q.moving[sums][j]/2, q.moving[rests][j]/2
				}
			}
			switch p.Outdate(); r.IntN(40) {
			case 0:
				p = p.Clone()
			case 1:
				loaded := New(p.Shape)
				var seen []float64
				for i := range k {
					seen = append(seen, p.Counted(i))
				}
				if err := loaded.Load(d, seen, p.Save()); err != nil {
					t.Fatal(err)
				}
				p = loaded.Clone() // vectors of its own
			case 2:
				if p, _ = Mix([]*Planes{&p, &p}, []float64{1, 0}); p.Counted(0) != q.counted {
					t.Fatalf("step %d: a mix of %v, want %v", step, p.Counted(0), q.counted)
				}
				q.moving[sums], q.moving[rests] = slices.Clone(p.all[0].moving[sums]), slices.Clone(p.all[0].moving[rests]) // another split of the sum
			}
			if step%9 > 0 {
				continue
			}
			naive.Outdate()
			got, want := p.Save()[:4], naive.Save()
			if !reflect.DeepEqual(got, want) || p.Counted(0) != q.counted {
				t.Fatalf("window %v, step %d: %v of %v, want %v of %v", window, step, got, p.Counted(0), want, q.counted)
			}
		}
	}
}
