package perceptron_test

import (
	"fmt"
	"math/rand/v2"

	"perceptron"
)

// people returns incomes in euros and ages in years. The label depends on both.
func people(n int, seed uint64) (X [][]float64, y []int) {
	r := rand.New(rand.NewPCG(seed, 0))
	for range n {
		income, age := 40_000+16_384*r.NormFloat64(), 45+16*r.NormFloat64()
		label := -1
		if (income-40_000)/16_384+(age-45)/16+0.25*r.NormFloat64() > 0 {
			label = +1
		}
		X, y = append(X, []float64{income, age}), append(y, label)
	}
	return X, y
}

// Features of different sizes must be standardised: an income hides an age. The means
// and deviations come from the training rows and apply to all rows.
func ExampleStandardise() {
	trainX, trainY := people(200, 1)
	testX, testY := people(200, 2)
	scaling, err := perceptron.Standardise(trainX)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range []perceptron.Scaling{{}, scaling} { // the zero Scaling changes nothing
		p := &perceptron.Online{Keep: perceptron.Average, Order: perceptron.Shuffled, MaxEpochs: 20}
		Z, err := s.ApplyAll(trainX)
		if err != nil {
			fmt.Println(err)
			return
		}
		if _, err := p.Fit(Z, trainY); err != nil {
			fmt.Println(err)
			return
		}
		raw, err := s.Unscale(p.Hyperplane()) // takes rows that are not scaled
		if err != nil {
			fmt.Println(err)
			return
		}
		accuracy, err := perceptron.Accuracy(raw, testX, testY)
		fmt.Printf("mean %.0f, scale %.0f: accuracy %.2f, %v\n", s.Mean, s.Scale, accuracy, err)
	}
	// Output:
	// mean [], scale []: accuracy 0.53, <nil>
	// mean [40215 45], scale [16807 16]: accuracy 0.94, <nil>
}
