package vec

import (
	"math"
	"slices"

	"perceptron/internal/exact"
)

// Finite reports whether every element is neither NaN nor ±Inf.
func Finite(v []float64) bool {
	largest := uint64(0) // of the bits, without the signs
	for _, x := range v {
		largest = max(largest, math.Float64bits(x)<<1)
	}
	return largest < math.Float64bits(math.Inf(1))<<1
}

// FirstInfinite returns the index of the first element that is NaN or ±Inf, or −1.
func FirstInfinite(v []float64) int {
	return slices.IndexFunc(v, func(x float64) bool { return !IsFinite(x) })
}

// IsFinite reports whether x is neither NaN nor ±Inf.
func IsFinite(x float64) bool { return math.Abs(x) <= math.MaxFloat64 }

// NearestFinite returns the finite number nearest x, or NaN for NaN.
func NearestFinite(x float64) float64 { return max(-math.MaxFloat64, min(x, math.MaxFloat64)) }

// Sign returns +1 if up is true, else −1. It compiles to code without a branch, because a processor
// could not predict the branch.
func Sign(up bool) float64 {
	flip := uint64(1 << 63)
	if up {
		flip = 0
	}
	return math.Float64frombits(math.Float64bits(1) ^ flip)
}

// Mean returns an element of the mean of n iterates: (n·w − u)/n, where w is the element of the
// last iterate, and u = sum + low, as [Accumulate] computes them. If n·w − u overflows, Mean first
// scales its arguments down. The exact mean is finite, because all iterates are. So if the result
// overflows by rounding, Mean returns the nearest finite number.
func Mean(w, sum, low, n float64) float64 {
	if m := meanWithin(w, sum, low, n); IsFinite(m) {
		return m
	}
	const scale = 0x1p-54 // n is at most 2⁵³
	return NearestFinite(meanWithin(w*scale, sum*scale, low*scale, n) / scale)
}

// meanWithin is Mean if n·w − u does not overflow.
func meanWithin(w, sum, low, n float64) float64 {
	p := float64(n * w)
	e := math.FMA(n, w, -p)
	s, r := exact.TwoSum(p, -sum)
	return (s + ((r - low) + e)) / n
}
