// Recipe prints the accuracy of recipes for the zero Classifier on one set: the share of all rows
// that are right when they are predicted by a model of the other four folds. bench/recipe.py asks.
//
//	recipe tables|texts FILE FEATURES SEED
//
// FILE is in LIBSVM's format, and standard input has each row's fold.
package main

import (
	"bufio"
	"fmt"
	"log"
	"math"
	"os"
	"strconv"

	"perceptron"
)

// A recipe is a name and the model that it makes for rows whose (x, 1) have a mean square length.
type recipe struct {
	name  string
	model func(square float64, seed uint64) perceptron.Binary
}

var recipes = []recipe{
	{"θ = 0", func(_ float64, seed uint64) perceptron.Binary {
		return &perceptron.Online{Keep: perceptron.Average, Order: perceptron.Shuffled, MaxEpochs: 20, Seed: seed}
	}},
	{"θ of the mean", func(square float64, seed uint64) perceptron.Binary {
		return &perceptron.Margin{Threshold: square, Keep: perceptron.Average, Order: perceptron.Shuffled, MaxEpochs: 20, Seed: seed}
	}},
	{"θ of the largest", func(_ float64, seed uint64) perceptron.Binary {
		return &perceptron.Margin{Keep: perceptron.Average, Order: perceptron.Shuffled, MaxEpochs: 20, Seed: seed}
	}},
}

func main() {
	log.SetFlags(0)
	if len(os.Args) != 5 {
		log.Fatal("usage: recipe tables|texts FILE FEATURES SEED")
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3], os.Args[4]); err != nil {
		log.Fatal(err)
	}
}

func run(kind, file, features, order string) error {
	width, err := strconv.Atoi(features)
	if err != nil {
		return err
	}
	seed, err := strconv.ParseUint(order, 10, 64)
	if err != nil {
		return err
	}
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	rows, y, err := perceptron.ReadLIBSVM(f)
	if err != nil {
		return err
	}
	labels, folds := make([]string, len(y)), make([]int, len(y))
	in := bufio.NewReader(os.Stdin)
	for i := range y {
		labels[i] = strconv.Itoa(y[i])
		if _, err := fmt.Fscan(in, &folds[i]); err != nil {
			return err
		}
	}
	if kind == "tables" {
		X := make([][]float64, len(rows))
		for i, row := range rows {
			X[i] = make([]float64, width)
			for k, j := range row.Index {
				X[i][j] = row.Value[k]
			}
		}
		return report("", recipes, seed, X, labels, folds, 0, func([][]float64) float64 { return float64(width) + 1 })
	}
	if err := report("", recipes, seed, rows, labels, folds, width, meanSquare); err != nil {
		return err
	}
	for _, row := range rows {
		if n := math.Sqrt(square(row)); n > 0 {
			for k := range row.Value {
				row.Value[k] /= n
			}
		}
	}
	return report(" unit", recipes, seed, rows, labels, folds, width, meanSquare)
}

func square(x perceptron.Sparse) (sum float64) {
	for _, v := range x.Value {
		sum += v * v
	}
	return sum
}

// meanSquare returns the mean of ‖(x, 1)‖².
func meanSquare(X []perceptron.Sparse) (mean float64) {
	for _, x := range X {
		mean += (1 + square(x)) / float64(len(X))
	}
	return mean
}

// report prints each recipe's share of right predictions.
func report[R []float64 | perceptron.Sparse](suffix string, recipes []recipe, seed uint64, X []R, labels []string, folds []int, width int, size func(X []R) float64) error {
	for _, r := range recipes {
		right := 0
		for k := range 5 {
			var trainX, testX []R
			var train, test []string
			for i, fold := range folds {
				if fold == k {
					testX, test = append(testX, X[i]), append(test, labels[i])
				} else {
					trainX, train = append(trainX, X[i]), append(train, labels[i])
				}
			}
			c := perceptron.Classifier[R]{Model: &perceptron.Multiclass{Binary: r.model(size(trainX), seed)}, Width: width}
			if _, err := c.Fit(trainX, train); err != nil {
				return err
			}
			for i, x := range testX {
				label, err := c.Predict(x)
				if err != nil {
					return err
				}
				if label == test[i] {
					right++
				}
			}
		}
		fmt.Printf("%s%s %.6f\n", r.name, suffix, float64(right)/float64(len(X)))
	}
	return nil
}
