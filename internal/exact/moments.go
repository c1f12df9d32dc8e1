package exact

import "math"

// Moments returns the mean and the population standard deviation of each column. The rows
// are finite and of one width. There are at least one and fewer than 2⁵² rows.
//
// The deviation is 0 if and only if all values of the column are equal. It has a relative
// error of a few units of 2⁻⁵³. The mean has one of 2⁻⁵³, and at most n·Unit of the
// largest value more. In two passes over the rows, in their order, it takes O(nd) time and
// O(d) memory. A column whose squares could leave float64's range is first multiplied by a
// power of two. A deviation below the least float64 is rounded up to it.
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
	// The mean is Hi + Lo. If a value is close to it, the subtraction of Hi is exact. Only that of
	// Lo is rounded then, so the difference keeps its digits.
	squares := columnSums(X, func(j int, v float64) float64 {
		e := float64(v*scales[j]) - means[j].Hi - means[j].Lo
		return float64(e * e)
	})
	for j, sum := range squares {
		// No deviation is above the largest value, so it is finite.
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
