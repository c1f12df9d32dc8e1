package perceptron_test

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

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

// Accuracy returns the share of the rows that are predicted right.
func ExampleAccuracy() {
	h := perceptron.Hyperplane{Weights: []float64{1, 1}, Bias: -0.5}
	X := [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}}
	y := []int{-1, -1, -1, +1}
	fmt.Println(orExit(perceptron.Accuracy(h, X, y)))
	// Output: 0.5
}

// A line of the table is a true class, and a column is a predicted class.
func ExampleEvaluate() {
	h := perceptron.Hyperplane{Weights: []float64{1, 1}, Bias: -0.5}
	X := [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}}
	y := []int{-1, -1, -1, +1}
	c := orExit(perceptron.Evaluate(h, X, y))
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

// crossValidate evaluates each of k folds with m, trained on the others, and adds the counts. The
// rows must be in a random order.
func crossValidate(m perceptron.Model, X [][]float64, y []int, k int) (sum perceptron.Confusion[int]) {
	for fold := range k {
		a, b := fold*len(X)/k, (fold+1)*len(X)/k
		orExit(m.Fit(slices.Concat(X[:a], X[b:]), slices.Concat(y[:a], y[b:])))
		sum = sum.Add(orExit(perceptron.Evaluate(m, X[a:b], y[a:b])))
	}
	return sum
}

// Cross-validation tests each row on a model that has not seen it. It compares models
// and hyperparameters without a test set.
func Example_crossValidation() {
	r := rand.New(rand.NewPCG(1, 2))
	var X [][]float64
	var y []int
	for range 300 {
		class := r.IntN(3)
		X = append(X, []float64{2*float64(class%2) + r.NormFloat64(), 2*float64(class/2) + r.NormFloat64()})
		y = append(y, class)
	}
	for _, keep := range []perceptron.Keep{perceptron.Last, perceptron.Average} {
		p := &perceptron.Online{Keep: keep, Order: perceptron.Shuffled, MaxEpochs: 20}
		c := crossValidate(&perceptron.Multiclass{Binary: p}, X, y, 5)
		fmt.Printf("%v: accuracy %.2f, macro F1 %.2f\n", keep, c.Accuracy(), c.MacroF1())
	}
	// Output:
	// Last: accuracy 0.59, macro F1 0.54
	// Average: accuracy 0.78, macro F1 0.77
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
	scaling := orExit(perceptron.Standardize(trainX))
	for _, s := range []perceptron.Scaling{{}, scaling} { // the zero Scaling changes nothing
		p := &perceptron.Online{Keep: perceptron.Average, Order: perceptron.Shuffled, MaxEpochs: 20}
		orExit(p.Fit(orExit(s.ApplyAll(trainX)), trainY))
		raw := orExit(s.Unscale(p.Hyperplane())) // takes rows that are not scaled
		accuracy := orExit(perceptron.Accuracy(raw, testX, testY))
		fmt.Printf("mean %.0f, scale %.0f: accuracy %.2f\n", s.Mean, s.Scale, accuracy)
	}
	// Output:
	// mean [], scale []: accuracy 0.53
	// mean [40215 45], scale [16807 16]: accuracy 0.94
}

// A saved model continues its training as if it had never been saved. Load's result is asserted
// to a Learner, which every model but Batch is.
func ExampleSave() {
	dir := orExit(os.MkdirTemp("", "example"))
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "spam.perceptron")

	var p perceptron.Margin
	orExit(p.Update([]float64{2, 1}, +1))
	if err := perceptron.Save(path, &p); err != nil {
		log.Fatal(err)
	}

	m := orExit(perceptron.Load(path))
	resumed, ok := m.(perceptron.Learner)
	if !ok {
		log.Fatalf("%s contains a %T", path, m)
	}
	for _, l := range []perceptron.Learner{&p, resumed} {
		orExit(l.Update([]float64{1, 3}, -1))
		fmt.Println(l.(*perceptron.Margin).Hyperplane())
	}
	// Output:
	// {[1 -2] 0}
	// {[1 -2] 0}
}

// A linear classifier trained in scikit-learn can predict in Go. For a classifier
// clf of two classes, such as Perceptron or LinearSVC, write the file in Python:
//
//	json.dump({"weights": clf.coef_[0].tolist(), "bias": float(clf.intercept_[0])}, file)
//
// The label +1 stands for clf.classes_[1]. Every bit of a float survives, because
// Python writes all the digits that it needs. If clf has no intercept, write a
// bias of 0.0. For more than two classes, write
//
//	json.dump({"classes": clf.classes_.tolist(),
//	           "planes": [{"weights": w, "bias": b} for w, b in
//	                      zip(clf.coef_.tolist(), clf.intercept_.tolist())]}, file)
//
// and read it into a [Hyperplanes]. A StandardScaler s becomes a [Scaling]:
//
//	json.dump({"mean": s.mean_.tolist(), "scale": s.scale_.tolist()}, file)
func ExampleHyperplane_json() {
	const file = `{"weights": [0.1, -2.5e-07], "bias": -1.0}`
	var h perceptron.Hyperplane
	if err := json.Unmarshal([]byte(file), &h); err != nil {
		log.Fatal(err)
	}
	label := orExit(h.Predict([]float64{20, 0}))
	fmt.Println(h, label)
	// Output: {[0.1 -2.5e-07] -1} 1
}

// People and other programs can read a model's JSON form: the first vector of each class predicts.
func ExampleMulticlass_MarshalJSON() {
	var m perceptron.Multiclass
	for class, x := range [][]float64{{1, 0}, {0, 1}} {
		orExit(m.Update(x, class))
	}
	text := orExit(json.Marshal(m))
	var plain struct {
		Learned struct {
			Classes []int
			Vectors [][]float64 // each ends with the bias
		}
	}
	if err := json.Unmarshal(text, &plain); err != nil {
		log.Fatal(err)
	}
	fmt.Println(plain.Learned)
	// Output: {[0 1] [[0 -1 -1] [0 1 1]]}
}

// loadOnline loads a model that must be an Online. The file determines the type.
func loadOnline(path string) (*perceptron.Online, error) {
	m, err := perceptron.Load(path)
	if err != nil {
		return nil, err
	}
	p, ok := m.(*perceptron.Online)
	if !ok {
		return nil, fmt.Errorf("%s contains a %T, want an Online", filepath.Base(path), m)
	}
	return p, nil
}

// A loaded model predicts and continues its training. A damaged file is rejected.
func ExampleLoad() {
	dir := orExit(os.MkdirTemp("", "example"))
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "model")
	var p perceptron.Online
	orExit(p.Fit([][]float64{{1, 2}, {-1, -2}}, []int{+1, -1}))
	if err := perceptron.Save(path, &p); err != nil {
		log.Fatal(err)
	}
	loaded := orExit(loadOnline(path))
	fmt.Println(orExit(loaded.Predict([]float64{3, 1})))
	orExit(loaded.Update([]float64{1, -1}, -1))
	if err := perceptron.Save(path, new(perceptron.Batch)); err != nil {
		log.Fatal(err)
	}
	_, err := loadOnline(path)
	fmt.Println(err)
	if err := os.Truncate(path, 10); err != nil {
		log.Fatal(err)
	}
	_, err = loadOnline(path)
	fmt.Println(errors.Is(err, perceptron.ErrFormat))
	// Output:
	// 1
	// model contains a *perceptron.Batch, want an Online
	// true
}

// A table with names for labels: read, train, predict, and save all in one file.
func ExampleClassifier() {
	var X [][]float64
	var labels []string
	for _, row := range orExit(csv.NewReader(orExit(os.Open("examples/iris/iris.csv"))).ReadAll())[1:] {
		x := make([]float64, 4)
		for j := range x {
			x[j] = orExit(strconv.ParseFloat(row[j], 64))
		}
		X, labels = append(X, x), append(labels, row[4])
	}
	var c perceptron.Classifier[[]float64]
	orExit(c.Fit(X, labels))
	fmt.Println(orExit(c.Predict([]float64{5.9, 3.0, 4.2, 1.5})), orExit(perceptron.Accuracy(&c, X, labels)))
	// Output: versicolor 0.9733333333333334
}

// words returns a row with the number of times that each word occurs.
func words(text string) (x perceptron.Sparse) {
	for word := range strings.FieldsSeq(strings.ToLower(text)) {
		hash := fnv.New32a()
		hash.Write([]byte(word))
		x.Index, x.Value = append(x.Index, hash.Sum32()%(1<<18)), append(x.Value, 1)
	}
	x.Sort()
	return x
}

// A stream of texts: a label may be new at any time. The program that loads the file goes on.
func ExampleClassifier_text() {
	c := perceptron.Classifier[perceptron.Sparse]{Width: 1 << 18}
	for _, text := range []string{"ham See you at lunch", "spam Win a prize now", "ham Running late, see you soon", "spam Claim the prize now"} {
		label, body, _ := strings.Cut(text, " ")
		orExit(c.Update(words(body), label))
	}
	dir := orExit(os.MkdirTemp("", "example"))
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "spam.model")
	orExit(0, c.Save(path))
	var loaded perceptron.Classifier[perceptron.Sparse]
	orExit(0, loaded.Load(path))
	fmt.Println(orExit(loaded.Predict(words("your prize"))), loaded.Labels())
	// Output: spam [ham spam]
}

// A model that learns all rows of one label after all of another forgets the first label. Update
// needs a Scaling, or Raw: the features of this table have similar sizes.
func ExampleClassifier_Update() {
	table := orExit(csv.NewReader(orExit(os.Open("examples/iris/iris.csv"))).ReadAll())[1:]
	for _, order := range []string{"sorted by label", "shuffled"} {
		c := perceptron.Classifier[[]float64]{Raw: true}
		var X [][]float64
		var labels []string
		for _, row := range table {
			x := make([]float64, 4)
			for j := range x {
				x[j] = orExit(strconv.ParseFloat(row[j], 64))
			}
			X, labels = append(X, x), append(labels, row[4])
			orExit(c.Update(x, row[4]))
		}
		fmt.Printf("%s: %.2f\n", order, orExit(perceptron.Accuracy(&c, X, labels)))
		rand.New(rand.NewPCG(1, 0)).Shuffle(len(table), func(i, j int) { table[i], table[j] = table[j], table[i] })
	}
	// Output:
	// sorted by label: 0.33
	// shuffled: 0.96
}

// An ExampleError contains the index of the bad example. It wraps the kind of
// error.
func ExampleExampleError() {
	var p perceptron.Online
	_, err := p.Fit([][]float64{{1, 2}, {3}}, []int{+1, -1})
	var bad *perceptron.ExampleError
	fmt.Println(err)
	fmt.Println(errors.Is(err, perceptron.ErrDimension), errors.As(err, &bad), bad.Index)
	// Output:
	// perceptron: example 1: dimension mismatch: width 1, want 2
	// true true 1
}
