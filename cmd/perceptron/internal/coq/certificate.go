package coq

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
)

// A Certificate is a proof that Coq can check.
type Certificate struct {
	// Separable says whether a hyperplane separates the rows. The certificate proves this answer.
	Separable bool
	// If the rows are separable, their margin γ has Lower ≤ γ ≤ Upper, and Rosenblatt's rule makes
	// at most Mistakes mistakes on them. Lower and Upper are decimal numbers.
	Lower, Upper string
	Mistakes     *big.Int

	t      *Table
	w      vector // if the rows are separable, weights that separate them; the bias is first
	lambda vector // multipliers λ ≥ 0, λ ≠ 0
}

// Certify proves whether a hyperplane separates the rows. It first checks the float64 answer of a
// search: a hyperplane (w, b), and one multiplier λ ≥ 0 for each row. If this answer proves
// nothing about the decimal numbers, Certify solves the problem exactly with the simplex method.
// The check takes O(nd) operations on long integers, and so does each step of the simplex method.
// If ctx is done, Certify returns its error after the current step.
func (t *Table) Certify(ctx context.Context, w []float64, b float64, lambda []float64) (*Certificate, error) {
	if len(t.rows) == 0 || len(t.rows[0].x) == 0 {
		return nil, errors.New("the table is empty")
	}
	if !t.Linear {
		w = append([]float64{b}, w...)
	}
	Z, s := t.signed()
	if len(w) != len(Z[0]) || len(lambda) != len(Z) || !finite(w) || !finite(lambda) {
		return nil, errors.New("the weights and multipliers do not fit the rows")
	}
	c := &Certificate{t: t, w: fromFloats(w), lambda: fromFloats(lambda)}
	if !valid(c.lambda) {
		return nil, errors.New("want multipliers that are not negative, and not all 0")
	}
	if least(c.w, Z).Sign() <= 0 && !mix(c.lambda, Z).isZero() {
		var err error
		if c.w, c.lambda, err = solve(ctx, Z, c.lambda); err != nil {
			return nil, err
		}
	}
	if c.Separable = least(c.w, Z).Sign() > 0; c.Separable {
		c.bound(Z, s)
	}
	return c, nil
}

// Hyperplane returns the hyperplane of the certificate, with ‖(w, b)‖ = 1 up to rounding. Rounding
// to float64 may put a row on the wrong side. If the rows are not separable, Hyperplane returns nil
// and 0.
func (c *Certificate) Hyperplane() (w []float64, b float64) {
	if !c.Separable {
		return nil, 0
	}
	large := c.w.times(power10(20)) // so that the integer root below has enough digits
	w = large.over(new(big.Int).Sqrt(large.dot(large)))
	if c.t.Linear {
		return w, 0
	}
	return w[1:], w[0]
}

// Multipliers returns λ/Σλ, each rounded to float64.
func (c *Certificate) Multipliers() []float64 { return c.lambda.over(c.lambda.sum()) }

// finite reports whether all numbers are finite.
func finite(v []float64) bool {
	for _, a := range v {
		if math.IsInf(a, 0) || math.IsNaN(a) {
			return false
		}
	}
	return true
}

// valid reports whether λ ≥ 0 and λ ≠ 0.
func valid(lambda vector) bool {
	for _, l := range lambda {
		if l.Sign() < 0 {
			return false
		}
	}
	return !lambda.isZero()
}

// least returns the least score ⟨w, z⟩.
func least(w vector, Z []vector) *big.Int {
	m := w.dot(Z[0])
	for _, z := range Z[1:] {
		if s := w.dot(z); s.Cmp(m) < 0 {
			m = s
		}
	}
	return m
}

// mix returns Σ λᵢzᵢ.
func mix(lambda vector, Z []vector) vector {
	v := zeros(len(Z[0]))
	for i, l := range lambda {
		if l.Sign() != 0 {
			v.addTimes(l, Z[i])
		}
	}
	return v
}

// bound computes Lower, Upper and Mistakes from w and λ. For rows z and k mistakes,
//
//	min⟨w, z⟩/‖w‖ ≤ γ ≤ ‖Σλz‖/Σλ, and k ≤ max‖z‖²·‖w‖²/min⟨w, z⟩².
//
// The rows of the table are 10^s times Z.
func (c *Certificate) bound(Z []vector, s int) {
	m, square, sum := least(c.w, Z), c.w.dot(c.w), c.lambda.sum()
	m.Mul(m, m)
	v := mix(c.lambda, Z)
	c.Lower = quotientRoot(m, square, s, false).text
	c.Upper = quotientRoot(v.dot(v), sum.Mul(sum, sum), s, true).text
	radius := new(big.Int)
	for _, z := range Z {
		if q := z.dot(z); q.Cmp(radius) > 0 {
			radius = q
		}
	}
	c.Mistakes = radius.Quo(radius.Mul(radius, square), m)
}

const head = Begins + ` DATA

   %s *)
From Perceptron Require Import %s.
Open Scope decimal_scope.

`

// Write writes the certificate as a file for Coq. Coq accepts the file only if its theorem is true.
func (c *Certificate) Write(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, head, "Each row has its features, and true for the label +1.", "Certificate")
	c.t.write(b, "table", func(r row) string { return fmt.Sprint(r.class == 1) })
	kind := c.t.kind()
	if c.Separable {
		fmt.Fprintf(b, "Definition w := %v.\n\n", c.w)
	}
	fmt.Fprintf(b, "Definition λ := %v.\n\n", c.lambda)
	if c.Separable {
		fmt.Fprintf(b, certificateSeparable, kind, c.Lower, c.Upper, c.Mistakes)
	} else {
		fmt.Fprintf(b, certificateInseparable, kind)
	}
	return b.Flush()
}

const certificateSeparable = `Theorem verdict : is_separable %[1]s rows /\
  margin_between %[1]s rows %[2]s %[3]s /\ mistakes_at_most %[1]s rows %[4]v.
Proof. apply (separable_sound %[1]s rows w λ). vm_cast_no_check (eq_refl true). Qed.

Print Assumptions verdict.
`

const certificateInseparable = `Theorem verdict : ~ is_separable %[1]s rows.
Proof. apply (inseparable_sound %[1]s rows λ). vm_cast_no_check (eq_refl true). Qed.

Print Assumptions verdict.
`
