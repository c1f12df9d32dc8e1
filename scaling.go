package perceptron

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"perceptron/internal/exact"
	"perceptron/internal/train"
	"perceptron/internal/vec"
)

// A Scaling shifts and divides each feature: z_j = (x_j − Mean_j)/Scale_j. [Standardize] computes one. The
// zero value changes nothing. It is plain data.
type Scaling struct {
	Mean  []float64    `json:"mean"`
	Scale []float64    `json:"scale"`          // positive
	Range [2][]float64 `json:"range,omitzero"` // the least and the greatest raw value of each feature; Waves see it limited to these, if any
}

// Standardize returns the mean, the population standard deviation and the range of each feature, so that
// every scaled feature of X has mean 0 and deviation 1, up to rounding. Use training rows alone, and scale
// the other rows with the same Scaling. If all values of a feature are equal, its Scale is 1. If they differ
// by rounding errors alone, these are scaled to deviation 1 too. Deviations are right to a few units in the
// last place, and means to 2⁻⁵³ of themselves or n·2⁻¹⁰⁰ of the largest |x_j|. It takes O(nd).
func Standardize(X [][]float64) (Scaling, error) {
	if err := checkPoints(rowsOf(X), 0, Linear); err != nil {
		return Scaling{}, err
	}
	mean, deviation := exact.Moments(X)
	for j, v := range deviation {
		deviation[j] = cmp.Or(v, 1)
	}
	low, high := slices.Clone(X[0]), slices.Clone(X[0])
	for _, x := range X[1:] {
		for j, v := range x {
			low[j], high[j] = min(low[j], v), max(high[j], v)
		}
	}
	return Scaling{mean, deviation, [2][]float64{low, high}}, nil
}

// Apply appends the scaled row to dst and returns the extended slice, in O(d). It allocates only if dst is
// too small. To scale x in place, pass x[:0] as dst: then an overflow may leave x changed in part.
func (s Scaling) Apply(dst, x []float64) ([]float64, error) {
	if len(x) == 0 || !vec.Finite(x) {
		return dst, train.ScoreError(len(x), x)
	}
	if err := s.check(len(x)); err != nil {
		return dst, err
	}
	all := append(dst, x...)
	z := all[len(dst):][:len(s.Mean)]
	scale := s.Scale[:len(z)]
	for j, mean := range s.Mean {
		z[j] = (z[j] - mean) / scale[j]
	}
	if !vec.Finite(z) {
		return dst, fmt.Errorf("%w: feature %d overflows when it is scaled", ErrNotFinite, vec.FirstInfinite(z))
	}
	return all, nil
}

// ApplyAll returns the scaled rows, new and adjacent in memory, in O(nd).
func (s Scaling) ApplyAll(X [][]float64) ([][]float64, error) {
	if err := checkPoints(rowsOf(X), 0, Linear); err != nil {
		return nil, err
	}
	return mapAll(X, len(X[0]), s.Apply)
}

// mapAll returns what f appends for each row: new rows of the given width, adjacent in memory.
func mapAll(X [][]float64, width int, f func(dst, x []float64) ([]float64, error)) ([][]float64, error) {
	if uint64(len(X))*uint64(width) > math.MaxInt/8 {
		return nil, fmt.Errorf("%w: %d rows of %d features exceed the memory", ErrConfig, len(X), width)
	}
	all, memory := make([][]float64, len(X)), make([]float64, len(X)*width)
	n := inParts(len(X), 1, func(first, end int) int {
		for i := first; i < end; i++ {
			var err error
			if all[i], err = f(memory[i*width:i*width:(i+1)*width], X[i]); err != nil {
				return i - first
			}
		}
		return end - first
	})
	if n < len(X) {
		_, err := f(nil, X[n])
		return nil, &ExampleError{n, err}
	}
	return all, nil
}

// appendUnit appends v/‖v‖ to dst. It appends v itself if ‖v‖ is 0 or not finite: the model then
// reports the element that is not finite.
func appendUnit(dst, v []float64) []float64 {
	all := append(dst, v...)
	unit := all[len(dst):]
	norm, e := vec.ScaledNorm(v)
	if norm == 0 || !vec.IsFinite(norm) {
		return all
	}
	for k, x := range unit {
		if e != 0 {
			x = math.Ldexp(x, -e)
		}
		unit[k] = x / norm
	}
	return all
}

// Unscale returns the hyperplane that gives a raw row the score that h gives the scaled row: its weights are
// w_j/Scale_j, and its bias b′ = b − Σ w_j·Mean_j/Scale_j, also in Linear space. The bias is computed with
// 200 bits and rounded once. In exact arithmetic the two scores differ by at most
//
//	2⁻⁵³·(Σ|w_j·x_j/Scale_j| + |b′|) + 2⁻¹⁰⁰·(|b| + Σ|w_j·Mean_j/Scale_j|),
//
// unless the absolute value of a new weight or of b′ is below 10⁻³⁰⁷.
func (s Scaling) Unscale(h Hyperplane) (Hyperplane, error) {
	if err := cmp.Or(h.checkWeights(), h.checkNumbers(Affine), s.check(len(h.Weights))); err != nil {
		return Hyperplane{}, err
	}
	raw := h.clone()
	raw.Bias = exact.MinusQuotients(h.Bias, h.Weights, s.Mean, s.Scale)
	for j, v := range s.Scale {
		raw.Weights[j] /= v
	}
	if err := raw.checkNumbers(Affine); err != nil {
		return Hyperplane{}, fmt.Errorf("%w in the hyperplane for raw rows", err)
	}
	return raw, nil
}

// UnscaleAll is Unscale for each class.
func (s Scaling) UnscaleAll(h Hyperplanes) (Hyperplanes, error) {
	raw, err := Hyperplanes{slices.Clone(h.Classes), slices.Clone(h.Planes)}, h.check()
	for c := 0; err == nil && c < len(raw.Planes); c++ {
		raw.Planes[c], err = s.Unscale(h.Planes[c])
	}
	if err != nil {
		return Hyperplanes{}, err
	}
	return raw, nil
}

// isZero reports whether s changes nothing because it has no numbers.
func (s Scaling) isZero() bool { return len(s.Mean)+len(s.Scale) == 0 }

func (s Scaling) clone() Scaling {
	return Scaling{slices.Clone(s.Mean), slices.Clone(s.Scale), [2][]float64{slices.Clone(s.Range[0]), slices.Clone(s.Range[1])}}
}

// check returns an error unless the fields are valid for rows of d features.
func (s Scaling) check(d int) error {
	if m, low, high := len(s.Mean), len(s.Range[0]), len(s.Range[1]); m != len(s.Scale) {
		return fmt.Errorf("%w: len(Mean) is %d, but len(Scale) is %d", ErrDimension, m, len(s.Scale))
	} else if low != high || low != m && low > 0 {
		return fmt.Errorf("%w: len(Mean) is %d, but Range has %d and %d values", ErrDimension, m, low, high)
	} else if m != d && m > 0 {
		return fmt.Errorf("%w: width %d, want %d", ErrDimension, d, m)
	}
	mean := s.Mean[:len(s.Scale)]
	for j, v := range s.Scale {
		if !vec.IsFinite(mean[j]) || !vec.IsFinite(v) || v <= 0 {
			return fmt.Errorf("%w: mean %d is %v and its scale %v, want finite numbers, the scale positive", ErrConfig, j, s.Mean[j], v)
		}
	}
	return nil
}
