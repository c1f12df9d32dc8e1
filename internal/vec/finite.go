package vec

import "math"

// Finite reports whether every element is neither NaN nor ±Inf.
//
// v − v is 0 for finite v only. Four sums keep the additions from waiting for
// each other.
func Finite(v []float64) bool {
	var s0, s1, s2, s3 float64
	for ; len(v) >= 4; v = v[4:] {
		s0 += v[0] - v[0]
		s1 += v[1] - v[1]
		s2 += v[2] - v[2]
		s3 += v[3] - v[3]
	}
	for _, x := range v {
		s0 += x - x
	}
	return (s0+s1)+(s2+s3) == 0
}

// IsFinite reports whether x is neither NaN nor ±Inf.
func IsFinite(x float64) bool { return math.Abs(x) <= math.MaxFloat64 }

// NearestFinite returns the finite number nearest x, or NaN for NaN.
func NearestFinite(x float64) float64 { return max(-math.MaxFloat64, min(x, math.MaxFloat64)) }
