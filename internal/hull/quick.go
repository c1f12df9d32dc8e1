package hull

import (
	"math"
	"slices"

	"perceptron/internal/exact"
	"perceptron/internal/vec"
)

// A quickQR is the factorisation A = QR of a qr in float64, and what it makes of
// b = (0, …, 0, 1). An operation takes about a tenth of the time that it takes in
// double-double. No product is fused with a sum, so the bits are those of every
// machine.
type quickQR struct {
	q    [][]float64 // Q's columns
	r    [][]float64 // R's columns, the j-th of length j + 1
	qb   []float64   // Qᵀb
	rest []float64   // b − QQᵀb
}

// quickNegligible is what negligible is, for float64.
const quickNegligible = 0x1p14 * 0x1p-53

// quickOf rounds the factors.
func quickOf(f *qr) *quickQR {
	g := &quickQR{rest: floats(complement(f.project()))}
	for j, q := range f.q {
		g.q, g.r = append(g.q, floats(q)), append(g.r, floats(f.r[j]))
		g.qb = append(g.qb, q[len(q)-1].Hi)
	}
	return g
}

func (f *quickQR) negligible() float64 { return quickNegligible }

// add appends the column a as qr.add does. It subtracts Qᵀa a second time only if
// little of a is left: a little less than orthogonal is enough here.
func (f *quickQR) add(a []float64) bool {
	const little = 0x1p-7
	n := len(f.q)
	q, r := slices.Clone(a), make([]float64, n+1)
	f.orthogonalise(q, r)
	if vec.Norm(q) < little {
		f.orthogonalise(q, r)
	}
	length := vec.Norm(q)
	if !(length > quickNegligible) {
		return false
	}
	for j := range q {
		q[j] /= length
	}
	r[n] = length
	share := vec.Dot(q, f.rest)
	vec.Axpy(f.rest, f.rest, -share, q)
	f.q, f.r, f.qb = append(f.q, q), append(f.r, r), append(f.qb, share)
	return true
}

// orthogonalise subtracts from a its share of each column of Q, and adds the shares
// to r (modified Gram–Schmidt).
func (f *quickQR) orthogonalise(a, r []float64) {
	for j, q := range f.q {
		c := vec.Dot(q, a)
		r[j] += c
		vec.Axpy(a, a, -c, q)
	}
}

// drop removes the k-th column as qr.drop does, with each column of R turned in one
// go.
func (f *quickQR) drop(k int) {
	f.r = slices.Delete(f.r, k, k+1)
	last := len(f.r)
	var turns [][2]float64 // the cosine and sine of each rotation
	for j := k; j < last; j++ {
		column := f.r[j]
		for m, t := range turns {
			at := column[k+m : k+m+2]
			at[0], at[1] = float64(t[0]*at[0])+float64(t[1]*at[1]), float64(t[0]*at[1])-float64(t[1]*at[0])
		}
		a, b := column[j], column[j+1]
		length := math.Copysign(math.Sqrt(float64(a*a)+float64(b*b)), a) // so that the cosine is positive
		turns = append(turns, [2]float64{a / length, b / length})
		column[j] = length
		f.r[j] = column[:j+1]
	}
	for m, t := range turns {
		j := k + m
		turn(f.q[j], f.q[j+1], t[0], t[1])
		turn(f.qb[j:j+1], f.qb[j+1:j+2], t[0], t[1])
	}
	vec.Axpy(f.rest, f.rest, f.qb[last], f.q[last])
	f.q, f.qb = f.q[:last], f.qb[:last]
}

// turn rotates as exact.Rotate does, for c ≥ 0, by three shears.
func turn(a, b []float64, c, s float64) {
	t := s / (1 + c)
	vec.Axpy(a, a, t, b)
	vec.Axpy(b, b, -s, a)
	vec.Axpy(a, a, t, b)
}

// solve returns the u with the least ‖Au − b‖, to rounding in float64.
func (f *quickQR) solve() []exact.Double {
	u := slices.Clone(f.qb)
	f.back(u)
	return doubles(u)
}

// back sets v to R⁻¹v.
func (f *quickQR) back(v []float64) {
	for j := len(v) - 1; j >= 0; j-- {
		v[j] /= f.r[j][j]
		vec.Axpy(v[:j], v[:j], -v[j], f.r[j][:j])
	}
}

// forth sets v to R⁻ᵀv.
func (f *quickQR) forth(v []float64) {
	for j, r := range f.r {
		v[j] = (v[j] - vec.Dot(v[:j], r[:j])) / r[j]
	}
}

// project returns QQᵀb.
func (f *quickQR) project() []exact.Double { return complement(doubles(f.rest)) }

// correct solves
//
//	x + Ay = s,  Aᵀx = t
//
// Before the call, x and y hold the right-hand sides s and t. After it, they hold the
// solution: x = s − QQᵀs + QR⁻ᵀt, y = R⁻¹(Qᵀs − R⁻ᵀt).
func (f *quickQR) correct(x, y []float64) {
	f.forth(y)
	for j, q := range f.q {
		c := vec.Dot(q, x) - y[j]
		vec.Axpy(x, x, -c, q)
		y[j] = c
	}
	f.back(y)
}

// adopt replaces Qᵀb and b − QQᵀb by what the solution u and its residual make them.
func (f *quickQR) adopt(u, rest []float64) {
	copy(f.rest, rest)
	clear(f.qb)
	for j, r := range f.r {
		vec.Axpy(f.qb[:j+1], f.qb[:j+1], u[j], r)
	}
}

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
	const gain = 1.0 / 8    // a correction that gains less is the last
	const enough = 0x1p-100 // and so is one that is no larger than this
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
