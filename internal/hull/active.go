package hull

import (
	"math"
	"slices"

	"perceptron/internal/exact"
)

// Points are the points zᵢ = yᵢxᵢ, or zᵢ = yᵢ(xᵢ, 1).
type Points struct {
	X    [][]float64 // the rows xᵢ: finite, of one length
	Y    []int       // the signs yᵢ: +1 or −1, one for each row
	Ones bool        // whether a 1 is appended to each row
}

// dims returns the number of coordinates of a point. There is at least one point.
func (p *Points) dims() int {
	if p.Ones {
		return len(p.X[0]) + 1
	}
	return len(p.X[0])
}

// An active set is the rows in use, the support, and their best u.
//
// For the best u, r = b − Au is at right angles to A's columns. So with w = Zᵀu/ρ,
// which points as p does, r = (−w, 1 − Σu), ‖r‖² = ⟨b, r⟩ = 1 − Σu and
// ‖w‖² = Σu(1 − Σu). That falls with ‖r‖², as ‖p‖ < ρ makes Σu > ½.
type active struct {
	Points
	scale [2]float64 // their product is 1/ρ, which may be too small or too large for a float64

	support []int          // the rows in use, in the order of A's columns
	in      []bool         // whether a row is in use
	u       []exact.Double // of the rows in use, positive
	w       []exact.Double // Zᵀu/ρ
	sum     exact.Double   // Σu
	square  exact.Double   // ‖w‖²
	spare   []float64      // the column of the row in question
	wide    []exact.Double // spare in double-double

	factors     factors
	quick       *quickQR     // factors, if they are in float64; else nil
	mostDoubles int          // the most coordinates of the support for factors in double-double
	exact       bool         // whether u and w are the best of the support, to double-double
	settled     exact.Double // ‖w‖² when quick's u was last refined
}

// factors are those of A, in double-double or in float64.
type factors interface {
	// add appends a column. It reports false, and changes nothing, if the column
	// depends on the others.
	add(column []float64) bool
	// drop removes the k-th column.
	drop(k int)
	// solve returns the u with the least ‖Au − b‖.
	solve() []exact.Double
	// project returns Au for the u of solve. There is a column.
	project() []exact.Double
	// negligible is the weight beside Σu that rounding leaves no digits of.
	negligible() float64
}

// mostDoubles is where active.mostDoubles begins. Up to this size double-double costs
// little, and a search that stays below it computes nothing twice.
const mostDoubles = 1 << 13

func newActive(p Points, longest float64) active {
	_, e := math.Frexp(longest) // ρ = 2ᵉ
	return active{
		Points:      p,
		scale:       [2]float64{math.Ldexp(1, -e/2), math.Ldexp(1, -e+e/2)},
		in:          make([]bool, len(p.X)),
		spare:       make([]float64, p.dims()+1),
		wide:        make([]exact.Double, p.dims()+1),
		factors:     &qr{},
		mostDoubles: mostDoubles,
		settled:     exact.Double{Hi: math.Inf(1)},
	}
}

// vanished reports whether rounding has left no digits of w.
func (s *active) vanished() bool { return math.Sqrt(s.square.Hi) <= negligible }

// score returns ⟨w, zᵢ⟩/ρ.
func (s *active) score(i int) exact.Double {
	s.fill(s.spare, i)
	return exact.Dot(s.w, widened(s.wide, s.spare))
}

// enter takes row i into use, and then drops rows until the best u of those in use
// is positive. It reports false, and changes nothing, if the row depends on those in
// use or has no positive weight, which rounding can cause.
func (s *active) enter(i int) bool {
	s.fill(s.spare, i)
	if !s.factors.add(s.spare) {
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

// descend drops rows until u, the best of the support, is positive.
func (s *active) descend(u []exact.Double) {
	for {
		k, step := s.blocking(u, s.factors.negligible())
		if k < 0 {
			break
		}
		s.approach(u, k, step)
		u = s.factors.solve()
	}
	s.u = u
	s.measure()
}

// blocking returns the first weight to become 0 on the way from s.u to u, and the
// share of the way at which it does; −1 if none does.
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

// approach goes the share step of the way from s.u to u, and drops the k-th row of
// the support, whose weight is 0 there.
func (s *active) approach(u []exact.Double, k int, step exact.Double) {
	for j := range s.u {
		s.u[j] = s.u[j].Plus(step.Times(u[j].Minus(s.u[j])))
	}
	s.u = slices.Delete(s.u, k, k+1)
	s.drop(k)
}

// drop removes the k-th row of the support.
func (s *active) drop(k int) {
	s.in[s.support[k]] = false
	s.support = slices.Delete(s.support, k, k+1)
	s.factors.drop(k)
}

// measure computes w and Σu from Au = (w, Σu), and ‖w‖². If the support has become
// large, it rounds the factors to float64.
func (s *active) measure() {
	s.place(s.factors.project())
	s.exact = s.quick == nil
	if f, ok := s.factors.(*qr); ok && len(s.support)*s.dims() > s.mostDoubles {
		s.quick = quickOf(f)
		s.factors = s.quick
	}
}

// place sets w, Σu and ‖w‖² from v = Au.
func (s *active) place(v []exact.Double) {
	d := s.dims()
	s.w, s.sum = v[:d], v[d]
	s.square = exact.Dot(s.w, s.w)
}

// settle refines u and w, and drops rows whose weights then are not positive. If
// float64 factors give too few digits for that, or if the refined w is not shorter
// than the one before, the search restarts in double-double.
func (s *active) settle() {
	u, r, ok := s.quick.refine(s.support, s.fill)
	for k, step := s.blocking(u, negligible); ok && k >= 0; k, step = s.blocking(u, negligible) {
		s.approach(u, k, step)
		u, r, ok = s.quick.refine(s.support, s.fill)
	}
	if ok {
		s.quick.adopt(floats(u), floats(r))
		s.u, s.exact = u, true
		s.place(complement(r))
	}
	if !ok || !s.square.Less(s.settled) {
		s.restart()
		return
	}
	s.settled = s.square
}

// fill sets a to the column of row i: (zᵢ/ρ, 1), for 1/ρ = scale[0]·scale[1].
func (s *active) fill(a []float64, i int) {
	sign := float64(s.Y[i])
	for j, v := range s.X[i] {
		a[j] = sign * v * s.scale[0] * s.scale[1]
	}
	if s.Ones {
		a[len(s.X[i])] = sign * s.scale[0] * s.scale[1]
	}
	a[len(a)-1] = 1
}

// restart computes the factors of the support anew, in double-double. From then on
// they stay so. A row that depends on others goes out of use.
func (s *active) restart() {
	f, rows, weights := &qr{}, s.support, s.u
	s.factors, s.quick, s.mostDoubles = f, nil, math.MaxInt
	s.support, s.u = nil, nil
	for k, i := range rows {
		s.fill(s.spare, i)
		if s.in[i] = f.add(s.spare); s.in[i] {
			s.support, s.u = append(s.support, i), append(s.u, weights[k])
		}
	}
	s.descend(f.solve())
}
