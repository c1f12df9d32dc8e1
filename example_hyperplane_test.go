package perceptron_test

import (
	"fmt"

	"perceptron"
)

// The distance is positive on the side that is labelled +1.
func ExampleHyperplane_Distance() {
	h := perceptron.Hyperplane{Weights: []float64{3, 4}, Bias: -5}
	d, err := h.Distance([]float64{3, 4})
	fmt.Println(d, err)
	// Output:
	// 4 <nil>
}
