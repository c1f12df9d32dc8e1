package perceptron

import (
	"fmt"
	"slices"
	"testing"

	"perceptron/internal/naive"
)

// wholeClasses draws rows of small integers, on which every sum is exact, with random labels
// of k classes that all occur.
func wholeClasses(seed uint64, n, d, k int) naive.Set {
	set := naive.Whole(seed, n, d)
	set.Y = noisyClasses(seed, n, d, k).Y
	return set
}

// compare compares what m has learned with the reference.
func (n *naiveMulticlass) compare(t *testing.T, m *Multiclass, set naive.Set) {
	t.Helper()
	classes := m.Classes()
	if fmt.Sprint(classes) != fmt.Sprint(n.classes()) {
		t.Fatalf("classes %v, want %v", classes, n.classes())
	}
	for i, want := range n.hyperplanes() {
		if got := m.Hyperplanes().Planes[i]; !nearPlane(got, want, n.Keep != naive.Average || set.Name == "whole" && n.Rate == 1) {
			t.Fatalf("class %d: %v, want\n%v", classes[i], got, want)
		}
	}
	if n.Keep == naive.Average {
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
	late := 0
	for k, set := range multiclassSets() {
		epochs := 3 + k%5
		if k <= 5 {
			epochs = 60
		}
		for name, m := range keslerGrid(len(set.X[0]), epochs) {
			n := naiveMulticlassOf(m)
			t.Run(fmt.Sprintf("%d classes %s", k, name), func(t *testing.T) {
				twin := m.Clone()
				want := n.epochs(set.X, set.Y)
				i := 0
				for e := range must2(t, m.Epochs(set.X, set.Y)) {
					if i == len(want) || e != want[i] {
						t.Fatalf("epoch %d of %d: %+v, want %+v", i, len(want), e, want[i])
					}
					i++
				}
				n.compare(t, m, set)
				if stops[want[len(want)-1].Stop]++; want[len(want)-1].Stop == Cycled {
					late = max(late, len(want))
				}
				if got, want := must(twin.Fit(set.X, set.Y))(t), n.result(want); got != want {
					t.Fatalf("Fit: %+v, want %+v", got, want)
				}
				n.compare(t, twin, set)
			})
			if want := len(n.classes()); want != k {
				t.Fatalf("%d classes, want %d", want, k)
			}
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
			set = wholeClasses(3, 6, 1, 3)
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
	for k, set := range multiclassSets() {
		late, half := set, len(set.X)/2
		for i := range late.Y[:half] { // half of the rows have fewer classes
			late.Y[i] = late.Y[i%max(1, k/2)]
		}
		for name, m := range keslerGrid(len(set.X[0]), 2) {
			n := naiveMulticlassOf(m)
			t.Run(fmt.Sprintf("%d classes %s", k, name), func(t *testing.T) {
				twin := m.Clone()
				for i, x := range late.X {
					want, _ := n.stream(x, late.Y[i])
					if got := must(m.Update(x, late.Y[i]))(t); got != want {
						t.Fatalf("Update %d = %v, want %v", i, got, want)
					}
					if i < 3 || i == half {
						n.compare(t, m, late)
					}
				}
				n.compare(t, m, late)
				must(twin.Learn(late.Stream()))(t)
				n.compare(t, twin, late)
				for _, part := range []int{half, len(late.X)} {
					want := n.epochs(late.X[:part], late.Y[:part])
					for e := range must2(t, m.Epochs(late.X[:part], late.Y[:part])) {
						if e != want[0] {
							t.Fatalf("%d rows: %+v, want %+v", part, e, want[0])
						}
						want = want[1:]
					}
					n.compare(t, m, late)
					if got, want := must(m.Learn(late.Stream()))(t), n.learn(late.X, late.Y); got != want {
						t.Fatalf("Learn = %+v, want %+v", got, want)
					}
					n.compare(t, m, late)
				}
			})
		}
	}
}
