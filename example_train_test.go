package perceptron_test

import (
	"fmt"

	"perceptron"
)

// Each fruit has a weight in grams and a length in cm. The label +1 means banana.
var (
	fruit  = [][]float64{{118, 19}, {130, 21}, {110, 18}, {150, 7}, {182, 8}, {131, 6}, {125, 20}, {160, 7}}
	banana = []int{+1, +1, +1, -1, -1, -1, +1, -1}
)

// scaledFruit makes the features similar in size. Otherwise the largest feature
// alone would determine R.
func scaledFruit() [][]float64 {
	var X [][]float64
	for _, x := range fruit {
		X = append(X, []float64{x[0] / 100, x[1] / 10})
	}
	return X
}

// A classifier trains on a slice, one epoch at a time. Then it predicts.
func Example_train() {
	X := scaledFruit()
	p := &perceptron.Margin{Order: perceptron.Shuffled, Seed: 3}
	for e, err := range p.Epochs(X, banana) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("epoch %d: %d updates, loss %.3f, %v\n", e.N, e.Mistakes, e.Loss, e.Stop)
	}
	label, err := p.Predict([]float64{1.21, 1.9})
	fmt.Println("121 g and 19 cm:", label, err)
	// Output:
	// epoch 1: 7 updates, loss 1.401, Running
	// epoch 2: 5 updates, loss 0.928, Running
	// epoch 3: 7 updates, loss 0.513, Running
	// epoch 4: 5 updates, loss 0.000, Running
	// epoch 5: 1 updates, loss 0.000, Running
	// epoch 6: 0 updates, loss 0.000, Converged
	// 121 g and 19 cm: 1 <nil>
}
