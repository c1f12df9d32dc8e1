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

// Radius returns R = max ‖xᵢ‖, or max ‖(xᵢ, 1)‖ in Affine space, rounded up, in O(nd). It returns
// ErrEmpty for no rows or no features, ErrDimension for rows of different widths, ErrNotFinite for
// a NaN or an infinity in a row or if R overflows, and ErrConfig if s is unknown.
func Radius(X [][]float64, s Space) (float64, error) {
	if err := checkPoints(X, s); err != nil {
		return 0, err
	}
	scale, one := pointScale(s, X...), appended(s)
	var longest float64 // of the rows times scale
	for _, x := range X {
		// The relative error of the plain sum is below 10⁻⁹. If it shows that the row is
		// not the longest, no exact sum is needed.
		if scale == 1 && vec.Dot(x, x)+one < 0.99*longest*longest {
			continue
		}
		square := pointDot(x, one, scale, x, one, scale)
		longest = max(longest, square.SqrtUp())
	}
	return finite("R", exact.UnscaledUp(longest, scale))
}

// Gamma returns the margin that h achieves on the rows, rounded down:
//
//	γ = min yᵢ(⟨w, xᵢ⟩ + b)/‖(w, b)‖ in Affine space,
//	γ = min yᵢ⟨w, xᵢ⟩/‖w‖ in Linear space.
//
// If γ > 0, the data is separable, and its margin is at least γ. The Euclidean margin, the least
// y·[Hyperplane.Distance], is then larger unless b = 0. Products about 10²⁷⁰ times smaller than the
// largest are left out, and γ is lowered by a bound on their sum. Gamma takes O(nd). It returns
// ErrNotFinite if h is not finite or all zero, a row is not finite, or γ overflows; ErrUntrained if
// h has no weights; ErrConfig for a bias in Linear space or an unknown s; and ErrEmpty,
// ErrDimension and ErrLabel as Fit does.
func Gamma(h Hyperplane, X [][]float64, y []int, s Space) (float64, error) {
	gamma := math.Inf(1)
	if err := eachMargin(h, X, y, s, func(m float64) { gamma = min(gamma, m) }); err != nil {
		return 0, err
	}
	return finite("the margin", gamma)
}

// Deviations returns how far rows fall short of a margin γ from h, rounded up:
//
//	D = √Σ max(0, γ − mᵢ)²,  L = Σ max(0, γ − mᵢ),  mᵢ = yᵢ(⟨w, xᵢ⟩ + b)/‖(w, b)‖.
//
// For T epochs, [InseparableBound] takes √T·D and T·L. Deviations takes O(nd) time and O(n) memory.
// It returns ErrConfig if gamma is negative or not finite, ErrNotFinite if D or L overflows, and
// the errors of [Gamma].
func Deviations(h Hyperplane, X [][]float64, y []int, s Space, gamma float64) (D, L float64, err error) {
	shortfalls := make([]float64, 0, len(X))
	add := func(m float64) {
		short, low := exact.TwoSum(gamma, -m)
		if low > 0 {
			short = exact.Next(short)
		}
		shortfalls = append(shortfalls, max(0, short))
	}
	if err = cmp.Or(
		require(gamma >= 0 && vec.IsFinite(gamma), ErrConfig, "gamma is %v, want a finite number of at least 0", gamma),
		eachMargin(h, X, y, s, add),
	); err != nil {
		return 0, 0, err
	}
	// The shortfalls may be much smaller than the rows and γ, so they have a scale of their own.
	scale := exact.PowerScale(vec.Largest(shortfalls))
	var squares, sum exact.Sum
	for _, short := range shortfalls {
		squares.AddProduct(short, scale, short, scale)
		sum.AddProduct(short, scale, 1, 1)
	}
	D, L = exact.UnscaledUp(squares.SqrtUp(), scale), exact.UnscaledUp(sum.Upper(), scale)
	if !vec.IsFinite(D) || !vec.IsFinite(L) {
		return 0, 0, fmt.Errorf("%w: the deviations overflow, though every feature is finite", ErrNotFinite)
	}
	return D, L, nil
}

// eachMargin computes the margin y·score/‖(w, b)‖ of every row, rounded down, and calls use with
// it.
func eachMargin(h Hyperplane, X [][]float64, y []int, s Space, use func(m float64)) error {
	if err := cmp.Or(h.check(s), checkLabelled(X, y, len(h.Weights), s)); err != nil {
		return err
	}
	w, b := h.Weights, h.Bias
	wScale := exact.PowerScale(max(vec.Largest(w), math.Abs(b)))
	length := lengthOf(pointDot(w, b, wScale, w, b, wScale))
	for i, x := range X {
		scale := pointScale(s, x) // of this row alone, so that a short row keeps its digits
		z := pointDot(w, b, wScale, x, 1, scale)
		if y[i] < 0 {
			z = z.Negated()
		}
		use(length.marginDown(z, scale))
	}
	return nil
}

// MulticlassGamma returns the margin that all hyperplanes achieve together, rounded down: the
// least, over all rows x of class y and other classes r, of
//
//	(⟨w_y, x⟩ + b_y − ⟨w_r, x⟩ − b_r)/‖W‖,  ‖W‖² = Σ (‖w_c‖² + b_c²) over all classes c.
//
// In Linear space the biases are 0. If γ is positive, each row's own class has the highest score.
// The margin in [MulticlassBound] is at least γ. With K classes it takes O(nKd). It returns the
// errors of [Hyperplanes]; ErrLabel if there is only one class, or if a label is none of the
// classes; ErrNotFinite if all hyperplanes are zero; and the errors of [Gamma].
func MulticlassGamma(h Hyperplanes, X [][]float64, y []int, s Space) (float64, error) {
	if err := h.checkMargin(X, y, s); err != nil {
		return 0, err
	}
	wScale := exact.PowerScale(h.largest())
	var square exact.Sum
	for _, p := range h.Planes {
		square.AddDot(p.Weights, wScale, p.Weights, wScale)
		square.AddProduct(p.Bias, wScale, p.Bias, wScale)
	}
	gamma, length, scores := math.Inf(1), lengthOf(square), make([]exact.Sum, len(h.Planes))
	for i, x := range X {
		scale := pointScale(s, x)
		for c, p := range h.Planes {
			scores[c] = pointDot(p.Weights, p.Bias, wScale, x, 1, scale)
		}
		own, _ := slices.BinarySearch(h.Classes, y[i])
		for r, score := range scores {
			if r != own {
				gamma = min(gamma, length.marginDown(scores[own].Minus(score), scale))
			}
		}
	}
	return finite("the margin", gamma)
}

// finite returns v, or an error if it has overflowed.
func finite(name string, v float64) (float64, error) {
	if !vec.IsFinite(v) {
		return 0, fmt.Errorf("%w: %s overflows, though every feature is finite", ErrNotFinite, name)
	}
	return v, nil
}

// largest returns the largest magnitude of a weight or bias.
func (h Hyperplanes) largest() (top float64) {
	for _, p := range h.Planes {
		top = max(top, vec.Largest(p.Weights), math.Abs(p.Bias))
	}
	return top
}

// A length is an upper and a lower bound on a Euclidean norm.
type length struct{ most, least float64 }

// lengthOf returns bounds on the root of square.
func lengthOf(square exact.Sum) length { return length{square.SqrtUp(), square.SqrtDown()} }

// marginDown returns z/scale divided by the length, rounded down. So it divides a positive z by the
// upper bound, and a negative z by the lower one.
func (l length) marginDown(z exact.Sum, scale float64) float64 {
	by := l.most
	if z.Lower() < 0 {
		by = l.least
	}
	return exact.DivideDown(exact.DivideDown(z.Lower(), by), scale)
}

// checkMargin returns an error unless h is valid, has two classes or more, and is not all zero, and
// the rows and labels fit it.
func (h Hyperplanes) checkMargin(X [][]float64, y []int, s Space) error {
	if err := h.check(); err != nil {
		return err
	}
	for c, p := range h.Planes {
		if err := p.checkNumbers(s); err != nil {
			return fmt.Errorf("%w, in the hyperplane of class %d", err, h.Classes[c])
		}
	}
	return cmp.Or(
		require(len(h.Classes) > 1, ErrLabel, "%d is the only class, want at least two classes", h.Classes[0]),
		require(h.largest() > 0, ErrNotFinite, "every hyperplane is all zero, and they have no margin"),
		checkRows(X, y, len(h.Planes[0].Weights)), checkClasses(y, h.Classes), checkPoints(X, s),
	)
}

// checkClasses returns an error unless every label is one of the ascending classes.
func checkClasses(y, classes []int) error {
	for i, label := range y {
		if _, known := slices.BinarySearch(classes, label); !known {
			return &ExampleError{i, fmt.Errorf("%w: %d, want one of the classes", ErrLabel, label)}
		}
	}
	return nil
}

// checkLabelled returns the first error of checkRows, checkSigns and checkPoints.
func checkLabelled(X [][]float64, y []int, d int, s Space) error {
	return cmp.Or(checkRows(X, y, d), checkSigns(y), checkPoints(X, s))
}

// checkPoints returns an error unless s is a Space and X has rows, all finite and of one width.
func checkPoints(X [][]float64, s Space) error {
	if err := cmp.Or(checkSpace(s), require(len(X) > 0, ErrEmpty, "no rows")); err != nil {
		return err
	}
	for i, x := range X {
		if d := len(X[0]); d == 0 || len(x) != d || !vec.Finite(x) {
			return &ExampleError{i, train.ScoreError(d, x)}
		}
	}
	return nil
}

// checkSpace returns an error unless s is a Space.
func checkSpace(s Space) error { return checkName("Space", int(s), train.SpaceNames) }

// appended returns the coordinate that s appends to every row: 1, or 0 in Linear space.
func appended(s Space) float64 {
	if s == Affine {
		return 1
	}
	return 0
}

// pointScale returns a power of two. Multiplied by it, the coordinates of X have products that do
// not overflow.
func pointScale(s Space, X ...[]float64) float64 {
	top := appended(s)
	for _, x := range X {
		top = max(top, vec.Largest(x))
	}
	return exact.PowerScale(top)
}

// pointDot returns ⟨(a, aLast), (b, bLast)⟩·aScale·bScale. The last coordinates are biases or ones.
func pointDot(a []float64, aLast, aScale float64, b []float64, bLast, bScale float64) exact.Sum {
	var sum exact.Sum
	sum.AddDot(a, aScale, b, bScale)
	sum.AddProduct(aLast, aScale, bLast, bScale)
	return sum
}
