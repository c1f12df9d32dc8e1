package perceptron

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"perceptron/internal/naive"
)

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

// secondOverflows is the error where the update of one class overflows, and that of the other does
// not.
var secondOverflows = want{ErrNotFinite, -1, "not finite: the update overflows, though every feature is finite"}

// TestSecondOverflows: the update of the rival overflows, after that of the example's class
// was prepared, and the other way round. It leaves both as they were, and the class that is
// new stays unknown.
func TestSecondOverflows(t *testing.T) {
	for _, known := range []bool{false, true} {
		for _, late := range []int{-2, 2} { // before and after the others
			for _, sign := range []float64{1, -1} {
				m := &Multiclass{Binary: &Online{Rate: 1e308, Space: Linear}}
				for i, x := range [][]float64{{0, 0}, {1, 0}, {0, sign}} { // w₀ = (−1, sign)·10³⁰⁸ = −w₁
					must(m.Update(x, i%2))(t)
				}
				if known {
					must(m.Update([]float64{0, 0}, late))(t)
				}
				x, y := []float64{0.9, sign}, late // w₀ − ηx overflows
				if sign < 0 && known {
					x, y = []float64{0.9, -0.9}, 1 // all scores are 0, and w₁ + ηx overflows
				}
				secondOverflows.of(t, m, [][]float64{x}, []int{y}, "Update")
				must(m.Update([]float64{1e-300, 1e-300}, late))(t)
				if len(m.Classes()) != 3 {
					t.Errorf("classes %v", m.Classes())
				}
			}
		}
	}
}

// TestSecondSumOverflows: the sum of one class's iterates overflows, and that of the other
// does not.
func TestSecondSumOverflows(t *testing.T) {
	for _, late := range []int{-2, 2} {
		m := &Multiclass{Binary: &Online{Rate: 1e308, Space: Linear, Keep: Average}}
		for _, y := range []int{0, 1, 1, 1} {
			must(m.Update([]float64{1}, y))(t)
		}
		secondOverflows.of(t, m, [][]float64{{1}}, []int{late}, "Update")
		want{ErrNotFinite, 0, secondOverflows.text}.of(t, m, [][]float64{{1}}, []int{late}, "Learn")
		must(m.Update([]float64{1}, 1))(t)
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
