package perceptron_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"perceptron"
)

// A saved model continues its training as if it had never been saved. Load's result is asserted
// to a Learner, which every model but Batch is.
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
	resumed, ok := m.(perceptron.Learner)
	if !ok {
		log.Fatalf("%s contains a %T", path, m)
	}
	for _, l := range []perceptron.Learner{&p, resumed} {
		if _, err := l.Update([]float64{1, 3}, -1); err != nil {
			log.Fatal(err)
		}
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

// People and other programs can read a model's JSON form.
func ExampleMulticlass_MarshalJSON() {
	var m perceptron.Multiclass
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
	// Output: [{0 [0 -1] -1} {1 [0 1] 1}]
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
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "model")
	var p perceptron.Online
	if _, err := p.Fit([][]float64{{1, 2}, {-1, -2}}, []int{+1, -1}); err != nil {
		log.Fatal(err)
	}
	if err := perceptron.Save(path, &p); err != nil {
		log.Fatal(err)
	}
	loaded, err := loadOnline(path)
	if err != nil {
		log.Fatal(err)
	}
	label, err := loaded.Predict([]float64{3, 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(label)
	if _, err := loaded.Update([]float64{1, -1}, -1); err != nil {
		log.Fatal(err)
	}
	if err := perceptron.Save(path, new(perceptron.Batch)); err != nil {
		log.Fatal(err)
	}
	_, err = loadOnline(path)
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
