// Package exact computes with known rounding errors.
//
//   - [Double] is a pair of float64s with some 32 decimal digits.
//   - [Sum] adds numbers and products, and bounds the exact sum from both sides.
//   - [Rat] is a rational number that is rounded only at the end.
//   - [DivideDown], [DivideUp] and [UnscaledUp] round a float64 in one direction.
//
// No operation depends on the machine: where a product may not be fused with an
// addition, it is rounded first.
package exact

import "math"

// TwoSum returns the rounded sum s = a + b and its rounding error e. a + b = s + e
// exactly, if s does not overflow (Knuth).
func TwoSum(a, b float64) (s, e float64) {
	s = a + b
	t := s - a
	return s, (a - (s - t)) + (b - t)
}

// Next returns the least float64 above v.
func Next(v float64) float64 { return math.Nextafter(v, math.Inf(1)) }

// vanishing is below any product that matters in sums of terms near 1. It is far
// above the products whose rounding error is too small for a float64.
const vanishing = 0x1p-900

// DivideDown returns a/b rounded down, for b > 0.
func DivideDown(a, b float64) float64 {
	q := a / b
	if math.FMA(q, b, -a) > 0 || a != 0 && math.Abs(a) < vanishing {
		q = math.Nextafter(q, math.Inf(-1))
	}
	return q
}

// DivideUp returns a/b rounded up, for b > 0.
func DivideUp(a, b float64) float64 { return -DivideDown(-a, b) }

// PowerScale returns a power of two for numbers whose largest magnitude is top. It is 1
// if top is 0 or between 2⁻⁶⁰ and 2⁶⁰. Else it brings top into [½, 1), but is never
// above 2¹⁰⁰⁰. So products of the scaled numbers do not overflow.
func PowerScale(top float64) float64 {
	if 0x1p-60 < top && top < 0x1p60 {
		return 1
	}
	_, e := math.Frexp(top) // 0 for 0
	return math.Ldexp(1, min(-e, 1000))
}

// UnscaledUp returns v/scale, for a power of two. A subnormal result is rounded up.
func UnscaledUp(v, scale float64) float64 {
	q := v / scale
	if q*scale < v {
		q = Next(q)
	}
	return q
}
