// Iris trains a perceptron for each of three species of iris on two thirds of
// Fisher's 150 flowers, and tries them on the last third.
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

// The measurements, in cm, are those of R. A. Fisher, "The use of multiple
// measurements in taxonomic problems", Annals of Eugenics 7 (1936), table 1;
// they were taken by Edgar Anderson.
//
//go:embed iris.csv
var table string

var species = []string{"setosa", "versicolor", "virginica"}

func main() {
	log.SetFlags(0)
	if err := run(os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(w io.Writer) error {
	X, y, err := flowers()
	if err != nil {
		return err
	}
	trainX, trainY, testX, testY := split(X, y)
	m := &perceptron.OneVsRest{Binary: &perceptron.Online{Order: perceptron.Shuffled, Seed: 1}}
	res, err := m.Fit(trainX, trainY)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "trained on %d flowers: %v after %d epochs, %d mistakes\n\n", len(trainX), res.Stop, res.Epochs, res.Mistakes)
	accuracy, err := perceptron.Accuracy(m, testX, testY)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "accuracy on the other %d: %.3f\n", len(testX), accuracy)
	return nil
}

// flowers returns the four measurements of each flower, and its species'
// index.
func flowers() (X [][]float64, y []int, err error) {
	rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil {
		return nil, nil, err
	}
	for _, row := range rows[1:] {
		x := make([]float64, 4)
		for j := range x {
			if x[j], err = strconv.ParseFloat(row[j], 64); err != nil {
				return nil, nil, err
			}
		}
		X = append(X, x)
		y = append(y, indexOf(row[4]))
	}
	return X, y, nil
}

func indexOf(name string) int {
	for i, s := range species {
		if s == name {
			return i
		}
	}
	return -1
}

// split holds every third flower out.
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
