package hull

import (
	"math"
	"slices"

	"perceptron/internal/exact"
	"perceptron/internal/vec"
)

// A quickQR has the factors Q and R of A in float64, and two vectors that follow from Q and
// b = (0, …, 0, 1). An operation takes about a tenth of the time that it takes in double-double. No
// product is fused with a sum, so all machines compute the same bits.
type quickQR struct {
	q    [][]float64 // Q's columns
	r    [][]float64 // R's columns, the j-th of length j + 1
	qb   []float64   // Qᵀb
	rest []float64   // b − QQᵀb
}

// quickNegligible replaces the constant negligible for factors in float64.
const quickNegligible = 0x1p14 * 0x1p-53

// quickOf returns the factors f rounded to float64.
func quickOf(f *qr) *quickQR {
	g := &quickQR{rest: floats(complement(f.project()))}
	for j, q := range f.q {
		g.q, g.r = append(g.q, floats(q)), append(g.r, floats(f.r[j]))
		g.qb = append(g.qb, q[len(q)-1].Hi)
	}
	return g
}

func (f *quickQR) negligible() float64 { return quickNegligible }

// add does what qr.add does, in float64. It makes a orthogonal to Q a second time only if little of a
// is left after the first time. It does not change a.
func (f *quickQR) add(a []exact.Double) bool {
	const little = 0x1p-7
	n := len(f.q)
	q, r := floats(a), make([]float64, n+1)
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

// orthogonalise subtracts from the vector a its part in the span of the columns of Q, by modified
// Gram–Schmidt: for each column q in turn, it subtracts ⟨q, a⟩q, and adds ⟨q, a⟩ to r.
func (f *quickQR) orthogonalise(a, r []float64) {
	for j, q := range f.q {
		c := vec.Dot(q, a)
		r[j] += c
		vec.Axpy(a, a, -c, q)
	}
}

// drop does what qr.drop does, but makes all rotations of one column of R before those of the next.
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

// turn does what exact.Rotate does, in float64 and for c ≥ 0. If c = cos φ and s = sin φ, then
// t = tan(φ/2), and the rotation is a += tb, b −= sa, a += tb. Each of these is an Axpy in place,
// so package vec does all the work, and no vector is copied. As c ≥ 0, |t| is at most 1.
func turn(a, b []float64, c, s float64) {
	t := s / (1 + c)
	vec.Axpy(a, a, t, b)
	vec.Axpy(b, b, -s, a)
	vec.Axpy(a, a, t, b)
}

// solve returns the u with the least ‖Au − b‖, computed in float64.
func (f *quickQR) solve() []exact.Double {
	u := slices.Clone(f.qb)
	f.back(u)
	return doubles(u)
}

// back replaces v by R⁻¹v.
func (f *quickQR) back(v []float64) {
	for j := len(v) - 1; j >= 0; j-- {
		v[j] /= f.r[j][j]
		vec.Axpy(v[:j], v[:j], -v[j], f.r[j][:j])
	}
}

// forth replaces v by R⁻ᵀv.
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

// adopt replaces Qᵀb by Ru, and b − QQᵀb by rest, where u is a more exact solution and rest is its
// residual.
func (f *quickQR) adopt(u, rest []float64) {
	copy(f.rest, rest)
	clear(f.qb)
	for j, r := range f.r {
		vec.Axpy(f.qb[:j+1], f.qb[:j+1], u[j], r)
	}
}

// refine returns the u with the least ‖Au − b‖ and its residual r = b − Au, in double-double. The k-th
// column of A belongs to the point rows[k], and fill sets a to the column of point i. u and r solve
//
//	r + Au = b,  Aᵀr = 0.
//
// refine computes the remainders of both equations in double-double, and corrects u and r with the
// factors. It repeats this while the corrections shrink fast (Björck 1967; Demmel et al. 2009). The
// smaller the condition number of A, the more digits a correction adds. refine reports false if it
// cannot make u and r accurate enough.
func (f *quickQR) refine(rows []int, fill func(a []exact.Double, i int) []exact.Double) (u, r []exact.Double, ok bool) {
	// The loop ends after a correction of size at most enough, or of at least gain times the size of the
	// correction before.
	const gain, enough = 1.0 / 8, 0x1p-100
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

// remainders returns b − r − Au and −Aᵀr, computed in double-double and rounded to float64.
func remainders(u, r []exact.Double, rows []int, fill func(a []exact.Double, i int) []exact.Double) (x, y []float64) {
	rest := complement(r)
	a := make([]exact.Double, len(r))
	y = make([]float64, len(u))
	for k, i := range rows {
		exact.Axpy(rest, u[k].Negated(), fill(a, i))
		y[k] = -exact.Dot(r, a).Hi
	}
	return floats(rest), y
}

// small reports whether refine has reached its goal: its last corrections are too small to change
// w and u after w and u are rounded to float64. x is the correction of r = (−w, 1 − Σu), and y that
// of u. An x of at most exact.Unit is small, even if w is nearly 0.
func small(x, y []float64, r []exact.Double) bool {
	const share = 0x1p-64
	w := r[:len(r)-1]
	length := math.Sqrt(exact.Dot(w, w).Hi)
	return vec.Largest(x) <= max(share*length, negligible/16) && vec.Largest(y) <= share
}
