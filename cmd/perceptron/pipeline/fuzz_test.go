package pipeline

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"perceptron/cmd/perceptron/internal/table"
)

// FuzzTrain: no table makes Train panic, and a model that it trains is saved, loads, and evaluates the table.
func FuzzTrain(f *testing.F) {
	for _, name := range []string{"testdata/churn.csv", "testdata/messages.csv", "../../../examples/iris/iris.csv", "../../../examples/stream/iris.svm"} {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text[:min(len(text), 600)], filepath.Ext(name) == ".svm")
	}
	file := filepath.Join(f.TempDir(), "m")
	f.Fuzz(func(t *testing.T, text []byte, svm bool) {
		o := Options{Epochs: 1, Memory: 100, Missing: table.MissingDrop, Format: map[bool]string{true: "libsvm"}[svm]}
		p, r, err := Train(t.Context(), bytes.NewReader(text), o)
		if err != nil {
			return
		}
		if err := p.Save(file); err != nil {
			t.Fatal(err)
		}
		if p, err = Load(file); err != nil {
			t.Fatal(err)
		}
		e, err := p.Evaluate(t.Context(), bytes.NewReader(text), Options{Format: o.Format, Header: o.Header, All: true})
		if err != nil || e.Rows != r.Data.Rows || e.Accuracy != r.Training.Accuracy {
			t.Fatalf("%v, %+v, %+v", err, e, r)
		}
	})
}
