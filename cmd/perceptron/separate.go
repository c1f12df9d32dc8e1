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
	choosing `embed:""`
	Positive string `placeholder:"CLASS" help:"Separate this class from all others."`
	Linear   bool   `help:"Use only hyperplanes through the origin."`
	Coq      string `placeholder:"FILE" help:"Write a proof for Coq, of the numbers as in the file."`
}

// Help ends the command's help.
func (*separateCmd) Help() string {
	return "It prints R, bounds on the margin γ, and the few rows that prove them. All of it is checked in exact arithmetic.\n\nExample: perceptron separate data.csv --positive setosa"
}

// A separation is the answer about the rows of a file, and the report.
type separation struct {
	perceptron.Separation
	File     string
	Names    []string // of the features
	X        [][]float64
	text     [][]string // X as the file has it; only for --coq
	y        []int
	classes  []string // of the rows
	lines    []int
	Positive string // the class with label +1
	Vector   string // that a hyperplane is a linear function of
}

// Run separates the rows, verifies the answer and prints it.
func (c *separateCmd) Run(p *program) error {
	if err := safe([]string{c.Data}, output.File{Flag: "--coq", Path: c.Coq, Begins: "(* Check this file, "}); err != nil {
		return err
	}
	src, err := c.open(p, c.Data, true)
	if err != nil {
		return err
	}
	defer src.Close()
	s := &separation{File: src.Name, Positive: c.Positive, Vector: "(x, 1)"} // the bias is the weight of the 1
	if err := s.read(c, src); err != nil {
		return err
	}
	space := perceptron.Affine
	if c.Linear {
		space, s.Vector = perceptron.Linear, "x"
	}
	if s.Separation, err = perceptron.Separate(s.X, s.y, space); err != nil {
		return fmt.Errorf("%s: %w", s.File, err)
	}
	// Verify does not trust Separate. It checks every number from the rows alone.
	if err := s.Verify(s.X, s.y); err != nil {
		return fmt.Errorf("%s: the check of the answer failed: %w", s.File, err)
	}
	if err := p.show(false, "separation", s); err != nil || c.Coq == "" {
		return err
	}
	return s.certify(p.stdout, c.Coq)
}

// read reads the rows into memory.
func (s *separation) read(c *separateCmd, src *table.Source) error {
	schema, err := c.discover(src, table.MissingError)
	if err != nil {
		return err
	}
	s.Names = schema.Names()
	for r, err := range src.Rows(schema, table.RowOptions{NeedLabel: true, Purpose: "loading the rows"}) {
		if err == nil {
			_, err = schema.Complete(r)
		}
		if err != nil {
			return err
		}
		if c.Coq != "" {
			s.text = append(s.text, r.Text())
		}
		s.X = append(s.X, slices.Clone(r.X))
		s.classes = append(s.classes, strings.Clone(r.Class))
		s.lines = append(s.lines, r.Line)
	}
	return s.label()
}

// label labels the rows of the positive class, which is the second of two classes unless
// a flag names one.
func (s *separation) label() error {
	classes := slices.Compact(slices.Sorted(slices.Values(s.classes)))
	table.SortClasses(classes)
	switch {
	case s.Positive == "" && len(classes) == 2:
		s.Positive = classes[1]
	case s.Positive == "":
		return fmt.Errorf("%s: the number of classes is %d, want two; or set --positive to one of %s", s.File, len(classes), table.Short(classes))
	case !slices.Contains(classes, s.Positive):
		return fmt.Errorf("%s: no row has the class %q; the classes are %s", s.File, s.Positive, table.Short(classes))
	}
	for _, class := range s.classes {
		y := -1
		if class == s.Positive {
			y = +1
		}
		s.y = append(s.y, y)
	}
	return nil
}

// certify writes a proof about the decimal numbers of the file, and prints what it
// proves. Coq accepts the proof only if it is right.
func (s *separation) certify(w io.Writer, path string) error {
	rows := &coq.Table{Linear: s.Space == perceptron.Linear}
	for i, x := range s.text {
		if err := rows.Add(x, s.y[i] > 0, s.lines[i]); err != nil {
			return fmt.Errorf("%s:%d: %w", s.File, s.lines[i], err)
		}
	}
	c, err := rows.Certify(s.Hyperplane.Weights, s.Hyperplane.Bias, s.Multipliers)
	if err != nil {
		return fmt.Errorf("%s: %w", s.File, err)
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

// Row describes a row: its line, its label and its nonzero features.
func (s *separation) Row(i int) string {
	var fields []string
	for j, v := range s.X[i] {
		if v != 0 {
			fields = append(fields, fmt.Sprintf("%s %v", s.Names[j], v))
		}
	}
	const most = 6 // features per line of output
	if n := len(fields) - most; n > 0 {
		fields = append(fields[:most], fmt.Sprintf("and %d more", n))
	}
	return fmt.Sprintf("line %d: %+d (%s) %s", s.lines[i], s.y[i], s.classes[i], strings.Join(fields, ", "))
}
