// Package exact computes with more digits than float64 has: pairs of float64s,
// sums with a bound on their error, and rational numbers that are rounded in a
// chosen direction.
package exact

// TwoSum returns the rounded sum a + b and its rounding error, exactly (Knuth).
func TwoSum(a, b float64) (s, e float64) {
	s = a + b
	t := s - a
	return s, (a - (s - t)) + (b - t)
}
