package perceptron_test

import (
	"fmt"

	"perceptron"
)

// wheel returns points around the centres of four classes.
func wheel() (X [][]float64, y []int) {
	for i := range 40 {
		class := i % 4
		angle := [][]float64{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}[class]
		far := 2 + float64(i%7)/7
		X = append(X, []float64{far*angle[0] + float64(i%5-2)/4, far*angle[1] + float64(i%3-1)/4})
		y = append(y, class)
	}
	return X, y
}

// The loop body watches a model of several classes. Mistakes is the sum over the
// classes. The training ends when no class makes a mistake.
func ExampleOneVsRest_Epochs() {
	X, y := wheel()
	m := &perceptron.OneVsRest{Binary: &perceptron.Online{Order: perceptron.Shuffled}}
	for e, err := range m.Epochs(X, y) {
		if err != nil {
			fmt.Println(err)
			return
		}
		accuracy, err := perceptron.Accuracy(m, X, y)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("epoch %d: %d mistakes, accuracy %.3f, %v\n", e.N, e.Mistakes, accuracy, e.Stop)
	}
	// Output:
	// epoch 1: 18 mistakes, accuracy 0.900, Running
	// epoch 2: 1 mistakes, accuracy 1.000, Running
	// epoch 3: 0 mistakes, accuracy 1.000, Converged
}
