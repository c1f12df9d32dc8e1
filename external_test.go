package perceptron_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"iter"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"perceptron"
)

// binaryModel is what Online and Margin have beyond Model.
type binaryModel interface {
	perceptron.Model
	Epochs(X [][]float64, y []int) iter.Seq2[perceptron.Epoch, error]
	Score(x []float64) (float64, error)
	Hyperplane() perceptron.Hyperplane
}

// A streamer is a model of two classes that learns by example.
type streamer interface {
	binaryModel
	Learn(examples iter.Seq2[[]float64, int]) (perceptron.Epoch, error)
	Update(x []float64, y int) (bool, error)
}

func keepOf(m perceptron.Model) perceptron.Keep {
	switch m := m.(type) {
	case *perceptron.Online:
		return m.Keep
	case *perceptron.Margin:
		return m.Keep
	}
	return perceptron.Last
}

func cloneOf(m perceptron.Model) binaryModel {
	switch m := m.(type) {
	case *perceptron.Online:
		return m.Clone()
	case *perceptron.Margin:
		return m.Clone()
	}
	return m.(*perceptron.Batch).Clone()
}

func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// stream yields the examples lo, …, hi−1 of a dataset.
func stream(set perceptron.Dataset, lo, hi int) iter.Seq2[[]float64, int] {
	return func(yield func([]float64, int) bool) {
		for i := lo; i < hi && yield(set.X[i], set.Y[i]); i++ {
		}
	}
}

// all yields every example of a dataset.
func all(set perceptron.Dataset) iter.Seq2[[]float64, int] { return stream(set, 0, len(set.X)) }

// against returns +1 for the class and −1 for the others.
func against(y []int, class int) []int {
	signs := make([]int, len(y))
	for i, label := range y {
		if signs[i] = -1; label == class {
			signs[i] = +1
		}
	}
	return signs
}

// vector returns (w, b).
func vector(h perceptron.Hyperplane) []float64 { return append(slices.Clone(h.Weights), h.Bias) }

func sameBits(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }

func samePlane(a, b perceptron.Hyperplane) bool {
	return slices.EqualFunc(vector(a), vector(b), sameBits)
}

// TestExamplesRunInPage: the documentation page can run every example, because no
// example needs anything of another file. Every example states its output.
func TestExamplesRunInPage(t *testing.T) {
	names, err := filepath.Glob("example_*_test.go")
	if err != nil || len(names) == 0 {
		t.Fatal(err, names)
	}
	var files []*ast.File
	for _, name := range names {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	for _, e := range doc.Examples(files...) {
		if e.Play == nil || e.Output == "" {
			t.Errorf("Example%s: runs in the page %v, output %q", e.Name, e.Play != nil, e.Output)
		}
	}
}
