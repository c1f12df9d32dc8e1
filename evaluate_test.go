package perceptron

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEvaluate(t *testing.T) {
	h := Hyperplane{Weights: []float64{1}}
	X, y := [][]float64{{1}, {2}, {-1}, {-2}, {3}, {-3}}, []int{+1, -1, -1, 5, +1, +1}
	if a := must(Accuracy(h, X, y))(t); a != 0.5 {
		t.Errorf("Accuracy = %v, want 0.5", a)
	}
	c := must(Evaluate(h, X, y))(t)
	if diff := cmp.Diff(Confusion{[]int{-1, +1, 5}, [][]int{{1, 1, 0}, {1, 2, 0}, {1, 0, 0}}}, c); diff != "" {
		t.Error(diff)
	}
	for _, f := range []struct {
		what      string
		got, want float64
	}{
		{"accuracy", c.Accuracy(), 0.5}, {"precision of -1", c.Precision(-1), 1. / 3}, {"precision of +1", c.Precision(+1), 2. / 3}, {"precision of 5", c.Precision(5), 0},
		{"recall of -1", c.Recall(-1), 0.5}, {"recall of +1", c.Recall(+1), 2. / 3}, {"recall of 5", c.Recall(5), 0},
		{"F1 of -1", c.F1(-1), 0.4}, {"F1 of +1", c.F1(+1), 2. / 3}, {"F1 of 5", c.F1(5), 0}, {"F1 of 6", c.F1(6), 0},
		{"macro F1", c.MacroF1(), (0.4 + 2./3 + 0) / 3}, {"nothing's accuracy", Confusion{}.Accuracy(), 0}, {"nothing's macro F1", Confusion{}.MacroF1(), 0},
	} {
		if f.got != f.want {
			t.Errorf("%s: %v, want %v", f.what, f.got, f.want)
		}
	}
	rows := []Sparse{{[]uint32{0}, []float64{2}}, {}}
	model := SparseModel{Model: &Online{}, Width: 1}
	must(model.Fit(rows, []int{1, -1}))(t)
	if a := must(Accuracy(model, rows, []int{1, -1}))(t); a != 1 {
		t.Errorf("the accuracy of sparse rows is %v", a)
	}
	if diff := cmp.Diff([]int{+1, -1, -1, 5, +1, +1}, y); diff != "" {
		t.Errorf("Evaluate changed the labels: %s", diff)
	}
}

// TestErrorEvaluate: Accuracy and Evaluate reject bad counts, and return the
// predictor's errors with the index of the row.
func TestErrorEvaluate(t *testing.T) {
	h := Hyperplane{Weights: []float64{3, 4}}
	is := func(kind error, index int, text string, p Predictor, X [][]float64, y []int) {
		t.Helper()
		c, err := Evaluate(p, X, y)
		checkErrors(t, kind, index, text, only(Accuracy(p, X, y)), err)
		if c.Classes != nil || c.Counts != nil {
			t.Errorf("Evaluate = %v with an error", c)
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
