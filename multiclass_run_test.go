package perceptron

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"sync"
	"testing"

	"perceptron/internal/train"
)

// wholeClasses draws rows of small integers, on which every sum is exact, with random labels
// of k classes that all occur.
func wholeClasses(seed uint64, n, d, k int) dataset {
	set := whole(seed, n, d)
	set.y = noisyClasses(seed, n, d, k).y
	return set
}

// states returns the weights and R² before training and after each epoch, of at most n, and
// the least mistakes of an epoch. Each epoch is a range of its own, so no detector has seen
// the one before.
func states(t *testing.T, m *Multiclass, set dataset, n int) (trace []string, least int) {
	p := &Multiclass{Binary: AsBinary(fields{"MaxEpochs": 1}.set(inner(m)))}
	least = len(set.X)
	zero := make([]float64, len(set.X[0])+1)
	first := ""
	for range n {
		for e := range must2(t, p.Epochs(set.X, set.y)) {
			least = min(least, e.Mistakes)
		}
		now := ""
		planes := stateOf(p).Hyperplanes
		for i := range planes {
			now += fmt.Sprintf("%b ", iterateOf(p, i))
		}
		if first == "" {
			for range planes {
				first += fmt.Sprintf("%b ", zero)
			}
			trace = append(trace, first+fmt.Sprint(0.0))
		}
		trace = append(trace, now+fmt.Sprint(planes[0].R2))
	}
	return trace, least
}

// TestMulticlassCycles compares the end of Fit with the loop that comparing all states finds.
// Training finds it as early as Brent's method can: see TestFourPoints.
func TestMulticlassCycles(t *testing.T) {
	const epochs = 60
	cycled, late, long := 0, 0, 0
	for seed := range uint64(Share(40)) {
		set := wholeClasses(seed, 5+int(seed)%3, 1+int(seed)%2, 3)
		for _, b := range []model{new(Online), &Online{Keep: Average, Space: Linear}, &Online{Keep: Pocket}, new(Margin), &Margin{Threshold: 3}, &Margin{Gamma: 0.5}} {
			m := &Multiclass{Binary: AsBinary(fields{"MaxEpochs": epochs}.set(b))}
			trace, least := states(t, m, set, epochs)
			want := Result{Epochs: epochs, Stop: EpochLimit}
			mu, lambda := loop(trace)
			saved := 1
			for saved-1 < mu || saved < lambda {
				saved *= 2
			}
			if n := saved - 1 + lambda; lambda > 0 && n <= epochs {
				want = Result{Epochs: n, Stop: Cycled}
				cycled++
				late, long = max(late, mu), max(long, lambda)
			}
			if least == 0 {
				want.Stop = Converged
			}
			res := must(m.Fit(set.X, set.y))(t)
			if res.Stop != want.Stop || res.Epochs != want.Epochs && least > 0 {
				t.Errorf("seed %d, %+v: %+v, want %+v: the loop begins after %d and has %d", seed, b, res, want, mu, lambda)
			}
		}
	}
	t.Logf("%d runs cycle; the latest loop begins after %d, the longest has %d", cycled, late, long)
	if cycled < Share(20) || late < 3 || long < 3 {
		t.Error("the sets are too easy")
	}
}

// loop returns where the first repetition in the trace begins, and its length; 0 for none.
func loop(trace []string) (mu, lambda int) {
	for i, s := range trace {
		if first := slices.Index(trace, s); first < i {
			return first, i - first
		}
	}
	return 0, 0
}

// TestMulticlassUpper compares Upper with ‖W‖/(ηk), added up here. It bounds the margin of
// the data, and so the margin of W.
func TestMulticlassUpper(t *testing.T) {
	set := multi(4, 60, 3, 5)
	for name, m := range keslerGrid(3, 9) {
		res := must(m.Fit(set.X, set.y))(t)
		squares, rate := 0.0, configured(m).Rate
		for i := range m.Classes() {
			for _, v := range iterateOf(m, i) {
				squares += v * v
			}
		}
		norm := math.Sqrt(squares)
		want := norm / (rate * float64(res.Mistakes))
		if !(math.Abs(res.Upper-want) <= 1e-14*want) {
			t.Errorf("%s: Upper = %v, want %v of %d mistakes", name, res.Upper, want, res.Mistakes)
		}
		least := inf
		for i, x := range set.X {
			scores, own := []float64{}, slices.Index(m.Classes(), set.y[i])
			for c := range m.Classes() {
				scores = append(scores, train.Score(iterateOf(m, c), x))
			}
			r, _ := lowestBest(scores, own)
			least = min(least, scores[own]-scores[r])
		}
		if least/norm > res.Upper {
			t.Errorf("%s: the margin is %v, Upper %v", name, least/norm, res.Upper)
		}
	}
}

// TestMulticlassConfirms: an epoch without mistakes ends a sampled run only if every row is
// right by more than θ.
func TestMulticlassConfirms(t *testing.T) {
	unconfirmed, converged := 0, 0
	set := multi(1, 12, 2, 3)
	if res := must(new(Multiclass).Fit(set.X, set.y))(t); res.Stop != Converged {
		t.Fatalf("%+v: the rows are not separable", res)
	}
	for seed := range uint64(100) {
		for _, b := range []Model{&Online{Order: Sampled, Seed: seed}, &Margin{Order: Sampled, Seed: seed, Threshold: 1}} {
			m := &Multiclass{Binary: AsBinary(b)}
			for e := range must2(t, m.Epochs(set.X, set.y)) {
				right, theta := true, configured(m).Threshold
				for i, x := range set.X {
					scores := must(m.Scores(nil, x))(t)
					own, _ := slices.BinarySearch(m.Classes(), set.y[i])
					for c, s := range scores {
						right = right && (c == own || scores[own]-s > theta)
					}
				}
				if e.Mistakes == 0 && e.Stop == Running {
					unconfirmed++
					if right {
						t.Fatal("every row is right, but the run continues")
					}
				}
				if e.Stop == Converged {
					if converged++; !right {
						t.Fatal("Converged, but a row is wrong")
					}
				}
			}
		}
	}
	if unconfirmed == 0 || converged == 0 {
		t.Fatalf("%d epochs missed a wrong row, %d converged: the test shows nothing", unconfirmed, converged)
	}
}

// TestMulticlassBroken: epochs run one range at a time, each on a clone, equal those of one
// uninterrupted range. Fit starts from scratch.
func TestMulticlassBroken(t *testing.T) {
	for _, set := range []dataset{multi(8, 40, 4, 3), noisyClasses(9, 40, 4, 5)} {
		for name, m := range keslerGrid(4, 7) {
			var unbroken []string
			q := m.unlearned().(*Multiclass)
			for e := range must2(t, m.Epochs(set.X, set.y)) {
				unbroken = append(unbroken, fmt.Sprintln(e.N, e.Mistakes, e.Loss, m.Hyperplanes()))
			}
			for i := range unbroken {
				for e := range must2(t, q.Epochs(set.X, set.y)) {
					if got := fmt.Sprintln(e.N, e.Mistakes, e.Loss, q.Hyperplanes()); got != unbroken[i] {
						t.Fatalf("%s: epoch %d: %s, want %s", name, i+1, got, unbroken[i])
					}
					break
				}
				q = cloneOf(q).(*Multiclass)
			}
			first := must(m.Fit(set.X, set.y))(t)
			was := snapshot(m)
			must(m.Update(set.X[0], 12345))(t)
			if again := must(m.Fit(set.X, set.y))(t); again != first || snapshot(m) != was {
				t.Fatalf("%s: the second Fit is %+v\n%s, want %+v\n%s", name, again, snapshot(m), first, was)
			}
		}
	}
}

// TestMulticlassReads: any number of goroutines may read a model at once, also the first
// reads after training, which compute the means that Average defers.
func TestMulticlassReads(t *testing.T) {
	set := multi(1, 40, 3, 4)
	for name, m := range keslerGrid(3, 3) {
		for _, method := range []string{"Fit", "Learn", "Update"} {
			accept.of(t, m, set.X, set.y, method)
			alone := m.Clone()
			for _, p := range []*Multiclass{m, alone} { // the means are out of date again
				accept.of(t, p, set.X, set.y, "Update")
			}
			want := must(alone.Scores(nil, set.X[1]))(t)
			var wg sync.WaitGroup
			for g := range 4 {
				wg.Go(func() {
					got, err := m.Scores(nil, set.X[1])
					if err != nil || !slices.EqualFunc(got, want, sameBits) {
						t.Errorf("%s: reader %d: %v, %v, want %v", name, g, got, err, want)
					}
					_, _ = m.Predict(set.X[g])
					_, _, _ = m.Hyperplanes(), m.Classes(), m.Clone()
					_, _ = m.MarshalJSON()
					_, _ = Mix([]*Multiclass{m, m}, nil)
					_ = m.String()
				})
			}
			wg.Wait()
		}
	}
}

// multiclassGrid yields Multiclass with every rule, Order, Keep and Space, and the
// reference of each.
func multiclassGrid(epochs int) iter.Seq2[*Multiclass, *naiveMulticlass] {
	return func(yield func(*Multiclass, *naiveMulticlass) bool) {
		i := 0
		for _, order := range []Order{Cyclic, Shuffled, Sampled} {
			for _, keep := range []Keep{Last, Average, Pocket} {
				for _, space := range []Space{Affine, Linear} {
					for rule := range 4 {
						rate := []float64{0.1, 1}[i%2]
						n := newNaiveMulticlass(space, order, keep, 7)
						n.rate, n.maxEpochs = rate, epochs
						margin := &Margin{Rate: rate, Space: space, Order: order, Keep: keep, Seed: 7, MaxEpochs: epochs}
						m := &Multiclass{Binary: margin}
						switch rule {
						case 0:
							m.Binary = &Online{Rate: rate, Space: space, Order: order, Keep: keep, Seed: 7, MaxEpochs: epochs}
						case 1:
							n.adaptive = true
						case 2:
							n.gamma, margin.Gamma = 0.3, 0.3
						case 3:
							n.threshold, margin.Threshold = 0.7, 0.7
						}
						if i++; (full || sampled(order, keep, space, rule)) && !yield(m, n) {
							return
						}
					}
				}
			}
			i++ // another rate for the same rules
		}
	}
}

func (n *naiveMulticlass) String() string {
	return fmt.Sprint(n.order, n.keep, n.space, n.rate, n.gamma, n.threshold, n.adaptive)
}

// compare compares what m has learned with the reference.
func (n *naiveMulticlass) compare(t *testing.T, m *Multiclass, set dataset) {
	t.Helper()
	classes := m.Classes()
	if fmt.Sprint(classes) != fmt.Sprint(n.classes()) {
		t.Fatalf("classes %v, want %v", classes, n.classes())
	}
	slack := n.slack(set)
	for i, want := range n.hyperplanes() {
		got := m.Hyperplanes().Planes[i]
		if n.keep != Average && !samePlane(got, want) || !nearPlane(got, want, slack[i]) {
			t.Fatalf("class %d: %v, want\n%v", classes[i], got, want)
		}
	}
	if n.keep == Average {
		return // the last bits of the scores differ
	}
	for _, x := range set.X {
		if got, want := must(m.Predict(x))(t), n.predict(x); got != want {
			t.Fatalf("Predict = %d, want %d", got, want)
		}
	}
}

// TestMulticlassNaive compares Epochs and Fit with the reference, on 2 to 12 classes.
func TestMulticlassNaive(t *testing.T) {
	stops := map[Stop]int{}
	for k, set := range multiclassSets() {
		for m, n := range multiclassGrid(3 + k%5) {
			t.Run(fmt.Sprintf("%d classes %v", k, n), func(t *testing.T) {
				twin := m.Clone()
				want := n.epochs(set.X, set.y)
				i := 0
				for e := range must2(t, m.Epochs(set.X, set.y)) {
					if i == len(want) || e != want[i] {
						t.Fatalf("epoch %d of %d: %+v, want %+v", i, len(want), e, want[i])
					}
					i++
				}
				n.compare(t, m, set)
				stops[want[len(want)-1].Stop]++
				if got, want := must(twin.Fit(set.X, set.y))(t), n.result(want); got != want {
					t.Fatalf("Fit: %+v, want %+v", got, want)
				}
				n.compare(t, twin, set)
			})
			if want := len(n.classes()); want != k {
				t.Fatalf("%d classes, want %d", want, k)
			}
		}
	}
	if stops[Converged] == 0 || stops[Cycled] == 0 || stops[EpochLimit] == 0 {
		t.Errorf("the runs ended with %v", stops)
	}
}

// multiclassSets returns a set for each number of classes from 2 to 12, or for a
// sample of them. Some have more
// rows than a block, and some sums are exact.
func multiclassSets() map[int]dataset {
	sets := map[int]dataset{}
	for k := 2; k <= 12; k++ {
		if !full && !slices.Contains([]int{2, 3, 5, 6, 11}, k) {
			continue
		}
		set := multi(uint64(k), 5*k, 2+k%3, min(k, 10))
		switch {
		case k == 11:
			set = multi(11, 50, 33, 10)
		case k%2 == 0:
			set = whole(uint64(k), 4*k, 2+k%5)
		}
		for i := range set.y {
			if k%2 == 0 {
				set.y[i] = (i+i/k*i)%k*100 - 300
			} else if k == 11 && i%11 == 0 {
				set.y[i] = 1000
			}
		}
		if k == 2 || k == 4 { // no hyperplanes separate equal rows, and the weights repeat
			for i := range set.X {
				set.X[i], set.y[i] = set.X[0], i%k
			}
		}
		sets[k] = set
	}
	return sets
}

// TestMulticlassStreamNaive compares Update and Learn with the reference, where classes
// arrive late, and the epochs and the stream after them.
func TestMulticlassStreamNaive(t *testing.T) {
	for k, set := range multiclassSets() {
		late, half := set, len(set.X)/2
		for i := range late.y[:half] { // half of the rows have fewer classes
			late.y[i] = late.y[i%max(1, k/2)]
		}
		for m, n := range multiclassGrid(2) {
			t.Run(fmt.Sprintf("%d classes %v", k, n), func(t *testing.T) {
				twin := m.Clone()
				for i, x := range late.X {
					want, _ := n.stream(x, late.y[i])
					if got := must(m.Update(x, late.y[i]))(t); got != want {
						t.Fatalf("Update %d = %v, want %v", i, got, want)
					}
					if i < 3 || i == half {
						n.compare(t, m, late)
					}
				}
				n.compare(t, m, late)
				must(twin.Learn(stream(late)))(t)
				n.compare(t, twin, late)
				for _, part := range []int{half, len(late.X)} {
					want := n.epochs(late.X[:part], late.y[:part])
					for e := range must2(t, m.Epochs(late.X[:part], late.y[:part])) {
						if e != want[0] {
							t.Fatalf("%d rows: %+v, want %+v", part, e, want[0])
						}
						want = want[1:]
					}
					n.compare(t, m, late)
					if got, want := must(m.Learn(stream(late)))(t), n.learn(late.X, late.y); got != want {
						t.Fatalf("Learn = %+v, want %+v", got, want)
					}
					n.compare(t, m, late)
				}
			})
		}
	}
}
