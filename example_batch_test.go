package perceptron_test

import (
	"fmt"

	"perceptron"
)

// Batch learns the logical AND of two inputs. Each epoch makes one gradient step
// over all rows.
func ExampleBatch() {
	X := [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}}
	y := []int{-1, -1, -1, +1}
	var p perceptron.Batch
	res, err := p.Fit(X, y)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Stop, "after", res.Epochs, "epochs")
	fmt.Println(p.Hyperplane())
	// Output:
	// Converged after 10 epochs
	// {[2 2] -3}
}
