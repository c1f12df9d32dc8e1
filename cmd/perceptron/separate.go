package main

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"perceptron"
	"perceptron/cmd/perceptron/internal/output"
	"perceptron/cmd/perceptron/internal/table"
	"perceptron/internal/atomicfile"
	"perceptron/internal/coq"
)

// separateCmd decides separability.
type separateCmd struct {
	Data     string `arg:"" placeholder:"FILE" help:"CSV or LIBSVM, may be gzip; - is standard input."`
	reading  `embed:""`
	Label    string   `placeholder:"NAME" help:"Column of the class; by default the last."`
	Columns  []string `placeholder:"NAME" help:"Use these columns only."`
	Drop     []string `placeholder:"NAME" help:"Do not use these columns."`
	Category []string `placeholder:"NAME" help:"Read numbers in these columns as words."`
	Features int      `placeholder:"N" help:"Features of LIBSVM; by default the highest."`
	Positive string   `placeholder:"CLASS" help:"Separate this class from all others."`
	Linear   bool     `help:"Use only hyperplanes through the origin."`
	Coq      string   `placeholder:"FILE" help:"Write a proof for Coq, of the numbers as in the file."`
}

// Help ends the command's help.
func (*separateCmd) Help() string {
	return `It prints R, bounds on the margin γ, and the few rows that prove them. All of it is checked in exact arithmetic.

Example: perceptron separate data.csv --positive setosa`
}

// points holds the rows of a file with their lines.
type points struct {
	file     string
	names    []string // of the features
	X        [][]float64
	text     [][]string // X as the file has it; only for --coq
	y        []int
	classes  []string // of the rows
	lines    []int
	positive string // the class with label +1
}

// Run separates the rows, verifies the answer and prints it.
func (c *separateCmd) Run(p *program) error {
	if err := output.Check([]string{c.Data}, output.File{Flag: "--coq", Path: c.Coq, Begins: "(* Check this file, "}); err != nil {
		return usageError{err}
	}
	src, err := c.open(p, c.Data, true)
	if err != nil {
		return err
	}
	defer src.Close()
	src.Features = c.Features
	schema, err := table.Discover(src, table.Choice{Label: c.Label, Columns: c.Columns, Drop: c.Drop, Category: c.Category})
	if err != nil {
		return err
	}
	t, err := readPoints(src, schema, c.Positive, c.Coq != "")
	if err != nil {
		return err
	}
	space := perceptron.Affine
	if c.Linear {
		space = perceptron.Linear
	}
	sep, err := perceptron.Separate(t.X, t.y, space)
	if err != nil {
		return fmt.Errorf("%s: %w", t.file, err)
	}
	// Verify does not trust Separate. It checks every number from the rows alone.
	if err := sep.Verify(t.X, t.y); err != nil {
		return fmt.Errorf("%s: the check of the answer failed: %w", t.file, err)
	}
	fmt.Fprintf(p.stdout, "%s: %d rows of %d features; +1 is %q\n\n", t.file, len(t.X), len(t.names), t.positive)
	t.report(p.stdout, sep)
	if c.Coq == "" {
		return nil
	}
	return t.certify(p.stdout, c.Coq, sep)
}

// certify writes a proof about the decimal numbers of the file, and prints what it
// proves. Coq accepts the proof only if it is right.
func (t *points) certify(w io.Writer, path string, sep perceptron.Separation) error {
	rows := &coq.Table{Linear: sep.Space == perceptron.Linear}
	for i, x := range t.text {
		if err := rows.Add(x, t.y[i] > 0, t.lines[i]); err != nil {
			return fmt.Errorf("%s:%d: %w", t.file, t.lines[i], err)
		}
	}
	c, err := rows.Certify(sep.Hyperplane.Weights, sep.Hyperplane.Bias, sep.Multipliers)
	if err != nil {
		return fmt.Errorf("%s: %w", t.file, err)
	}
	var text bytes.Buffer
	if err := c.Write(&text); err != nil {
		return err
	}
	if err := atomicfile.Write(path, text.Bytes(), ".perceptron-*.tmp"); err != nil {
		return err
	}
	verdict := "no hyperplane separates them"
	if c.Separable {
		verdict = fmt.Sprintf("they are separable, with γ in [%s, %s], and Rosenblatt's rule makes at most %v mistakes", c.Lower, c.Upper, c.Mistakes)
	}
	_, err = fmt.Fprintf(w, "\n%s proves of the decimal numbers in the file:\n%s\n", path, verdict)
	return err
}

// readPoints reads the rows into memory.
func readPoints(src *table.Source, schema *table.Schema, positive string, text bool) (*points, error) {
	t := &points{file: src.Name, names: schema.Names(), positive: positive}
	for r, err := range src.Rows(schema, table.RowOptions{NeedLabel: true}) {
		if err == nil {
			_, err = schema.Complete(r)
		}
		if err != nil {
			return nil, err
		}
		t.X, t.text = append(t.X, slices.Clone(r.X)), append(t.text, r.Text())
		t.classes = append(t.classes, strings.Clone(r.Class))
		t.lines = append(t.lines, r.Line)
	}
	classes := slices.Clone(t.classes)
	slices.Sort(classes)
	classes = slices.Compact(classes)
	table.SortClasses(classes)
	switch {
	case positive == "" && len(classes) == 2:
		t.positive = classes[1]
	case positive == "":
		return nil, fmt.Errorf("%s: the number of classes is %d, want two; or set --positive to one of %s", src.Name, len(classes), table.Short(classes))
	case !slices.Contains(classes, positive):
		return nil, fmt.Errorf("%s: no row has the class %q; the classes are %s", src.Name, positive, table.Short(classes))
	}
	for _, class := range t.classes {
		t.y = append(t.y, map[bool]int{true: +1, false: -1}[class == t.positive])
	}
	return t, nil
}

// report prints both bounds on the margin and the proof of each.
func (t *points) report(w io.Writer, sep perceptron.Separation) {
	vector := "(x, 1)" // the bias is the weight of the constant 1
	if sep.Space == perceptron.Linear {
		vector = "x"
	}
	fmt.Fprintf(w, "R = %.6g: no row %s is longer\n", sep.Radius, vector)
	fmt.Fprintf(w, "the margin γ is in [%.12g, %.12g]\n", sep.Lower, sep.Upper)
	switch {
	case sep.Separable:
		fmt.Fprintf(w, "separable: Rosenblatt's rule makes at most (R/γ)² = %.6g mistakes, in any order\n\n", sep.MistakeBound())
		fmt.Fprintf(w, "The hyperplane ⟨w, x⟩ + b = 0 proves the lower bound on γ:\n")
		for j, v := range sep.Hyperplane.Weights {
			if v != 0 {
				fmt.Fprintf(w, "%14.6g × %s\n", v, t.names[j])
			}
		}
		fmt.Fprintf(w, "%14.6g\n\n", sep.Hyperplane.Bias)
		fmt.Fprintf(w, "These rows prove the upper bound: their weighted sum of y·%s is not longer than it.\n", vector)
	case sep.Upper == 0:
		fmt.Fprintf(w, "proved: no hyperplane separates the rows\n\n")
		fmt.Fprintf(w, "These rows contradict each other: their weighted sum of y·%s is 0.\n", vector)
	default:
		fmt.Fprintf(w, "no separating hyperplane was found; none has a margin above %v\n\n", sep.Upper)
		fmt.Fprintf(w, "These rows prove that bound: their weighted sum of y·%s is not longer than it.\n", vector)
	}
	for i, lambda := range sep.Multipliers {
		if lambda > 0 { // the other rows are not part of the proof
			fmt.Fprintf(w, "%14.6g × line %d: %+d (%s) %s\n", lambda, t.lines[i], t.y[i], t.classes[i], t.row(i))
		}
	}
	fmt.Fprintln(w, "\nAll of these statements were checked in exact arithmetic.")
}

// row formats the nonzero features of row i with their names.
func (t *points) row(i int) string {
	var fields []string
	for j, v := range t.X[i] {
		if v != 0 {
			fields = append(fields, fmt.Sprintf("%s %v", t.names[j], v))
		}
	}
	const most = 6 // features per line of output
	if n := len(fields) - most; n > 0 {
		fields = append(fields[:most], fmt.Sprintf("and %d more", n))
	}
	return strings.Join(fields, ", ")
}
