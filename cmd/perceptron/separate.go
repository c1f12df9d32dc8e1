package main

import (
	"bytes"
	"fmt"

	"perceptron"
	"perceptron/cmd/perceptron/internal/output"
	"perceptron/cmd/perceptron/internal/split"
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

// A separation is the answer about the rows of a file, as the report shows it.
type separation struct {
	perceptron.Separation
	File     string
	Rows     int
	Names    []string // of the features
	Positive string   // the class with label +1
	Vector   string   // the hyperplane is a linear function of it
	Proof    []string // the rows with a multiplier
	Coq      string
	Theorem  *coq.Certificate // nil without --coq
}

// Run separates the rows, verifies the answer and prints it.
func (c *separateCmd) Run(p *program) error {
	if err := safe([]string{c.Data}, output.File{Flag: "--coq", Path: c.Coq, Begins: "(* Check this file, "}); err != nil {
		return err
	}
	rows := trainCmd{Data: c.Data, reading: c.reading, choosing: c.choosing} // it reads them as train does
	d, err := rows.open(p)
	if err != nil {
		return err
	}
	defer d.src.Close()
	if err := d.survey(false); err != nil {
		return err
	}
	if err := d.load(); err != nil {
		return err
	}
	s := &separation{File: d.src.Name, Rows: d.rows[split.Training], Names: d.Schema.Names(), Positive: c.Positive, Vector: "(x, 1)", Coq: c.Coq}
	if err := s.separate(d, c.Linear); err != nil {
		return fmt.Errorf("%s: %w", s.File, err)
	}
	if err := s.prove(d); err != nil {
		return err
	}
	return p.show(false, "separation", s)
}

// separate labels the rows and separates them. The positive rows are those of the class that
// a flag names, or else of the second of two.
func (s *separation) separate(d *dataset, linear bool) (err error) {
	switch {
	case s.Positive == "" && len(d.Classes) == 2:
		s.Positive = d.Classes[1]
	case s.Positive == "":
		return fmt.Errorf("the number of classes is %d, want two; or set --positive to one of %s", len(d.Classes), table.Short(d.Classes))
	case d.Place(s.Positive) < 0:
		return fmt.Errorf("no row has the class %q; the classes are %s", s.Positive, table.Short(d.Classes))
	}
	X, y := d.X[split.Training], d.y[split.Training]
	positive := d.Labels()[d.Place(s.Positive)]
	for i, label := range y {
		y[i] = sign(label == positive)
	}
	space := perceptron.Affine // the bias is the weight of the 1 in the vector
	if linear {
		space, s.Vector = perceptron.Linear, "x"
	}
	if s.Separation, err = perceptron.Separate(X, y, space); err != nil {
		return err
	}
	// Verify does not trust Separate. It checks every number from the rows alone.
	if err := s.Verify(X, y); err != nil {
		return fmt.Errorf("the check of the answer failed: %w", err)
	}
	return nil
}

func sign(positive bool) int {
	if positive {
		return +1
	}
	return -1
}

// prove reads the file again, because neither the lines nor the decimal numbers of the
// rows are in memory. It collects the rows that prove the answer, and writes a
// proof about the decimal numbers of the file. Coq accepts the proof only if it is right.
func (s *separation) prove(d *dataset) error {
	rows := &coq.Table{Linear: s.Space == perceptron.Linear}
	i := 0
	err := d.scan("proving the answer", func(r *table.Row, _ split.Part) error {
		positive := r.Class == s.Positive
		if lambda := s.Multipliers[i]; lambda > 0 {
			s.Proof = append(s.Proof, fmt.Sprintf("%14.6g × line %d: %+d (%s)", lambda, r.Line, sign(positive), r.Class))
		}
		i++
		if s.Coq == "" {
			return nil
		}
		return rows.Add(r.Text(), positive, r.Line)
	})
	if err != nil || s.Coq == "" {
		return err
	}
	if s.Theorem, err = rows.Certify(s.Hyperplane.Weights, s.Hyperplane.Bias, s.Multipliers); err != nil {
		return fmt.Errorf("%s: %w", s.File, err)
	}
	var text bytes.Buffer
	if err := s.Theorem.Write(&text); err != nil {
		return err
	}
	return atomicfile.Write(s.Coq, text.Bytes(), ".perceptron-*.tmp")
}
