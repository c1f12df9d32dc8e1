package hull

import (
	"math"
	"slices"

	"perceptron/internal/exact"
)

// An active set is the support of a search: the rows in use, with the best u for these rows. For b and
// ρ see search. Here, A has only the columns for the rows in use.
//
// The best u has the least ‖r‖ for r = b − Au. Let w = Zᵀu/ρ, which has the direction of p. Then
// r = (−w, 1 − Σu). r is at right angles to the columns of A, so ‖r‖² = ⟨b, r⟩ = 1 − Σu, and
// ‖w‖² = Σu(1 − Σu). As ‖p‖ < ρ, Σu > ½. So a step that makes ‖r‖ smaller makes ‖w‖ smaller too.
type active struct {
	Points
	scale [2]float64 // two factors of 1/ρ, which may itself be too small or too large for a float64

	support []int          // the indexes of the rows in use, in the order of A's columns
	in      []bool         // whether a row is in use
	u       []exact.Double // the weights of the rows in use: all positive
	w       []exact.Double // Zᵀu/ρ
	sum     exact.Double   // Σu
	square  exact.Double   // ‖w‖²
	spare   []exact.Double // memory for a column

	factors     factors
	quick       *quickQR     // the value of factors if these are in float64, else nil
	mostDoubles int          // if the support's rows have more coordinates in all, the factors are in float64
	exact       bool         // whether u and w have the accuracy of double-double
	settled     exact.Double // ‖w‖² after the last call of settle
}

// factors are the factors Q and R of A, in double-double or in float64.
type factors interface {
	// add appends the column a to A. It may change a. It reports false, and appends nothing, if a
	// depends linearly on A's columns.
	add(a []exact.Double) bool
	// drop removes the k-th column.
	drop(k int)
	// solve returns the u with the least ‖Au − b‖.
	solve() []exact.Double
	// project returns Au for the u that solve returns. A has at least one column.
	project() []exact.Double
	// negligible returns the largest weight that may be nothing but rounding errors.
	negligible() float64
}

// mostDoubles is the initial value of active.mostDoubles. Up to this number of coordinates, factors
// in double-double take little time.
const mostDoubles = 1 << 13

func newActive(p Points, longest float64) active {
	_, e := math.Frexp(longest) // ρ = 2ᵉ
	return active{
		Points:      p,
		scale:       [2]float64{math.Ldexp(1, -e/2), math.Ldexp(1, -e+e/2)},
		in:          make([]bool, len(p.X)),
		spare:       make([]exact.Double, p.dims()+1),
		factors:     &qr{},
		mostDoubles: mostDoubles,
		settled:     exact.Double{Hi: math.Inf(1)},
	}
}

// vanished reports whether w is so short that it may be nothing but rounding errors.
func (s *active) vanished() bool { return math.Sqrt(s.square.Hi) <= negligible }

// score returns ⟨w, zᵢ⟩/ρ.
func (s *active) score(i int) exact.Double { return exact.Dot(s.w, s.fill(s.spare, i)) }

// enter adds row i to the support, and then drops rows until the best u is positive. It reports
// false, and leaves the support as it was, in two cases: if the row's column depends on those of the
// support, or if the row's weight is negligible, which only rounding can cause.
func (s *active) enter(i int) bool {
	if !s.factors.add(s.column(i)) {
		return false
	}
	s.support, s.in[i] = append(s.support, i), true
	u := s.factors.solve()
	if !(u[len(u)-1].Hi > s.factors.negligible()) {
		s.drop(len(u) - 1)
		return false
	}
	s.u = append(s.u, exact.Double{})
	s.descend(u)
	return true
}

// descend drops rows until every element of the best u for the support is positive. The argument u is
// the best u before descend drops a row.
func (s *active) descend(u []exact.Double) {
	least := s.factors.negligible()
	for k, step := s.blocking(u, least); k >= 0; k, step = s.blocking(u, least) {
		s.approach(u, k, step)
		u = s.factors.solve()
	}
	s.u = u
	s.measure()
}

// blocking returns the index of the weight that becomes 0 first on the way from s.u to u. step is the
// part of the way, from 0 to 1, at which this weight becomes 0. A weight of at most negligible counts
// as 0. If no weight becomes 0, blocking returns the index −1.
func (s *active) blocking(u []exact.Double, negligible float64) (k int, step exact.Double) {
	k, step = -1, exact.Double{Hi: 1}
	for j, v := range u {
		if v.Hi > negligible {
			continue
		}
		var t exact.Double
		if s.u[j].Hi > 0 {
			t = s.u[j].Over(s.u[j].Minus(v))
		}
		if k < 0 || t.Less(step) {
			k, step = j, t
		}
	}
	return k, step
}

// approach moves s.u by the part step of the way towards u. It then drops the k-th row of the support,
// whose weight has become 0.
func (s *active) approach(u []exact.Double, k int, step exact.Double) {
	for j := range s.u {
		s.u[j] = s.u[j].Plus(step.Times(u[j].Minus(s.u[j])))
	}
	s.u = slices.Delete(s.u, k, k+1)
	s.drop(k)
}

func (s *active) drop(k int) {
	s.in[s.support[k]] = false
	s.support = slices.Delete(s.support, k, k+1)
	s.factors.drop(k)
}

// measure computes w, Σu and ‖w‖² from the factors. If the support is large, it rounds the factors
// to float64 for the next steps.
func (s *active) measure() {
	s.setProduct(s.factors.project())
	s.exact = s.quick == nil
	if f, ok := s.factors.(*qr); ok && len(s.support)*s.dims() > s.mostDoubles {
		s.quick = quickOf(f)
		s.factors = s.quick
	}
}

// setProduct sets w, Σu and ‖w‖² from the product v = Au, which is (w, Σu).
func (s *active) setProduct(v []exact.Double) {
	d := s.dims()
	s.w, s.sum = v[:d], v[d]
	s.square = exact.Dot(s.w, s.w)
}

// settle computes u and w with the accuracy of double-double, and drops rows whose weights are then not
// positive. It calls restart in two cases: if the factors in float64 are not accurate enough for this,
// and if w is not shorter than after the last call. In the second case, the search might otherwise
// repeat the same steps without end.
func (s *active) settle() {
	u, r, ok := s.quick.refine(s.support, s.fill)
	for k, step := s.blocking(u, negligible); ok && k >= 0; k, step = s.blocking(u, negligible) {
		s.approach(u, k, step)
		u, r, ok = s.quick.refine(s.support, s.fill)
	}
	if ok {
		s.quick.adopt(floats(u), floats(r))
		s.u, s.exact = u, true
		s.setProduct(complement(r))
	}
	if !ok || !s.square.Less(s.settled) {
		s.restart()
		return
	}
	s.settled = s.square
}

// column returns the column of A for row i: (zᵢ/ρ, 1).
func (s *active) column(i int) []exact.Double { return s.fill(make([]exact.Double, s.dims()+1), i) }

// fill sets a to the column of A for row i, and returns a.
func (s *active) fill(a []exact.Double, i int) []exact.Double {
	sign, scale := float64(s.Y[i]), s.scale
	x := &s.X[i]
	if x.Index != nil {
		clear(a)
	}
	for k, v := range x.Value {
		a[x.At(k)] = exact.Double{Hi: sign * v * scale[0] * scale[1]}
	}
	if s.Ones {
		a[s.Width] = exact.Double{Hi: sign * scale[0] * scale[1]}
	}
	a[len(a)-1] = exact.Double{Hi: 1}
	return a
}

// restart computes the factors of the support in double-double, which the search then uses until its
// end. It drops rows whose columns depend on those of earlier rows.
func (s *active) restart() {
	f, rows, weights := &qr{}, s.support, s.u
	s.factors, s.quick, s.mostDoubles = f, nil, math.MaxInt
	s.support, s.u = nil, nil
	for k, i := range rows {
		if s.in[i] = f.add(s.column(i)); s.in[i] {
			s.support, s.u = append(s.support, i), append(s.u, weights[k])
		}
	}
	s.descend(f.solve())
}
