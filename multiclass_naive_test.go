package perceptron

import (
	"fmt"
	"iter"
	"testing"
)

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
		got := m.Hyperplanes()[i]
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
	manyWorkers(t)
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

// multiclassSets returns a set for each number of classes from 2 to 12. Some have more
// rows than a block, and some sums are exact.
func multiclassSets() map[int]dataset {
	sets := map[int]dataset{}
	for k := 2; k <= 12; k++ {
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
