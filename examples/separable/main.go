// Separable reports whether a hyperplane separates the two classes of a table. It
// prints the margin and the rows that prove the answer.
package main

import (
	"bytes"
	_ "embed"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"strings"

	"perceptron"
)

// pets is an invented table of cats and dogs.
//
//go:embed pets.csv
var pets []byte

func main() {
	log.SetFlags(0)
	var o options
	flag.IntVar(&o.features, "features", 0, "features per row in LIBSVM's format; 0 means that the file is CSV")
	flag.StringVar(&o.positive, "positive", "", "the label for +1; all others become -1 (default: the greater of two labels)")
	flag.BoolVar(&o.linear, "linear", false, "use only hyperplanes through the origin")
	flag.StringVar(&o.coq, "coq", "", "write a proof of the answer to this file, for Coq")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: separable [-features N] [-positive LABEL] [-linear] [-coq PROOF] [file]\nWithout a file it reads a table of cats and dogs.")
		flag.PrintDefaults()
	}
	flag.Parse()
	if o.features < 0 || flag.NArg() > 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(os.Stdout, flag.Arg(0), o); err != nil {
		log.Fatal(err)
	}
}

// options holds the values of the flags.
type options struct {
	features int
	positive string
	linear   bool
	coq      string // the file for the proof
}

// run reads the table, separates it, verifies the answer and prints it.
func run(w io.Writer, file string, o options) error {
	t, err := load(file, o)
	if err != nil {
		return err
	}
	y, positive, err := t.binary(o.positive)
	if err != nil {
		return fmt.Errorf("%s: %w", t.file, err)
	}
	space := perceptron.Affine
	if o.linear {
		space = perceptron.Linear
	}
	sep, err := perceptron.Separate(t.X, y, space)
	if err != nil {
		return fmt.Errorf("%s: %w", t.file, err)
	}
	// Verify does not trust Separate. It checks every number from the rows alone.
	if err := sep.Verify(t.X, y); err != nil {
		return fmt.Errorf("%s: the check of the answer failed: %w", t.file, err)
	}
	fmt.Fprintf(w, "%s: %d rows of %d features; +1 is %q\n\n", t.file, len(t.X), len(t.X[0]), positive)
	report(w, t, y, sep)
	if o.coq != "" {
		if err := writeCertificate(w, o.coq, t, y, sep); err != nil {
			return fmt.Errorf("%s: %w", t.file, err)
		}
	}
	return nil
}

// load reads the file. Without a file it returns the table of pets.
func load(file string, o options) (*table, error) {
	if file == "" {
		return readCSV(bytes.NewReader(pets), "pets.csv")
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if o.features > 0 {
		return readLIBSVM(f, file, o.features)
	}
	return readCSV(f, file)
}

// report prints both bounds on the margin and the proof of each.
func report(w io.Writer, t *table, y []int, sep perceptron.Separation) {
	vector := "(x, 1)" // the bias is the weight of the constant 1
	if sep.Space == perceptron.Linear {
		vector = "x"
	}
	fmt.Fprintf(w, "R = %.6g: no row %s is longer\n", sep.Radius, vector)
	fmt.Fprintf(w, "the margin γ is in [%.12g, %.12g]\n", sep.Lower, sep.Upper)
	if sep.Separable {
		fmt.Fprintf(w, "separable: Rosenblatt's rule makes at most (R/γ)² = %.6g mistakes, in any order\n\n", sep.MistakeBound())
		fmt.Fprintf(w, "The hyperplane ⟨w, x⟩ + b = 0 proves the lower bound on γ:\n")
		for j, v := range sep.Hyperplane.Weights {
			if v != 0 {
				fmt.Fprintf(w, "%14.6g × %s\n", v, t.names[j])
			}
		}
		fmt.Fprintf(w, "%14.6g\n\n", sep.Hyperplane.Bias)
		fmt.Fprintf(w, "These rows prove the upper bound: their weighted sum of y·%s is not longer than it.\n", vector)
	} else if sep.Upper == 0 {
		fmt.Fprintf(w, "proved: no hyperplane separates the rows\n\n")
		fmt.Fprintf(w, "These rows contradict each other: their weighted sum of y·%s is 0.\n", vector)
	} else {
		fmt.Fprintf(w, "no separating hyperplane was found; none has a margin above %v\n\n", sep.Upper)
		fmt.Fprintf(w, "These rows prove that bound: their weighted sum of y·%s is not longer than it.\n", vector)
	}
	for i, lambda := range sep.Multipliers {
		if lambda > 0 { // the other rows are not part of the proof
			fmt.Fprintf(w, "%14.6g × line %d: %+d (%s) %s\n", lambda, t.lines[i], y[i], t.labels[i], t.row(i))
		}
	}
	fmt.Fprintln(w, "\nAll of these statements were checked in exact arithmetic.")
}

// row formats the nonzero features of row i with their names.
func (t *table) row(i int) string {
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
