package main

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"perceptron"
	"perceptron/cmd/perceptron/internal/modelfile"
	"perceptron/cmd/perceptron/internal/table"
)

// inspectCmd shows a model: as text with the largest weights, or as JSON with all weights.
type inspectCmd struct {
	Model string `short:"m" required:"" placeholder:"FILE" help:"The model."`
	Top   uint   `default:"10" placeholder:"10" help:"Weights to show for each class, the largest first."`
	JSON  bool   `name:"json" help:"Print one JSON object, with all weights."`
	Words string `placeholder:"DATA" help:"Name the words of hashes by the texts of this file."`
}

// An inspection describes a model. Its JSON names are stable.
type inspection struct {
	// Details has everything in the model's file except the model itself.
	modelfile.Details
	Model   string          `json:"model"`
	Weights []weightedClass `json:"weights"`
	Top     uint            `json:"-"`
	Hashes  bool            `json:"-"` // the names of weights have hashes instead of words
}

// Sparse and Standardized are methods for the layout of the text.
func (in *inspection) Sparse() bool       { return in.Schema.Sparse }
func (in *inspection) Standardized() bool { return in.Scaling.Mean != nil }

// A weightedClass is a class with its weights by the names of the features. Indices would not
// help the user, because the order of the features depends on the file.
type weightedClass struct {
	Class   string             `json:"class"`
	Bias    float64            `json:"bias"`
	Weights map[string]float64 `json:"weights"`
}

// Largest returns the names of the n weights with the largest absolute values. Weights with equal
// absolute values are sorted by name, so that a model is always printed in the same way.
func (w weightedClass) Largest(n uint) []string {
	names := slices.SortedFunc(maps.Keys(w.Weights), func(a, b string) int {
		return cmp.Or(cmp.Compare(math.Abs(w.Weights[b]), math.Abs(w.Weights[a])), cmp.Compare(a, b))
	})
	return names[:min(n, uint(len(names)))]
}

// Run prints the columns, the classes, the data and, without waves, the weights for scaled rows. In
// a model of two classes, only the second class has weights: it is predicted if its score reaches
// the threshold.
func (c *inspectCmd) Run(p *program) error {
	f, err := modelfile.Read(c.Model)
	if err != nil {
		return err
	}
	// Weights for raw rows depend on the units of the columns, such as metres or millimetres, so
	// that they cannot be compared. Without a Scaling, the predictor has the planes for scaled rows.
	scaled := *f
	scaled.Scaling = perceptron.Scaling{}
	predictor, err := scaled.Predictor()
	if err != nil {
		return err
	}
	in := &inspection{Details: f.Details, Model: modelfile.SettingsOf(f.Model).Name, Top: c.Top}
	// In a model of two classes, the plane of the first class is not shown: it is the threshold.
	if in.Bent() {
		in.Weights = []weightedClass{} // those of waves, which have no names, and of features, whose borders they bend
		return p.show(c.JSON, "model", in)
	}
	planes, names, classes := predictor.Planes.Planes, f.Schema.Names(), predictor.Scored()
	if in.Hashes = c.Words == "" && slices.ContainsFunc(f.Schema.Columns, func(c table.Column) bool { return c.Text != nil }); c.Words != "" {
		if err := c.name(p, f, names); err != nil {
			return err
		}
	}
	for i, h := range planes[len(planes)-len(classes):] {
		w := weightedClass{classes[i], h.Bias, map[string]float64{}}
		for j, v := range h.Weights {
			if v != 0 || !f.Schema.Sparse { // a sparse model may have a million weights, most of them 0
				w.Weights[names[j]] = v
			}
		}
		in.Weights = append(in.Weights, w)
	}
	return p.show(c.JSON, "model", in)
}

// name replaces the names of hashed words by the words, as far as the texts of the file Words have them: a model has
// no list of its words.
func (c *inspectCmd) name(p *program, f *modelfile.File, names []string) error {
	at := 0
	for _, column := range f.Schema.Columns {
		if column.Text != nil {
			src, err := reading{Data: c.Words}.open(p, false)
			if err != nil {
				return err
			}
			defer src.Close()
			phrases := map[int][]string{}
			for r, err := range src.Rows(&f.Schema, table.RowOptions{ID: column.Name}) {
				if err != nil {
					return err
				}
				column.Text.Phrases(phrases, strings.ToLower(r.ID))
			}
			for place, words := range phrases {
				names[at+place] = column.Name + ": " + strings.Join(words, " | ")
			}
		}
		at += column.Width()
	}
	return nil
}
