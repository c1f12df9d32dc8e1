// Package coq writes proofs about labelled rows as files for Coq. A certificate proves
// that a hyperplane separates the rows, or that no hyperplane does. A log proves which
// updates a run of the perceptron made. The rows are the decimal numbers of a file and not
// float64 values, and all proofs are about exact arithmetic. The folder proofs has the theorems
// that the files use.
package coq

import (
	"bufio"
	"fmt"
	"math/big"
	"strings"
)

// A Table contains rows of decimal numbers with their labels. The zero value is an
// empty table in Affine space, where a row x stands for (x, 1).
type Table struct {
	Linear bool // a row x stands for itself, so hyperplanes go through the origin
	rows   []row
}

type row struct {
	x     []decimal
	class int
	line  int
}

// A NumberError reports a feature that is not a decimal number, or has an exponent out of range.
type NumberError struct {
	Feature int // its index in the row
	Err     error
}

func (e *NumberError) Error() string { return fmt.Sprintf("feature %d: %v", e.Feature, e.Err) }
func (e *NumberError) Unwrap() error { return e.Err }

// Add appends a row with the label +1 or −1. The file for Coq has the line number of the row in
// a comment. Add returns a *NumberError for a feature that is not a decimal number, and another
// error if the rows have different numbers of features.
func (t *Table) Add(features []string, positive bool, line int) error {
	class := 0
	if positive {
		class = 1
	}
	return t.AddClass(features, class, line)
}

// AddClass is like Add for a row of class 0, 1, 2, …. Class 0 is the label −1, and class 1 is +1.
func (t *Table) AddClass(features []string, class, line int) error {
	if len(t.rows) > 0 && len(features) != len(t.rows[0].x) {
		return fmt.Errorf("%d features, want %d", len(features), len(t.rows[0].x))
	}
	r := row{make([]decimal, len(features)), class, line}
	for j, s := range features {
		var err error
		if r.x[j], err = parseDecimal(s); err != nil {
			return &NumberError{j, err}
		}
	}
	t.rows = append(t.rows, r)
	return nil
}

// sign returns y, the label of a row.
func (r row) sign() int64 { return 2*int64(r.class) - 1 }

// scale returns an s ≤ 0 for which every number is a multiple of 10^s: the least exponent e of any
// number, or 0.
func (t *Table) scale() int {
	s := 0
	for _, r := range t.rows {
		for _, d := range r.x {
			s = min(s, d.e)
		}
	}
	return s
}

// integers returns each row x multiplied by 10^−s, which makes all numbers integers. In Affine
// space, the constant 1 is added as the first number of the row.
func (t *Table) integers() (X []vector, s int) {
	s = t.scale()
	for _, r := range t.rows {
		var x vector
		if !t.Linear {
			x = vector{power10(-s)}
		}
		for _, d := range r.x {
			x = append(x, d.scaled(s))
		}
		X = append(X, x)
	}
	return X, s
}

// signed is like integers, but multiplies each row by its label y.
func (t *Table) signed() (Z []vector, s int) {
	Z, s = t.integers()
	for i, z := range Z {
		Z[i] = z.times(big.NewInt(t.rows[i].sign()))
	}
	return Z, s
}

// kind returns the name that Certificate.v has for the space.
func (t *Table) kind() string {
	if t.Linear {
		return "Linear"
	}
	return "Affine"
}

// write writes the rows, each with the result of label. It writes no names from the file of the
// rows, because a name could end the comment that contains it.
func (t *Table) write(w *bufio.Writer, kind string, label func(row) string) {
	fmt.Fprintf(w, "Definition rows : %s := [", kind)
	for i, r := range t.rows {
		if i > 0 {
			w.WriteString(";")
		}
		text := make([]string, len(r.x))
		for j, d := range r.x {
			text[j] = d.text
		}
		fmt.Fprintf(w, "\n  ([%s], %s) (* line %d *)", strings.Join(text, "; "), label(r), r.line)
	}
	w.WriteString("\n].\n\n")
}
