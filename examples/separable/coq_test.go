package main

import (
	"errors"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perceptron"
)

// TestCertificate checks what the file for Coq contains. Coq itself checks such files
// in .ci/steps/proofs.sh.
func TestCertificate(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		o    options
		want []string
	}{
		"xor": {"0,0,n\n0,1,y\n1,0,y\n1,1,n\n", options{}, []string{
			"  ([1 # 1; 0 # 1], true) (* line 3 *);\n", "λ : list Q := [1 # 4; 1 # 4; 1 # 4; 1 # 4].", "~ is_separable Affine rows.",
		}},
		"thirds": {"1,n\n2,y\n4,n\n", options{}, []string{"λ : list Q := [2 # 1; 3 # 1; 1 # 1].", "~ is_separable Affine rows."}},
		"linear": {"1,n\n3,y\n1,y\n", options{linear: true}, []string{"~ is_separable Linear rows."}},
		"affine": {"0.1,y\n-1,n\n", options{}, []string{
			"  ([3602879701896397 # 36028797018963968], true) (* line 1 *);\n  ([-1 # 1], false) (* line 2 *)\n",
			"is_separable Affine rows /\\ margin_between Affine rows (", "w : list Q := [",
		}},
		"comment": {"1,a *) Axiom\n2,b\n", options{}, []string{"(* line 1 *)"}},
	} {
		c.o.coq = filepath.Join(t.TempDir(), "proof.v")
		if err := run(io.Discard, write(t, "data.csv", c.text), c.o); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got, err := os.ReadFile(c.o.coq)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range c.want {
			if !strings.Contains(string(got), want) {
				t.Errorf("%s: the file lacks %q:\n%s", name, want, got)
			}
		}
		if strings.Contains(string(got), "Axiom") {
			t.Errorf("%s: the file has text of the data:\n%s", name, got)
		}
	}
}

// TestNoExactProof checks multipliers that are no contradiction, or one among many.
func TestNoExactProof(t *testing.T) {
	for name, X := range map[string][][]float64{
		"separable": {{1}, {2}},
		"free":      {{1}, {-1}, {1}, {-1}},
		"negative":  {{1, 0}, {0, 1}, {1, 1}},
	} {
		file := filepath.Join(t.TempDir(), "proof.v")
		tab, y, lambda := &table{}, make([]int, len(X)), make([]float64, len(X))
		for i, x := range X {
			tab.add(x, "a", i+1)
			y[i], lambda[i] = 1, 1
		}
		sep := perceptron.Separation{Space: perceptron.Linear, Upper: 1e-17, Multipliers: lambda}
		if err := writeCertificate(file, tab, y, sep); !errors.Is(err, errNoExactProof) {
			t.Errorf("%s: %v, want %v", name, err, errNoExactProof)
		}
		if _, err := os.Stat(file); err == nil {
			t.Errorf("%s: the file exists", name)
		}
	}
}

// TestSolve checks a solution that needs an exchange of equations.
func TestSolve(t *testing.T) {
	got := solve([][]*big.Rat{rationals([]float64{0, 2, -1}), rationals([]float64{3, 0, -1}), rationals([]float64{3, 2, -2})}, 3)
	if coqList(got) != "[1 # 3; 1 # 2; 1 # 1]" {
		t.Errorf("%v", got)
	}
}
