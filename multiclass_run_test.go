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
			t.Run(fmt.Sprintf("%d classes %s", k, name), func(t *testing.T) { compareStream(t, m, late) })
		}
	}
}
