package perceptron_test

import (
	"fmt"

	"perceptron"
)

// The margin of the rows, what it promises of any run, and what a run found.
func ExampleSeparate() {
	sep, err := perceptron.Separate(points, sides, perceptron.Linear)
	if err != nil {
		fmt.Println(err)
		return
	}
	var p perceptron.Online
	p.Space = perceptron.Linear
	res, err := p.Fit(points, sides)
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

// Four rows that contradict each other: their weighted sum is 0.
func ExampleSeparate_inseparable() {
	X := [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {3, 2}}
	y := []int{-1, +1, +1, -1, -1} // exclusive or, and another row
	sep, err := perceptron.Separate(X, y, perceptron.Affine)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("separable: %v, γ ≤ %.1e\n", sep.Separable, sep.Upper)
	fmt.Println("λ =", sep.Multipliers)
	fmt.Println("mistakes: at most", sep.MistakeBound())
	// Output:
	// separable: false, γ ≤ 3.9e-17
	// λ = [0.4 0.2 0.3 0 0.1]
	// mistakes: at most +Inf
}

// A certificate is checked by whoever has the rows, and need not be believed.
func ExampleSeparation_Verify() {
	sep, err := perceptron.Separate(points, sides, perceptron.Linear)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(sep.Verify(points, sides))
	sep.Lower *= 1.001
	fmt.Println(sep.Verify(points, sides))
	// Output:
	// <nil>
	// perceptron: example 1: bad configuration: Lower is 1.0009999999999994, but the hyperplane has a smaller margin on the row
}
