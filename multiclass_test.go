package perceptron

import (
	"fmt"
	"iter"
	"maps"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"perceptron/internal/naive"
	"perceptron/internal/train"
)

// TestSeparateFits compares OneVsRest with K separate fits, bit for bit, for every
// number of workers. Some classes converge, some cycle, and some reach the limit.
func TestSeparateFits(t *testing.T) {
	t.Parallel()
	sets := []naive.Set{naive.Multi(1, 90, 4, 3), naive.Multi(2, 1100, 160, 6), {Name: "rings", X: append(slices.Clone(XOR.X), []float64{5, 5}), Y: []int{4, 2, 2, 4, 9}}}
	for _, set := range sets {
		for name, b := range binaries(len(set.X[0]), 12) {
			t.Run(fmt.Sprintf("%s%d/%s", set.Name, len(set.X), name), func(t *testing.T) {
				for _, workers := range []int{1, 2, 3, 8} {
					compareSeparate(t, &OneVsRest{Binary: AsBinary(b), Workers: workers}, b, set)
				}
			})
		}
	}
}

func compareSeparate(t *testing.T, m *OneVsRest, b model, set naive.Set) {
	res := must(m.Fit(set.X, set.Y))(t)
	want := Result{Upper: inf, Stop: Converged}
	for i, class := range m.Classes() {
		one := b.unlearned()
		r := must(one.Fit(set.X, Against(set.Y, class)))(t)
		h := one.(interface{ Hyperplane() Hyperplane }).Hyperplane()
		if !samePlane(m.Hyperplanes().Planes[i], h) {
			t.Fatalf("class %d: %v, want %v of the separate fit", class, m.Hyperplanes().Planes[i], h)
		}
		want.Epochs = max(want.Epochs, r.Epochs)
		want.Mistakes += r.Mistakes
		want.Upper = min(want.Upper, r.Upper)
		if r.Stop == EpochLimit || r.Stop == Cycled && want.Stop != EpochLimit {
			want.Stop = r.Stop
		}
	}
	if res != want {
		t.Fatalf("Result %+v, want %+v", res, want)
	}
}

// TestMultiStream: Update and Learn train each class on all examples since its
// first, in any order of arrival.
func TestMultiStream(t *testing.T) {
	set := naive.Multi(3, 60, 4, 4)
	for name, b := range onlineGrid(4, 0) {
		t.Run(name, func(t *testing.T) {
			m, l := &OneVsRest{Binary: b}, &OneVsRest{Binary: b}
			separate := map[int]binaryModel{}
			for i, x := range set.X {
				if separate[set.Y[i]] == nil {
					separate[set.Y[i]] = b.unlearned().(binaryModel)
				}
				want := false
				for class, p := range separate {
					want = must(p.Update(x, Against(set.Y, class)[i]))(t) || want
				}
				if got := must(m.Update(x, set.Y[i]))(t); got != want {
					t.Fatalf("Update %d = %v, want %v", i, got, want)
				}
			}
			e := must(l.Learn(stream(set)))(t)
			if e.N != 1 || e.Examples != 60 || e.Stop != Running {
				t.Fatalf("Learn = %+v", e)
			}
			for i, class := range m.Classes() {
				want := separate[class].Hyperplane()
				if !samePlane(m.Hyperplanes().Planes[i], want) || !samePlane(l.Hyperplanes().Planes[i], want) {
					t.Fatalf("class %d: %v and %v, want %v", class, m.Hyperplanes().Planes[i], l.Hyperplanes().Planes[i], want)
				}
			}
			if len(m.Classes()) != 4 || !slices.IsSorted(m.Classes()) {
				t.Fatalf("Classes = %v", m.Classes())
			}
		})
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
		for i := range 3 * 3 * 2 * len(train.KeepNames) {
			order, space, rate, keep := Order(i%3), Space(i/3%2), []float64{1, 0.25, 0.1}[i/6%3], Keep(i/18)
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

// check fails unless the hyperplanes are the binary one and its negative, and so the scores.
func (w twin) check(t *testing.T, set naive.Set) {
	t.Helper()
	if got := w.m.Classes(); fmt.Sprint(got) != "[-1 1]" {
		t.Fatalf("classes %v", got)
	}
	h, planes := w.b.Hyperplane(), w.m.Hyperplanes().Planes
	for j, v := range vector(h) {
		low, high := vector(planes[0])[j], vector(planes[1])[j]
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

// stream compares Update on every row, and then Learn.
func (w twin) stream(t *testing.T, set naive.Set) {
	t.Helper()
	for i, x := range set.X {
		want := must(w.b.Update(x, set.Y[i]))(t)
		if got := must(w.m.Update(x, set.Y[i]))(t); got != want {
			t.Fatalf("Update %d = %v, want %v", i, got, want)
		}
	}
	got, want := must(w.m.Learn(stream(set)))(t), must(w.b.Learn(stream(set)))(t)
	if want.Loss *= 2; got != want {
		t.Fatalf("%+v, want %+v", got, want)
	}
	w.check(t, set)
}

// fit compares Fit. ‖W‖² is 2‖w‖², so Upper is √2 times the binary one, and γ too.
func (w twin) fit(t *testing.T, set naive.Set) Stop {
	t.Helper()
	want, got := must(w.b.Fit(set.X, set.Y))(t), must(w.m.Fit(set.X, set.Y))(t)
	if ratio := got.Upper / (math.Sqrt2 * want.Upper); math.Abs(ratio-1) > 1e-14 {
		t.Fatalf("Upper %v, want √2·%v", got.Upper, want.Upper)
	}
	if want.Upper = got.Upper; got != want {
		t.Fatalf("%+v, want %+v", got, want)
	}
	w.check(t, set)
	return got.Stop
}

// TestMulticlassTwo: with the classes +1 and −1 every decision, mistake, epoch and stop
// is the binary model's. The weights are the binary weights and their negatives.
func TestMulticlassTwo(t *testing.T) {
	t.Parallel()
	stops := map[Stop]int{}
	for i, set := range []naive.Set{naive.Whole(1, 20, 2), naive.Whole(5, 9, 4), FourPoints, XOR, naive.Separable(3, 30, 3, 0.2), naive.Noisy(4, 25, 3)} {
		for name, w := range twins(40) {
			t.Run(fmt.Sprintf("%d/%s", i, name), func(t *testing.T) {
				stops[w.fit(t, set)]++
				w.stream(t, set)
			})
		}
	}
	if stops[Converged] < Share(100) || stops[Cycled] < Share(20) || stops[EpochLimit] < Share(100) {
		t.Errorf("the runs ended with %v", stops)
	}
}

// TestMulticlassTwoStream: in a stream, examples of the only class known are no mistakes. From the
// first example of the other class on, each decision is that of a binary model that begins there.
func TestMulticlassTwoStream(t *testing.T) {
	set := naive.Whole(6, 40, 3)
	for i := range 7 {
		set.Y[i] = set.Y[0]
	}
	set.Y[7] = -set.Y[0]
	for name, w := range twins(1) {
		if configured(w.m).Keep != train.Last {
			continue // the mean and the run of the pocket count the first examples too
		}
		t.Run(name, func(t *testing.T) {
			for i, x := range set.X {
				want := i >= 7 && must(w.b.Update(x, set.Y[i]))(t)
				if got := must(w.m.Update(x, set.Y[i]))(t); got != want {
					t.Fatalf("Update %d = %v, want %v", i, got, want)
				}
			}
			w.check(t, set)
			w.stream(t, set)
		})
	}
}

// noisyClasses draws rows whose labels are random, of k classes that all occur. The rows are
// not separable if there are many more than features.
func noisyClasses(seed uint64, n, d, k int) naive.Set {
	set := naive.Noisy(seed, n, d)
	for i, row := range Uniform(seed, n, 1, 2).X {
		if set.Y[i] = 10 * i; i >= k {
			set.Y[i] = 10 * int((row[0]+2)*1e6) % (10 * k)
		}
	}
	return set
}

// TestMulticlassNaive compares Epochs and Fit with the reference, on 2 to 12 classes.
func TestMulticlassNaive(t *testing.T) {
	t.Parallel()
	stops := map[Stop]int{}
	late := 0
	for k, set := range multiclassSets() {
		epochs := 3 + k%5
		if k <= 5 {
			epochs = 60
		}
		for name, m := range keslerGrid(len(set.X[0]), epochs) {
			t.Run(fmt.Sprintf("%d classes %s", k, name), func(t *testing.T) {
				res := compareEpochs(t, m, set)
				if stops[res.Stop]++; res.Stop == Cycled {
					late = max(late, res.Epochs)
				}
				if got := len(m.Classes()); got != k {
					t.Fatalf("%d classes, want %d", got, k)
				}
			})
		}
	}
	if stops[Converged] == 0 || stops[Cycled] < 6 || late < 30 || stops[EpochLimit] == 0 {
		t.Errorf("the runs ended with %v, the latest loop after %d", stops, late)
	}
}

// multiclassSets returns a set for each number of classes from 2 to 12, or for a sample of them.
// Some have more rows than a block, and some sums are exact.
func multiclassSets() map[int]naive.Set {
	sets := map[int]naive.Set{}
	for k := 2; k <= 12; k++ {
		if !full && !slices.Contains([]int{2, 3, 5, 6, 11}, k) {
			continue
		}
		set := naive.Multi(uint64(k), 5*k, 2+k%3, min(k, 10))
		switch {
		case k == 3: // the weights repeat after some epochs
			set = naive.Whole(3, 6, 1)
			set.Y = noisyClasses(3, 6, 1, 3).Y
		case k == 11:
			set = naive.Multi(11, 50, 33, 10)
		case k%2 == 0:
			set = naive.Whole(uint64(k), 4*k, 2+k%5)
		}
		for i := range set.Y {
			if k%2 == 0 {
				set.Y[i] = (i+i/k*i)%k*100 - 300
			} else if k == 11 && i%11 == 0 {
				set.Y[i] = 1000
			}
		}
		if k == 2 || k == 4 { // no hyperplanes separate equal rows, and the weights repeat
			for i := range set.X {
				set.X[i], set.Y[i] = set.X[0], i%k
			}
		}
		sets[k] = set
	}
	return sets
}

// TestMulticlassStreamNaive compares Update and Learn with the reference, where classes
// arrive late, and the epochs and the stream after them.
func TestMulticlassStreamNaive(t *testing.T) {
	t.Parallel()
	for k, set := range multiclassSets() {
		late, half := set, len(set.X)/2
		for i := range late.Y[:half] { // half of the rows have fewer classes
			late.Y[i] = late.Y[i%max(1, k/2)]
		}
		for name, m := range keslerGrid(len(set.X[0]), 2) {
			t.Run(fmt.Sprintf("%d classes %s", k, name), func(t *testing.T) { compareStream(t, m, late) })
		}
	}
}

// TestMulticlassAlone: while only one class is known, no example is a mistake for any θ, no weight
// changes, and a pocket has every row right. Fit rejects such rows.
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
			if beat := stateOf(m).Beat; len(beat) > 0 && beat[0] != int64(n) {
				t.Errorf("%s: the pocket has %v right, want %d", name, beat, n)
			}
			if got := must(m.Predict(set.X[0]))(t); got != 7 {
				t.Errorf("%s: Predict = %d", name, got)
			}
			w.of(t, m, set.X, set.Y, "Fit") // leaves the model as it was
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

// mean returns the exact mean of a class's iterates, rounded once. Before its first example they
// are zero.
func (n *naiveModel) mean(c int) Hyperplane {
	z := make([]float64, n.d+1)
	for j := range z {
		sum, all := new(big.Float).SetPrec(2200), new(big.Float).SetPrec(2200)
		for i, w := range n.iterates {
			count, v := new(big.Float).SetFloat64(n.counts[i]), w[c].Bias
			if j < len(w[c].Weights) {
				v = w[c].Weights[j]
			}
			all.Add(all, count)
			sum.Add(sum, count.Mul(count.SetPrec(110), new(big.Float).SetFloat64(v)))
		}
		z[j], _ = sum.Quo(sum, all).Float64()
	}
	return planeOf(z, n.d)
}
