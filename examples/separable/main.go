// Separable decides whether a hyperplane separates cats from dogs, and prints the proof.
// For your own tables, use the command: perceptron separate.
package main

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"io"
	"log"
	"os"
	"strconv"
	"strings"

	"perceptron"
)

// pets is an invented table of cats and dogs.
//
//go:embed pets.csv
var pets string

func main() {
	log.SetFlags(0)
	if err := run(os.Stdout, pets); err != nil {
		log.Fatal(err)
	}
}

// run separates the rows of a table, verifies the answer and prints it.
func run(w io.Writer, table string) error {
	lines, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil {
		return err
	}
	names, X, y := lines[0], [][]float64{}, []int{}
	for _, line := range lines[1:] {
		x := make([]float64, 3)
		for j := range x {
			if x[j], err = strconv.ParseFloat(line[j], 64); err != nil {
				return err
			}
		}
		X, y = append(X, x), append(y, map[string]int{"cat": -1, "dog": +1}[line[3]])
	}
	sep, err := perceptron.Separate(X, y, perceptron.Affine)
	if err != nil {
		return err
	}
	// Verify does not rely on Separate: it computes what it needs from the rows.
	if err := perceptron.Verify(sep, X, y); err != nil {
		return err
	}
	fmt.Fprintf(w, "R = %.6g: no row (x, 1) is longer\nthe margin γ is in [%.12g, %.12g]\n", sep.Radius, sep.Lower, sep.Upper)
	if sep.Separable {
		fmt.Fprintf(w, "separable: Rosenblatt's rule makes at most (R/γ)² = %.6g mistakes, in any order\n", sep.MistakeBound())
		fmt.Fprintf(w, "\nThis hyperplane proves the lower bound: %.4g", sep.Hyperplane.Bias)
		for j, v := range sep.Hyperplane.Weights {
			fmt.Fprintf(w, " + %.4g × %s", v, names[j])
		}
	} else {
		fmt.Fprintf(w, "no separating hyperplane was found")
	}
	fmt.Fprintf(w, "\n\nThese rows prove the upper bound: the weighted sum of their y·(x, 1) is not longer.\n")
	for i, lambda := range sep.Multipliers {
		if lambda > 0 { // the other rows are not part of the proof
			fmt.Fprintf(w, "%9.4f × %+d %v\n", lambda, y[i], X[i])
		}
	}
	return nil
}
