package perceptron_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"slices"
	"strconv"

	"perceptron"
)

// A classifier is what one program saves and another loads.
type classifier struct {
	Names       []string // of the classes
	Hyperplanes perceptron.Hyperplanes
}

// A program from a CSV file to predictions: string labels, rows for training and for a
// test, standardized features, and hyperplanes for raw rows, which another program loads.
func Example_fromCSV() {
	X, y, names := readCSV("examples/iris/iris.csv")
	var trainX, testX, trainY, testY = [][]float64{}, [][]float64{}, []int{}, []int{}
	for i, x := range X { // every third row is for the test
		if i%3 == 0 {
			testX, testY = append(testX, x), append(testY, y[i])
		} else {
			trainX, trainY = append(trainX, x), append(trainY, y[i])
		}
	}

	scaling := orExit(perceptron.Standardize(trainX))
	p := &perceptron.Online{Keep: perceptron.Average, Order: perceptron.Shuffled, MaxEpochs: 50}
	m := &perceptron.Multiclass{Binary: p}
	orExit(m.Fit(orExit(scaling.ApplyAll(trainX)), trainY))
	raw := orExit(scaling.UnscaleAll(m.Hyperplanes())) // for rows that are not scaled
	file := orExit(json.Marshal(classifier{names, raw}))

	// In the other program:
	var loaded classifier
	if err := json.Unmarshal(file, &loaded); err != nil {
		log.Fatal(err)
	}
	c := orExit(perceptron.Evaluate(loaded.Hyperplanes, testX, testY))
	for t, class := range c.Classes {
		fmt.Printf("%-10s predicted as", loaded.Names[class])
		for p, n := range c.Counts[t] {
			fmt.Printf(" %s %d", loaded.Names[c.Classes[p]], n)
		}
		fmt.Println()
	}
	class := orExit(loaded.Hyperplanes.Predict([]float64{5.9, 3.0, 4.2, 1.5}))
	fmt.Println(loaded.Names[class])
	// Output:
	// setosa     predicted as setosa 17 versicolor 0 virginica 0
	// versicolor predicted as setosa 0 versicolor 17 virginica 0
	// virginica  predicted as setosa 0 versicolor 0 virginica 16
	// versicolor
}

// readCSV reads rows whose last column is a label. names[y[i]] is the label of row i.
func readCSV(path string) (X [][]float64, y []int, names []string) {
	f := orExit(os.Open(path))
	defer f.Close()
	for _, record := range orExit(csv.NewReader(f).ReadAll())[1:] { // after the header
		d := len(record) - 1
		x := make([]float64, d)
		for j := range x {
			x[j] = orExit(strconv.ParseFloat(record[j], 64))
		}
		class := slices.Index(names, record[d])
		if class < 0 {
			class, names = len(names), append(names, record[d])
		}
		X, y = append(X, x), append(y, class)
	}
	return X, y, names
}

func orExit[T any](v T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return v
}
