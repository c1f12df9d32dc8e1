package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/template"
	"unicode"

	"perceptron"
	"perceptron/cmd/perceptron/internal/modelfile"
	"perceptron/cmd/perceptron/internal/output"
	"perceptron/cmd/perceptron/internal/table"
	"perceptron/internal/atomicfile"
)

// exportCmd writes hyperplanes for raw rows, so that a program that reads them needs neither the
// scaling nor this library. In the JSON, each word is a feature, and the feature's name contains
// the word. An exported function takes the values of the columns, including words.
type exportCmd struct {
	Model  string `short:"m" required:"" placeholder:"FILE" help:"The model."`
	Output string `short:"o" placeholder:"FILE" help:"Write to this file (default: standard output)."`
	As     string `enum:"json,c,js,sql,go" default:"json" placeholder:"json" help:"json, or a function: c, js, sql or go."`
}

// An export is perceptron.Hyperplanes with the names of the classes and the features. A program
// that unmarshals an export as Hyperplanes ignores the names. Weights of 0 are written too, so that
// a reader needs only one form.
type export struct {
	perceptron.Hyperplanes
	Names    []string `json:"names"`
	Features []string `json:"features"`

	// Columns describes how columns become features. It is set only if a column is text.
	Columns []table.Column `json:"columns,omitempty"`

	// Fill has the values that replace missing features. It is empty unless training set them.
	Fill []float64 `json:"fill,omitempty"`
}

// Run writes the hyperplanes to a file in one step, or to standard output.
func (c *exportCmd) Run(p *program) error {
	begins := `{"classes":[`
	if c.As != "json" {
		begins = comments[c.As] + exportHead
	}
	if err := safe([]string{c.Model}, output.File{Flag: "-o", Path: c.Output, Begins: begins}); err != nil {
		return err
	}
	f, err := modelfile.Read(c.Model)
	if err != nil {
		return err
	}
	// predict uses the same planes.
	predictor, err := f.Predictor()
	if err != nil {
		return err
	}
	var text bytes.Buffer
	if c.As != "json" {
		err = function(&text, f, predictor, c.As)
	} else {
		planes := export{Hyperplanes: predictor.Planes, Names: f.Classes, Features: f.Schema.Names(), Fill: f.Fill}
		if slices.ContainsFunc(f.Schema.Columns, func(c table.Column) bool { return c.Text != nil }) {
			planes.Columns = f.Schema.Columns
		}
		err = writeJSON(&text, planes)
	}
	if err == nil && c.Output != "" {
		return atomicfile.Write(c.Output, text.Bytes(), ".perceptron-*.tmp")
	}
	if err == nil {
		_, err = p.stdout.Write(text.Bytes())
	}
	return err
}

// exportHead follows the comment sign at the beginning of each exported function. The program
// recognises its own files by it.
const exportHead = "Written by perceptron export. "

var comments = map[string]string{"c": "/* ", "js": "// ", "sql": "-- ", "go": "// "}

// An argument is an argument of an exported function: a column of raw values.
type argument struct {
	// Arg is the name in a program. Quoted is the name of the column in SQL, after that of its table,
	// because SQLite reads an unknown quoted name without a table as text.
	Arg, Quoted string
	At          int // index of the feature, if the column has numbers
	Words       []struct {
		Word string
		At   int
		Fill float64
	}
	Fills bool // a missing value is replaced
	Fill  float64
}

//go:embed exports.txt
var exportTexts string

// exports has the templates of the functions. A function adds the rounded products in the order of
// the features, as predict does on sparse rows. On dense rows, predict may add in another order, so
// that the last bits of a score may differ.
var exports = template.New("").Funcs(template.FuncMap{
	"number":   func(v float64) string { return strconv.FormatFloat(v, 'e', -1, 64) },
	"gostring": strconv.Quote,
	"json":     func(s string) string { text, _ := json.Marshal(s); return string(text) },
	"sqlstring": func(s string) string {
		return "'" + strings.ReplaceAll(s, "'", "''") + "'"
	},
	"cstring": func(s string) string {
		text := `"`
		for _, b := range []byte(s) { // C ends an octal escape after three digits
			text += fmt.Sprintf(`\%03o`, b)
		}
		return text + `"`
	},
	"inc": func(n int) int { return n + 1 },
	"mul": func(a, b float64) float64 { return a * b },
})

// function writes the model as a function of raw values in the language as.
func function(to *bytes.Buffer, f *modelfile.File, p *modelfile.Predictor, as string) error {
	var arguments []argument
	at, used := 0, map[string]bool{}
	fill := func(j int) float64 { return append(f.Fill, make([]float64, max(0, j+1-len(f.Fill)))...)[j] }
	for _, c := range f.Schema.Columns {
		if c.Text != nil || c.Indexed > 0 {
			return errors.New("a function of text, or of sparse LIBSVM rows, is not exported; without --as, the JSON says how these become features")
		}
		name := strings.Map(func(r rune) rune {
			if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
				return r
			}
			return '_'
		}, c.Name)
		for name = "v_" + name; used[name]; name += "_" { // no keyword begins with v_
		}
		used[name] = true
		a := argument{Arg: name, Quoted: `rows."` + strings.ReplaceAll(c.Name, `"`, `""`) + `"`, At: at, Fills: f.Fill != nil, Fill: fill(at)}
		for k, word := range c.Categories {
			a.Words = append(a.Words, struct {
				Word string
				At   int
				Fill float64
			}{word, at + k, fill(at + k)})
		}
		arguments, at = append(arguments, a), at+c.Width()
	}
	return template.Must(exports.Parse(exportTexts)).ExecuteTemplate(to, as, map[string]any{
		"Head":  exportHead + "The columns: " + strings.NewReplacer("\n", " ", "\r", " ", "*/", "* /").Replace(table.Short(columnNames(f.Schema))),
		"Names": f.Classes, "Columns": arguments, "Planes": p.Planes.Planes, "Classes": len(f.Classes), "Last": len(f.Classes) - 1, "Features": at,
	})
}

// columnNames returns the names of the columns that become features.
func columnNames(s table.Schema) (names []string) {
	for _, c := range s.Columns {
		names = append(names, c.Name)
	}
	return names
}
