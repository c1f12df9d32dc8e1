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

// Deviations returns how far rows fall short of a margin γ from h, rounded up:
//
//	D = √Σ max(0, γ − mᵢ)²,  L = Σ max(0, γ − mᵢ),  mᵢ = yᵢ(⟨w, xᵢ⟩ + b)/‖(w, b)‖.
//
// For T epochs, [InseparableBound] takes √T·D and T·L. gamma is finite and at least 0. It takes O(nd) time
// and O(n) memory.
func Deviations[R Row](h Hyperplane, X []R, y []int, s Space, gamma float64) (D, L float64, err error) {
	shortfalls := make([]float64, 0, len(X))
	add := func(m float64) float64 {
		short, low := exact.TwoSum(gamma, -m)
		if low > 0 {
			short = exact.Next(short)
		}
		shortfalls = append(shortfalls, max(0, short))
		return gamma
	}
	if err = cmp.Or(
		require(gamma >= 0 && vec.IsFinite(gamma), ErrConfig, "gamma is %v, want a finite number of at least 0", gamma),
		eachMargin(h, rowsOf(X), y, s, add),
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

// MulticlassGamma returns the margin that all hyperplanes achieve together, rounded down: the least, over all
// rows x of class y and other classes r, of
//
//	(⟨w_y, x⟩ + b_y − ⟨w_r, x⟩ − b_r)/‖W‖,  ‖W‖² = Σ (‖w_c‖² + b_c²) over all classes c,
//
// in O(nKd). In Linear space the biases are 0. If it is positive, each row's own class has the highest score.
// MulticlassBound's γ is at least as large.
func MulticlassGamma[R Row](h Hyperplanes, X []R, y []int, s Space) (float64, error) {
	rows := rowsOf(X)
	if err := h.checkMargin(rows, y, s); err != nil {
		return 0, err
	}
	wScale := exact.PowerScale(h.largest())
	var square exact.Sum
	for _, p := range h.Planes {
		square.AddDot(p.Weights, wScale, p.Weights, wScale)
		square.AddProduct(p.Bias, wScale, p.Bias, wScale)
	}
	gamma, length, scores := math.Inf(1), lengthOf(square), make([]exact.Sum, len(h.Planes))
	for i, x := range rows {
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

// largest returns the largest magnitude of a weight or bias.
func (h Hyperplanes) largest() (top float64) {
	for _, p := range h.Planes {
		top = max(top, vec.Largest(p.Weights), math.Abs(p.Bias))
	}
	return top
}

// checkMargin returns an error unless h is valid, has two classes or more, and is not all zero, and
// the rows and labels fit it.
func (h Hyperplanes) checkMargin(X []vec.Row, y []int, s Space) error {
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
		train.CheckLengths(len(X), len(y)), checkClasses(y, h.Classes), checkPoints(X, len(h.Planes[0].Weights), s),
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

// combination returns Σ λᵢyᵢxᵢ over the support, up to rounding, and ‖Σ λᵢyᵢxᵢ‖/Σλᵢ,
// rounded up.
func combination(X []vec.Row, y, support []int, lambda []float64, d int, s Space) (h Hyperplane, length float64) {
	tops, sums := make([]float64, d+1), make([]exact.Sum, d+1) // each column's largest magnitude, and its sum
	for _, i := range support {
		for k, v := range X[i].Value {
			j := X[i].At(k)
			tops[j] = max(tops[j], math.Abs(v))
		}
	}
	var square, sum exact.Sum
	for _, i := range support {
		signed := float64(y[i]) * lambda[i]
		for k, v := range X[i].Value {
			j := X[i].At(k)
			sums[j].AddProduct(signed, 1, v, exact.PowerScale(tops[j]))
		}
		sums[d].AddProduct(signed, 1, appended(s), 1)
		sum.Add(lambda[i])
	}
	z, bounds := make([]float64, d+1), make([]float64, d+1) // the coordinates, and bounds on their magnitudes
	for j, c := range sums {
		scale := exact.PowerScale(tops[j])
		z[j], bounds[j] = c.Value()/scale, exact.UnscaledUp(max(c.Upper(), c.Negated().Upper()), scale)
	}
	scale := exact.PowerScale(vec.Largest(bounds))
	square.AddDot(bounds, scale, bounds, scale)
	length = exact.DivideUp(square.SqrtUp(), sum.Lower())
	return planeOf(z, d), exact.UnscaledUp(length, scale)
}
