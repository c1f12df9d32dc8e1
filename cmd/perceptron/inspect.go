package main

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"perceptron"
	"perceptron/cmd/perceptron/internal/modelfile"
)

// inspectCmd shows a model: for people with the largest weights only, and for programs as
// JSON with all of them.
type inspectCmd struct {
	Model string `short:"m" required:"" placeholder:"FILE" help:"The model."`
	Top   uint   `default:"10" placeholder:"10" help:"Weights to show for each class, the largest first."`
	JSON  bool   `name:"json" help:"Print one JSON object, with all weights."`
}

// An inspection describes a model. Its JSON names are stable.
type inspection struct {
	// Details are all that the model's file has beside the model itself.
	modelfile.Details
	Model   string          `json:"model"`
	Weights []weightedClass `json:"weights"`
	Top     uint            `json:"-"`
}

// Sparse and Standardized are for the report as text.
func (in *inspection) Sparse() bool       { return in.Schema.Sparse }
func (in *inspection) Standardized() bool { return in.Scaling.Mean != nil }

// A weightedClass has its weights by the names of the features. Names are what a user knows:
// the order of the features depends on the file.
type weightedClass struct {
	Class   string             `json:"class"`
	Bias    float64            `json:"bias"`
	Weights map[string]float64 `json:"weights"`
}

// Largest returns the names of the n largest weights, whatever their signs. Equal weights
// are in the order of their names, so that the same model is always shown alike.
func (w weightedClass) Largest(n uint) []string {
	names := slices.SortedFunc(maps.Keys(w.Weights), func(a, b string) int {
		return cmp.Or(cmp.Compare(math.Abs(w.Weights[b]), math.Abs(w.Weights[a])), cmp.Compare(a, b))
	})
	return names[:min(n, uint(len(names)))]
}

// Run prints the columns, the classes, the data and the weights for scaled rows. Of two
// classes, only the second has weights: the first one's plane is the threshold.
func (c *inspectCmd) Run(p *program) error {
	f, err := modelfile.Read(c.Model)
	if err != nil {
		return err
	}
	// Weights for raw rows would compare units: metres with millimetres. Without a scaling,
	// the predictor has the planes of the model itself.
	scaled := *f
	scaled.Scaling = perceptron.Scaling{}
	predictor, err := scaled.Predictor()
	if err != nil {
		return err
	}
	in := &inspection{Details: f.Details, Model: settingsOf(f.Model).name, Top: c.Top}
	// The last planes belong to the classes that have scores.
	planes, names, classes := predictor.Planes.Planes, f.Schema.Names(), predictor.Scored()
	for i, h := range planes[len(planes)-len(classes):] {
		w := weightedClass{classes[i], h.Bias, map[string]float64{}}
		for j, v := range h.Weights {
			if v != 0 || !f.Schema.Sparse { // of a million weights, most are 0
				w.Weights[names[j]] = v
			}
		}
		in.Weights = append(in.Weights, w)
	}
	return p.show(c.JSON, "model", in)
}
