package main

import (
	"fmt"
	"io"
	"os"

	"perceptron"
	"perceptron/internal/coq"
)

// writeCertificate writes a proof about the decimal numbers of the table to a file, and
// prints what it proves. Coq accepts the file only if the verdict is true.
func writeCertificate(w io.Writer, file string, t *table, y []int, sep perceptron.Separation) error {
	rows := &coq.Table{Linear: sep.Space == perceptron.Linear}
	for i, x := range t.text {
		if err := rows.Add(x, y[i] > 0, t.lines[i]); err != nil {
			return fmt.Errorf("line %d: %w", t.lines[i], err)
		}
	}
	c, err := rows.Certify(sep.Hyperplane.Weights, sep.Hyperplane.Bias, sep.Multipliers)
	if err != nil {
		return err
	}
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	defer out.Close()
	if err := c.Write(out); err != nil {
		return err
	}
	fmt.Fprintf(w, "\n%s proves of the decimal numbers in the file:\n", file)
	if c.Separable {
		fmt.Fprintf(w, "they are separable, with γ in [%s, %s], and Rosenblatt's rule makes at most %v mistakes\n", c.Lower, c.Upper, c.Mistakes)
	} else {
		fmt.Fprintln(w, "no hyperplane separates them")
	}
	return out.Close()
}
