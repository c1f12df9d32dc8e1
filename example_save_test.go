package perceptron_test

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"perceptron"
)

// Training that is interrupted, saved, and resumed after Load gives the same bits as
// uninterrupted training.
func ExampleSave() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "spam.perceptron")

	var p perceptron.Margin
	if _, err := p.Update([]float64{2, 1}, +1); err != nil {
		log.Fatal(err)
	}
	if err := perceptron.Save(path, &p); err != nil {
		log.Fatal(err)
	}

	m, err := perceptron.Load(path)
	if err != nil {
		log.Fatal(err)
	}
	switch m := m.(type) { // the file decides the type
	case *perceptron.Margin:
		if _, err := m.Update([]float64{1, 3}, -1); err != nil {
			log.Fatal(err)
		}
		fmt.Println(m.Hyperplane())
	default:
		log.Fatalf("%s holds a %T", path, m)
	}
	// Output: {[1 -2] 0}
}

// This reads a hyperplane that scikit-learn has found and written with
//
//	json.dump({"weights": clf.coef_[0].tolist(), "bias": float(clf.intercept_[0])}, file)
//
// for a classifier clf of two classes, such as Perceptron or LinearSVC. The label +1
// is clf.classes_[1]. Reading a float that Python wrote gives the same bits. Without an
// intercept, the bias is 0.0. For more classes,
//
//	json.dump([{"weights": w, "bias": b} for w, b in
//	           zip(clf.coef_.tolist(), clf.intercept_.tolist())], file)
//
// is a []Hyperplane, in the order of clf.classes_.
func ExampleHyperplane_UnmarshalJSON() {
	const file = `{"weights": [0.1, -2.5e-07], "bias": -1.0}`
	var h perceptron.Hyperplane
	if err := json.Unmarshal([]byte(file), &h); err != nil {
		log.Fatal(err)
	}
	label, err := h.Predict([]float64{20, 0})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(h, label)
	// Output: {[0.1 -2.5e-07] -1} 1
}

// People and other programs can read what a model has learned from its JSON.
func ExampleOneVsRest_MarshalJSON() {
	var m perceptron.OneVsRest
	for class, x := range [][]float64{{1, 0}, {0, 1}} {
		if _, err := m.Update(x, class); err != nil {
			log.Fatal(err)
		}
	}
	text, err := json.Marshal(m)
	if err != nil {
		log.Fatal(err)
	}
	var plain struct {
		Learned struct {
			Classes     []int
			Hyperplanes []struct {
				Weights []float64
				Bias    float64
			}
		}
	}
	if err := json.Unmarshal(text, &plain); err != nil {
		log.Fatal(err)
	}
	fmt.Println(plain.Learned.Classes, plain.Learned.Hyperplanes)
	// Output: [0 1] [{[1 -1] 0} {[0 1] 1}]
}
