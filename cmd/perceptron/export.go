package main

import (
	"bytes"
	"cmp"
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
	Model   string `short:"m" required:"" placeholder:"FILE" help:"The model."`
	Output  string `short:"o" placeholder:"FILE" help:"Write to this file (default: standard output)."`
	As      string `enum:"json,c,js,sql,go,classifier" default:"json" placeholder:"json" help:"json; a function: c, js, sql, go; or classifier."`
	Weights string `enum:"float64,float32,int8" default:"float64" placeholder:"float64" help:"Of --as go: float64, float32 or int8."`
	Compare string `placeholder:"DATA" help:"With --as go, count the rows with another class."`
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

// begins has the first bytes of each kind of file. The program recognises its own files by them.
var begins = map[string]string{"json": `{"classes":[`, "classifier": "\x89PTRN", "c": "/* " + exportHead, "js": "// " + exportHead, "sql": "-- " + exportHead, "go": "// " + exportHead}

// Run writes the hyperplanes to a file in one step, or to standard output.
func (c *exportCmd) Run(p *program) error {
	var unused error
	if c.As != "go" {
		unused = p.given.Without("--as "+c.As, "weights", "compare")
	}
	if err := cmp.Or(unused, safe([]string{c.Model, c.Compare}, output.File{Flag: "-o", Path: c.Output, Begins: begins[c.As]})); err != nil {
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
	text, err := c.encode(p, f, predictor)
	if err == nil && c.Output != "" {
		return atomicfile.Write(c.Output, text, ".perceptron-*.tmp")
	}
	if err == nil {
		_, err = p.stdout.Write(text)
	}
	return err
}

// encode returns the content of the file.
func (c *exportCmd) encode(run *program, f *modelfile.File, p *modelfile.Predictor) (_ []byte, err error) {
	var text bytes.Buffer
	switch {
	case c.As == "classifier":
		return f.Classifier()
	case f.Bent():
		return nil, fmt.Errorf("%w: for a Go program, --as classifier exports the model, and package pipeline reads it", modelfile.ErrBent)
	case c.As == "json":
		planes := export{Hyperplanes: p.Planes, Names: f.Classes, Features: f.Schema.Names(), Fill: f.Fill}
		if slices.ContainsFunc(f.Schema.Columns, func(c table.Column) bool { return c.Text != nil }) {
			planes.Columns = f.Schema.Columns
		}
		err = writeJSON(&text, planes)
	default:
		err = c.function(run, &text, p)
	}
	return text.Bytes(), err
}

// exportHead follows the comment sign at the beginning of each exported function.
const exportHead = "Written by perceptron export. "

// An argument is an argument of an exported function: a column of raw values.
type argument struct {
	// Arg is the name in a program. Quoted is the name of the table and the column in SQL. Without the
	// table, SQLite would read an unknown quoted name as text.
	Arg, Quoted string
	word               // the feature, if the column has numbers
	Words       []word // of a column of words
	Fills       bool   // a missing value is replaced
}

// A word is a feature, and the value that replaces a missing one.
type word struct {
	Word string
	At   int
	Fill float64
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
	"float": func(w float64) string { return strconv.FormatFloat(w, 'g', -1, 32) },
	"comma": func(i int) string { return map[bool]string{true: ", "}[i > 0] }, // before all elements but the first
	"inc":   func(n int) int { return n + 1 },
	"mul":   func(a, b float64) float64 { return a * b },
})

// function writes the model as a function of raw values.
func (c *exportCmd) function(run *program, to *bytes.Buffer, p *modelfile.Predictor) error {
	var arguments []argument
	at, used := 0, map[string]bool{}
	feature := func(name string, j int) word {
		w := word{Word: name, At: j}
		if p.Fill != nil {
			w.Fill = p.Fill[j]
		}
		return w
	}
	for _, c := range p.Schema.Columns {
		if c.Text != nil || c.Indexed > 0 {
			return errors.New("a function of text, or of sparse LIBSVM rows, is not exported: a Go program reads the model with package pipeline, and without --as, the JSON says how these become features")
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
		a := argument{Arg: name, Quoted: `rows."` + strings.ReplaceAll(c.Name, `"`, `""`) + `"`, word: feature("", at), Fills: p.Fill != nil}
		for k, category := range c.Categories {
			a.Words = append(a.Words, feature(category, at+k))
		}
		arguments, at = append(arguments, a), at+c.Width()
	}
	small, scale, err := p.Rounded(c.Weights)
	if err == nil && c.Compare != "" {
		err = c.compare(run, p, small, scale)
	}
	if err != nil {
		return err
	}
	// A name of SQL is not that of a column, in upper or lower case, nor begins as one.
	unlike := func(name string) string {
		for slices.ContainsFunc(p.Schema.Columns, func(c table.Column) bool { return strings.HasPrefix(strings.ToLower(c.Name), name) }) {
			name += "_"
		}
		return name
	}
	first := len(p.Classes) - len(p.Scored())
	return template.Must(exports.Parse(exportTexts)).ExecuteTemplate(to, c.As, map[string]any{
		"Head":  exportHead + "The columns: " + strings.NewReplacer("\n", " ", "\r", " ", "*/", "* /").Replace(table.Short(p.Schema.ColumnNames())),
		"Names": p.Classes, "Columns": arguments, "Planes": p.Planes.Planes, "Classes": len(p.Classes), "Last": len(p.Classes) - 1, "Features": at,
		"Numbers": slices.DeleteFunc(slices.Clone(arguments), func(a argument) bool { return a.Words != nil }),
		"Words":   slices.DeleteFunc(slices.Clone(arguments), func(a argument) bool { return a.Words == nil }),
		"Type":    c.Weights, "Small": small.Planes.Planes[first:], "Scale": scale, "First": first, "Least": p.Planes.Planes[0].Bias, "Fill": p.Fill, "Score": unlike("score_"), "Predicted": unlike("predicted_class"),
	})
}

// compare prints how many rows of a table get another class from the exported function.
func (c *exportCmd) compare(run *program, p, small *modelfile.Predictor, scale []float64) error {
	src, err := reading{Data: c.Compare}.open(run, false)
	if err != nil {
		return err
	}
	defer src.Close()
	rows, other := 0, 0
	for r, err := range src.Rows(&p.Schema, table.RowOptions{}) {
		if err != nil {
			return err
		}
		if p.LeavesOut(r.Missing) {
			continue
		}
		want, err := p.Predict(r.X)
		x := table.Vector{Value: r.X.Full(len(scale))} // p has replaced missing features
		for j, unit := range scale {
			x.Index = append(x.Index, uint32(j)) // so that the sum has the order of the function's
			x.Value[j] *= unit
		}
		got, also := small.Predict(x)
		if err = cmp.Or(err, also); err != nil {
			return r.At(err)
		}
		if rows++; got != want {
			other++
		}
	}
	run.note(fmt.Sprintf("%s: the function gives %d of %s another class than the model", src.Name, other, table.Counted(rows, "row")))
	return nil
}
