package perceptron_test

import (
	"errors"
	"fmt"

	"perceptron"
)

// An ExampleError contains the index of the bad example. It wraps the kind of
// error.
func ExampleExampleError() {
	var p perceptron.Online
	_, err := p.Fit([][]float64{{1, 2}, {3}}, []int{+1, -1})
	var bad *perceptron.ExampleError
	fmt.Println(err)
	fmt.Println(errors.Is(err, perceptron.ErrDimension), errors.As(err, &bad), bad.Index)
	// Output:
	// perceptron: example 1: dimension mismatch: width 1, want 2
	// true true 1
}
