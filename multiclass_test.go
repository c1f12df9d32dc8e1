package perceptron

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"perceptron/internal/train"
)

// TestSeparateFits compares OneVsRest with K separate fits, bit for bit, for every
// number of workers. Some classes converge, some cycle, and some reach the limit.
func TestSeparateFits(t *testing.T) {
	sets := []dataset{multi(1, 90, 4, 3), multi(2, 1100, 160, 6), {"rings", append(slices.Clone(xor.X), []float64{5, 5}), []int{4, 2, 2, 4, 9}}}
	for _, set := range sets {
		for name, b := range binaries(len(set.X[0]), 12) {
			t.Run(fmt.Sprintf("%s%d/%s", set.name, len(set.X), name), func(t *testing.T) {
				for _, workers := range []int{1, 2, 3, 8} {
					compareSeparate(t, &OneVsRest{Binary: AsBinary(b), Workers: workers}, b, set)
				}
			})
		}
	}
}

func compareSeparate(t *testing.T, m *OneVsRest, b model, set dataset) {
	res := must(m.Fit(set.X, set.y))(t)
	want := Result{Upper: inf, Stop: Converged}
	for i, class := range m.Classes() {
		one := b.unlearned()
		r := must(one.Fit(set.X, against(set.y, class)))(t)
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
	set := multi(3, 60, 4, 4)
	for name, b := range onlineGrid(4, 0) {
		t.Run(name, func(t *testing.T) {
			m, l := &OneVsRest{Binary: b}, &OneVsRest{Binary: b}
			separate := map[int]binaryModel{}
			for i, x := range set.X {
				if separate[set.y[i]] == nil {
					separate[set.y[i]] = b.unlearned().(binaryModel)
				}
				want := false
				for class, p := range separate {
					want = must(p.Update(x, against(set.y, class)[i]))(t) || want
				}
				if got := must(m.Update(x, set.y[i]))(t); got != want {
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

// TestMultiEpochs: a range over Epochs freezes no class, ends when each class has
// converged or cycled, and sums over the classes.
func TestMultiEpochs(t *testing.T) {
	set := multi(4, 80, 3, 4)
	m := &OneVsRest{Binary: &Online{Keep: Average, MaxEpochs: 40}}
	separate := map[int]*Online{}
	var last Epoch
	for e := range must2(t, m.Epochs(set.X, set.y)) {
		want := Epoch{N: last.N + 1, Examples: 80, Stop: e.Stop}
		for i, class := range m.Classes() {
			p := separate[class]
			if p == nil {
				p = &Online{Keep: Average, MaxEpochs: 1}
				separate[class] = p
			}
			for one := range must2(t, p.Epochs(set.X, against(set.y, class))) {
				want.Mistakes += one.Mistakes
				want.Loss += one.Loss
			}
			if !samePlane(m.Hyperplanes().Planes[i], p.Hyperplane()) {
				t.Fatalf("epoch %d, class %d differs from the separate model", e.N, class)
			}
		}
		if e != want {
			t.Fatalf("%+v, want %+v", e, want)
		}
		last = e
	}
	if last.Stop == Running {
		t.Fatal("the range ended Running")
	}
}

// TestLateClass: rows of a new class in a later range add the class, from Start.
func TestLateClass(t *testing.T) {
	m := &OneVsRest{Binary: &Online{Start: Hyperplane{Weights: []float64{1, -1}}}}
	two := dataset{"", [][]float64{{0, 1}, {1, 0}}, []int{5, 9}}
	must(m.Fit(two.X, two.y))(t)
	kept := m.Hyperplanes().Planes
	for range must2(t, m.Epochs([][]float64{{3, 3}}, []int{7})) {
		break
	}
	if !slices.Equal(m.Classes(), []int{5, 7, 9}) {
		t.Fatalf("Classes = %v", m.Classes())
	}
	if want := (Hyperplane{[]float64{4, 2}, 1}); !samePlane(m.Hyperplanes().Planes[1], want) {
		t.Fatalf("the late class has %v, want %v", m.Hyperplanes().Planes[1], want)
	}
	if len(kept) != 2 || samePlane(kept[0], m.Hyperplanes().Planes[0]) && samePlane(kept[1], m.Hyperplanes().Planes[2]) {
		t.Fatal("the earlier classes did not learn that the row is not theirs")
	}
}

// TestLateBad: a bad example of a new class adds no class, wherever its label
// sorts. The other classes stay as they were.
func TestLateBad(t *testing.T) {
	for _, late := range []int{3, 5, 7, 9, 11} {
		m, want := new(OneVsRest), new(OneVsRest)
		good := dataset{"", [][]float64{{1, 0}, {0, 1}, {1, 1}}, []int{4, 8, 10}}
		must(m.Learn(stream(good)))(t)
		must(want.Learn(stream(good)))(t)
		if _, err := m.Update([]float64{inf, 1}, late); err == nil {
			t.Fatal("an infinity is learned")
		}
		if _, err := m.Learn(stream(dataset{"", [][]float64{{math.NaN(), 1}}, []int{late}})); err == nil {
			t.Fatal("a NaN is learned")
		}
		must(m.Update([]float64{2, 3}, 8))(t)
		must(want.Update([]float64{2, 3}, 8))(t)
		if snapshot(m) != snapshot(want) {
			t.Fatalf("after a bad example of class %d the model is\n%s, want\n%s", late, snapshot(m), snapshot(want))
		}
	}
}

// TestBatchWorkersError: the error names the same row for any number of workers.
func TestBatchWorkersError(t *testing.T) {
	X, y := make([][]float64, 300), make([]int, 300)
	for i := range X {
		X[i], y[i] = make([]float64, 1200), 1+i%3 // enough multiplications for two workers
	}
	X[0][0], X[1][0], X[2][1], X[3][1] = 1e200, 1e200, 1e200, 1e200
	y[0], y[1], y[2], y[3] = 1, 2, 2, 3
	for _, workers := range []int{1, 2, 3} {
		m := &OneVsRest{Binary: &Batch{Space: Linear}, Workers: workers}
		var got error
		for _, err := range m.Epochs(X, y) {
			got = err
		}
		if want := "perceptron: example 0: not finite: the score overflows, though every feature is finite"; got == nil || got.Error() != want {
			t.Errorf("%d workers: %v, want %s", workers, got, want)
		}
	}
}

// TestFirstError: of two errors in one block, each in another class's score, Epochs
// returns that of the first row, for any number of workers.
func TestFirstError(t *testing.T) {
	for _, rows := range [][2]int{{1, 3}, {3, 1}} { // where the scores of two classes overflow
		for workers := 1; workers <= 3; workers++ {
			set := dataset{X: make([][]float64, 7), y: []int{1, 2, 3, 4, 5, 6, 1}}
			for i := range set.X {
				set.X[i] = make([]float64, 25000) // enough multiplications for two workers
			}
			m := &OneVsRest{Binary: &Online{Space: Linear}, Workers: workers}
			must(m.Learn(stream(set)))(t)
			for c, i := range rows {
				edit(t, m, func(s *train.State) { s.Hyperplanes[3*c].Weights[c] = 1e308 }) // two workers have three classes each
				set.X[i][c] = 10
			}
			var found *ExampleError
			if err := drain(m, set.X, set.y, func() {}); !errors.As(err, &found) || found.Index != 1 {
				t.Errorf("%d workers, rows %v: %v, want an error in row 1", workers, rows, err)
			}
		}
	}
}

// TestTie: of the classes with the highest score, Predict returns the lowest.
func TestTie(t *testing.T) {
	var m OneVsRest
	must(m.Fit([][]float64{{1, 0}, {0, 1}, {-1, -1}}, []int{4, 2, 8}))(t)
	h := m.Hyperplanes().Planes
	for _, x := range [][]float64{{0.5, 0.5}, {0, 0}, {-3, 2}, {2, -3}, {-1, -1}, {9, 9}} {
		best := 0
		for i := range h {
			if must(h[i].Score(x))(t) > must(h[best].Score(x))(t) {
				best = i
			}
		}
		if got := must(m.Predict(x))(t); got != m.Classes()[best] {
			t.Errorf("Predict(%v) = %d, want %d", x, got, m.Classes()[best])
		}
	}
	same := &OneVsRest{Binary: &Batch{MaxEpochs: 1}}
	must(same.Fit([][]float64{{0}, {0}}, []int{6, 3}))(t)
	if got := must(same.Predict([]float64{1}))(t); got != 3 {
		t.Errorf("Predict of equal scores = %d, want the lowest class 3", got)
	}
}

// TestScores: Scores appends to dst.
func TestScores(t *testing.T) {
	set := multi(6, 30, 3, 3)
	var m OneVsRest
	must(m.Fit(set.X, set.y))(t)
	scores := must(m.Scores([]float64{42}, set.X[0]))(t)
	want := []float64{42}
	for _, h := range m.Hyperplanes().Planes {
		want = append(want, must(h.Score(set.X[0]))(t))
	}
	if !slices.Equal(scores, want) {
		t.Fatalf("Scores = %v, want %v", scores, want)
	}
}
