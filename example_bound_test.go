package perceptron_test

import (
	"fmt"

	"perceptron"
)

// The points to separate, through the origin.
var (
	points = [][]float64{{2, 1}, {1, 3}, {-1, 2}, {-3, 1}, {1, -2}}
	sides  = []int{+1, +1, -1, -1, +1}
)

// A run is held against Novikoff's theorem: what it did, what it could not have
// exceeded, and what it says of the data.
func Example_bound() {
	p := &perceptron.Online{Space: perceptron.Linear}
	res, err := p.Fit(points, sides)
	if err != nil {
		fmt.Println(err)
		return
	}
	R, err := perceptron.Radius(points, perceptron.Linear)
	if err != nil {
		fmt.Println(err)
		return
	}
	gamma, err := perceptron.Gamma(p.Hyperplane(), points, sides, perceptron.Linear)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("R = %.3f, the margin γ is in [%.3f, %.3f]\n", R, gamma, res.Upper)
	fmt.Printf("%d mistakes of at most %.1f\n", res.Mistakes, perceptron.MistakeBound(R, gamma))
	// Output:
	// R = 3.162, the margin γ is in [1.000, 1.250]
	// 4 mistakes of at most 10.0
}
