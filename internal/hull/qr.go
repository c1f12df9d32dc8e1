package hull

import (
	"slices"

	"perceptron/internal/exact"
)

// A qr has the factors Q and R of a matrix A = QR, and updates them when a column of A is added or
// removed. Q's columns are orthonormal, and R is upper triangular. The last row of A is all ones.
type qr struct {
	q [][]exact.Double // Q's columns
	r [][]exact.Double // R's columns, the j-th of length j + 1
}

// negligible bounds the rounding errors of numbers near 1. If ‖w‖, a weight, or the distance of a
// column from the span of the others is at most negligible, it may be nothing but rounding errors.
const negligible = 0x1p4 * exact.Unit

// add appends a column a to A. With a = Q(Qᵀa) + δq and ‖q‖ = 1, it appends the column q to Q, and the
// column of Qᵀa and δ to R. It changes a. It reports false, and changes nothing else, if a depends
// linearly on the other columns.
//
// Q(Qᵀa) is subtracted from a twice: then q is orthogonal to Q (Kahan's "twice is enough", Parlett
// 1980).
func (f *qr) add(a []exact.Double) bool {
	n := len(f.q)
	r := make([]exact.Double, n+1) // Qᵀa and δ
	for range 2 {
		for j, q := range f.q {
			c := exact.Dot(q, a)
			r[j] = r[j].Plus(c)
			exact.Axpy(a, c.Negated(), q)
		}
	}
	r[n] = exact.Dot(a, a).Root()
	if !(r[n].Hi > negligible) {
		return false
	}
	by := exact.Double{Hi: 1}.Over(r[n])
	for j, v := range a {
		a[j] = v.Times(by)
	}
	f.q, f.r = append(f.q, a), append(f.r, r)
	return true
}

// drop removes the k-th column of A. Each later column of R then has one element below the
// diagonal, which a rotation makes 0 (Givens 1958).
func (f *qr) drop(k int) {
	f.r = slices.Delete(f.r, k, k+1)
	// The j-th rotation combines rows j and j + 1 of R, and columns j and j + 1 of Q.
	for j := k; j < len(f.r); j++ {
		a, b := f.r[j][j], f.r[j][j+1]
		length := a.Times(a).Plus(b.Times(b)).Root()
		c, s := a.Over(length), b.Over(length)
		exact.Rotate(f.q[j], f.q[j+1], c, s)
		for m := j; m < len(f.r); m++ {
			exact.Rotate(f.r[m][j:j+1], f.r[m][j+1:j+2], c, s)
		}
		f.r[j] = f.r[j][:j+1]
	}
	// The last column of Q now belongs to no column of A.
	f.q = f.q[:len(f.r)]
}

// solve returns the u with the least ‖Au − b‖ for b = (0, …, 0, 1). It solves
// Ru = Qᵀb, and Qᵀb is Q's last row.
func (f *qr) solve() []exact.Double {
	u := make([]exact.Double, len(f.r))
	for j, q := range f.q {
		u[j] = q[len(q)-1]
	}
	// Back substitution by columns, since R is stored by columns.
	for j := len(u) - 1; j >= 0; j-- {
		u[j] = u[j].Over(f.r[j][j])
		exact.Axpy(u[:j], u[j].Negated(), f.r[j][:j])
	}
	return u
}

// project returns QQᵀb, which is Au for the u that solve returns. A has at least one column.
func (f *qr) project() []exact.Double {
	n := len(f.q[0])
	v := make([]exact.Double, n)
	for _, q := range f.q {
		exact.Axpy(v, q[n-1], q)
	}
	return v
}

func (f *qr) negligible() float64 { return negligible }

func floats(v []exact.Double) []float64 {
	x := make([]float64, len(v))
	for j, d := range v {
		x[j] = d.Hi
	}
	return x
}

func doubles(v []float64) []exact.Double {
	x := make([]exact.Double, len(v))
	for j, d := range v {
		x[j] = exact.Double{Hi: d}
	}
	return x
}

// complement returns b − v for b = (0, …, 0, 1): the residual if v is Au, and Au if v is the
// residual.
func complement(v []exact.Double) []exact.Double {
	m := make([]exact.Double, len(v))
	for j, x := range v {
		m[j] = x.Negated()
	}
	last := len(m) - 1
	m[last] = m[last].Plus(exact.Double{Hi: 1})
	return m
}
