// Iris learns three iris species from two thirds of Fisher's 150 flowers, and is tested on
// the last third.
package main

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"io"
	"log"
	"os"
	"slices"
	"strconv"
	"strings"

	"perceptron"
)

// table contains measurements in cm from R. A. Fisher, "The use of multiple
// measurements in taxonomic problems", Annals of Eugenics 7 (1936), table 1.
// Edgar Anderson took them.
//
//go:embed iris.csv
var table string

// A label is an index in species. A feature is an index in features.
var (
	species  = []string{"setosa", "versicolor", "virginica"}
	features = []string{"sepal length", "sepal width", "petal length", "petal width"}
)

func main() {
	log.SetFlags(0)
	if err := run(os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// run writes to w, so that the test can read the output.
func run(w io.Writer) error {
	X, y, err := flowers()
	if err != nil {
		return err
	}
	if err := classify(w, X, y); err != nil {
		return err
	}
	return prove(w, X, y)
}

// classify trains on two thirds of the flowers and tests the model on the rest.
func classify(w io.Writer, X [][]float64, y []int) error {
	trainX, trainY, testX, testY := split(X, y)
	scaling, err := perceptron.Standardize(trainX)
	if err != nil {
		return err
	}
	Z, err := scaling.ApplyAll(trainX)
	if err != nil {
		return err
	}
	// Versicolor and virginica overlap, so the last iterate would depend on the last
	// flowers. The average is steadier.
	m := &perceptron.Multiclass{Binary: &perceptron.Online{
		Keep: perceptron.Average, Order: perceptron.Shuffled, MaxEpochs: 50,
	}}
	res, err := m.Fit(Z, trainY)
	if err != nil {
		return err
	}
	// These hyperplanes take rows in cm.
	h, err := scaling.UnscaleAll(m.Hyperplanes())
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%d flowers, %d epochs: %v\n\n", len(trainX), res.Epochs, res.Stop)

	// A row of the table is the true species, and a column is the predicted one.
	c, err := perceptron.Evaluate(h, testX, testY)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%-12s predicted as\n%-12s", "", "")
	for _, class := range c.Classes {
		fmt.Fprintf(w, " %10s", species[class])
	}
	fmt.Fprintln(w)
	for t, class := range c.Classes {
		fmt.Fprintf(w, "%-12s", species[class])
		for _, n := range c.Counts[t] {
			fmt.Fprintf(w, " %10d", n)
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "\naccuracy on %d other flowers: %.3f\n\n", len(testX), c.Accuracy())

	// The highest score determines the prediction.
	for i, p := range h.Planes {
		fmt.Fprintf(w, "%-12s scores %7.2f", species[h.Classes[i]], p.Bias)
		for j, v := range p.Weights {
			fmt.Fprintf(w, " %+7.2f·%s", v, features[j])
		}
		fmt.Fprintln(w)
	}
	return nil
}

// prove separates setosa from the other species, and compares the mistakes with
// Novikoff's bound. A hyperplane does separate them, so the run converges.
func prove(w io.Writer, X [][]float64, y []int) error {
	setosa := make([]int, len(y))
	for i, c := range y {
		setosa[i] = -1
		if species[c] == "setosa" {
			setosa[i] = +1
		}
	}
	var p perceptron.Online
	res, err := p.Fit(X, setosa)
	if err != nil {
		return err
	}
	// The bound holds for the margin of any hyperplane. The largest one makes it tightest.
	sep, err := perceptron.Separate(X, setosa, perceptron.Affine)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "\nsetosa against the other species: %v\n", res.Stop)
	fmt.Fprintf(w, "  R = %.4f, the length of the longest row (x, 1)\n", sep.Radius)
	fmt.Fprintf(w, "  γ = %.4f, the margin of the flowers, from Separate\n", sep.Lower)
	fmt.Fprintf(w, "  Online made %d mistakes in %d epochs. Novikoff's theorem allows (R/γ)² = %.1f.\n", res.Mistakes, res.Epochs, sep.MistakeBound())
	return nil
}

// flowers returns the four measurements of each flower and the index of its
// species.
func flowers() (X [][]float64, y []int, err error) {
	rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil {
		return nil, nil, err
	}
	for _, row := range rows[1:] { // the first row contains the names
		x := make([]float64, 4)
		for j := range x {
			if x[j], err = strconv.ParseFloat(row[j], 64); err != nil {
				return nil, nil, err
			}
		}
		X = append(X, x)
		y = append(y, slices.Index(species, row[4]))
	}
	return X, y, nil
}

// split takes every third flower for the test. The table is sorted by species, so
// every species is in both parts.
func split(X [][]float64, y []int) (trainX [][]float64, trainY []int, testX [][]float64, testY []int) {
	for i := range X {
		if i%3 == 2 {
			testX, testY = append(testX, X[i]), append(testY, y[i])
		} else {
			trainX, trainY = append(trainX, X[i]), append(trainY, y[i])
		}
	}
	return trainX, trainY, testX, testY
}
