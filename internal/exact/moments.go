package exact

import "math"

// Moments returns the mean and the population standard deviation of each column. The rows
// are finite and of one width. There are at least one and fewer than 2⁵² rows.
//
// The deviation is 0 if and only if all values of the column are equal. Its relative error
// is a few units of 2⁻⁵³. The mean has a relative error of 2⁻⁵³, and in addition an error of
// at most n·Unit times the largest magnitude. Moments makes three passes over the rows, in
// their order: one for the scales and two for the sums. It takes O(nd) time and O(d) memory.
// A column whose squares could leave float64's range is first multiplied by a power of two.
// A positive deviation below the least positive float64 is rounded up to that number.
func Moments(X [][]float64) (mean, deviation []float64) {
	d, n := len(X[0]), Double{Hi: float64(len(X))}
	mean, deviation = make([]float64, d), make([]float64, d)
	scales := make([]float64, d) // the largest magnitudes, and then PowerScale of each
	for _, x := range X {
		for j, v := range x {
			scales[j] = max(scales[j], math.Abs(v))
		}
	}
	for j, top := range scales {
		scales[j] = PowerScale(top)
	}
	means := columnSums(X, func(j int, v float64) float64 { return float64(v * scales[j]) })
	for j, sum := range means {
		means[j] = sum.Over(n)
		mean[j] = means[j].Hi / scales[j]
	}
	// The mean is Hi + Lo. If a value is close to the mean, the subtraction of Hi is exact. Then only
	// the subtraction of Lo rounds, so the difference keeps its digits.
	squares := columnSums(X, func(j int, v float64) float64 {
		e := float64(v*scales[j]) - means[j].Hi - means[j].Lo
		return float64(e * e)
	})
	for j, sum := range squares {
		// The exact deviation is at most the largest magnitude. So +Inf would be a rounding error.
		deviation[j] = min(UnscaledUp(sum.Over(n).Root().Hi, scales[j]), math.MaxFloat64)
	}
	return mean, deviation
}

// columnSums returns the sum of term(j, X[i][j]) over all rows i, for each column j.
func columnSums(X [][]float64, term func(j int, v float64) float64) []Double {
	sums := make([]Double, len(X[0]))
	for _, x := range X {
		for j, v := range x {
			sums[j] = sums[j].Plus(Double{Hi: term(j, v)})
		}
	}
	return sums
}
