package hull

import (
	"math"

	"perceptron/internal/exact"
	"perceptron/internal/vec"
)

// refine returns the u with the least ‖Au − b‖ and its residual r = b − Au, in
// double-double. fill sets a to the column of a row, and rows has A's in order. u and
// r solve
//
//	r + Au = b,  Aᵀr = 0
//
// What rounding leaves of the two equations is computed in double-double, the
// factors give a correction of u and r, and so on (Björck 1967; Demmel et al. 2009).
// Each correction gains the digits of float64 that the condition of A leaves. refine
// reports false if there are too few of them.
func (f *quickQR) refine(rows []int, fill func(a []float64, i int)) (u, r []exact.Double, ok bool) {
	const (
		gain   = 1.0 / 8  // a correction that gains less is the last
		enough = 0x1p-100 // and so is one that is no larger than this
	)
	one := exact.Double{Hi: 1}
	u, r = f.solve(), doubles(f.rest)
	for last := math.Inf(1); ; {
		x, y := remainders(u, r, rows, fill)
		f.correct(x, y)
		exact.Axpy(r, one, doubles(x))
		exact.Axpy(u, one, doubles(y))
		size := max(vec.Largest(x), vec.Largest(y))
		if !(size > enough && size < gain*last) {
			return u, r, small(x, y, r)
		}
		last = size
	}
}

// remainders returns b − r − Au and −Aᵀr, rounded at the end.
func remainders(u, r []exact.Double, rows []int, fill func(a []float64, i int)) (x, y []float64) {
	rest := complement(r)
	a, wide := make([]float64, len(r)), make([]exact.Double, len(r))
	y = make([]float64, len(u))
	for k, i := range rows {
		fill(a, i)
		exact.Axpy(rest, u[k].Negated(), widened(wide, a))
		y[k] = -exact.Dot(r, wide).Hi
	}
	return floats(rest), y
}

// small reports whether the corrections x of r and y of u are too small to matter
// after u and w are rounded to float64. r = (−w, 1 − Σu).
func small(x, y []float64, r []exact.Double) bool {
	const share = 0x1p-64
	w := r[:len(r)-1]
	length := math.Sqrt(exact.Dot(w, w).Hi)
	return vec.Largest(x) <= max(share*length, negligible/16) && vec.Largest(y) <= share
}
