package perceptron_test

import (
	"fmt"

	"perceptron"
)

// Separate computes the margin γ of the rows, between two bounds. The margin bounds
// the mistakes of every run. The rows with λ > 0 prove the upper bound.
func ExampleSeparate() {
	X := [][]float64{{2, 1}, {1, 3}, {-1, 2}, {-3, 1}, {1, -2}}
	y := []int{+1, +1, -1, -1, +1}
	sep, err := perceptron.Separate(X, y, perceptron.Linear)
	if err != nil {
		fmt.Println(err)
		return
	}
	var p perceptron.Online
	p.Space = perceptron.Linear
	res, err := p.Fit(X, y)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("separable: %v, γ in [%.9f, %.9f]\n", sep.Separable, sep.Lower, sep.Upper)
	fmt.Printf("Online: %d mistakes of at most %.2f, γ ≤ %.3f\n", res.Mistakes, sep.MistakeBound(), res.Upper)
	for i, lambda := range sep.Multipliers {
		if lambda > 0 {
			fmt.Printf("row %d supports with λ = %.3f\n", i, lambda)
		}
	}
	// Output:
	// separable: true, γ in [1.000000000, 1.000000000]
	// Online: 4 mistakes of at most 10.00, γ ≤ 1.250
	// row 1 supports with λ = 0.400
	// row 2 supports with λ = 0.600
}

// No line separates exclusive or. Upper = 0 proves it: the sum of λ·y·(x, 1) over the
// rows is exactly zero.
func ExampleSeparate_inseparable() {
	X := [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}}
	y := []int{-1, +1, +1, -1}
	sep, err := perceptron.Separate(X, y, perceptron.Affine)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("separable: %v, γ ≤ %v\n", sep.Separable, sep.Upper)
	fmt.Println("λ =", sep.Multipliers)
	fmt.Println("mistakes: at most", sep.MistakeBound())
	// Output:
	// separable: false, γ ≤ 0
	// λ = [0.25 0.25 0.25 0.25]
	// mistakes: at most +Inf
}

// Verify checks every number of a Separation from the rows alone. It rejects a false
// claim.
func ExampleSeparation_Verify() {
	X := [][]float64{{2, 1}, {1, 3}, {-1, 2}, {-3, 1}, {1, -2}}
	y := []int{+1, +1, -1, -1, +1}
	sep, err := perceptron.Separate(X, y, perceptron.Linear)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(sep.Verify(X, y))
	sep.Lower *= 1.001
	fmt.Println(sep.Verify(X, y))
	// Output:
	// <nil>
	// perceptron: example 1: bad configuration: Lower is 1.0009999999999994, but the hyperplane has a smaller margin on the row
}
