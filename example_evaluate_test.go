package perceptron_test

import (
	"fmt"

	"perceptron"
)

// grid labels the points of an 8×8 grid by quarter. Every ninth point gets the
// label 10, whether or not that is right.
func grid() (X [][]float64, y []int) {
	for i := range 64 {
		a, b := float64(i/8)-3.5, float64(i%8)-3.5
		quarter := 10
		if a > 0 {
			quarter = 20
		}
		if b > 0 {
			quarter += 5
		}
		if i%9 == 4 {
			quarter = 10
		}
		X, y = append(X, []float64{a, b}), append(y, quarter)
	}
	return X, y
}

// A model with four classes trains on half of the rows. The other half tests it.
func Example_evaluate() {
	X, y := grid()
	var trainX, testX [][]float64
	var trainY, testY []int
	for i := range X {
		if i%2 == 0 {
			trainX, trainY = append(trainX, X[i]), append(trainY, y[i])
		} else {
			testX, testY = append(testX, X[i]), append(testY, y[i])
		}
	}
	m := &perceptron.OneVsRest{Binary: &perceptron.Online{
		Order: perceptron.Shuffled, Keep: perceptron.Average, MaxEpochs: 30,
	}}
	res, err := m.Fit(trainX, trainY)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Stop, "after", res.Epochs, "epochs")
	accuracy, err := perceptron.Accuracy(m, testX, testY)
	fmt.Println("accuracy:", accuracy, err)
	classes, counts, err := perceptron.Confusion(m, testX, testY)
	fmt.Println(classes, err)
	for t, row := range counts {
		fmt.Println(classes[t], row)
	}
	// Output:
	// EpochLimit after 30 epochs
	// accuracy: 0.75 <nil>
	// [10 15 20 25] <nil>
	// 10 [8 1 1 1]
	// 15 [0 6 0 0]
	// 20 [2 0 2 3]
	// 25 [0 0 0 8]
}

// Accuracy returns the share of the rows that are predicted right.
func ExampleAccuracy() {
	h := perceptron.Hyperplane{Weights: []float64{1, 1}, Bias: -0.5}
	X := [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}}
	y := []int{-1, -1, -1, +1}
	a, err := perceptron.Accuracy(h, X, y)
	fmt.Println(a, err)
	// Output:
	// 0.5 <nil>
}

// A row of the counts is a true class, and a column is a predicted class.
func ExampleConfusion() {
	h := perceptron.Hyperplane{Weights: []float64{1, 1}, Bias: -0.5}
	X := [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}}
	y := []int{-1, -1, -1, +1}
	classes, counts, err := perceptron.Confusion(h, X, y)
	fmt.Println(classes, counts, err)
	// Output:
	// [-1 1] [[1 2] [0 1]] <nil>
}
