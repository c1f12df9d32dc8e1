// Iris learns three iris species from two thirds of Fisher's 150 flowers, and is tested on
// every third flower.
package main

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"io"
	"log"
	"os"
	"strconv"
	"strings"

	"perceptron"
)

// table contains measurements in cm from R. A. Fisher, "The use of multiple
// measurements in taxonomic problems", Annals of Eugenics 7 (1936), table 1.
// Edgar Anderson took the measurements.
//
//go:embed iris.csv
var table string

var features = []string{"sepal length", "sepal width", "petal length", "petal width"}

func main() {
	log.SetFlags(0)
	if err := run(os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// run writes to w, so that the test can read the output.
func run(w io.Writer) error {
	X, labels, err := flowers()
	if err != nil {
		return err
	}
	if err := classify(w, X, labels); err != nil {
		return err
	}
	return prove(w, X, labels)
}

// classify trains on two thirds of the flowers and tests the model on the rest.
func classify(w io.Writer, X [][]float64, labels []string) error {
	trainX, train, testX, test := split(X, labels)
	var c perceptron.Classifier[[]float64]
	res, err := c.Fit(trainX, train)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%d flowers, %d epochs: %v\n\n", len(trainX), res.Epochs, res.Stop)
	table, err := perceptron.Evaluate(&c, testX, test)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%vaccuracy on %d other flowers: %.3f\n\n", table, len(testX), table.Accuracy())

	// The class with the highest score is predicted. Hyperplane is for rows in cm.
	for _, label := range c.Labels() {
		p, err := c.Hyperplane(label)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%-12s scores %7.2f", label, p.Bias)
		for j, v := range p.Weights {
			fmt.Fprintf(w, " %+7.2f·%s", v, features[j])
		}
		fmt.Fprintln(w)
	}
	return nil
}

// prove separates setosa from the other species, and compares the mistakes with Novikoff's
// bound. The run converges, because a hyperplane separates setosa from the others.
func prove(w io.Writer, X [][]float64, labels []string) error {
	setosa := make([]int, len(labels))
	for i, label := range labels {
		setosa[i] = -1
		if label == "setosa" {
			setosa[i] = +1
		}
	}
	var p perceptron.Online
	res, err := p.Fit(X, setosa)
	if err != nil {
		return err
	}
	// The bound holds for the margin of any separating hyperplane. The largest margin makes the
	// bound tightest.
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

// flowers returns the four measurements of each flower and its species.
func flowers() (X [][]float64, labels []string, err error) {
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
		X, labels = append(X, x), append(labels, row[4])
	}
	return X, labels, nil
}

// split takes every third flower for the test. The table is sorted by species, so
// every species is in both parts.
func split(X [][]float64, labels []string) (trainX [][]float64, train []string, testX [][]float64, test []string) {
	for i := range X {
		if i%3 == 2 {
			testX, test = append(testX, X[i]), append(test, labels[i])
		} else {
			trainX, train = append(trainX, X[i]), append(train, labels[i])
		}
	}
	return trainX, train, testX, test
}
