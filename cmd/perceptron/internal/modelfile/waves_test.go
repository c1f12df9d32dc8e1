package modelfile

import (
	"math"
	"path/filepath"
	"testing"

	"perceptron"
	"perceptron/cmd/perceptron/internal/table"
)

// TestRange: outside of the range of the training rows, a Classifier's file has the Classifier's scores. The waves see
// each feature limited to that range.
func TestRange(t *testing.T) {
	var X [][]float64
	var labels []string
	for i := range 60 {
		a := float64(i) / 7
		X = append(X, []float64{math.Cos(a) * float64(1+i%2), math.Sin(a) * float64(1+i%2)})
		labels = append(labels, []string{"in", "out"}[i%2])
	}
	c := perceptron.Classifier[[]float64]{Waves: perceptron.Waves{Count: 40}}
	if _, err := c.Fit(X, labels); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "c")
	if err := c.Save(path); err != nil {
		t.Fatal(err)
	}
	f, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	p, err := f.Predictor()
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range [][]float64{{0.5, 0.5}, {2, 0}, {7, 0.5}, {-30, 4}, {0, 1e6}} {
		want, err := c.Scores(nil, x)
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.Scores(nil, table.Vector{Value: append([]float64{}, x...)})
		if err != nil || len(got) != len(want) {
			t.Fatalf("%v: %v, %v, want %v", x, got, err, want)
		}
		for k := range got {
			if math.Abs(got[k]-want[k]) > 1e-9*(1+math.Abs(want[k])) {
				t.Errorf("%v: %v, want %v", x, got, want)
			}
		}
	}
}
