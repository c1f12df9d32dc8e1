// Separable tells whether a hyperplane separates the two classes of a table, and
// how widely, with the rows that prove it.
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

// Cats and dogs as they might be; no animal was measured.
//
//go:embed pets.csv
var pets []byte

func main() {
	log.SetFlags(0)
	var o options
	flag.IntVar(&o.features, "features", 0, "number of features of a row in LIBSVM's format; 0 means that the file is CSV")
	flag.StringVar(&o.positive, "positive", "", "the label that is +1, all others being -1; without it, the greater of two")
	flag.BoolVar(&o.linear, "linear", false, "look for hyperplanes through the origin only")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: separable [-features N] [-positive LABEL] [-linear] [file]; without a file, a table of cats and dogs")
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

// options are the flags.
type options struct {
	features int
	positive string
	linear   bool
}

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
	if err := sep.Verify(t.X, y); err != nil {
		return fmt.Errorf("%s: the answer is wrong: %w", t.file, err)
	}
	fmt.Fprintf(w, "%s: %d rows of %d features; +1 is %q\n\n", t.file, len(t.X), len(t.X[0]), positive)
	report(w, t, y, sep)
	return nil
}

// load reads the file, or the table of pets.
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

func report(w io.Writer, t *table, y []int, sep perceptron.Separation) {
	fmt.Fprintf(w, "R = %.6g: no row is longer\n", sep.Radius)
	fmt.Fprintf(w, "the margin γ is in [%.12g, %.12g]\n", sep.Lower, sep.Upper)
	if sep.Separable {
		fmt.Fprintf(w, "separable: Rosenblatt's rule makes at most (R/γ)² = %.6g mistakes, in any order\n\n", sep.MistakeBound())
		fmt.Fprintf(w, "The hyperplane ⟨w, x⟩ + b = 0 has every row on its side by at least γ:\n")
		for j, v := range sep.Hyperplane.Weights {
			if v != 0 {
				fmt.Fprintf(w, "%14.6g × %s\n", v, t.names[j])
			}
		}
		fmt.Fprintf(w, "%14.6g\n\nNo other does better, for the sum of y·x over these rows, weighted, is no longer than γ:\n", sep.Hyperplane.Bias)
	} else {
		fmt.Fprintf(w, "not separable by a margin of more than %.2g\n\n", sep.Upper)
		fmt.Fprintf(w, "These rows contradict each other: the sum of y·x over them, weighted, is no longer than that:\n")
	}
	for i, lambda := range sep.Multipliers {
		if lambda > 0 {
			fmt.Fprintf(w, "%14.6g × line %d: %+d (%s) %s\n", lambda, t.lines[i], y[i], t.labels[i], t.row(i))
		}
	}
	fmt.Fprintln(w, "\nAll of this was checked in exact arithmetic.")
}

// row names the features of row i that are not zero.
func (t *table) row(i int) string {
	var fields []string
	for j, v := range t.X[i] {
		if v != 0 {
			fields = append(fields, fmt.Sprintf("%s %v", t.names[j], v))
		}
	}
	const most = 6
	if n := len(fields) - most; n > 0 {
		fields = append(fields[:most], fmt.Sprintf("and %d more", n))
	}
	return strings.Join(fields, ", ")
}
