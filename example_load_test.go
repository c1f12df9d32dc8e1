package perceptron_test

import (
	"fmt"
	"os"
	"path/filepath"

	"perceptron"
)

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
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "model")
	var p perceptron.Online
	if _, err := p.Fit([][]float64{{1, 2}, {-1, -2}}, []int{+1, -1}); err != nil {
		fmt.Println(err)
		return
	}
	if err := perceptron.Save(path, &p); err != nil {
		fmt.Println(err)
		return
	}
	loaded, err := loadOnline(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	label, err := loaded.Predict([]float64{3, 1})
	fmt.Println(label, err)
	if _, err := loaded.Update([]float64{1, -1}, -1); err != nil {
		fmt.Println(err)
		return
	}
	if err := perceptron.Save(path, new(perceptron.Batch)); err != nil {
		fmt.Println(err)
		return
	}
	_, err = loadOnline(path)
	fmt.Println(err)
	if err := os.Truncate(path, 10); err != nil {
		fmt.Println(err)
		return
	}
	_, err = loadOnline(path)
	fmt.Println(err != nil)
	// Output:
	// 1 <nil>
	// model contains a *perceptron.Batch, want an Online
	// true
}
