package perceptron

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"perceptron/internal/train"
	"perceptron/internal/vec"
)

var _ Predictor = Hyperplane{}

// A Hyperplane is the set {x : ⟨w, x⟩ + b = 0}. It labels itself, and the side
// that its weights point to, +1. Its methods only read it, and any number of
// goroutines may call them at once.
type Hyperplane struct {
	Weights []float64 `json:"weights"`
	Bias    float64   `json:"bias"`
}

// Score returns ⟨w, x⟩ + b in O(d) without allocating.
//
// It returns ErrUntrained if h has no weights, ErrEmpty if x is empty,
// ErrDimension if x has another length, and ErrNotFinite if the score is NaN or
// infinite. Any NaN or ±Inf in x has this effect.
func (h Hyperplane) Score(x []float64) (float64, error) {
	if len(h.Weights) == 0 {
		return 0, fmt.Errorf("%w: the hyperplane has no weights", ErrUntrained)
	}
	s, err := affineScore(h.Weights, h.Bias, x)
	if err != nil {
		return 0, cmp.Or(h.checkNumbers(Affine), err)
	}
	return s, nil
}

// Predict returns +1 if the score is at least 0, else −1. Its errors are those of
// Score.
func (h Hyperplane) Predict(x []float64) (int, error) {
	s, err := h.Score(x)
	return sign(s, err)
}

// Distance returns (⟨w, x⟩ + b)/‖w‖, the signed Euclidean distance of x from the
// hyperplane. It is positive on the side labelled +1. Its errors are those of
// Score, and ErrNotFinite for w = 0.
func (h Hyperplane) Distance(x []float64) (float64, error) {
	s, err := h.Score(x)
	if err != nil {
		return 0, err
	}
	length, e := vec.ScaledNorm(h.Weights)
	m, k := math.Frexp(s)
	d := math.Ldexp(m/length, k-e)
	if !vec.IsFinite(d) {
		return 0, fmt.Errorf("%w: distance %v: score %v over ‖w‖ = %v", ErrNotFinite, d, s, vec.Norm(h.Weights))
	}
	return d, nil
}

func (h Hyperplane) clone() Hyperplane {
	return Hyperplane{Weights: slices.Clone(h.Weights), Bias: h.Bias}
}

// check reports whether h is a hyperplane of the space.
func (h Hyperplane) check(s Space) error {
	return cmp.Or(
		require(len(h.Weights) > 0, ErrUntrained, "the hyperplane has no weights"),
		h.checkNumbers(s),
		require(!h.isZero(), ErrNotFinite, "the hyperplane is all zero and has no margin"),
	)
}

// checkNumbers names a weight, or the bias, that is not finite, or a bias that the
// space excludes. Affine space excludes none.
func (h Hyperplane) checkNumbers(s Space) error {
	j := slices.IndexFunc(h.Weights, func(v float64) bool { return !vec.IsFinite(v) })
	switch {
	case j >= 0:
		return fmt.Errorf("%w: weight %d is %v", ErrNotFinite, j, h.Weights[j])
	case !vec.IsFinite(h.Bias):
		return fmt.Errorf("%w: the bias is %v", ErrNotFinite, h.Bias)
	case s == Linear && h.Bias != 0:
		return fmt.Errorf("%w: the bias is %v in Linear space, want 0", ErrConfig, h.Bias)
	}
	return nil
}

// affineScore returns ⟨w, x⟩ + b, or the reason why it is not a finite number.
func affineScore(w []float64, b float64, x []float64) (float64, error) {
	s := vec.Dot(w, x) + b
	if !vec.IsFinite(s) {
		return 0, train.ScoreError(len(w), x)
	}
	return s, nil
}

// sign is the one rule for predictions: a score of 0 is labelled +1.
func sign(s float64, err error) (int, error) {
	switch {
	case err != nil:
		return 0, err
	case s >= 0:
		return +1, nil
	}
	return -1, nil
}

// isZero reports whether all weights and the bias are 0.
func (h *Hyperplane) isZero() bool {
	return h.Bias == 0 && !slices.ContainsFunc(h.Weights, func(v float64) bool { return v != 0 })
}
