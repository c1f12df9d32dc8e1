package perceptron_test

import (
	"fmt"
	"math"
	"math/rand/v2"

	"perceptron"
)

// A scaler holds the mean and the standard deviation of each feature.
type scaler struct{ mean, deviation []float64 }

// fitScaler computes them from the training rows only. Test rows must not influence
// anything that is learned.
func fitScaler(X [][]float64) scaler {
	d := len(X[0])
	s := scaler{make([]float64, d), make([]float64, d)}
	for _, x := range X {
		for j, v := range x {
			s.mean[j] += v / float64(len(X))
		}
	}
	for _, x := range X {
		for j, v := range x {
			s.deviation[j] += (v - s.mean[j]) * (v - s.mean[j]) / float64(len(X))
		}
	}
	for j, v := range s.deviation {
		if s.deviation[j] = math.Sqrt(v); v == 0 { // a constant feature
			s.deviation[j] = 1
		}
	}
	return s
}

// apply returns the standardised rows. The rows of X stay as they are.
func (s scaler) apply(X [][]float64) [][]float64 {
	var Z [][]float64
	for _, x := range X {
		z := make([]float64, len(x))
		for j, v := range x {
			z[j] = (v - s.mean[j]) / s.deviation[j]
		}
		Z = append(Z, z)
	}
	return Z
}

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
func Example_standardise() {
	trainX, trainY := people(200, 1)
	testX, testY := people(200, 2)
	s := fitScaler(trainX)
	for _, c := range []struct {
		name        string
		train, test [][]float64
	}{
		{"raw", trainX, testX},
		{"standardised", s.apply(trainX), s.apply(testX)},
	} {
		p := &perceptron.Online{Keep: perceptron.Average, Order: perceptron.Shuffled, MaxEpochs: 20}
		if _, err := p.Fit(c.train, trainY); err != nil {
			fmt.Println(err)
			return
		}
		accuracy, err := perceptron.Accuracy(p, c.test, testY)
		fmt.Printf("%s: accuracy %.2f, %v\n", c.name, accuracy, err)
	}
	// Output:
	// raw: accuracy 0.53, <nil>
	// standardised: accuracy 0.94, <nil>
}
