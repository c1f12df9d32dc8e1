package perceptron

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"perceptron/internal/naive"
	"perceptron/internal/train"
	"perceptron/internal/vec"
)

// TestRule trains with every rule, Keep, Order and Space on rows of 1 to 40 features, and compares
// the iterate and the mistakes of each epoch with those of a plain loop that calls the rule's own
// function, bit for bit. So the assembly, which makes updates by itself, cannot drift from the rule
// in the file of its model.
func TestRule(t *testing.T) {
	t.Parallel()
	for d := range widths(40) {
		two, three := naive.Noisy(uint64(d), 30, d), naive.Multi(uint64(d), 30, d, 3)
		for name, m := range withBatch(d, 4, wholeGrid(d, 4)) {
			compareRule(t, name, m, two)
			if c := configured(m); c.Rule.Descend == nil {
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
		for i, h := range stateOf(m).Hyperplanes {
			w := h.Weights.With(h.Bias)
			if h.Average != nil {
				w = h.Average.Iterate.Dense()
			} else if h.Pocket != nil {
				w = h.Pocket.Iterate.Dense()
			}
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
	return l
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
			if step = rosenblatt(float64(set.Y[i]), scores[0], 0, 1); step != 0 {
				l.add(sum, step, set.X[i])
				mistakes++
			}
			continue
		case l.Many():
			own = slices.Index(l.classes, set.Y[i])
			rival, step = kesler(scores, own, l.theta(), l.Rate)
		default:
			step = rosenblatt(float64(set.Y[i]), scores[0], l.theta(), l.Rate)
		}
		if step == 0 {
			continue
		}
		mistakes++
		square := vec.Dot(set.X[i], set.X[i]) + float64(1-l.Space)
		l.add(l.w[own], step, set.X[i])
		if rival >= 0 {
			l.add(l.w[rival], -step, set.X[i])
			square *= 2
		}
		l.r2 = max(l.r2, square)
	}
	if mistakes > 0 && l.Rule.Descend != nil {
		descend(l.w[0], sum, l.Rate)
	}
	return mistakes
}

// theta returns θ by the function of the rule in margin.go.
func (l *plainLoop) theta() float64 {
	var norms []float64
	for _, w := range l.w {
		norms = append(norms, vec.Norm(w))
	}
	norm := norms[0]
	if len(norms) > 1 {
		norm = vec.Norm(norms)
	}
	switch {
	case l.Gamma > 0:
		return thetaOfGamma(&l.Config, 0, norm)
	case l.Threshold > 0:
		return thetaAsGiven(&l.Config, 0, 0)
	case l.Rule.Name == "Margin":
		return thetaOfRadius(&l.Config, l.r2, 0)
	}
	return 0
}

func (l *plainLoop) add(w []float64, step float64, x []float64) {
	for j, v := range x {
		w[j] += float64(step * v)
	}
	if l.Space == train.Affine {
		w[l.d] += step
	}
}

// TestRosenblatt checks the rule itself, at the boundary too.
func TestRosenblatt(t *testing.T) {
	below := math.Nextafter(2, 0)
	for _, c := range []struct{ y, score, theta, eta, want float64 }{
		{1, 0, 0, 1, 1}, {-1, 0, 0, 1, -1}, {1, math.Copysign(0, -1), 0, 1, 1}, // a score of 0 is a mistake
		{1, 5e-324, 0, 1, 0}, {-1, 5e-324, 0, 1, -1}, {-1, -5e-324, 0, 1, 0}, {1, -3, 0, 0.1, 0.1},
		{1, 2, 2, 0.5, 0.5}, {1, below, 2, 0.5, 0.5}, {1, 3, 2, 0.5, 0}, {-1, -2, 2, 0.5, -0.5}, {-1, -3, 2, 0.5, 0}, {-1, 3, 2, 4, -4},
		{1, math.NaN(), 0, 1, 1}, // training never asks about one
	} {
		if got := rosenblatt(c.y, c.score, c.theta, c.eta); got != c.want {
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
		if got := f.Rule.Theta(&f, 5, 7); f.Rule != c.rule || got != c.want {
			t.Errorf("%+v has the rule %v and θ = %v, want %v and %v", c.m, f.Rule, got, c.rule, c.want)
		}
	}
}

// TestMistakeBound: the bound is the least float64 that is not below the quotient.
func TestMistakeBound(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct{ R, gamma, want float64 }{
		{5, 1, 25}, {1, 0.25, 16}, {3, 2, 2.25}, {0, 1, 0}, {1, 0, inf}, {1, -1, inf}, {1, -inf, inf},
		{0, 0, inf}, {inf, 1, inf}, {inf, inf, inf}, {1, inf, 0}, {-1, 1, nan}, {-1, 0, nan}, {-1, -1, nan},
		{nan, 1, nan}, {1, nan, nan}, {nan, -1, nan}, {1e-200, 1e200, 5e-324}, {1e200, 1e-200, inf}, {1, 3, above(1.0 / 9)},
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
		exact := ratMul(rat(factor), new(big.Rat).Quo(ratSquare(rat(R)), ratSquare(rat(gamma))))
		k := bound(R, gamma)
		if rat(k).Cmp(exact) < 0 || rat(math.Nextafter(k, 0)).Cmp(exact) >= 0 {
			t.Fatalf("the bound of %v and %v is %v, exactly %v", R, gamma, k, exact)
		}
	}
}

// TestBoundArguments: special cases of every bound, and values computed by hand.
func TestBoundArguments(t *testing.T) {
	nan := math.NaN()
	start := func(a ...float64) float64 { return StartBound(a[0], a[1], a[2], a[3], a[4]) }
	margin := func(a ...float64) float64 { return MarginBound(a[0], a[1], a[2]) }
	threshold := func(a ...float64) float64 { k, _ := ThresholdBound(a[0], a[1], a[2], a[3]); return k }
	least := func(a ...float64) float64 { _, m := ThresholdBound(a[0], a[1], a[2], a[3]); return m }
	batch := func(a ...float64) float64 { return BatchBound(int(a[0]), a[1], a[2]) }
	inseparable := func(a ...float64) float64 { return InseparableBound(a[0], a[1], a[2], a[3]) }
	A := func(a ...float64) float64 { v, _ := StartEnvelope(a[0], a[1], a[2], a[3]); return v }
	B := func(a ...float64) float64 { _, v := StartEnvelope(a[0], a[1], a[2], a[3]); return v }
	mix := func(a ...float64) float64 { m, _ := MixBound(a[0], a[1], int(a[2])); return m }
	rounds := func(a ...float64) float64 { _, r := MixBound(a[0], a[1], int(a[2])); return r }
	multi := func(a ...float64) float64 { return MulticlassBound(a[0], a[1]) }
	for i, c := range []struct {
		f    func(...float64) float64
		args []float64
		want float64
	}{
		// (9 + 4/2)/4 = 2.75, against 9/4 + 2·3/(2·2) = 3.75
		{start, []float64{3, 2, 2, 3, -4}, 2.75},
		// (9 + 40/2)/4 = 7.25, against 9/4 + 2·1/(2·2) = 2.75
		{start, []float64{3, 2, 2, 1, -40}, 2.75},
		{start, []float64{3, 2, 0, 0, 5}, 2.25},
		{start, []float64{3, 0, 1, 1, -1}, inf}, {start, []float64{3, -2, 1, 1, -1}, inf}, {start, []float64{3, inf, 1, 1, -1}, 0},
		{start, []float64{-3, 2, 1, 1, -1}, nan}, {start, []float64{3, nan, 1, 1, -1}, nan}, {start, []float64{3, 2, -1, 1, -1}, nan},
		{start, []float64{3, 2, 1, -1, -1}, nan}, {start, []float64{3, 2, 1, 1, nan}, nan}, {start, []float64{3, 2, 1, inf, -1}, inf},
		{start, []float64{3, 2, 1, 1, -inf}, inf}, {start, []float64{3, 2, 1, 1, inf}, 2.25},
		{A, []float64{3, 2, 0.5, -4}, 1}, {B, []float64{3, 2, 0.5, -4}, 4.25}, {B, []float64{3, 2, 0.5, 4}, 2.25},
		{A, []float64{3, -2, 0.5, -4}, 0}, {B, []float64{3, -2, 0.5, -4}, 4.25}, {A, []float64{3, 2, 0, 0}, 4},
		{B, []float64{3, 2, 1, -inf}, inf}, {A, []float64{3, 2, 1, -inf}, 0}, {threshold, []float64{0, 1, 1, 0}, 0}, {least, []float64{0, 1, 1, 0}, 0},
		{A, []float64{3, nan, 1, 0}, nan}, {B, []float64{3, 2, -1, 0}, nan}, {A, []float64{inf, 2, 1, 0}, 0}, {B, []float64{inf, 2, 1, 0}, inf},
		{A, []float64{3, 2, 0.5, inf}, 1}, {B, []float64{3, 2, 0.5, inf}, 2.25}, {A, []float64{3, -inf, 1, 0}, 0}, {B, []float64{3, -inf, 1, 0}, 9},
		{A, []float64{3, inf, 1, 0}, 0}, {B, []float64{3, inf, 1, 0}, inf}, {A, []float64{3, 2, inf, 0}, 0}, {B, []float64{3, 2, inf, 0}, inf},
		{A, []float64{-3, 2, 1, 0}, nan}, {B, []float64{3, 2, 1, nan}, nan}, {A, []float64{inf, 2, -1, 0}, nan}, {B, []float64{3, nan, inf, 0}, nan},
		{margin, []float64{3, 2, 1}, 4}, {margin, []float64{3, 2, 2}, 9}, {margin, []float64{3, 2, 0}, 2.25},
		{margin, []float64{3, 2, 4}, inf}, {margin, []float64{3, 2, 5}, inf}, {margin, []float64{3, 0, 1}, inf},
		{margin, []float64{3, 2, -1}, nan}, {margin, []float64{3, 2, nan}, nan}, {margin, []float64{-3, 2, 1}, nan},
		{threshold, []float64{3, 2, 2, 4}, 3.25}, {least, []float64{2, 3, 2, 4}, 0.75}, {least, []float64{3, 2, 2, 0}, 0},
		{threshold, []float64{3, 2, 1, 9}, 3 * 2.25}, {least, []float64{3, 2, 0, 9}, 2.0 / 3},
		{threshold, []float64{3, 2, 1, -1}, nan}, {least, []float64{3, 2, 1, -1}, nan}, {least, []float64{3, -2, 1, 1}, 0},
		{batch, []float64{10, 3, 2}, 22.5}, {batch, []float64{0, 3, 2}, 0}, {batch, []float64{-1, 3, 2}, nan}, {batch, []float64{1, 3, 0}, inf},
		{inseparable, []float64{3, 2, 0, 0}, 2.25}, {inseparable, []float64{3, 2, 1, 100}, 4},
		// ((3 + √(9 + 4·2·2))/4)² = 4
		{inseparable, []float64{3, 2, 100, 2}, 4}, {inseparable, []float64{3, 0, 1, 1}, inf}, {inseparable, []float64{3, 1, inf, 1}, inf},
		{inseparable, []float64{3, 2, -1, 1}, nan}, {inseparable, []float64{3, 2, 1, -1}, nan}, {inseparable, []float64{3, nan, 1, 1}, nan},
		{mix, []float64{3, 2, 5}, 2.25}, {rounds, []float64{3, 2, 5}, 11.25}, {rounds, []float64{3, 2, -5}, nan}, {mix, []float64{3, 2, -5}, nan},
		{mix, []float64{3, 0, 5}, inf}, {rounds, []float64{3, 0, 5}, inf}, {mix, []float64{3, inf, 5}, 0}, {rounds, []float64{3, 2, 0}, 0},
		{multi, []float64{3, 2}, 4.5}, {multi, []float64{0, 1}, 0}, {multi, []float64{1, inf}, 0}, {multi, []float64{1, 0}, inf}, {multi, []float64{1, -1}, inf},
		{multi, []float64{inf, 1}, inf}, {multi, []float64{0, 0}, inf}, {multi, []float64{-1, 1}, nan}, {multi, []float64{nan, 1}, nan}, {multi, []float64{1, nan}, nan},
		{multi, []float64{1, 3}, above(2.0 / 9)}, {multi, []float64{1e-200, 1e200}, 5e-324}, {multi, []float64{0x1p511, 0x1p-1}, inf},
	} {
		if got := c.f(c.args...); !naive.Same(got, c.want) { // any NaN: its sign depends on the machine
			t.Errorf("case %d, %v: %v, want %v", i, c.args, got, c.want)
		}
	}
}

// TestUnchanged: Update takes the fields of the last call as checked only if config would return the
// same ones, whatever field or rule has changed.
func TestUnchanged(t *testing.T) {
	all := []model{&Margin{Gamma: 0.5}, &Margin{Threshold: 2}}
	for _, change := range []fields{
		{}, {"Rate": 1.0}, {"Rate": 0.5}, {"MaxEpochs": 1000}, {"MaxEpochs": 7}, {"Space": Linear}, {"Order": Sampled},
		{"Keep": Average}, {"Seed": uint64(9)},
	} {
		o, m := new(Online), new(Margin)
		change.put(o)
		change.put(m)
		all = append(all, o, m)
	}
	for _, b := range slices.Clone(all) {
		all = append(all, &OneVsRest{Binary: AsBinary(b)}, &OneVsRest{Binary: AsBinary(b), Workers: 3}, &Multiclass{Binary: AsBinary(b)})
	}
	for _, m := range all {
		for _, last := range all {
			if c := configured(last); reflect.TypeOf(m) == reflect.TypeOf(last) {
				Diff(t, fmt.Sprintf("unchanged, %+v after %+v", configured(m), c), m.unchanged(&c), c == configured(m))
			}
		}
	}
	Diff(t, "unchanged with a bad Binary", (&OneVsRest{Binary: (*Online)(nil)}).unchanged(new(train.Config)), false)
}
