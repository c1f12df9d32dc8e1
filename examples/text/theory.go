package main

import (
	"fmt"
	"io"
	"math"

	"perceptron"
)

// theory computes bounds on the largest margin γ of the first n lines below root, in the order of
// [shuffled]. It then compares Novikoff's bound with the mistakes that Online makes. A line that
// occurs with both labels would make the lines inseparable, so such lines are left out.
func theory(w io.Writer, root string, n int) error {
	lines, err := shuffled(root)
	if err != nil {
		return err
	}
	X, y := distinct(lines, n)
	for sep, err := range perceptron.Separations(X, y, perceptron.Affine) {
		if err != nil {
			return err
		}
		if sep.Upper-sep.Lower > 0.001*sep.Upper && sep.Upper > 1e-12 {
			continue // the next bounds are closer
		}
		if err := perceptron.Verify(sep, X, y); err != nil {
			return err
		}
		fmt.Fprintf(w, "%d lines: γ is in [%.5f, %.5f], and R = %.4f\n", len(X), sep.Lower, sep.Upper, sep.Radius)
		fmt.Fprintf(w, "Online makes at most (R/γ)² = %.0f mistakes, in any order\n", math.Floor(sep.MistakeBound()))
		break
	}
	res, err := perceptron.SparseModel{Model: &perceptron.Online{}, Width: width}.Fit(X, y)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "in this order it made %d in %d epochs: %v\n", res.Mistakes, res.Epochs, res.Stop)
	return nil
}

// distinct returns the rows of the first n different lines that occur with one label only. Each row is
// divided by its length. The label of code is +1, and the label of prose is −1.
func distinct(lines []line, n int) (X []perceptron.Sparse, y []int) {
	signs := map[string]int{"code": +1, "prose": -1}
	sum, times := map[string]int{}, map[string]int{}
	for _, l := range lines {
		sum[l.text] += signs[l.label]
		times[l.text]++
	}
	for _, l := range lines {
		if len(X) == n {
			break
		}
		if all := times[l.text]; all > 0 && sum[l.text] == signs[l.label]*all { // the text has one label, and is not yet in X
			x := features(perceptron.Sparse{}, l.text)
			square := 0.0
			for _, v := range x.Value {
				square += v * v
			}
			for k := range x.Value {
				x.Value[k] /= math.Sqrt(square)
			}
			X, y, times[l.text] = append(X, x), append(y, signs[l.label]), 0
		}
	}
	return X, y
}
