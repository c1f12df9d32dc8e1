package hull

import (
	"math"

	"perceptron/internal/exact"
	"perceptron/internal/vec"
)

// refine returns the best u of the support and its residual r = b − Au in
// double-double, from float64 factors. It solves
//
//	r + Au = b,  Aᵀr = 0
//
// by steps: what is left of both equations is computed in double-double, and the
// factors give the correction (Björck 1967). Each step gains the digits that the
// condition of A leaves of float64. refine reports false if they are too few.
func (s *search) refine() (u, r []exact.Double, ok bool) {
	const (
		gain   = 1.0 / 8  // a step that gains less is the last
		enough = 0x1p-100 // as is one that corrects no more than this
	)
	u, r = s.quick.solve(), lifted(s.quick.rest)
	for last := math.Inf(1); ; {
		x, y := s.remainders(u, r)
		s.quick.correct(x, y)
		increase(r, x)
		increase(u, y)
		size := max(vec.Largest(x), vec.Largest(y))
		if !(size > enough && size < gain*last) {
			return u, r, refined(x, y, r)
		}
		last = size
	}
}

// refined reports whether the last corrections of r and u are below what matters.
func refined(x, y []float64, r []exact.Double) bool {
	const share = 0x1p-64
	w := r[:len(r)-1]
	length := exact.Dot(w, w).Root().Hi
	return vec.Largest(x) <= max(share*length, negligible/16) && vec.Largest(y) <= share
}

// remainders returns b − r − Au and −Aᵀr, rounded at the end.
func (s *search) remainders(u, r []exact.Double) (x, y []float64) {
	rest, y := make([]exact.Double, len(r)), make([]float64, len(u))
	for j, v := range r {
		rest[j] = v.Negated()
	}
	last := len(rest) - 1
	rest[last] = rest[last].Plus(exact.Double{Hi: 1})
	a := make([]float64, len(r))
	for k, i := range s.support {
		s.column(a, i, s.scale)
		exact.AxpyFloats(rest, u[k].Negated(), a)
		y[k] = -exact.DotFloats(r, a).Hi
	}
	return rounded(rest), y
}

// increase adds x to v.
func increase(v []exact.Double, x []float64) {
	for j, c := range x {
		v[j] = v[j].Plus(exact.Double{Hi: c})
	}
}

// settle computes u, w and what depends on them in double-double, and drops rows
// whose weights then are not positive. If float64 factors do not give enough digits,
// or the search has not come closer since the last time, it computes the factors
// anew in double-double.
func (s *search) settle() {
	for {
		u, r, ok := s.refine()
		if !ok {
			s.restart()
			return
		}
		if k, step := s.blocking(u, negligible); k >= 0 {
			s.approach(u, k, step)
			continue
		}
		s.quick.adopt(rounded(u), rounded(r))
		last := len(r) - 1
		s.u, s.sum, s.exact = u, exact.Double{Hi: 1}.Minus(r[last]), true
		s.w = r[:last]
		exact.Multiply(s.w, exact.Double{Hi: -1})
		s.square = exact.Dot(s.w, s.w)
		break
	}
	if !s.square.Less(s.settled) {
		s.restart()
		return
	}
	s.settled = s.square
}

// restart computes the factors of the support in double-double. They stay so.
func (s *search) restart() {
	f, from := &qr{}, s.support
	before := s.u
	s.factors, s.quick, s.large = f, nil, math.MaxInt
	s.support, s.u = nil, nil
	a := make([]float64, s.dims()+1)
	for k, i := range from {
		s.column(a, i, s.scale)
		if s.in[i] = f.add(a); s.in[i] {
			s.support, s.u = append(s.support, i), append(s.u, before[k])
		}
	}
	s.descend(f.solve())
}
