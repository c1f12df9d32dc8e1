package vec

import (
	"math"
	"slices"
)

// Finite reports whether every element is neither NaN nor ±Inf.
func Finite(v []float64) bool {
	return !slices.ContainsFunc(v, func(x float64) bool { return !IsFinite(x) })
}

// IsFinite reports whether x is neither NaN nor ±Inf.
func IsFinite(x float64) bool { return math.Abs(x) <= math.MaxFloat64 }

// NearestFinite returns the finite number nearest x, or NaN for NaN.
func NearestFinite(x float64) float64 { return max(-math.MaxFloat64, min(x, math.MaxFloat64)) }

// Sign returns +1 or −1. It has no branch, which a processor could not predict.
func Sign(up bool) float64 {
	flip := uint64(1 << 63)
	if up {
		flip = 0
	}
	return math.Float64frombits(math.Float64bits(1) ^ flip)
}
