package perceptron_test

import (
	"fmt"

	"perceptron"
)

// Margin learns the logical AND of two inputs. Its margin is at least a third of
// the best one, 1/√17, which is about 0.243.
func ExampleMargin() {
	X := [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}}
	y := []int{-1, -1, -1, +1}
	var p perceptron.Margin
	res, err := p.Fit(X, y)
	if err != nil {
		fmt.Println(err)
		return
	}
	gamma, err := perceptron.Gamma(p.Hyperplane(), X, y, perceptron.Affine)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%v after %d updates, with margin %.3f\n", res.Stop, res.Mistakes, gamma)
	// Output:
	// Converged after 67 updates, with margin 0.226
}
