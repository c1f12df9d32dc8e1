package perceptron_test

import (
	"fmt"

	"perceptron"
)

// Online learns the logical AND of two inputs.
func ExampleOnline() {
	X := [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}}
	y := []int{-1, -1, -1, +1}
	var p perceptron.Online
	res, err := p.Fit(X, y)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Stop, "after", res.Epochs, "epochs and", res.Mistakes, "mistakes")
	label, err := p.Predict([]float64{1, 1})
	fmt.Println(label, err)
	fmt.Println(p.Hyperplane())
	// Output:
	// Converged after 9 epochs and 18 mistakes
	// 1 <nil>
	// {[3 2] -4}
}

// The loop body runs after each epoch. A break ends the training early.
func ExampleOnline_Epochs() {
	X := [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}}
	y := []int{-1, -1, -1, +1}
	p := &perceptron.Online{Order: perceptron.Shuffled, Seed: 1}
	for e, err := range p.Epochs(X, y) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("epoch %d: %d mistakes, loss %.2f, %v\n", e.N, e.Mistakes, e.Loss, e.Stop)
	}
	// Output:
	// epoch 1: 4 mistakes, loss 0.50, Running
	// epoch 2: 2 mistakes, loss 0.50, Running
	// epoch 3: 1 mistakes, loss 0.25, Running
	// epoch 4: 3 mistakes, loss 0.50, Running
	// epoch 5: 2 mistakes, loss 0.25, Running
	// epoch 6: 3 mistakes, loss 0.25, Running
	// epoch 7: 0 mistakes, loss 0.00, Converged
}

// Learn makes one pass over an iterator, which may reuse its buffer.
func ExampleOnline_Learn() {
	p := &perceptron.Online{Keep: perceptron.Average}
	e, err := p.Learn(func(yield func([]float64, int) bool) {
		x := make([]float64, 1)
		for _, v := range []float64{-2, 1, 3, -1} {
			x[0] = v
			label := -1
			if v > 0 {
				label = +1
			}
			if !yield(x, label) {
				return
			}
		}
	})
	fmt.Println(e.Examples, "examples,", e.Mistakes, "mistakes,", err)
	// Output:
	// 4 examples, 1 mistakes, <nil>
}

// Update predicts one example, and learns from it if the prediction was wrong.
func ExampleOnline_Update() {
	X := [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}}
	y := []int{-1, -1, -1, +1}
	var p perceptron.Online
	for i, x := range X {
		updated, err := p.Update(x, y[i])
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(updated, p.Hyperplane())
	}
	// Output:
	// true {[0 0] -1}
	// false {[0 0] -1}
	// false {[0 0] -1}
	// true {[1 1] 0}
}
