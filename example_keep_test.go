package perceptron_test

import (
	"fmt"
	"math/rand/v2"

	"perceptron"
)

// overlapping returns rows of two classes that no hyperplane separates.
func overlapping(n int, seed uint64) (X [][]float64, y []int) {
	r := rand.New(rand.NewPCG(seed, 0))
	for i := range n {
		label := 2*(i%2) - 1
		x := make([]float64, 10)
		for j := range x {
			x[j] = 0.5*float64(label) + r.NormFloat64()
		}
		X, y = append(X, x), append(y, label)
	}
	return X, y
}

// Keep selects the iterate that predicts. On data that is not separable, the last one
// depends on the last rows.
//
//   - Last costs nothing more.
//   - Average costs O(d) for each mistake of an epoch, and O(d) for each call of Update.
//     It needs five more vectors.
//   - Pocket counts the errors of two iterates on all rows, O(nd), at the end of each epoch.
//     It needs two more vectors.
func Example_keep() {
	X, y := overlapping(300, 1)
	testX, testY := overlapping(2000, 2)
	for _, keep := range []perceptron.Keep{perceptron.Last, perceptron.Average, perceptron.Pocket} {
		p := &perceptron.Online{Keep: keep, Order: perceptron.Shuffled, MaxEpochs: 30}
		if _, err := p.Fit(X, y); err != nil {
			fmt.Println(err)
			return
		}
		accuracy, err := perceptron.Accuracy(p, testX, testY)
		fmt.Printf("%v: accuracy %.2f on other rows, %v\n", keep, accuracy, err)
	}
	// Output:
	// Last: accuracy 0.93 on other rows, <nil>
	// Average: accuracy 0.94 on other rows, <nil>
	// Pocket: accuracy 0.92 on other rows, <nil>
}
