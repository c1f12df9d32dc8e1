package train

import (
	"slices"
	"testing"

	"perceptron/internal/naive"
)

// TestCycle: R is part of the state. Equal weights with another R are no repetition.
func TestCycle(t *testing.T) {
	var c cycle
	s := planesFor(&Config{Rule: OnMistake}, []float64{0}, 1, 1)
	u := s.units[0]
	if c.repeats(&s.planes, u) {
		t.Error("the first state is called a repetition")
	}
	if u.r2 = 1; c.repeats(&s.planes, u) {
		t.Error("a state with another R is called a repetition")
	}
	if !c.repeats(&s.planes, u) {
		t.Error("the same state is not found")
	}
}

// allRight reports whether m predicts every label.
func allRight(m *model, X [][]float64, y []int) bool {
	labels := make([]int, len(X))
	return m.Labeler()(labels, X) == len(X) && slices.Equal(labels, y)
}

// TestSampledConfirms: an epoch without mistakes ends a sampled run only if every row is right. A
// row of zeros has score 0 under any weights in Linear space, so it is never right, drawn or not.
func TestSampledConfirms(t *testing.T) {
	set := naive.Separable(3, 12, 2, 0.01)
	unconfirmed := 0
	for seed := range uint64(200) {
		m := newModel(Config{Order: Sampled, Space: Linear, Seed: seed, MaxEpochs: 50})
		if res := must(m.Fit([][]float64{{1}, {0}}, []int{1, 1}))(t); res.Stop != EpochLimit {
			t.Fatalf("with a row of zeros: %+v", res)
		}
		m = newModel(Config{Order: Sampled, Seed: seed})
		for e := range naive.Epochs(t, m.Epochs(set.X, set.Y)) {
			right := allRight(m, set.X, set.Y)
			if e.Mistakes == 0 && e.Stop == Running {
				unconfirmed++
				if right {
					t.Fatal("every row is right, but the run continues")
				}
			}
			if e.Stop == Converged && !right {
				t.Fatal("Converged, but a row is wrong")
			}
		}
	}
	if unconfirmed == 0 {
		t.Error("no sampled epoch missed a wrong row: the test shows nothing")
	}
}

// TestRelabelled: the body of a range exchanges labels after a class has converged. The range does
// not report Converged in an epoch with a mistake, and each row is right when it does.
func TestRelabelled(t *testing.T) {
	converged := 0
	for _, order := range []uint8{Cyclic, Shuffled, Sampled} {
		for after := range 12 {
			X := [][]float64{{3, 3}, {-2, 3}, {-1, 1}, {4, -2}, {0, 4}}
			y := []int{0, 1, 2, 0, 1}
			m := newModel(Config{Rest: true, MaxEpochs: 400, Order: order})
			for e := range naive.Epochs(t, m.Epochs(X, y)) {
				if e.Stop == Converged {
					converged++
					if e.Mistakes > 0 || !allRight(m, X, y) {
						t.Fatalf("%v, exchanged after epoch %d: a row is wrong in %+v", order, after, e)
					}
				}
				if e.N == after {
					y[0], y[1] = y[1], y[0]
				}
			}
		}
	}
	if converged < 5 {
		t.Errorf("%d runs converged: the test shows little", converged)
	}
}

// TestCycleBroken: the body of a range changes labels after a class has cycled. Then no row is a
// mistake, and the range has converged.
func TestCycleBroken(t *testing.T) {
	X, y := [][]float64{{-3}, {-1}, {-3}}, []int{0, 2, 1}
	var last Epoch
	for e := range naive.Epochs(t, newModel(Config{Rest: true, MaxEpochs: 60}).Epochs(X, y)) {
		if last = e; e.N == 3 {
			y[0], y[1], y[2] = 0, 0, 0
		}
	}
	if last.Stop != Converged || last.Mistakes > 0 || last.N <= 3 {
		t.Errorf("the range ends with %+v, want Converged", last)
	}
}

// TestCycledWaits: classes that have cycled train on in a range, and have still cycled when the
// last class stops. In Fit they are frozen, which changes neither Stop nor the number of epochs.
func TestCycledWaits(t *testing.T) {
	X, y := [][]float64{{-3, -3}, {0, -1}, {-3, 0}, {-1, 0}, {-1, 3}, {1, 0}}, []int{0, 1, 2, 0, 1, 2}
	m := newModel(Config{Rest: true, MaxEpochs: 2000})
	want := must(m.fresh().Fit(X, y))(t)
	for e := range naive.Epochs(t, m.Epochs(X, y)) {
		if e.Stop != Running && (e.Stop != Cycled || want.Stop != Cycled || e.N != want.Epochs) {
			t.Errorf("the range ends with %+v, Fit with %+v", e, want)
		}
	}
}
