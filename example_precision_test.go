package perceptron_test

import (
	"fmt"

	"perceptron"
)

// quality returns the precision and the recall of class k. Precision is the share of
// the rows predicted as the class that are of it. Recall is the share of the rows of
// the class that are predicted as it. Both are NaN if there are no such rows.
func quality(counts [][]int, k int) (precision, recall float64) {
	predicted, actual := 0, 0
	for j := range counts {
		predicted += counts[j][k]
		actual += counts[k][j]
	}
	right := float64(counts[k][k])
	return right / float64(predicted), right / float64(actual)
}

// Precision, recall and F1 follow from the confusion matrix.
func ExampleConfusion_precision() {
	h := perceptron.Hyperplane{Weights: []float64{1, 1}, Bias: -1.5}
	X := [][]float64{{0, 0}, {0, 1}, {2, 0}, {1, 1}, {3, 0}, {0, 0.5}, {1, 2}}
	y := []int{-1, -1, -1, +1, +1, +1, +1}
	classes, counts, err := perceptron.Confusion(h, X, y)
	if err != nil {
		fmt.Println(err)
		return
	}
	for k, class := range classes {
		precision, recall := quality(counts, k)
		f1 := 2 * precision * recall / (precision + recall)
		fmt.Printf("%+d: precision %.3f, recall %.3f, F1 %.3f\n", class, precision, recall, f1)
	}
	// Output:
	// -1: precision 0.667, recall 0.667, F1 0.667
	// +1: precision 0.750, recall 0.750, F1 0.750
}
