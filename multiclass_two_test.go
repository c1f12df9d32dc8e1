package perceptron

import (
	"fmt"
	"iter"
	"math"
	"testing"

	"perceptron/internal/train"
)

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

// twins yields untrained twins with every rule, Order, Keep and Space, and three rates.
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
				if !yield(name, twin{p[0].fields().(binaryModel), &Multiclass{Binary: p[1].fields()}}) {
					return
				}
			}
		}
	}
}

// fresh returns the twin before any training.
func (w twin) fresh() twin { return twin{w.b.fields().(binaryModel), w.m.fields().(*Multiclass)} }

// check fails unless the hyperplanes are the binary one and its negative, and so the
// scores.
func (w twin) check(t *testing.T, set dataset) {
	t.Helper()
	if got := w.m.Classes(); fmt.Sprint(got) != "[-1 1]" {
		t.Fatalf("classes %v", got)
	}
	h, planes := w.b.Hyperplane(), w.m.Hyperplanes()
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
	if stops[Converged] < 100 || stops[Cycled] < 20 || stops[EpochLimit] < 100 {
		t.Errorf("the runs ended with %v", stops)
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
