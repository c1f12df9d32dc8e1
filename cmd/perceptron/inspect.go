package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"

	"perceptron"
	"perceptron/cmd/perceptron/internal/modelfile"
	"perceptron/cmd/perceptron/internal/output"
	"perceptron/cmd/perceptron/internal/table"
	"perceptron/internal/atomicfile"
)

// inspectCmd shows a model.
type inspectCmd struct {
	Model string `arg:"" placeholder:"FILE" help:"The model."`
	Top   int    `default:"10" placeholder:"10" help:"Weights to show for each class, the largest first; 0 means all."`
	JSON  bool   `name:"json" help:"Print one JSON object, with all weights."`
}

// Help ends the command's help.
func (*inspectCmd) Help() string {
	return `The weights are those for standardised features, so that their sizes compare.

Example: perceptron inspect model.perceptron`
}

// A weighted class has its weights by the names of the features.
type weightedClass struct {
	Class   string             `json:"class"`
	Bias    float64            `json:"bias"`
	Weights map[string]float64 `json:"weights"`
}

// Run prints the columns, the classes, the data and the weights.
func (c *inspectCmd) Run(p *program) error {
	f, err := modelfile.Read(c.Model)
	if err != nil {
		return err
	}
	planes, classes := planesOf(f)
	if c.JSON {
		out := struct {
			modelfile.Details
			Model   string          `json:"model"`
			Classes []weightedClass `json:"weights"`
		}{f.Details, settingsOf(f.Model).name, nil}
		names := f.Schema.Names()
		for i, h := range planes {
			w := weightedClass{classes[i], h.Bias, map[string]float64{}}
			for j, v := range h.Weights {
				w.Weights[names[j]] = v
			}
			out.Classes = append(out.Classes, w)
		}
		return writeJSON(p.stdout, out)
	}
	return c.write(p.stdout, f, planes, classes)
}

// planesOf returns the hyperplanes for scaled rows, with their classes.
func planesOf(f *modelfile.File) ([]perceptron.Hyperplane, []string) {
	predictor := modelfile.File{Model: f.Model, Details: f.Details}
	predictor.Scaling = perceptron.Scaling{}
	p, err := predictor.Predictor()
	if err != nil {
		return nil, nil // Read has checked that there are hyperplanes
	}
	if p.Two {
		return p.Planes.Planes[1:], f.Classes[1:]
	}
	return p.Planes.Planes, f.Classes
}

func (c *inspectCmd) write(w io.Writer, f *modelfile.File, planes []perceptron.Hyperplane, classes []string) error {
	out := newFields(w)
	out.line("model", "%s", settingsOf(f.Model).name)
	out.line("classes", "%d: %s", len(f.Classes), table.Short(f.Classes))
	out.line("label", "column %q", f.Schema.Label.Name)
	out.line("features", "%d of %s%s", f.Schema.Features(), table.Counted(len(f.Schema.Columns), "column"), map[bool]string{true: ", standardised"}[f.Scaling.Mean != nil])
	out.line("missing values", "%s", f.Schema.Missing)
	if modelfile.IsTwo(f.Model) {
		out.line("threshold", "%g: from this score on, the class is %s", f.Threshold, f.Classes[1])
	}
	out.line("trained on", "%s, %s%s", f.Data.File, table.Counted(f.Data.Rows, "row"), leftOut(f.Data.LeftOut))
	out.line("held out", "%d rows: share %g of each class, seed %d", f.Data.HeldOut, f.Data.Holdout, f.Data.Seed)
	out.line("SHA-256", "%s", f.Data.SHA256)
	out.line("written by", "%s", f.Program)
	names := f.Schema.Names()
	for i, h := range planes {
		order := make([]int, len(h.Weights))
		for j := range order {
			order[j] = j
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(math.Abs(h.Weights[b]), math.Abs(h.Weights[a])) })
		if c.Top > 0 && len(order) > c.Top {
			order = order[:c.Top]
		}
		fmt.Fprintf(out, "\n%s, bias %.6g\n", classes[i], h.Bias)
		for _, j := range order {
			out.line("  "+names[j], "%.6g", h.Weights[j])
		}
	}
	return out.Flush()
}

// exportCmd writes hyperplanes.
type exportCmd struct {
	Model  string `short:"m" required:"" placeholder:"FILE" help:"The model."`
	Output string `short:"o" placeholder:"FILE" help:"Write to this file (default: standard output)."`
}

// Help ends the command's help.
func (*exportCmd) Help() string {
	return `The JSON has "classes", "planes" with "weights" and "bias" for raw rows, the "names" of the classes, and the "features": a word is 1 for its own feature and 0 for the others. The class with the highest score ⟨w, x⟩ + b is predicted, and the first of equal ones. A Go program reads it as a perceptron.Hyperplanes.

Example: perceptron export -m model.perceptron -o planes.json`
}

// An export is perceptron.Hyperplanes with the names that its numbers stand for.
type export struct {
	perceptron.Hyperplanes
	Names    []string  `json:"names"`
	Features []string  `json:"features"`
	Fill     []float64 `json:"fill,omitempty"` // replaces missing features
}

// Run writes the hyperplanes.
func (c *exportCmd) Run(p *program) error {
	if err := output.Check([]string{c.Model}, output.File{Flag: "-o", Path: c.Output, Begins: `{"classes":[`}); err != nil {
		return usageError{err}
	}
	f, err := modelfile.Read(c.Model)
	if err != nil {
		return err
	}
	predictor, err := f.Predictor()
	if err != nil {
		return err
	}
	e := export{predictor.Planes, f.Classes, f.Schema.Names(), f.Fill}
	if c.Output == "" {
		return writeJSON(p.stdout, e)
	}
	text, err := json.Marshal(e)
	if err != nil {
		return err
	}
	return atomicfile.Write(c.Output, append(text, '\n'), ".perceptron-*.tmp")
}
