package perceptron

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"perceptron/internal/naive"
	"perceptron/internal/train"
	"perceptron/internal/vec"
)

// TestFourPoints: the loops of THEORY's four points have the known beginnings and lengths. Training
// finds them as early as Brent's method can: it compares with the state at the end of epoch 2^k − 1
// ≥ μ, 2^k ≥ λ, after λ more epochs.
func TestFourPoints(t *testing.T) {
	for _, c := range []struct {
		m          model
		mu, lambda int
		stop       int // 2^k − 1 + λ
	}{
		{new(Online), 149, 65, 255 + 65},
		{&Online{Keep: Pocket}, 149, 65, 255 + 65},
		{&Online{Keep: Average}, 149, 65, 255 + 65},
		{new(Batch), 91, 75, 127 + 75},
	} {
		res := must(c.m.Fit(FourPoints.X, FourPoints.Y))(t)
		Diff(t, "Stop", res.Stop, Cycled)
		Diff(t, "epochs", res.Epochs, c.stop)
		if configured(c.m).Keep != train.Last {
			continue
		}
		m, trace := c.m.unlearned(), []string{fmt.Sprint([]float64{0, 0, 0})}
		for range c.mu + 2*c.lambda {
			for range naive.Epochs(t, m.(ranger).Epochs(FourPoints.X, FourPoints.Y)) {
				break
			}
			trace = append(trace, fmt.Sprint(vectorsOf(m)[0]))
		}
		for e, state := range trace {
			want := e
			if e >= c.mu+c.lambda {
				want = c.mu + (e-c.mu)%c.lambda
			}
			Diff(t, fmt.Sprint("the state after epoch ", e, " was first seen after"), slices.Index(trace, state), want)
		}
	}
}

// naiveGradient is an epoch of Batch: it descends the perceptron criterion by one full gradient. It
// adds up the gradients of 256 rows at a time. It returns also the mistakes and the loss.
func naiveGradient(c train.Config, h Hyperplane, set naive.Set) (next Hyperplane, mistakes int, loss float64) {
	d := len(set.X[0])
	sum, rows := make([]float64, d+1), homogeneous(set.X, Affine)
	for lo := 0; lo < len(set.X); lo += 256 {
		block, shortfall := make([]float64, d+1), 0.0
		for i := lo; i < min(lo+256, len(set.X)); i++ {
			y := float64(set.Y[i])
			m := y * (vec.Dot(h.Weights, set.X[i]) + h.Bias)
			if m > 0 {
				continue
			}
			mistakes++
			shortfall -= m
			for j, v := range rows[i] {
				block[j] += float64(y * v)
			}
		}
		for j := range sum {
			sum[j] += block[j]
		}
		loss += shortfall
	}
	w := h.vector(Space(c.Space))
	for j := range w {
		w[j] += float64(c.Rate * sum[j])
	}
	return planeOf(append(w, 0), d), mistakes, loss / float64(len(set.X))
}

// TestBatchNaive compares each epoch of Batch with its formula, exactly, for any number of workers.
// The last set has so many products that there are several, and a last block of one row.
func TestBatchNaive(t *testing.T) {
	t.Parallel()
	sets := []naive.Set{XOR, naive.Separable(1, 700, 5, 0.2), naive.Noisy(2, 1100, 70), naive.Whole(3, 256, 3), naive.Noisy(12, 2049, 520)}
	for i, set := range sets {
		for _, space := range []Space{Affine, Linear} {
			start := Hyperplane{Weights: make([]float64, len(set.X[0]))}
			start.Weights[0] = 0.5
			b := &Batch{Space: space, MaxEpochs: 10, Rate: 0.1, Start: start, Workers: 1}
			if i == len(sets)-1 {
				b.MaxEpochs = 2
			}
			w, sum := start, 0
			for e := range naive.Epochs(t, b.Epochs(set.X, set.Y)) {
				next, mistakes, loss := naiveGradient(configured(b), w, set)
				w, sum = next, sum+mistakes
				if !samePlane(b.Hyperplane(), w) || e.Mistakes != mistakes || !naive.SameBits(e.Loss, loss) {
					t.Fatalf("%s, %v: %+v\n%v, want %d mistakes, loss %v\n%v", set.Name, space, e, b.Hyperplane(), mistakes, loss, w)
				}
			}
			for b.Workers = range 9 {
				if res := must(b.Fit(set.X, set.Y))(t); res.Mistakes != sum || !samePlane(b.Hyperplane(), w) {
					t.Fatalf("%s, %v, %d workers: %+v\n%v, want %d mistakes\n%v", set.Name, space, b.Workers, res, b.Hyperplane(), sum, w)
				}
			}
		}
	}
}

// TestXOR: the weights are zero again after one epoch, in both spaces.
func TestXOR(t *testing.T) {
	Diff(t, "Online", must(new(Online).Fit(XOR.X, XOR.Y))(t), Result{Epochs: 1, Mistakes: 4, Stop: Cycled, Rows: 4})
	for _, p := range []Model{new(Batch), &Online{Space: Linear}, &Online{Keep: Pocket}, new(Margin), &Margin{Gamma: 0.5}, &Margin{Threshold: 2}} {
		Diff(t, fmt.Sprintf("%T", p), must(p.Fit(XOR.X, XOR.Y))(t).Stop, Cycled)
	}
}

// TestNoCycle: Shuffled and Sampled never stop as Cycled, nor does a run that converges. A
// MaxEpochs of 0 means 1000.
func TestNoCycle(t *testing.T) {
	for _, order := range []Order{Shuffled, Sampled} {
		for seed := range uint64(20) {
			res := must((&Online{Order: order, Seed: seed}).Fit(XOR.X, XOR.Y))(t)
			Diff(t, "Stop", res.Stop, EpochLimit)
			Diff(t, "epochs", res.Epochs, 1000)
		}
	}
	for seed := range uint64(50) {
		set := naive.Separable(seed, 40, 3, 0.02)
		for _, p := range []Model{new(Online), &Batch{MaxEpochs: 1e6}, &Margin{MaxEpochs: 1e6}} {
			Diff(t, fmt.Sprintf("%T", p), must(p.Fit(set.X, set.Y))(t).Stop, Converged)
		}
	}
}

// vectorsOf returns the vectors (w, b) that predict.
func vectorsOf(m model) (v [][]float64) {
	for i := range m.learned().Planes() {
		v = append(v, m.learned().Dense().Vector(i))
	}
	return v
}

// TestMulticlassAlone: while only one class is known, no example is a mistake, whatever θ is,
// nothing moves, and a pocket has every row right. Fit rejects such rows.
func TestMulticlassAlone(t *testing.T) {
	models := maps.Collect(keslerGrid(2, 5))
	models["largest θ"] = &Multiclass{Binary: &Margin{Threshold: math.MaxFloat64}}
	models["large γ′"] = &Multiclass{Binary: &Margin{Gamma: 1e300}}
	for name, m := range models {
		for _, n := range []int{1, 20} {
			m, set := m.Clone(), naive.Noisy(1, n, 2)
			for i := range set.Y {
				set.Y[i] = 7
			}
			w := want{ErrLabel, -1, "bad label: every label is 7, want at least two classes"}
			w.of(t, m, set.X, set.Y, "Fit")
			if must(m.Update(set.X[0], 7))(t) {
				t.Errorf("%s: Update is a mistake", name)
			}
			if e, want := must(m.Learn(stream(set)))(t), (Epoch{N: 1, Examples: n}); e != want {
				t.Errorf("%s: Learn = %+v, want %+v", name, e, want)
			}
			epochs := 0
			for e := range naive.Epochs(t, m.Epochs(set.X, set.Y)) {
				if epochs++; e != (Epoch{N: 2, Examples: n, Stop: Converged}) {
					t.Errorf("%s: Epochs has %+v", name, e)
				}
			}
			if h := m.Hyperplanes().Planes; epochs != 1 || len(h) != 1 || !samePlane(h[0], Hyperplane{Weights: []float64{0, 0}}) {
				t.Errorf("%s: %d epochs, %v", name, epochs, h)
			}
			if k := stateOf(m).Hyperplanes[0].Pocket; k != nil && k.Beat != int64(n) {
				t.Errorf("%s: the pocket is %+v, want %d right", name, k, n)
			}
			if got := must(m.Predict(set.X[0]))(t); got != 7 {
				t.Errorf("%s: Predict = %d", name, got)
			}
			w.of(t, m, set.X, set.Y, "Fit") // leaves the model as it was
		}
	}
}

// TestLateFails: a bad example of a new class adds no class, wherever its label sorts, and
// whatever the model keeps. The rest stays as it was.
func TestLateFails(t *testing.T) {
	good := naive.Multi(3, 30, 2, 4)
	for name, m := range keslerGrid(2, 0) {
		must(m.Learn(stream(good)))(t)
		for _, late := range []int{math.MinInt, -300, 1, 7, 9, math.MaxInt} {
			before, told := m.Clone(), snapshot(m)
			for _, x := range [][]float64{{inf, 1}, {math.NaN(), 1}, {1}, {}, {1, 2, 3}} {
				if updated, err := m.Update(x, late); err == nil || updated || snapshot(m) != told {
					t.Fatalf("%s: Update of %v, %d: %v, %v\n%s, want\n%s", name, x, late, updated, err, snapshot(m), told)
				}
				if _, err := m.Learn(Examples([][]float64{x}, []int{late})); err == nil || snapshot(m) != told {
					t.Fatalf("%s: Learn of %v, %d: %v", name, x, late, err)
				}
				if strings.Contains(name, "Sampled") { // an epoch may not draw the row
					continue
				}
				if err := drain(m, [][]float64{{1, 2}, x}, []int{7, late}, func() {}); err == nil || snapshot(m) != told {
					t.Fatalf("%s: Epochs of %v, %d: %v", name, x, late, err)
				}
			}
			for _, p := range []*Multiclass{m, before} {
				must(p.Update([]float64{2, 3}, late))(t)
				must(p.Learn(stream(good)))(t)
			}
			if snapshot(m) != snapshot(before) {
				t.Fatalf("%s: after bad examples of class %d the model learns\n%s, want\n%s", name, late, snapshot(m), snapshot(before))
			}
		}
	}
}

// TestLabelUnknown: the body of a range changes a label to a class that is new. The next
// epoch ends with ErrLabel at that row, and is undone. A new range admits the class.
func TestLabelUnknown(t *testing.T) {
	for _, K := range []int{2, 3, 9} {
		for _, row := range []int{0, 7, 8, 40} {
			for name, m := range keslerGrid(3, 4) {
				set := noisyClasses(uint64(K), 41, 3, K)
				w := want{ErrLabel, row, "bad label: 1000 was not among the labels when Epochs began"}
				epochs, before, sampled := 0, "", strings.Contains(name, "Sampled")
				err := drain(m, set.X, set.Y, func() {
					before, set.Y[row] = snapshot(m), 1000
					epochs++
				})
				if err == nil && sampled { // the row was not drawn
					continue
				}
				if w.check(t, err); snapshot(m) != before || epochs > 1 && !sampled || len(m.Classes()) != K {
					t.Fatalf("%s: the epoch was not undone:\n%s, want\n%s", name, snapshot(m), before)
				}
				accept.of(t, m, set.X, set.Y, "Epochs")
				if !slices.Contains(m.Classes(), 1000) {
					t.Fatalf("%s: classes %v", name, m.Classes())
				}
			}
		}
	}
}

// TestBinaryChanged: Binary's fields are read by each call. A rule, Space, Order or Keep that
// has changed is an error, and the model stays as it was. A rate that has changed takes
// effect, and θ follows.
func TestBinaryChanged(t *testing.T) {
	set := noisyClasses(8, 30, 2, 3)
	b := &Margin{Rate: 0.5}
	m := &Multiclass{Binary: b}
	must(m.Learn(stream(set)))(t)
	w := want{ErrConfig, -1, "bad configuration: the rule is Online, but training began with Margin; Fit starts from scratch"}
	m.Binary = new(Online)
	w.of(t, m, set.X, set.Y, resume)
	m.Binary, w.text = new(Batch), "bad configuration: Binary is a *perceptron.Batch, want a *perceptron.Online or *perceptron.Margin"
	w.of(t, m, set.X, set.Y, anew)
	m.Binary, w.text = &Margin{Start: Hyperplane{Bias: 1}}, "bad configuration: Binary has a Start, but Multiclass starts from zero"
	w.of(t, m, set.X, set.Y, "Fit")
	w.of(t, new(Multiclass), nil, nil, "")
	w.of(t, &Multiclass{Binary: &Online{Start: Hyperplane{Weights: []float64{0, 1}}}}, set.X, set.Y, anew)
	accept.of(t, m, set.X, set.Y, "Update Learn") // does not read Start
	b.Rate = 1.5
	m.Binary = b
	must(m.Learn(Examples(nil, nil)))(t) // takes the rate
	if c, _, _, _ := m.learned().Summary(); c.Rate != 1.5 {
		t.Errorf("the rate is %v, want 1.5", c.Rate)
	}
	zero := &Multiclass{Binary: &Online{Start: Hyperplane{Weights: []float64{0, math.Copysign(0, -1)}}}}
	accept.of(t, zero, set.X, set.Y, anew)
	want{ErrDimension, -1, "dimension mismatch: Start has width 2, but the rows have 3"}.of(t, &Multiclass{Binary: zero.Binary}, naive.Noisy(1, 2, 3).X, []int{1, 2}, "Fit Epochs")
}
