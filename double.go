package perceptron

import (
	"math"

	"perceptron/internal/exact"
)

// A double is an unevaluated sum hi + lo, |lo| ≤ ulp(hi)/2 ("double-double",
// Dekker 1971): some 32 decimal digits in float64's range. The error of an
// operation is a few times unit of its result, of its terms for plus.
//
// Every product is rounded before it is added, or fused on purpose, so that the
// bits are the same on every machine.
type double struct{ hi, lo float64 }

// roundoff is the relative error of a double.
const roundoff = 0x1p-104

// joined returns a + b for |a| ≥ |b|.
func joined(a, b float64) double {
	s := a + b
	return double{s, b - (s - a)}
}

func (a double) negated() double { return double{-a.hi, -a.lo} }

func (a double) plus(b double) double {
	s, e := exact.TwoSum(a.hi, b.hi)
	return joined(s, e+(a.lo+b.lo))
}

func (a double) minus(b double) double { return a.plus(b.negated()) }

func (a double) times(b double) double {
	p := float64(a.hi * b.hi)
	return joined(p, math.FMA(a.hi, b.hi, -p)+(float64(a.hi*b.lo)+float64(a.lo*b.hi)))
}

// over divides: a quotient, and that of what it leaves.
func (a double) over(b double) double {
	q := a.hi / b.hi
	rest := a.minus(b.times(double{q, 0}))
	return joined(q, rest.hi/b.hi)
}

// root returns √a by one step of Newton's method from the root of hi.
func (a double) root() double {
	r := math.Sqrt(a.hi)
	if r == 0 {
		return double{}
	}
	return joined(r, (math.FMA(-r, r, a.hi)+a.lo)/(2*r))
}

func (a double) less(b double) bool { return a.hi < b.hi || a.hi == b.hi && a.lo < b.lo }

// dotDouble returns ⟨a, b⟩ with an error of about roundoff·Σ|aⱼbⱼ|: the rounding errors
// of products and sums are gathered beside the sum (Ogita, Rump & Oishi 2005).
func dotDouble(a, b []double) double {
	b = b[:len(a)]
	var s, c float64
	for i, v := range a {
		w := b[i]
		p := float64(v.hi * w.hi)
		e := math.FMA(v.hi, w.hi, -p)
		var d float64
		s, d = exact.TwoSum(s, p)
		c += (d + e) + (float64(v.hi*w.lo) + float64(v.lo*w.hi))
	}
	return joined(s, c)
}

// axpyDouble sets w += c·x.
func axpyDouble(w []double, c double, x []double) {
	w = w[:len(x)]
	for i, v := range x {
		w[i] = w[i].plus(c.times(v))
	}
}

// scaleDouble sets w = c·w.
func scaleDouble(w []double, c double) {
	for i, v := range w {
		w[i] = v.times(c)
	}
}

// rotate turns the plane of a and b: a, b = c·a + s·b, c·b − s·a.
func rotate(a, b []double, c, s double) {
	b = b[:len(a)]
	for i, v := range a {
		w := b[i]
		a[i] = c.times(v).plus(s.times(w))
		b[i] = c.times(w).minus(s.times(v))
	}
}
