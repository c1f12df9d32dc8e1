package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"text/tabwriter"
	"text/template"

	"perceptron/cmd/perceptron/internal/metrics"
	"perceptron/cmd/perceptron/internal/modelfile"
	"perceptron/cmd/perceptron/internal/split"
	"perceptron/cmd/perceptron/internal/table"
)

// A report describes a training and its result. Its JSON names are stable, because scripts
// read them: a new figure is a new field.
type report struct {
	Data modelfile.Data `json:"data"`

	// Streamed says that each epoch read the rows from a file, because they need more memory
	// than --memory allows. It changes the time, and no figure.
	Streamed bool `json:"streamed"`

	Features     int      `json:"features"`
	Standardised bool     `json:"standardised"`
	Classes      []string `json:"classes"`
	Model        string   `json:"model"`
	training

	// Words counts the words of each column of words. A column of numbers that stands here
	// has a value that is no number.
	Words []words `json:"words,omitempty"`

	// Threshold is the score from which on the second of two classes is predicted. It is
	// missing if it is 0, as the training itself has it.
	Threshold float64 `json:"threshold,omitempty"`

	// Training and HeldOut measure the model that was saved, on the rows of each part.
	// Only HeldOut shows what to expect of new rows.
	Training *quality `json:"training"`
	HeldOut  *quality `json:"heldOut,omitempty"`

	// Refit describes the model that was saved at the end. All figures are about the one
	// before, which did not learn the rows held out.
	Refit *refit `json:"refit,omitempty"`

	// Saved is the model's file. It is missing if the model could not be written.
	Saved string `json:"saved,omitempty"`
}

// A refit is a training on all rows.
type refit struct {
	Rows   int `json:"rows"`
	Epochs int `json:"epochs"`
}

// words is a column of words.
type words struct {
	Column string `json:"column"`
	Words  int    `json:"words"` // different ones, each of which is a feature
}

// wordsOf returns the columns of words.
func wordsOf(s *table.Schema) (all []words) {
	for _, c := range s.Columns {
		if len(c.Categories) > 0 {
			all = append(all, words{c.Name, len(c.Categories)})
		}
	}
	return all
}

// quality measures the predictions of some rows. Its JSON names are stable.
type quality struct {
	metrics.Figures

	// AUC and AveragePrecision are about the scores of the second of two classes. They are
	// missing for more classes, and if a class has no row. Sampled says that they are from a
	// sample of the rows.
	AUC              *float64 `json:"auc,omitempty"`
	AveragePrecision *float64 `json:"averagePrecision,omitempty"`
	Sampled          bool     `json:"sampled,omitempty"`

	// Confusion counts the rows by true class and predicted class. All figures except AUC and
	// AveragePrecision follow from it.
	Confusion metrics.Confusion `json:"confusion"`
	scores    metrics.Scores
}

// measure predicts all rows, and measures each part. It predicts the raw rows of the file,
// as predict does, so the figures are those of the model that users get. One pass serves
// both parts, because reading a large file takes longer than predicting its rows.
func (d *dataset) measure() (parts [split.Parts]*quality, err error) {
	p, err := d.Predictor()
	if err != nil {
		return parts, err
	}
	for part := range parts {
		parts[part] = &quality{Confusion: metrics.NewConfusion(len(d.Classes))}
	}
	var scores []float64 // of one row; the memory is used again
	err = d.scan("measuring", func(r *table.Row, part split.Part) error {
		class, err := d.label(r)
		if err != nil {
			return err
		}
		predicted, err := p.Predict(r.X)
		// More classes have no single score that orders the rows.
		if err == nil && p.Two {
			scores, err = p.Scores(scores[:0], r.X)
			parts[part].scores.Add(scores[0], class == 1)
		}
		parts[part].Confusion[class][predicted]++
		return err
	})
	for _, q := range parts {
		q.Figures = q.Confusion.Figures(d.Classes)
		q.AUC, q.AveragePrecision = number(q.scores.AUC()), number(q.scores.AveragePrecision())
		q.Sampled = q.scores.Sampled()
	}
	return parts, err
}

// number returns nil for a NaN or an infinity, which JSON does not have. A loss may overflow,
// and a figure may have no rows to be computed from.
func number(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// layouts has the reports as text, so that one place shows what they look like. A tab
// ends the cell of a table.
//
//   - report, evaluation, folds, model and separation are the texts of the commands. Each
//     begins with what was read, because a script may have passed the wrong file.
//   - figures, table and leftOut are parts of them, so that a training and an evaluation of
//     the same rows print the same lines.
//   - curves are the lines of the file of --curves.
//
// A figure has four decimals: its error on a thousand rows is larger than the fifth. The
// JSON has all digits. A table of more than 40 classes would fit no screen, so only the
// JSON has it.
var layouts = template.Must(template.New("").Funcs(template.FuncMap{
	"short":   table.Short,
	"counted": table.Counted,
	"value":   func(format string, v *float64) string { return fmt.Sprintf(format, *v) },
}).Parse(`
{{define "report"}}data	{{.Data.File}}{{if .Streamed}}, read for each epoch{{end}}
rows	{{.Data.Rows}} to train on, {{.Data.HeldOut}} held out{{template "leftOut" .Data.LeftOut}}
features	{{.Features}}{{if .Standardised}}, standardised{{end}}
{{with .Words}}words	{{range $i, $c := .}}{{if $i}}, {{end}}{{$c.Words}} in {{printf "%q" $c.Column}}{{end}}
{{end}}classes	{{len .Classes}}: {{short .Classes}}
model	{{.Model}}
epochs	{{.Epochs}}
{{- if gt .FirstEpoch 1}}, numbers {{.FirstEpoch}} to {{.LastEpoch}} of the model's{{end}}
{{- with .BestEpoch}}; the model is that of epoch {{.}}, the best on the rows held out{{end}}
stop	{{.Stop}}
{{- if eq .Stop "Converged"}}: the last epoch made no update{{end}}
{{- if eq .Stop "Cycled"}}: the weights repeat, so more epochs cannot converge{{end}}
updates	{{.Updates}}, {{.LastUpdates}} of them in the last epoch
{{with .ProgressiveError}}progressive error	{{value "%.4f" .}} in the last epoch, predicted before learning
{{end}}{{with .LastLoss}}loss	{{value "%.6g" .}} in the last epoch
{{end}}{{with .Threshold}}threshold	{{printf "%.6g" .}}: from this score on, the class is {{index $.Classes 1}}
{{end}}time	{{printf "%.3f" .Seconds}}s
{{with .Refit}}refit	on all {{.Rows}} rows, {{.Epochs}} epochs; the figures are those of the model before
{{end}}{{with .Saved}}saved	{{.}}
{{end}}
{{with .Training}}{{.Rows}} rows trained on: {{template "figures" .}}{{end}}
{{- with .HeldOut}}{{.Rows}} rows held out: {{template "figures" .}}{{end}}
{{- template "table" or .HeldOut .Training}}{{end}}

{{define "leftOut"}}{{with .}}, {{.}} left out because a value is missing{{end}}{{end}}

{{define "evaluation"}}{{.Rows}} rows of {{.Data}}{{if eq .Part "heldOut"}} that were held out of training{{if .Caveat}} on this file{{end}}{{end}}
{{- template "leftOut" .LeftOut}}{{with .Caveat}}; {{.}}{{end}}: {{template "figures" .}}{{template "table" .}}{{end}}

{{define "curves"}}{{range .}}{{.N}},{{.Rows}},{{.Updates}},{{with .Loss}}{{.}}{{end}},{{with .HeldOut}}{{.}}{{end}}
{{end}}{{end}}

{{define "folds"}}data	{{.Data}}{{template "leftOut" .LeftOut}}
model	{{.Model}}
{{range .Folds}}fold	accuracy {{printf "%.4f, macro F1 %.4f" .Accuracy .MacroF1}}
{{end}}accuracy	{{printf "%.4f, standard deviation %.4f" .Mean .Deviation}}, over {{len .Folds}} folds
{{end}}

{{define "figures"}}accuracy {{printf "%.4f, macro F1 %.4f" .Accuracy .MacroF1}}
{{- if and .AUC .AveragePrecision}}, AUC {{value "%.4f" .AUC}}, average precision {{value "%.4f" .AveragePrecision}}{{end}}
{{- if .Sampled}} (the last two on a sample){{end}}
{{end}}

{{define "table"}}{{if le (len .PerClass) 40}}
true class by row; the last columns count its rows by predicted class:
{{"\trows\tprecision\trecall\tF1"}}{{range .PerClass}}{{"\t"}}{{.Class}}{{end}}
{{range $i, $c := .PerClass}}{{.Class}}{{printf "\t%d\t%.4f\t%.4f\t%.4f" .Rows .Precision .Recall .F1}}
{{- range index $.Confusion $i}}{{"\t"}}{{.}}{{end}}
{{end}}{{end}}{{end}}

{{define "model"}}model	{{.Model}}
classes	{{len .Classes}}: {{short .Classes}}
label	column {{printf "%q" .Schema.Label.Name}}
features	{{.Schema.Features}} from {{counted (len .Schema.Columns) "column"}}{{if .Scaling.Mean}}, standardised{{end}}
missing values	{{.Schema.Missing}}
{{if .Threshold}}threshold	{{.Threshold}}: from this score on, the class is {{index .Classes 1}}
{{end}}trained on	{{.Data.File}}, {{counted .Data.Rows "row"}}{{template "leftOut" .Data.LeftOut}}
held out	{{.Data.HeldOut}} rows: share {{.Data.Holdout}} of each class, seed {{.Data.Seed}}
SHA-256	{{.Data.SHA256}}
{{range .Data.Earlier}}before on	{{.File}}, {{counted .Rows "row"}}
SHA-256	{{.SHA256}}
{{end}}{{with .Data.Served}}from a server	{{counted . "row"}}
{{end -}}
written by	{{.Program}}
{{range $w := .Weights}}
{{.Class}}, bias {{printf "%.6g" .Bias}}
{{range .Largest $.Top}}  {{.}}	{{printf "%.6g" (index $w.Weights .)}}
{{end}}{{end}}{{end}}

{{define "separation"}}{{.Data}}: {{.Rows}} rows of {{len .Names}} features; +1 is {{printf "%q" .Positive}}

R = {{printf "%.6g" .Radius}}: no row (x, 1) is longer
the margin γ is in {{printf "[%.12g, %.12g]" .Lower .Upper}}
{{if .Separable}}separable: Rosenblatt's rule makes at most (R/γ)² = {{printf "%.6g" .MistakeBound}} mistakes, in any order

The hyperplane ⟨w, x⟩ + b = 0 proves the lower bound on γ:
{{range $j, $v := .Hyperplane.Weights}}{{if $v}}{{printf "%14.6g × %s" $v (index $.Names $j)}}
{{end}}{{end}}{{printf "%14.6g" .Hyperplane.Bias}}
{{else if .Upper}}no separating hyperplane was found; none has a margin above {{.Upper}}
{{else}}proved: no hyperplane separates the rows
{{end}}
These rows prove {{if .Upper}}the upper bound{{else}}it{{end}}: their weighted sum of y·(x, 1) is {{if .Upper}}not longer than it{{else}}0{{end}}.
{{range .Proof}}{{.}}
{{end}}
All of these statements were checked in exact arithmetic.
{{with .Theorem}}
{{$.Coq}} proves of the decimal numbers in the file:
{{if .Separable}}they are separable, with γ in [{{.Lower}}, {{.Upper}}], and Rosenblatt's rule makes at most {{.Mistakes}} mistakes
{{- else}}no hyperplane separates them{{end}}
{{end}}{{end}}`))

// show prints a report as one JSON object, or as text by its layout. Nothing is printed
// before all is computed, so a failed command prints no half of a report. The bars end
// first: they would overwrite a report on the same terminal.
func (p *program) show(asJSON bool, layout string, report any) error {
	p.bars.close()
	if asJSON {
		return writeJSON(p.stdout, report)
	}
	out := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	return cmp.Or(layouts.ExecuteTemplate(out, layout, report), out.Flush()) // a full disk fails both
}

// writeJSON writes v on one line. Names of classes and columns stay as they are in the file:
// the output is no web page, so that < needs no escape.
func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
