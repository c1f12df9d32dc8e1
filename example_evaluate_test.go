package perceptron_test

import (
	"fmt"

	"perceptron"
)

// grid labels the points of an 8×8 grid by their quarter, and every ninth
// point wrongly.
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

// Half of the rows train a model of four classes, the other half tells how good
// it is.
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
