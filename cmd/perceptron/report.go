package main

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"text/tabwriter"
	"text/template"

	"perceptron/cmd/perceptron/internal/table"
	figures "perceptron/cmd/perceptron/pipeline/report"
)

//go:embed layouts.txt
var texts string

// layouts has the templates of the reports as text. A tab ends the cell of a table.
//
//   - report, evaluation, folds, model and separation are the texts of the commands. Each
//     begins with what was read, because a script may have passed the wrong file.
//   - figures, table and leftOut are parts of these texts, so that a training and an evaluation
//     of the same rows print the same lines.
//   - curves are the lines of the file of --curves.
//
// The templates are in their own file, where they are easier to read than in Go code.
//
// A figure has four decimals, because its error on a thousand rows is larger than the fifth
// decimal. The JSON has all digits. A table of more than 40 classes does not fit on a screen, so
// the table is then only in the JSON.
var layouts = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"short":   table.Short,
		"counts":  func(of map[string]int) string { return table.ShortCounts(slices.Sorted(maps.Keys(of)), of) },
		"counted": table.Counted,
		"last":    func(r *figures.Training) int { return r.FirstEpoch + r.Epochs - 1 },
		"value":   func(format string, v *float64) string { return fmt.Sprintf(format, *v) },
	}).Parse(texts))
})

// show prints a report as one JSON object, or as text with the named layout. The whole report is
// computed before anything is printed, so that a failed command prints no part of it. The bars end
// first, because they would overwrite a report on the same terminal.
func (p *program) show(asJSON bool, layout string, report any) error {
	p.bars.Shutdown()
	if asJSON {
		return writeJSON(p.stdout, report)
	}
	out := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	return cmp.Or(layouts().ExecuteTemplate(out, layout, report), out.Flush()) // either call may fail to write
}

// writeJSON writes v as one line of JSON. It does not escape <, > and &, which only HTML needs, so
// that the names of classes and columns stay readable.
func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
