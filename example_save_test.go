package perceptron_test

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"perceptron"
)

// Training resumed from a saved model is bit-identical to uninterrupted training.
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
	switch m := m.(type) { // the file determines the type
	case *perceptron.Margin:
		if _, err := m.Update([]float64{1, 3}, -1); err != nil {
			log.Fatal(err)
		}
		fmt.Println(m.Hyperplane())
	default:
		log.Fatalf("%s contains a %T", path, m)
	}
	// Output: {[1 -2] 0}
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
// and read it into a [Hyperplanes].
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

// A program that knows no model can predict with stored hyperplanes of many classes.
func ExampleHyperplanes() {
	var m perceptron.Multiclass
	X, y := [][]float64{{3, 0}, {0, 4}, {-3, -4}}, []int{10, 20, 30}
	if _, err := m.Fit(X, y); err != nil {
		log.Fatal(err)
	}
	file, err := json.Marshal(m.Hyperplanes())
	if err != nil {
		log.Fatal(err)
	}

	// The other program:
	var h perceptron.Hyperplanes
	if err := json.Unmarshal(file, &h); err != nil {
		log.Fatal(err)
	}
	class, err := h.Predict([]float64{1, 5})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(h.Classes, class)
	// Output: [10 20 30] 20
}

// People and other programs can read a model's JSON form.
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
			Hyperplanes []struct {
				Class   int
				Weights []float64
				Bias    float64
			}
		}
	}
	if err := json.Unmarshal(text, &plain); err != nil {
		log.Fatal(err)
	}
	fmt.Println(plain.Learned.Hyperplanes)
	// Output: [{0 [1 -1] 0} {1 [0 1] 1}]
}
