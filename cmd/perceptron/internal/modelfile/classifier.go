package modelfile

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"

	"perceptron"
	"perceptron/cmd/perceptron/internal/table"
)

// classifiers are the first bytes of files that package perceptron writes.
var classifiers = []string{"\x89PTRN", `{"kind":"perceptron.`}

// readClassifier reads a file of a Classifier[[]float64]. Its columns have no names: they are x1, x2, … in their
// order, and then the label. The scaling is folded into the planes, as for every model, so that the last bits
// of a score may differ from the Classifier's.
func readClassifier(path string) (*File, error) {
	var c perceptron.Classifier[[]float64]
	if err := c.Load(path); err != nil {
		return nil, fmt.Errorf("%w; the command reads a Classifier[[]float64]", err)
	}
	m, labels, scaling, waves := c.Parts()
	f := &File{Model: m}
	if len(labels) < 2 || slices.Contains(labels, "") {
		return nil, fmt.Errorf("%s: a Classifier with the labels %s, want at least two, and none empty", path, table.Short(labels))
	}
	d := len(planesOf(m).Planes[0].Weights) - waves.Count
	// A file leaves out weights of 0, and each column takes a name and a place.
	if info, err := os.Stat(path); err != nil || 250*d > most(int(info.Size())) {
		return nil, errors.Join(err, fmt.Errorf("%s: %d features are too many for the size of the file", path, d))
	}
	f.Details = Details{Program: "package perceptron", Waves: waves, Classes: labels, Data: Data{Rows: int(c.Seen())},
		Schema: table.Schema{Width: d + 1, Label: table.Column{Name: "label", Position: d}, Missing: table.MissingError, Foreign: true}}
	for j := range d {
		f.Schema.Columns = append(f.Schema.Columns, table.Column{Name: "x" + strconv.Itoa(j+1), Position: j})
	}
	if !c.Raw {
		f.Scaling = scaling
	}
	if err := errors.Join(f.Schema.Check(), f.fits()); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

// Classifier returns the file of a Classifier with the model. It returns an error if a Classifier lacks
// something that predicts: it has rows of numbers, or of one text.
func (f *File) Classifier() ([]byte, error) {
	text, words := f.Schema.Columns[0].Text, slices.ContainsFunc(f.Schema.Columns, func(c table.Column) bool { return !c.Number() })
	if why := cmp.Or(
		map[bool]string{true: "threshold"}[f.Threshold != 0],
		map[bool]string{true: "rule for missing values"}[f.Schema.Missing != table.MissingError],
		map[bool]string{true: "columns of words, text beside other columns, or sparse LIBSVM rows"}[words && (text == nil || len(f.Schema.Columns) > 1)],
		map[bool]string{true: "weights of rare words, as --idf gives"}[text != nil && text.IDF != nil],
	); why != "" {
		return nil, fmt.Errorf("a Classifier has no %s: a Go program reads the model with package pipeline", why)
	}
	if text != nil {
		return f.hashed(text)
	}
	c := perceptron.Classifier[[]float64]{Raw: f.Scaling.Mean == nil}
	if err := c.SetParts(f.Model, f.Classes, f.Scaling, f.Waves); err != nil {
		return nil, err
	}
	return c.MarshalBinary()
}

// hashed returns the file of a Classifier of the rows that HashWords returns. The model has weights only for
// the features that occurred in training; the others get 0.
func (f *File) hashed(h *table.Hash) ([]byte, error) {
	form, vectors, err := perceptron.Split(f.Model)
	if err != nil {
		return nil, err
	}
	for k, v := range vectors {
		all := make([]float64, 1<<h.Bits+1)
		for i, j := range h.Seen {
			all[j] = v[i]
		}
		if all[1<<h.Bits] = v[len(v)-1]; h.Seen != nil {
			vectors[k] = all
		}
	}
	m, err := perceptron.Join(form, vectors)
	if err != nil {
		return nil, err
	}
	var c perceptron.Classifier[perceptron.Sparse]
	if err := c.SetParts(m, f.Classes, perceptron.Scaling{}, perceptron.Waves{}); err != nil {
		return nil, err
	}
	return c.MarshalBinary()
}
