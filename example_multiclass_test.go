package perceptron_test

import (
	"fmt"

	"perceptron"
)

// A label may be any int.
func ExampleOneVsRest() {
	X := [][]float64{{0, 1}, {1, 9}, {9, 2}, {1, 0}, {0, 8}, {8, 1}}
	y := []int{10, 20, 30, 10, 20, 30}
	var m perceptron.OneVsRest
	if _, err := m.Fit(X, y); err != nil {
		fmt.Println(err)
		return
	}
	label, err := m.Predict([]float64{2, 7})
	fmt.Println(m.Classes(), label, err)
	// Output:
	// [10 20 30] 20 <nil>
}

// A new class may arrive at any time.
func ExampleOneVsRest_Update() {
	var m perceptron.OneVsRest
	for _, e := range []struct {
		x     []float64
		label int
	}{{[]float64{0, 1}, 1}, {[]float64{1, 0}, 2}, {[]float64{-1, -1}, 3}} {
		if _, err := m.Update(e.x, e.label); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(m.Classes())
	}
	// Output:
	// [1]
	// [1 2]
	// [1 2 3]
}

// Scores appends one score for each class, in the order of Classes.
func ExampleOneVsRest_Scores() {
	var m perceptron.OneVsRest
	if _, err := m.Fit([][]float64{{2}, {-2}}, []int{7, 8}); err != nil {
		fmt.Println(err)
		return
	}
	scores := make([]float64, 0, 2)
	scores, err := m.Scores(scores, []float64{3})
	fmt.Println(m.Classes(), scores, err)
	// Output:
	// [7 8] [7 -7] <nil>
}

// Classes at −1, 0 and 1 on a line: no point separates the middle one from the rest, so
// OneVsRest cannot converge. Multiclass can, because the score of the middle class need
// only be the highest in the middle.
func ExampleMulticlass() {
	X := [][]float64{{-1}, {0}, {1}}
	y := []int{10, 20, 30}
	for _, m := range []perceptron.Model{new(perceptron.OneVsRest), new(perceptron.Multiclass)} {
		res, err := m.Fit(X, y)
		if err != nil {
			fmt.Println(err)
			return
		}
		right, err := perceptron.Accuracy(m, X, y)
		fmt.Printf("%T: %v, accuracy %.2f, %v\n", m, res.Stop, right, err)
	}
	// Output:
	// *perceptron.OneVsRest: Cycled, accuracy 0.67, <nil>
	// *perceptron.Multiclass: Converged, accuracy 1.00, <nil>
}
