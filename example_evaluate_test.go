package perceptron_test

import (
	"fmt"
	"math/rand/v2"

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
func ExampleConfusion() {
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
	m := &perceptron.Multiclass{Binary: &perceptron.Online{
		Order: perceptron.Shuffled, Keep: perceptron.Average, MaxEpochs: 30,
	}}
	res, err := m.Fit(trainX, trainY)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Stop, "after", res.Epochs, "epochs")
	c, err := perceptron.Evaluate(m, testX, testY)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("accuracy %.2f, macro F1 %.2f\n%v", c.Accuracy(), c.MacroF1(), c)
	// Output:
	// EpochLimit after 30 epochs
	// accuracy 0.78, macro F1 0.77
	//   true\predicted  10  15  20  25  precision  recall     F1
	//               10   8   1   1   1      0.800   0.727  0.762
	//               15   0   6   0   0      0.857   1.000  0.923
	//               20   2   0   3   2      0.750   0.429  0.545
	//               25   0   0   0   8      0.727   1.000  0.842
}

// Accuracy returns the share of the rows that are predicted right.
func ExampleAccuracy() {
	h := perceptron.Hyperplane{Weights: []float64{1, 1}, Bias: -0.5}
	X := [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}}
	y := []int{-1, -1, -1, +1}
	a, err := perceptron.Accuracy(h, X, y)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(a)
	// Output: 0.5
}

// A line of the table is a true class, and a column is a predicted class.
func ExampleEvaluate() {
	h := perceptron.Hyperplane{Weights: []float64{1, 1}, Bias: -0.5}
	X := [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}}
	y := []int{-1, -1, -1, +1}
	c, err := perceptron.Evaluate(h, X, y)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.Classes, c.Counts)
	fmt.Printf("accuracy %.2f, F1 of +1 %.2f\n", c.Accuracy(), c.F1(+1))
	fmt.Print(c)
	// Output:
	// [-1 1] [[1 2] [0 1]]
	// accuracy 0.50, F1 of +1 0.50
	//   true\predicted  -1  1  precision  recall     F1
	//               -1   1  2      1.000   0.333  0.500
	//                1   0  1      0.333   1.000  0.500
}

// held predicts row i by the model of the fold that did not train on it.
type held []int

func (h held) Predict(i int) (int, error) { return h[i], nil }

// crossValidate predicts each row with a model that has trained on the other folds, and returns
// the confusion of all rows.
func crossValidate(factory func() perceptron.Model, X [][]float64, y []int, k int) (perceptron.Confusion, error) {
	predicted, rows := make(held, len(X)), make([]int, len(X))
	order := rand.New(rand.NewPCG(1, 0)).Perm(len(X))
	for fold := range k {
		var trainX [][]float64
		var trainY []int
		for place, i := range order {
			if place%k != fold {
				trainX, trainY = append(trainX, X[i]), append(trainY, y[i])
			}
		}
		m := factory()
		if _, err := m.Fit(trainX, trainY); err != nil {
			return perceptron.Confusion{}, err
		}
		for place := fold; place < len(order); place += k {
			i := order[place]
			var err error
			if predicted[i], err = m.Predict(X[i]); err != nil {
				return perceptron.Confusion{}, err
			}
			rows[i] = i
		}
	}
	return perceptron.Evaluate(predicted, rows, y)
}

// Cross-validation tests each row on a model that has not seen it. It compares models
// and hyperparameters without a test set. Evaluate takes rows of any type: here their numbers.
func Example_crossValidation() {
	r := rand.New(rand.NewPCG(1, 2))
	var X [][]float64
	var y []int
	for i := range 300 {
		class := i % 3
		X = append(X, []float64{2*float64(class%2) + r.NormFloat64(), 2*float64(class/2) + r.NormFloat64()})
		y = append(y, class)
	}
	for _, keep := range []perceptron.Keep{perceptron.Last, perceptron.Average} {
		c, err := crossValidate(func() perceptron.Model {
			p := &perceptron.Online{Keep: keep, Order: perceptron.Shuffled, MaxEpochs: 20}
			return &perceptron.Multiclass{Binary: p}
		}, X, y, 5)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%v: accuracy %.2f, macro F1 %.2f\n", keep, c.Accuracy(), c.MacroF1())
	}
	// Output:
	// Last: accuracy 0.67, macro F1 0.67
	// Average: accuracy 0.74, macro F1 0.74
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

// Features of different sizes must be standardized: an income hides an age. The means
// and deviations come from the training rows and apply to all rows.
func ExampleStandardize() {
	trainX, trainY := people(200, 1)
	testX, testY := people(200, 2)
	scaling, err := perceptron.Standardize(trainX)
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
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("mean %.0f, scale %.0f: accuracy %.2f\n", s.Mean, s.Scale, accuracy)
	}
	// Output:
	// mean [], scale []: accuracy 0.53
	// mean [40215 45], scale [16807 16]: accuracy 0.94
}
