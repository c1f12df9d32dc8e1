package modelfile

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"perceptron"
	"perceptron/cmd/perceptron/internal/table"
)

// classifiers are the first bytes of files that package perceptron writes.
var classifiers = []string{"\x89PTRN", `{"classifier"`, `{"perceptron"`}

// readClassifier reads a file of a Classifier[[]float64]. Its columns have no names: they are x1, x2, … in their
// order, and then the label. The scaling is folded into the planes, as for every model, so that the last bits
// of a score may differ from the Classifier's.
func readClassifier(path string) (*File, error) {
	var c perceptron.Classifier[[]float64]
	if err := c.Load(path); err != nil {
		return nil, fmt.Errorf("%w; the command reads a Classifier[[]float64]", err)
	}
	f := &File{Model: c.Model}
	if len(c.Labels) < 2 || slices.Contains(c.Labels, "") {
		return nil, fmt.Errorf("%s: a Classifier with the labels %s, want at least two, and none empty", path, table.Short(c.Labels))
	}
	var d int
	if p := planesOf(c.Model).Planes; len(p) > 0 {
		d = len(p[0].Weights)
	}
	f.Details = Details{Program: "package perceptron", Classes: c.Labels, Data: Data{Rows: int(c.Seen())},
		Schema: table.Schema{Width: d + 1, Label: table.Column{Name: "label", Position: d}, Missing: table.MissingError}}
	for j := range d {
		f.Schema.Columns = append(f.Schema.Columns, table.Column{Name: "x" + strconv.Itoa(j+1), Position: j})
	}
	if !c.Raw {
		f.Scaling = c.Scaling
	}
	if err := errors.Join(f.Schema.Check(), f.fits()); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

// Foreign reports whether a Go program wrote the file, as a Classifier. Then the command does not know the rows that
// the model was trained on, and does not write the file.
func (f *File) Foreign() bool { return f.Data.SHA256 == "" }
