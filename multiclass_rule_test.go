package perceptron

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"testing"

	"perceptron/internal/train"
)

// TestMulticlassLine: Multiclass separates classes at −1, 0 and 1 on a line. OneVsRest
// cannot, because the middle class has no half-line to itself.
func TestMulticlassLine(t *testing.T) {
	X, y := [][]float64{{-1}, {0}, {1}}, []int{-1, 0, 1}
	for _, b := range []Model{nil, new(Margin), &Margin{Threshold: 3}, &Margin{Gamma: 0.1}, &Online{Order: Sampled}} {
		m := &Multiclass{Binary: AsBinary(b)}
		res := must(m.Fit(X, y))(t)
		gamma := must(MulticlassGamma(m.Hyperplanes(), X, y, Affine))(t)
		if res.Stop != Converged || !(gamma > 0) {
			t.Errorf("%v: %+v, margin %v; want a run that converges", b, res, gamma)
		}
	}
	m := &OneVsRest{Binary: &Online{MaxEpochs: 1e5}}
	if res := must(m.Fit(X, y))(t); res.Stop != Cycled {
		t.Errorf("OneVsRest: %+v, want a run that cycles", res)
	}
}

// TestMulticlassWider: data that OneVsRest separates is separable here. Its hyperplanes
// have a margin for several classes, and Multiclass converges.
func TestMulticlassWider(t *testing.T) {
	separated := 0
	for seed := range uint64(150) {
		set, space := multi(seed, 12, 2+int(seed%3), 3+int(seed%3)), Space(seed%2)
		b := &Online{Space: space, MaxEpochs: 50}
		rest := &OneVsRest{Binary: b}
		if must(rest.Fit(set.X, set.y))(t).Stop != Converged {
			continue
		}
		separated++
		gamma := must(MulticlassGamma(rest.Hyperplanes(), set.X, set.y, space))(t)
		m := &Multiclass{Binary: &Online{Space: space, MaxEpochs: 1e5}}
		if res := must(m.Fit(set.X, set.y))(t); !(gamma > 0) || res.Stop != Converged || res.Upper < gamma {
			t.Fatalf("seed %d: margin %v of OneVsRest, but %+v", seed, gamma, res)
		}
	}
	if separated < 30 || separated > 120 {
		t.Errorf("OneVsRest separates %d of 150 sets", separated)
	}
}

// lowestBest returns the position of the highest score, the lowest of several, where
// skip is left out. It reports whether there are several.
func lowestBest(scores []float64, skip int) (best int, tie bool) {
	best = -1
	for i, s := range scores {
		switch {
		case i == skip:
		case best < 0 || s > scores[best]:
			best, tie = i, false
		case s == scores[best]:
			tie = true
		}
	}
	return best, tie
}

// TestMulticlassTies: of several rivals with one score the lowest class falls. Of several
// classes with the highest score Predict returns the lowest. An update moves no others.
func TestMulticlassTies(t *testing.T) {
	ties := map[string]int{}
	for seed := range uint64(40) {
		set, m := whole(seed, 30, 2), &Multiclass{Binary: &Online{Space: Linear}}
		for i := range set.y {
			set.y[i] = []int{9, 2, 5, 7}[(i*i+int(seed))%4]
		}
		zeros := make([][]float64, 30)
		for i := range zeros {
			zeros[i] = []float64{0, 0}
		}
		for range must2(t, m.Epochs(zeros, append(set.y[4:], 2, 5, 7, 9))) {
			break // every class is at 0
		}
		for i, x := range set.X {
			scores, y := must(m.Scores(nil, x))(t), slices.Index(m.Classes(), set.y[i])
			best, tie := lowestBest(scores, -1)
			if got := must(m.Predict(x))(t); got != m.Classes()[best] {
				t.Fatalf("Predict = %d, want %d of %v with %v", got, m.Classes()[best], m.Classes(), scores)
			}
			if tie {
				ties["best"]++
			}
			r, tie := lowestBest(scores, y)
			want := m.Hyperplanes()
			if mistake := scores[y] <= scores[r]; mistake {
				for j, v := range x {
					want.Planes[y].Weights[j] += v
					want.Planes[r].Weights[j] -= v
				}
				if tie {
					ties["rival"]++
				}
			}
			must(m.Update(x, set.y[i]))(t)
			if got := m.Hyperplanes(); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("class %d of %v with scores %v: %v, want %v", set.y[i], m.Classes(), scores, got, want)
			}
		}
	}
	if ties["best"] < 100 || ties["rival"] < 100 {
		t.Errorf("ties: %v", ties)
	}
}

// TestMulticlassAlone: an example of the only class known is no mistake, for any θ, in a
// stream and in epochs. An epoch of one class converges.
func TestMulticlassAlone(t *testing.T) {
	for i, p := range []Margin{{}, {Gamma: 1}, {Threshold: 1}, {Threshold: math.MaxFloat64}, {Gamma: 1e300}} {
		for _, order := range []Order{Cyclic, Shuffled, Sampled} {
			for _, keep := range []Keep{Last, Average, Pocket} {
				p.Order, p.Keep, p.MaxEpochs = order, keep, 3
				for _, b := range []Model{&p, &Online{Order: order, Keep: keep, MaxEpochs: 3}} {
					checkAlone(t, fmt.Sprintf("%d %v %v", i, order, keep), &Multiclass{Binary: AsBinary(b)})
				}
			}
		}
	}
}

func checkAlone(t *testing.T, name string, m *Multiclass) {
	t.Helper()
	X, y := [][]float64{{1, 2}, {-1e150, 3}, {0, 0}}, []int{7, 7, 7}
	for i, x := range X {
		if must(m.Update(x, y[i]))(t) {
			t.Fatalf("%s: Update %d = true", name, i)
		}
	}
	if e := must(m.Learn(pairs(X, y)))(t); e.Mistakes != 0 || e.Loss != 0 {
		t.Fatalf("%s: Learn = %+v", name, e)
	}
	for e := range must2(t, m.Epochs(X, y)) {
		if e.Mistakes != 0 || e.Loss != 0 || e.Stop != Converged {
			t.Fatalf("%s: %+v, want an epoch without mistakes that converges", name, e)
		}
	}
	if h := m.Hyperplanes().Planes; len(h) != 1 || !h[0].isZero() || must(m.Predict(X[0]))(t) != 7 {
		t.Fatalf("%s: %v, want zeros", name, h)
	}
	if !must(m.Update([]float64{3, 4}, -2))(t) { // now there is a rival
		t.Fatalf("%s: the first example of the second class is no mistake", name)
	}
	if got := fmt.Sprint(iterateOf(m, 0), iterateOf(m, 1)); got != "[3 4 1] [-3 -4 -1]" {
		t.Fatalf("%s: %s", name, got)
	}
}

// A twin is a binary model, and the Multiclass that makes its decisions on the classes
// +1 and −1: θ is twice the binary θ, and γ′ is √2 times the binary γ′.
//
// √2·γ′ has no exact float64. So under Gamma a score within a part in 10¹⁵ of θ could be
// judged differently. No score of these tests is so near: γ′ = 1/π is no root of a
// fraction of small integers. All else is equal to the bit, at any rate, because each
// rounding is the same for a number, its negative and its double.
type twin struct {
	b binaryModel
	m *Multiclass
}

// twins yields untrained twins with every rule, Order, Keep and Space, or a sample of them,
// and three rates.
func twins(epochs int) iter.Seq2[string, twin] {
	return func(yield func(string, twin) bool) {
		for i := range 3 * 3 * 2 * 3 {
			order, keep, space := Order(i%3), Keep(i/3%3), Space(i/9%2)
			rate := []float64{1, 0.25, 0.1}[i/18]
			margin := Margin{Rate: rate, Space: space, Order: order, Keep: keep, Seed: 5, MaxEpochs: epochs}
			online := Online{Rate: rate, Space: space, Order: order, Keep: keep, Seed: 5, MaxEpochs: epochs}
			theta, theta2, gamma, gamma2 := margin, margin, margin, margin
			theta.Threshold, theta2.Threshold = 1.5, 3
			gamma.Gamma, gamma2.Gamma = 1/math.Pi, math.Sqrt2/math.Pi
			for rule, p := range [][2]binaryModel{{&online, &online}, {&margin, &margin}, {&theta, &theta2}, {&gamma, &gamma2}} {
				name := fmt.Sprintf("%v/%v/%v/%v/%d", order, keep, space, rate, rule)
				if (full || sampled(order, keep, space, rule)) && !yield(name, twin{p[0].unlearned().(binaryModel), &Multiclass{Binary: AsBinary(p[1].unlearned())}}) {
					return
				}
			}
		}
	}
}

// fresh returns the twin before any training.
func (w twin) fresh() twin { return twin{w.b.unlearned().(binaryModel), w.m.unlearned().(*Multiclass)} }

// check fails unless the hyperplanes are the binary one and its negative, and so the
// scores.
func (w twin) check(t *testing.T, set dataset) {
	t.Helper()
	if got := w.m.Classes(); fmt.Sprint(got) != "[-1 1]" {
		t.Fatalf("classes %v", got)
	}
	h, planes := w.b.Hyperplane(), w.m.Hyperplanes().Planes
	for j, v := range append(h.Weights, h.Bias) {
		low, high := append(planes[0].Weights, planes[0].Bias)[j], append(planes[1].Weights, planes[1].Bias)[j]
		if high != v || low != -v {
			t.Fatalf("weight %d is %v and %v, want %v and %v", j, low, high, -v, v)
		}
	}
	for _, x := range set.X {
		s, scores := must(w.b.Score(x))(t), must(w.m.Scores(nil, x))(t)
		if scores[0] != -s || scores[1] != s {
			t.Fatalf("scores %v, want %v and %v", scores, -s, s)
		}
		if got, want := must(w.m.Predict(x))(t), must(w.b.Predict(x))(t); s != 0 && got != want {
			t.Fatalf("Predict = %d, want %d", got, want)
		}
	}
}

// sameEpoch fails unless the epochs are the same, apart from the doubled loss.
func sameEpoch(t *testing.T, got, want Epoch) {
	t.Helper()
	if want.Loss *= 2; got != want {
		t.Fatalf("%+v, want %+v", got, want)
	}
}

// epochs compares up to n epochs, and reports whether the range ended.
func (w twin) epochs(t *testing.T, set dataset, n int) bool {
	t.Helper()
	next, stop := iter.Pull2(w.b.Epochs(set.X, set.y))
	defer stop()
	for e := range must2(t, w.m.Epochs(set.X, set.y)) {
		want, err, ok := next()
		if err != nil || !ok {
			t.Fatalf("the binary range ended before %+v: %v", e, err)
		}
		if sameEpoch(t, e, want); e.Stop != Running {
			return true
		}
		if n--; n == 0 {
			return false
		}
	}
	return true
}

// stream compares Update on every row, and then Learn.
func (w twin) stream(t *testing.T, set dataset) {
	t.Helper()
	for i, x := range set.X {
		want := must(w.b.Update(x, set.y[i]))(t)
		if got := must(w.m.Update(x, set.y[i]))(t); got != want {
			t.Fatalf("Update %d = %v, want %v", i, got, want)
		}
	}
	sameEpoch(t, must(w.m.Learn(stream(set)))(t), must(w.b.Learn(stream(set)))(t))
}

// fit compares Fit. ‖W‖² is 2‖w‖², so Upper is √2 times the binary one, and γ too.
func (w twin) fit(t *testing.T, set dataset) Stop {
	t.Helper()
	want, got := must(w.b.Fit(set.X, set.y))(t), must(w.m.Fit(set.X, set.y))(t)
	if ratio := got.Upper / (math.Sqrt2 * want.Upper); math.Abs(ratio-1) > 1e-14 {
		t.Fatalf("Upper %v, want √2·%v", got.Upper, want.Upper)
	}
	if want.Upper = got.Upper; got != want {
		t.Fatalf("%+v, want %+v", got, want)
	}
	return got.Stop
}

// TestMulticlassTwo: with the classes +1 and −1 every decision, mistake, epoch and stop
// is the binary model's. The weights are the binary weights and their negatives.
func TestMulticlassTwo(t *testing.T) {
	stops := map[Stop]int{}
	for i, set := range []dataset{whole(1, 20, 2), whole(5, 9, 4), fourPoints, xor, separable(3, 30, 3, 0.2), noisy(4, 25, 3)} {
		for name, w := range twins(40) {
			t.Run(fmt.Sprintf("%d/%s", i, name), func(t *testing.T) {
				again := w.fresh()
				for !again.epochs(t, set, 3) {
					again.check(t, set)
					again.stream(t, set)
					again.check(t, set)
					if stateOf(again.m).Passes > 20 {
						break
					}
				}
				stops[w.fit(t, set)]++
				w.check(t, set)
			})
		}
	}
	if stops[Converged] < Share(100) || stops[Cycled] < Share(20) || stops[EpochLimit] < Share(100) {
		t.Errorf("the runs ended with %v", stops)
	}
}

// TestMulticlassTwoBefore: a binary model that saw the examples before the second class
// arrived makes other decisions.
func TestMulticlassTwoBefore(t *testing.T) {
	X, y := [][]float64{{5}, {6}, {1}, {2}}, []int{1, 1, -1, -1}
	classes, all, late := &Multiclass{}, &Online{}, &Online{}
	var differ []int
	for visit := range 12 {
		x, label := X[visit%4], y[visit%4]
		got := must(classes.Update(x, label))(t)
		if want := must(all.Update(x, label))(t); got != want {
			differ = append(differ, visit)
		}
		if visit < 2 {
			continue
		}
		if want := must(late.Update(x, label))(t); got != want {
			t.Errorf("Update %d = %v, want %v", visit, got, want)
		}
	}
	if want := []int{0, 3, 4, 8, 10}; !slices.Equal(differ, want) {
		t.Errorf("the decisions differ at %v, want %v", differ, want)
	}
}

// TestMulticlassTwoStream: in a stream, examples of the only class known are no mistakes.
// From the first example of the other class on, each decision is that of a binary model
// that begins there.
func TestMulticlassTwoStream(t *testing.T) {
	set := whole(6, 40, 3)
	for i := range 7 {
		set.y[i] = set.y[0]
	}
	set.y[7] = -set.y[0]
	for name, w := range twins(1) {
		if configured(w.m).Keep != train.Last {
			continue // the mean and the run of the pocket count the first examples too
		}
		t.Run(name, func(t *testing.T) {
			for i, x := range set.X {
				want := i >= 7 && must(w.b.Update(x, set.y[i]))(t)
				if got := must(w.m.Update(x, set.y[i]))(t); got != want {
					t.Fatalf("Update %d = %v, want %v", i, got, want)
				}
			}
			w.check(t, set)
			w.stream(t, set)
			w.check(t, set)
		})
	}
}
