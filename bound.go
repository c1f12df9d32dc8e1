package perceptron

import (
	"fmt"
	"math"
	"math/big"
)

// Radius returns R = max ‖xᵢ‖, or max ‖(xᵢ, 1)‖ in Affine space, rounded up: no
// row is longer, in exact arithmetic. It takes O(nd).
//
// It returns ErrEmpty for no rows or rows of no features, ErrDimension for rows
// of different widths, ErrNotFinite for a NaN or an infinity in a row or if R
// overflows, and ErrConfig for a Space that there is not.
func Radius(X [][]float64, s Space) (float64, error) {
	scale, err := rowScale(X, s)
	if err != nil {
		return 0, err
	}
	var longest float64 // of the rows times scale
	for _, x := range X {
		// The plain sum is good to a part in 10⁹: it saves the exact sum for
		// rows that may be the longest.
		if scale == 1 && squaredNorm(x, s) < 0.99*longest*longest {
			continue
		}
		square := exactDot(x, scale, x, scale)
		if s == Affine {
			square.addProduct(1, scale, 1, scale)
		}
		longest = max(longest, square.sqrtUp())
	}
	R := longest / scale
	if R*scale < longest { // R is subnormal, and was rounded down
		R = next(R)
	}
	if !isFinite(R) {
		return 0, fmt.Errorf("%w: R overflows, though every feature is finite", ErrNotFinite)
	}
	return R, nil
}

// Gamma returns the margin that h achieves on the rows, rounded down:
//
//	γ = min yᵢ(⟨w, xᵢ⟩ + b)/‖(w, b)‖ in Affine space,
//	γ = min yᵢ⟨w, xᵢ⟩/‖w‖ in Linear space.
//
// The data is separable if that is positive, and the margin of the data, the
// largest γ of any hyperplane, is at least that. It takes O(nd).
//
// It returns ErrNotFinite if the hyperplane is not finite or all zero, or a row
// is not finite; ErrUntrained if h has no weights; ErrConfig if it has a bias in
// Linear space; ErrEmpty, ErrDimension and ErrLabel as [Online.Fit] does.
func Gamma(h Hyperplane, X [][]float64, y []int, s Space) (float64, error) {
	if err := h.check(s); err != nil {
		return 0, err
	}
	if err := checkRows(X, y, len(h.Weights)); err != nil {
		return 0, err
	}
	if err := checkBinary(y); err != nil {
		return 0, err
	}
	scale, err := rowScale(X, s)
	if err != nil {
		return 0, err
	}
	wScale := powerScale(max(largest(h.Weights), math.Abs(h.Bias)))
	least := math.Inf(1) // of the y·score, with w and rows scaled
	for i, x := range X {
		z := exactDot(h.Weights, wScale, x, scale)
		z.addProduct(h.Bias, wScale, 1, scale)
		if y[i] < 0 {
			z = z.negated()
		}
		least = min(least, z.lower())
	}
	square := exactDot(h.Weights, wScale, h.Weights, wScale)
	square.addProduct(h.Bias, wScale, h.Bias, wScale)
	length := square.sqrtUp()
	if least < 0 {
		length = square.sqrtDown()
	}
	gamma := divideDown(divideDown(least, length), scale)
	if !isFinite(gamma) {
		return 0, fmt.Errorf("%w: the margin overflows, though every feature is finite", ErrNotFinite)
	}
	return gamma, nil
}

// check tells whether h is a hyperplane of the space.
func (h Hyperplane) check(s Space) error {
	switch {
	case int(s) >= len(spaceNames):
		return fmt.Errorf("%w: %v is no Space", ErrConfig, s)
	case len(h.Weights) == 0:
		return fmt.Errorf("%w: the hyperplane has no weights", ErrUntrained)
	case !finite(h.Weights) || !isFinite(h.Bias):
		return fmt.Errorf("%w: the hyperplane %v", ErrNotFinite, h)
	case s == Linear && h.Bias != 0:
		return fmt.Errorf("%w: the bias is %v in Linear space, want 0", ErrConfig, h.Bias)
	case largest(h.Weights) == 0 && h.Bias == 0:
		return fmt.Errorf("%w: the hyperplane is all zero and has no margin", ErrNotFinite)
	}
	return nil
}

// MistakeBound returns (R/γ)², rounded up.
//
// Theorem (Novikoff 1962). Let a unit vector u satisfy y⟨u, x⟩ ≥ γ > 0 for every
// example, and ‖x‖ ≤ R. Then [Online], started from zero with any rate η > 0,
// makes at most (R/γ)² mistakes on them, in any order and over any number of
// epochs. In Affine space x stands for (x, 1).
//
// Proof. Each mistake adds ηy⟨u, x⟩ ≥ ηγ to ⟨u, w⟩, so after k of them ‖w‖ ≥
// ⟨u, w⟩ ≥ ηkγ. And it adds 2ηy⟨w, x⟩ + η²‖x‖² ≤ η²R² to ‖w‖², so ‖w‖² ≤ η²kR².
// Together k²γ² ≤ kR².
//
// γ ≤ 0 gives +Inf, for the theorem says nothing then; NaN or a negative R gives
// NaN.
func MistakeBound(R, gamma float64) float64 {
	switch {
	case math.IsNaN(R) || math.IsNaN(gamma) || R < 0:
		return math.NaN()
	case gamma <= 0 || math.IsInf(R, 1):
		return math.Inf(1)
	case math.IsInf(gamma, 1) || R == 0:
		return 0
	}
	return roundUp(quotient(square(R), square(gamma)))
}

// square returns v² exactly.
func square(v float64) *big.Float {
	f := new(big.Float).SetPrec(106).SetFloat64(v)
	return f.Mul(f, f)
}

// quotient returns a/b rounded up to a float64's precision.
func quotient(a, b *big.Float) *big.Float {
	return new(big.Float).SetPrec(53).SetMode(big.ToPositiveInf).Quo(a, b)
}

// roundUp returns the least float64 that is not below f.
func roundUp(f *big.Float) float64 {
	v, accuracy := f.Float64()
	if accuracy == big.Below {
		v = next(v)
	}
	return v
}

// rowScale checks the rows of X and returns the power of two that brings them
// into a range where products neither overflow nor vanish.
func rowScale(X [][]float64, s Space) (float64, error) {
	switch {
	case int(s) >= len(spaceNames):
		return 0, fmt.Errorf("%w: %v is no Space", ErrConfig, s)
	case len(X) == 0:
		return 0, fmt.Errorf("%w: no rows", ErrEmpty)
	}
	var top float64
	if s == Affine {
		top = 1
	}
	for i, x := range X {
		if err := checkWidth(len(X[0]), x); err != nil {
			return 0, &ExampleError{i, err}
		}
		if !finite(x) {
			return 0, &ExampleError{i, scoreError(len(x), x)}
		}
		top = max(top, largest(x))
	}
	return powerScale(top), nil
}

// largest returns max |vⱼ|.
func largest(v []float64) float64 {
	var top float64
	for _, x := range v {
		top = max(top, math.Abs(x))
	}
	return top
}

// powerScale returns 1 for a magnitude whose square is far from float64's
// limits, else the power of two that brings it near 1.
func powerScale(top float64) float64 {
	if top == 0 || 0x1p-400 < top && top < 0x1p400 {
		return 1
	}
	_, e := math.Frexp(top)
	return math.Ldexp(1, min(-e, 1000))
}
