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
