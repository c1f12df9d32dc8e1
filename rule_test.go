package perceptron

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"perceptron/internal/naive"
	"perceptron/internal/train"
	"perceptron/internal/vec"
)

// TestRule trains with every rule, Keep, Order and Space on rows of 1 to 40 features. It compares
// the iterate and the mistakes of each epoch with those of a plain loop, bit for bit. The loop
// calls the rule's own function. So the assembly, which makes updates by itself, cannot drift from
// the rule in the file of its model.
func TestRule(t *testing.T) {
	t.Parallel()
	for d := range widths(40) {
		two, three := naive.Noisy(uint64(d), 30, d), naive.Multi(uint64(d), 30, d, 3)
		for name, m := range withBatch(d, 4, wholeGrid(d, 4)) {
			compareRule(t, name, m, two)
			if joins(m) {
				*startOf(m) = Hyperplane{}
				compareRule(t, "Multiclass/"+name, &Multiclass{Binary: AsBinary(m)}, three)
			}
		}
	}
}

func compareRule(t *testing.T, name string, m model, set naive.Set) {
	t.Helper()
	l, next := newPlainLoop(m, set), 0
	for e, err := range runEpochs(m, train.Rows{X: set.X}, set.Y) {
		mistakes := l.epoch(set)
		if err != nil || e.Mistakes != mistakes {
			t.Fatalf("%s, %d features, epoch %d: %v, %d mistakes, the plain loop makes %d", name, l.d, next, err, e.Mistakes, mistakes)
		}
		s := stateOf(m)
		for i := range s.Classes {
			each := len(s.Vectors) / len(s.Classes)
			w := s.Vectors[i*each+min(1, each-1)] // the iterate in training is the second vector, or the only one
			if !slices.EqualFunc(w, l.w[i], naive.SameBits) {
				t.Fatalf("%s, %d features, epoch %d: %v, the plain loop has\n%v", name, l.d, next, w, l.w[i])
			}
		}
		next++
	}
}

// A plainLoop calls the functions of a rule, one row after another.
type plainLoop struct {
	train.Config
	d       int
	classes []int
	w       [][]float64 // the vector (w, b) of each class, or of +1 alone
	r2      float64
	tally   train.Tally
	gen     *rand.PCG
}

func newPlainLoop(m model, set naive.Set) *plainLoop {
	l := &plainLoop{Config: configured(m), d: len(set.X[0]), classes: []int{1}}
	l.gen = rand.NewPCG(l.Seed, 0)
	if l.Many() {
		l.classes = slices.Compact(slices.Sorted(slices.Values(set.Y)))
	}
	for range l.classes {
		w := make([]float64, l.d+1)
		copy(w, startOf(m).Weights)
		w[l.d] = startOf(m).Bias
		l.w = append(l.w, w)
	}
	l.tally.Norm2 = vec.Norm(l.w[0]) * vec.Norm(l.w[0])
	return l
}

// step calls the rule for the i-th row.
func (l *plainLoop) step(set naive.Set, i int, score, theta, eta float64) float64 {
	y, c := float64(set.Y[i]), l.Config
	if c.Rate = eta; y*score > theta {
		return 0
	}
	return l.Rule.Step(train.Example{Config: &c, Y: y, Score: score, Theta: theta, Square: vec.Dot(set.X[i], set.X[i]) + float64(1-l.Space)})
}

// epoch learns the rows once, and returns the number of mistakes.
func (l *plainLoop) epoch(set naive.Set) (mistakes int) {
	sum := make([]float64, l.d+1)
	for _, i := range naiveOrder(l.Order, l.gen, len(set.X)) {
		var scores []float64
		for _, w := range l.w {
			scores = append(scores, vec.Dot(w[:l.d], set.X[i])+w[l.d])
		}
		own, rival, step := 0, -1, 0.0
		switch {
		case l.Rule.Descend != nil:
			if step = l.step(set, i, scores[0], 0, 1); step != 0 {
				l.add(sum, step, set.X[i])
				mistakes++
			}
			continue
		case l.Many():
			own = slices.Index(l.classes, set.Y[i])
			rival, step = kesler(scores, own, l.theta(), l.Rate)
		default:
			step = l.step(set, i, scores[0], l.theta(), l.Rate)
		}
		if step == 0 {
			continue
		}
		mistakes++
		square, m := vec.Dot(set.X[i], set.X[i])+float64(1-l.Space), float64(set.Y[i])*scores[0]
		if rival >= 0 {
			m = scores[own] - scores[rival]
		}
		l.add(l.w[own], step, set.X[i])
		if rival >= 0 {
			l.add(l.w[rival], -step, set.X[i])
			square *= 2
		}
		l.r2 = max(l.r2, square)
		l.tally.Updates++
		l.tally.Norm2 = max(0, l.tally.Norm2+float64(2*math.Abs(step)*m)+float64(step*step*square))
	}
	if mistakes > 0 && l.Rule.Descend != nil {
		l.Rule.Descend(l.w[0], sum, l.Rate)
	}
	return mistakes
}

// theta returns θ by the rule's own function. TestTheta checks which rule the fields choose.
func (l *plainLoop) theta() float64 {
	var norms []float64
	for _, w := range l.w {
		norms = append(norms, vec.Norm(w))
	}
	norm := norms[0]
	if len(norms) > 1 {
		norm = vec.Norm(norms)
	}
	if l.Rule.Theta == nil {
		return 0
	}
	return l.Rule.Theta(train.Progress{Config: &l.Config, R2: l.r2, Norm: norm, Tally: l.tally})
}

func (l *plainLoop) add(w []float64, step float64, x []float64) {
	for j, v := range x {
		w[j] += float64(step * v)
	}
	if l.Space == train.Affine {
		w[l.d] += step
	}
}

// keeps returns every Keep, and noKeep is none.
func keeps() (all []Keep) {
	for k := range noKeep {
		all = append(all, k)
	}
	return all
}

var noKeep = Keep(len(train.KeepNames))

// TestRosenblatt checks the rule itself, at the boundary too.
func TestRosenblatt(t *testing.T) {
	below := math.Nextafter(2, 0)
	for _, c := range []struct{ y, score, theta, eta, want float64 }{
		{1, 0, 0, 1, 1}, {-1, 0, 0, 1, -1}, {1, math.Copysign(0, -1), 0, 1, 1}, // a score of 0 is a mistake
		{1, 5e-324, 0, 1, 0}, {-1, 5e-324, 0, 1, -1}, {-1, -5e-324, 0, 1, 0}, {1, -3, 0, 0.1, 0.1},
		{1, 2, 2, 0.5, 0.5}, {1, below, 2, 0.5, 0.5}, {1, 3, 2, 0.5, 0}, {-1, -2, 2, 0.5, -0.5}, {-1, -3, 2, 0.5, 0}, {-1, 3, 2, 4, -4},
		{1, math.NaN(), 0, 1, 1}, // training never asks about one
	} {
		if got := rosenblatt(train.Example{Config: &train.Config{Rate: c.eta}, Y: c.y, Score: c.score, Theta: c.theta}); got != c.want {
			t.Errorf("rosenblatt(%v, %v, %v, %v) is %v, want %v", c.y, c.score, c.theta, c.eta, got, c.want)
		}
	}
}

// TestKesler checks the rule of Multiclass: ties, one class, a difference that overflows, −0, NaN.
func TestKesler(t *testing.T) {
	const huge = math.MaxFloat64
	minusZero, nan := math.Copysign(0, -1), math.NaN()
	for _, c := range []struct {
		name       string
		scores     []float64
		own        int
		theta, eta float64
		rival      int
		step       float64
	}{
		{"right", []float64{0, 3, 1}, 1, 0, 1, 2, 0},
		{"wrong", []float64{0, 3, 1}, 0, 0, 0.5, 1, 0.5},
		{"the rival is the lowest of several", []float64{2, 5, 7, 7, 1}, 1, 0, 1, 2, 1},
		{"the own class is no rival", []float64{7, 7, 7}, 0, 0, 1, 1, 1},
		{"a tie is a mistake", []float64{1, 1}, 1, 0, 1, 0, 1},
		{"all zero", []float64{0, 0, 0}, 2, 0, 1, 0, 1},
		{"0 and −0 are equal", []float64{minusZero, 0}, 1, 0, 1, 0, 1},
		{"−0 does not replace 0 as the rival", []float64{0, minusZero, -1}, 2, 0, 1, 0, 1},
		{"the least positive difference is right", []float64{0, 5e-324}, 1, 0, 1, 0, 0},
		{"the difference is θ", []float64{1, 3}, 1, 2, 1, 0, 1},
		{"the difference exceeds θ", []float64{1, 3.5}, 1, 2, 1, 0, 0},
		{"one class alone", []float64{-3}, 0, 0, 1, -1, 0},
		{"one class alone, with a θ", []float64{-3}, 0, 1e300, 1, -1, 0},
		{"an overflow above counts as right", []float64{-huge, huge}, 1, 1e300, 1, 0, 0},
		{"an overflow below counts as wrong", []float64{-huge, huge}, 0, 0, 1, 1, 1},
		{"the least scores", []float64{-huge, -huge}, 0, 0, 1, 1, 1},
		{"NaN of the own class is wrong", []float64{1, nan}, 1, 0, 1, 0, 1}, // training never asks about NaN
		{"NaN is no rival", []float64{nan, 1, 0}, 1, 0, 1, 2, 0},
	} {
		if rival, step := kesler(c.scores, c.own, c.theta, c.eta); rival != c.rival || step != c.step {
			t.Errorf("%s: the rival is %d and the step %v, want %d and %v", c.name, rival, step, c.rival, c.step)
		}
	}
}

// TestTheta checks the three θ of Margin, and which fields choose them.
func TestTheta(t *testing.T) {
	for _, c := range []struct {
		m    *Margin
		rule *train.Rule
		want float64 // for R² = 5 and ‖(w, b)‖ = 7
	}{
		{&Margin{}, marginRule, 5}, {&Margin{Rate: 0.5}, marginRule, 2.5},
		{&Margin{Gamma: 3}, gammaRule, 10.5}, {&Margin{Gamma: 3, Rate: 9}, gammaRule, 10.5},
		{&Margin{Threshold: 4}, thresholdRule, 4}, {&Margin{Threshold: 4, Rate: 9}, thresholdRule, 4},
	} {
		f := configured(c.m)
		if got := f.Rule.Theta(train.Progress{Config: &f, R2: 5, Norm: 7}); f.Rule != c.rule || got != c.want {
			t.Errorf("%+v has the rule %v and θ = %v, want %v and %v", c.m, f.Rule, got, c.rule, c.want)
		}
	}
}

// naiveGradient is an epoch of Batch: it descends the perceptron criterion by one full gradient. It
// adds up the gradients of 256 rows at a time. It returns also the mistakes and the loss.
func naiveGradient(c train.Config, h Hyperplane, set naive.Set) (next Hyperplane, mistakes int, loss float64) {
	d := len(set.X[0])
	sum, rows := make([]float64, d+1), naive.Homogeneous(set.X, true)
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
	w := vector(h)
	if Space(c.Space) == Linear {
		w = w[:d]
	}
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

// TestMistakeBound: the bound is the least float64 that is not below the quotient.
func TestMistakeBound(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct{ R, gamma, want float64 }{
		{5, 1, 25}, {1, 0.25, 16}, {3, 2, 2.25}, {0, 1, 0}, {1, 0, inf}, {1, -1, inf}, {1, -inf, inf},
		{0, 0, inf}, {inf, 1, inf}, {inf, inf, inf}, {1, inf, 0}, {-1, 1, nan}, {-1, 0, nan}, {-1, -1, nan},
		{nan, 1, nan}, {1, nan, nan}, {nan, -1, nan}, {1e-200, 1e200, 5e-324}, {1e200, 1e-200, inf}, {1, 3, math.Nextafter(1.0/9, 1)},
	} {
		Diff(t, fmt.Sprint("R and γ of ", c), MistakeBound(c.R, c.gamma), c.want)
	}
	checkRounded(t, 1, MistakeBound)
}

// TestMulticlassBound: it is twice MistakeBound, and no float64 lies between it and the quotient.
func TestMulticlassBound(t *testing.T) { checkRounded(t, 2, MulticlassBound) }

// checkRounded fails unless the bound is the least float64 that is not below factor·(R/γ)².
func checkRounded(t *testing.T, factor float64, bound func(R, gamma float64) float64) {
	r := rand.New(rand.NewPCG(3, 6))
	for range 2000 {
		R, gamma := math.Abs(r.NormFloat64()), math.Abs(r.NormFloat64())
		exact := naive.RatMul(naive.Rat(factor), new(big.Rat).Quo(naive.RatSquare(naive.Rat(R)), naive.RatSquare(naive.Rat(gamma))))
		k := bound(R, gamma)
		if naive.Rat(k).Cmp(exact) < 0 || naive.Rat(math.Nextafter(k, 0)).Cmp(exact) >= 0 {
			t.Fatalf("the bound of %v and %v is %v, exactly %v", R, gamma, k, exact)
		}
	}
}

// TestFourPoints: the loops of four points have the known beginnings and lengths. Training
// finds them as early as Brent's method can. For the least k with 2^k − 1 ≥ μ and 2^k ≥ λ, it keeps
// the state at the end of epoch 2^k − 1, and meets it again after λ more epochs.
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

// TestXOR: the weights are zero again after one epoch, in both spaces.
func TestXOR(t *testing.T) {
	Diff(t, "Online", must(new(Online).Fit(XOR.X, XOR.Y))(t), Result{Epochs: 1, Mistakes: 4, Stop: Cycled, Rows: 4})
	for _, p := range []Model{new(Batch), &Online{Space: Linear}, &Online{Keep: Pocket}, new(Margin), &Margin{Gamma: 0.5}, &Margin{Threshold: 2}} {
		Diff(t, fmt.Sprintf("%T", p), must(p.Fit(XOR.X, XOR.Y))(t).Stop, Cycled)
	}
}

// TestNoCycle: Shuffled and Sampled never stop as Cycled. A run that converges does not either. A
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

// square returns ‖(x, 1)‖², or ‖x‖² in Linear space.
func (n *naiveModel) square(x []float64) float64 {
	if n.Space == train.Linear {
		return n.dot(x, x)
	}
	return n.dot(x, x) + 1
}
