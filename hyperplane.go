package perceptron

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"perceptron/internal/saved"
	"perceptron/internal/train"
	"perceptron/internal/vec"
)

var _, _ Predictor = Hyperplane{}, Hyperplanes{}

// A Hyperplane is the set {x : ⟨w, x⟩ + b = 0}. Predict returns +1 on it and on the side that its weights
// point to. It is plain data.
type Hyperplane struct {
	Weights []float64 `json:"weights"`
	Bias    float64   `json:"bias"`
}

// Score returns ⟨w, x⟩ + b in O(d) without allocating.
func (h Hyperplane) Score(x []float64) (float64, error) {
	if len(h.Weights) == 0 {
		return 0, h.checkWeights()
	}
	s := vec.Dot(h.Weights, x) + h.Bias
	if !vec.IsFinite(s) {
		return 0, cmp.Or(h.checkNumbers(Affine), train.ScoreError(len(h.Weights), x))
	}
	return s, nil
}

// Predict returns +1 for a score ≥ 0, else −1.
func (h Hyperplane) Predict(x []float64) (int, error) { return sign(h.Score(x)) }

// Distance returns (⟨w, x⟩ + b)/‖w‖, the signed Euclidean distance of x from the hyperplane, positive on the
// side labelled +1.
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

// Hyperplanes are what a trained model of many classes predicts with: one hyperplane for each class. They are
// plain data, which encoding/json reads by itself. Methods return ErrConfig if Classes do not ascend.
type Hyperplanes struct {
	Classes []int        `json:"classes"` // ascending
	Planes  []Hyperplane `json:"planes"`
}

// Scores appends each class's ⟨w, x⟩ + b to dst, in the order of Classes, and returns the extended slice, in
// O(Kd). It allocates only if dst is too small.
func (h Hyperplanes) Scores(dst, x []float64) ([]float64, error) {
	if err := h.check(); err != nil {
		return dst, err
	}
	scores := dst
	for _, p := range h.Planes {
		s, err := p.Score(x)
		if err != nil {
			return dst, err
		}
		scores = append(scores, s)
	}
	return scores, nil
}

// Predict returns the class with the highest score, and the lowest of several such classes. It takes O(Kd)
// without allocating.
func (h Hyperplanes) Predict(x []float64) (int, error) {
	if err := h.check(); err != nil {
		return 0, err
	}
	label, high := 0, math.Inf(-1)
	for c, class := range h.Classes {
		s, err := h.Planes[c].Score(x)
		if err != nil {
			return 0, err
		}
		if s > high {
			label, high = class, s
		}
	}
	return label, nil
}

// check returns an error unless there is one hyperplane for each class, all have the same width,
// and the classes ascend. It takes O(K).
func (h Hyperplanes) check() error {
	switch {
	case len(h.Planes) != len(h.Classes):
		return fmt.Errorf("%w: len(Planes) is %d, but len(Classes) is %d", ErrDimension, len(h.Planes), len(h.Classes))
	case len(h.Planes) == 0 || len(h.Planes[0].Weights) == 0:
		return fmt.Errorf("%w: no hyperplanes, or no weights in the first", ErrUntrained)
	}
	for c, class := range h.Classes {
		switch d, first := len(h.Planes[c].Weights), len(h.Planes[0].Weights); {
		case d != first:
			return fmt.Errorf("%w: the hyperplane of class %d has %s, want %d", ErrDimension, class, saved.Count(d, "weight", "weights"), first)
		case c > 0 && h.Classes[c-1] >= class:
			return fmt.Errorf("%w: class %d follows class %d, want ascending classes", ErrConfig, class, h.Classes[c-1])
		}
	}
	return nil
}

// vector returns a copy of h as one vector, with the bias as its last element.
func (h *Hyperplane) vector() []float64 { return append(slices.Clone(h.Weights), h.Bias) }

// isZero reports whether all weights and the bias are 0.
func (h Hyperplane) isZero() bool { return h.Bias == 0 && vec.Largest(h.Weights) == 0 }

func (h Hyperplane) clone() Hyperplane { return Hyperplane{slices.Clone(h.Weights), h.Bias} }

// planeOf returns the hyperplane whose d weights are the first d elements of z, and whose bias is
// the element after them. The weights share z's memory.
func planeOf(z []float64, d int) Hyperplane { return Hyperplane{Weights: z[:d:d], Bias: z[d]} }

// check returns an error unless h is a hyperplane of the space: finite, and not all zero.
func (h Hyperplane) check(s Space) error {
	return cmp.Or(
		h.checkWeights(),
		h.checkNumbers(s),
		require(!h.isZero(), ErrNotFinite, "the hyperplane is all zero and has no margin"),
	)
}

func (h Hyperplane) checkWeights() error {
	return require(len(h.Weights) > 0, ErrUntrained, "the hyperplane has no weights")
}

// checkNumbers returns an error if a weight or the bias is not finite, or if h has a bias in Linear
// space.
func (h Hyperplane) checkNumbers(s Space) error {
	j := vec.FirstInfinite(h.Weights)
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

func sign(s float64, err error) (int, error) {
	switch {
	case err != nil:
		return 0, err
	case s >= 0:
		return +1, nil
	}
	return -1, nil
}

// A Binary is a Model of two classes, +1 and −1: [*Online], [*Batch] or [*Margin].
type Binary interface {
	Model
	Score(x []float64) (float64, error)
	Hyperplane() Hyperplane
}
