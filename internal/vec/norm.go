package vec

import "math"

// Norm returns ‖v‖ = √⟨v, v⟩, to rounding, even if ⟨v, v⟩ overflows or underflows.
func Norm(v []float64) float64 {
	m, e := ScaledNorm(v)
	return math.Ldexp(m, e)
}

// ScaledNorm returns ‖v‖ as m·2ᵉ, to rounding, even if ‖v‖ overflows. An infinite
// or NaN element gives an infinite or NaN m.
//
// If ‖v‖² is far from 1, v is first scaled by a power of two, which changes no
// digit, and its squares are added in plain order.
func ScaledNorm(v []float64) (m float64, e int) {
	const small, large = 0x1p-900, 0x1p1000
	if s := Dot(v, v); s >= small && s <= large {
		return math.Sqrt(s), 0
	}
	_, e = math.Frexp(Largest(v)) // 0 for 0, an infinity and NaN
	var s float64
	for _, x := range v {
		x = math.Ldexp(x, -e)
		s += float64(x * x)
	}
	return math.Sqrt(s), e
}

// Largest returns max |vⱼ|, 0 for no elements, and NaN if an element is NaN.
func Largest(v []float64) float64 {
	var top float64
	for _, x := range v {
		top = max(top, math.Abs(x))
	}
	return top
}
