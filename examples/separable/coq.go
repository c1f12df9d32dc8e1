package main

import (
	"bytes"
	"errors"
	"fmt"
	"math/big"
	"os"
	"strings"

	"perceptron"
)

var errNoExactProof = errors.New("no exact proof: the contradiction is exact only to rounding")

// writeCertificate writes the rows and the Separation as exact rationals to a file.
// coqc accepts the file only if the verdict is true: see proofs/Certificate.v.
func writeCertificate(file string, t *table, y []int, sep perceptron.Separation) error {
	lambda := rationals(sep.Multipliers)
	if !sep.Separable && sep.Upper > 0 {
		// The float64 multipliers are rounded. The exact ones solve linear equations.
		if lambda = contradiction(t.X, y, sep); lambda == nil {
			return errNoExactProof
		}
	}
	var b bytes.Buffer
	b.WriteString(certificateHead)
	b.WriteString("Definition rows : table := [")
	for i, x := range t.X {
		if i > 0 {
			b.WriteString(";")
		}
		// No text of the file is written, because it could end the comment.
		fmt.Fprintf(&b, "\n  (%s, %v) (* line %d *)", coqList(rationals(x)), y[i] > 0, t.lines[i])
	}
	fmt.Fprintf(&b, "\n].\n\nDefinition λ : list Q := %s.\n", coqList(lambda))
	if sep.Separable {
		w := rationals(sep.Hyperplane.Weights)
		if sep.Space == perceptron.Affine { // Certificate.v has (1, x) for (x, 1)
			w = append(rationals([]float64{sep.Hyperplane.Bias}), w...)
		}
		bounds := rationals([]float64{sep.Lower, sep.Upper})
		fmt.Fprintf(&b, certificateSeparable, coqList(w), sep.Space, coqNumber(bounds[0]), coqNumber(bounds[1]))
	} else {
		fmt.Fprintf(&b, certificateInseparable, sep.Space)
	}
	return os.WriteFile(file, b.Bytes(), 0o666)
}

const certificateHead = `(* Check this file, in the folder of the package perceptron, with

     proofs/check && coqc -R proofs Perceptron FILE

   Each row has its features, and true for the label +1. *)
From Perceptron Require Import Certificate.
Open Scope Q_scope.

`

const certificateSeparable = `Definition w : list Q := %s.

Theorem verdict : is_separable %[2]s rows /\ margin_between %[2]s rows (%s) (%s).
Proof. apply (separable_sound %[2]s rows w λ). vm_compute. reflexivity. Qed.
`

const certificateInseparable = `
Theorem verdict : ~ is_separable %[1]s rows.
Proof. apply (inseparable_sound %[1]s rows λ). vm_compute. reflexivity. Qed.
`

// rationals returns the exact values of finite numbers.
func rationals(v []float64) []*big.Rat {
	r := make([]*big.Rat, len(v))
	for i, a := range v {
		r[i] = new(big.Rat).SetFloat64(a)
	}
	return r
}

func coqNumber(r *big.Rat) string { return r.Num().String() + " # " + r.Denom().String() }

func coqList(v []*big.Rat) string {
	s := make([]string, len(v))
	for i, r := range v {
		s[i] = coqNumber(r)
	}
	return "[" + strings.Join(s, "; ") + "]"
}

// contradiction returns exact multipliers λ ≥ 0, λ ≠ 0 with Σλᵢyᵢxᵢ = 0 on the rows
// that have a multiplier in sep. It returns nil unless the rows determine them.
func contradiction(X [][]float64, y []int, sep perceptron.Separation) []*big.Rat {
	var support []int
	for i, l := range sep.Multipliers {
		if l > 0 {
			support = append(support, i)
		}
	}
	// One equation for each coordinate, one unknown for each row.
	d := len(X[0])
	equations := make([][]*big.Rat, d+1)
	for j := range equations {
		for _, i := range support {
			v := float64(y[i]) // the last coordinate is the constant 1
			if j < d {
				v *= X[i][j]
			} else if sep.Space == perceptron.Linear {
				v = 0
			}
			equations[j] = append(equations[j], new(big.Rat).SetFloat64(v))
		}
	}
	solution := solve(equations, len(support))
	if solution == nil {
		return nil
	}
	lambda := rationals(make([]float64, len(X)))
	for k, i := range support {
		if solution[k].Sign() < 0 {
			return nil
		}
		lambda[i] = solution[k]
	}
	return lambda
}

// solve returns the solution of n homogeneous equations' unknowns that ends in 1, or
// nil unless all solutions are its multiples. It changes the equations.
func solve(equations [][]*big.Rat, n int) []*big.Rat {
	for k := range n - 1 {
		pivot := k
		for pivot < len(equations) && equations[pivot][k].Sign() == 0 {
			pivot++
		}
		if pivot >= len(equations) {
			return nil // another unknown is free
		}
		equations[k], equations[pivot] = equations[pivot], equations[k]
		for i := range equations {
			if i != k {
				subtract(equations[i], equations[k], k)
			}
		}
	}
	// Now equation k contains only the unknowns k and n−1.
	solution := make([]*big.Rat, n)
	for k := range n - 1 {
		e := equations[k]
		solution[k] = new(big.Rat).Quo(new(big.Rat).Neg(e[n-1]), e[k])
	}
	for _, e := range equations[min(n-1, len(equations)):] {
		if e[n-1].Sign() != 0 {
			return nil // only 0 solves it
		}
	}
	solution[n-1] = big.NewRat(1, 1)
	return solution
}

// subtract subtracts the multiple of b from a that makes a[k] zero.
func subtract(a, b []*big.Rat, k int) {
	if a[k].Sign() == 0 {
		return
	}
	f := new(big.Rat).Quo(a[k], b[k])
	for j := range a {
		if b[j].Sign() != 0 {
			a[j] = new(big.Rat).Sub(a[j], new(big.Rat).Mul(f, b[j]))
		}
	}
}
