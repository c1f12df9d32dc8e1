// Package exact computes with known rounding errors.
//
//   - [Double] is a pair of float64s with some 32 decimal digits.
//   - [Sum] adds numbers and products, and bounds the exact sum from both sides.
//   - [Rat] is a rational number that is rounded only at the end.
//   - [DivideDown], [DivideUp] and [UnscaledUp] round a float64 in one direction.
//
// All machines compute the same bits: a product that must not be fused with an addition is
// rounded explicitly first.
package exact

import "math"

// TwoSum returns the rounded sum s = a + b and its rounding error e. If s does not
// overflow, a + b = s + e exactly (Knuth).
func TwoSum(a, b float64) (s, e float64) {
	s = a + b
	t := s - a
	return s, (a - (s - t)) + (b - t)
}

// Next returns the least float64 above v.
func Next(v float64) float64 { return math.Nextafter(v, math.Inf(1)) }

// vanishing is so small that products below it do not matter in a sum of terms near 1. It is so
// large that a float64 can hold the rounding error of a product above it.
const vanishing = 0x1p-900

// DivideDown returns a/b rounded down, for b > 0. If 0 < |a| < 2⁻⁹⁰⁰, where the remainder can
// underflow, the result may be the next lower float64 instead.
func DivideDown(a, b float64) float64 {
	q := a / b
	if math.FMA(q, b, -a) > 0 || a != 0 && math.Abs(a) < vanishing {
		q = math.Nextafter(q, math.Inf(-1))
	}
	return q
}

// DivideUp returns a/b rounded up, for b > 0. If 0 < |a| < 2⁻⁹⁰⁰, the result may be the next
// higher float64 instead.
func DivideUp(a, b float64) float64 { return -DivideDown(-a, b) }

// PowerScale returns a power of two by which to scale numbers whose largest magnitude is top.
// The scale is 1 if top is 0 or between 2⁻⁶⁰ and 2⁶⁰. Otherwise it brings top into [½, 1), but
// is at most 2¹⁰⁰⁰. So products of the scaled numbers do not overflow.
func PowerScale(top float64) float64 {
	if 0x1p-60 < top && top < 0x1p60 {
		return 1
	}
	_, e := math.Frexp(top) // 0 for 0
	return math.Ldexp(1, min(-e, 1000))
}

// UnscaledUp returns v/scale, for a scale that is a power of two. If v/scale is not a float64,
// because it is subnormal, the result is rounded up.
func UnscaledUp(v, scale float64) float64 {
	q := v / scale
	if q*scale < v {
		q = Next(q)
	}
	return q
}

// A Double is an unevaluated sum Hi + Lo, |Lo| ≤ ulp(Hi)/2 ("double-double",
// Dekker 1971). It has some 32 decimal digits and float64's range.
//
// The errors of Times, Over and Root are a few times Unit, relative to the result. The errors of
// Plus and Minus are about Unit, relative to the larger term.
type Double struct{ Hi, Lo float64 }

// Unit is the relative error of a Double.
const Unit = 0x1p-104

// joined returns a + b as a Double, for |a| ≥ |b|.
func joined(a, b float64) Double {
	s := a + b
	return Double{s, b - (s - a)}
}

func (a Double) Negated() Double { return Double{-a.Hi, -a.Lo} }

func (a Double) Plus(b Double) Double {
	s, e := TwoSum(a.Hi, b.Hi)
	return joined(s, e+(a.Lo+b.Lo))
}

func (a Double) Minus(b Double) Double { return a.Plus(b.Negated()) }

func (a Double) Times(b Double) Double {
	p := float64(a.Hi * b.Hi)
	return joined(p, math.FMA(a.Hi, b.Hi, -p)+(float64(a.Hi*b.Lo)+float64(a.Lo*b.Hi)))
}

// Over returns a/b. It adds the quotient of the float64 division and the quotient of its
// remainder.
func (a Double) Over(b Double) Double {
	q := a.Hi / b.Hi
	rest := a.Minus(b.Times(Double{q, 0}))
	return joined(q, rest.Hi/b.Hi)
}

// Root returns √a, for a ≥ 0, by one step of Newton's method from √Hi.
func (a Double) Root() Double {
	r := math.Sqrt(a.Hi)
	if r == 0 {
		return Double{}
	}
	return joined(r, (math.FMA(-r, r, a.Hi)+a.Lo)/(2*r))
}

func (a Double) Less(b Double) bool { return a.Hi < b.Hi || a.Hi == b.Hi && a.Lo < b.Lo }

// Dot returns ⟨a, b⟩ with an error of about Unit·Σ|aⱼbⱼ|. It adds up the rounding errors of
// products and sums separately, and adds their total at the end (Ogita, Rump & Oishi 2005).
// b is at least as long as a.
func Dot(a, b []Double) Double {
	b = b[:len(a)]
	var s, c float64
	for i, v := range a {
		w := b[i]
		p := float64(v.Hi * w.Hi)
		e := math.FMA(v.Hi, w.Hi, -p)
		var d float64
		s, d = TwoSum(s, p)
		c += (d + e) + (float64(v.Hi*w.Lo) + float64(v.Lo*w.Hi))
	}
	return joined(s, c)
}

// Axpy sets w = w + c·x. w is at least as long as x.
func Axpy(w []Double, c Double, x []Double) {
	w = w[:len(x)]
	for i, v := range x {
		w[i] = w[i].Plus(c.Times(v))
	}
}

// Rotate applies a rotation with cosine c and sine s to a and b: it sets a, b to c·a + s·b,
// c·b − s·a. b is at least as long as a.
func Rotate(a, b []Double, c, s Double) {
	b = b[:len(a)]
	for i, v := range a {
		w := b[i]
		a[i] = c.Times(v).Plus(s.Times(w))
		b[i] = c.Times(w).Minus(s.Times(v))
	}
}
