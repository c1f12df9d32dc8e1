package perceptron_test

import (
	"fmt"
	"math"
	"math/rand/v2"

	"perceptron"
)

// crossValidate returns the mean and the standard deviation of the accuracy over k
// folds. The factory returns a new model for each fold, so any model can be tested.
func crossValidate(factory func() perceptron.Model, X [][]float64, y []int, k int, seed uint64) (mean, deviation float64, err error) {
	order := rand.New(rand.NewPCG(seed, 0)).Perm(len(X))
	var scores []float64
	for fold := range k {
		var trainX, testX [][]float64
		var trainY, testY []int
		for place, i := range order {
			if place%k == fold {
				testX, testY = append(testX, X[i]), append(testY, y[i])
			} else {
				trainX, trainY = append(trainX, X[i]), append(trainY, y[i])
			}
		}
		m := factory()
		if _, err := m.Fit(trainX, trainY); err != nil {
			return 0, 0, err
		}
		score, err := perceptron.Accuracy(m, testX, testY)
		if err != nil {
			return 0, 0, err
		}
		scores = append(scores, score)
		mean += score / float64(k)
	}
	for _, score := range scores {
		deviation += (score - mean) * (score - mean) / float64(k-1)
	}
	return mean, math.Sqrt(deviation), nil
}

// Cross-validation tests each row on a model that has not seen it. It compares models
// and hyperparameters without a test set.
func Example_crossValidation() {
	r := rand.New(rand.NewPCG(1, 2))
	var X [][]float64
	var y []int
	for i := range 300 {
		class := i % 3
		X = append(X, []float64{2*float64(class%2) + r.NormFloat64(), 2*float64(class/2) + r.NormFloat64()})
		y = append(y, class)
	}
	for _, c := range []struct {
		name    string
		factory func() perceptron.Model
	}{
		{"last", func() perceptron.Model {
			return &perceptron.OneVsRest{Binary: &perceptron.Online{Order: perceptron.Shuffled, MaxEpochs: 20}}
		}},
		{"average", func() perceptron.Model {
			return &perceptron.OneVsRest{Binary: &perceptron.Online{Order: perceptron.Shuffled, MaxEpochs: 20, Keep: perceptron.Average}}
		}},
	} {
		mean, deviation, err := crossValidate(c.factory, X, y, 5, 1)
		fmt.Printf("%s: %.2f ± %.2f, %v\n", c.name, mean, deviation, err)
	}
	// Output:
	// last: 0.65 ± 0.11, <nil>
	// average: 0.74 ± 0.03, <nil>
}
