package perceptron

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAccuracyConfusion(t *testing.T) {
	h := Hyperplane{Weights: []float64{1}}
	X, y := [][]float64{{1}, {2}, {-1}, {-2}, {3}, {-3}}, []int{+1, -1, -1, 5, +1, +1}
	if a := must(Accuracy(h, X, y))(t); a != 0.5 {
		t.Errorf("Accuracy = %v, want 0.5", a)
	}
	classes, counts, err := Confusion(h, X, y)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int{-1, +1, 5}, classes); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([][]int{{1, 1, 0}, {1, 2, 0}, {1, 0, 0}}, counts); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]int{+1, -1, -1, 5, +1, +1}, y); diff != "" {
		t.Errorf("Confusion changed the labels: %s", diff)
	}
}

// TestErrorEvaluate: Accuracy and Confusion reject bad counts, and return the
// predictor's errors with the index of the row.
func TestErrorEvaluate(t *testing.T) {
	h := Hyperplane{Weights: []float64{3, 4}}
	is := func(kind error, index int, text string, p Predictor, X [][]float64, y []int) {
		t.Helper()
		classes, counts, err := Confusion(p, X, y)
		checkErrors(t, kind, index, text, only(Accuracy(p, X, y)), err)
		if classes != nil || counts != nil {
			t.Errorf("Confusion = %v, %v with an error", classes, counts)
		}
	}
	for _, p := range []Predictor{nil, (*Online)(nil), (*Multiclass)(nil), (*Hyperplane)(nil)} {
		is(ErrConfig, -1, "bad configuration: the predictor is nil", p, xor.X, xor.y)
	}
	is(ErrDimension, -1, "dimension mismatch: len(X) is 4, but len(y) is 1", h, xor.X, []int{1})
	is(ErrEmpty, -1, "empty: no rows", h, nil, nil)
	is(ErrNotFinite, 2, "not finite: feature 0 is +Inf", h, bad(inf, 0), xor.y)
	is(ErrUntrained, 0, "untrained model: it has seen no example", new(OneVsRest), xor.X, xor.y)
}
