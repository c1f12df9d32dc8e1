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

// Radius returns R = max ‖xᵢ‖, or max ‖(xᵢ, 1)‖ in Affine space, rounded up.
func Radius[R Row](X []R, s Space) (float64, error) { return radius(rowsOf(X), s) }

func radius(X []vec.Row, s Space) (float64, error) {
	if err := checkPoints(X, 0, s); err != nil {
		return 0, err
	}
	scale, one := pointScale(s, X...), appended(s)
	var longest float64 // the length of the longest row so far, times scale
	for _, x := range X {
		// The plain sum has a relative error below 10⁻⁹. If the sum shows that the row is
		// not the longest, no exact sum is needed.
		if scale == 1 && vec.Dot(x.Value, x.Value)+one < 0.99*longest*longest {
			continue
		}
		square := pointDot(x.Value, one, scale, vec.Row{Value: x.Value}, one, scale)
		longest = max(longest, square.SqrtUp())
	}
	return finite("R", exact.UnscaledUp(longest, scale))
}

// Gamma returns the margin that h achieves on the rows, rounded down:
//
//	γ = min yᵢ(⟨w, xᵢ⟩ + b)/‖(w, b)‖, or min yᵢ⟨w, xᵢ⟩/‖w‖ in Linear space.
//
// If γ > 0, the data is separable, and its margin is at least γ. The Euclidean margin, the least
// y·[Hyperplane.Distance], is then larger unless b = 0. For a hyperplane that is all zero, Gamma returns
// ErrNotFinite. It takes O(nd).
func Gamma[R Row](h Hyperplane, X []R, y []int, s Space) (float64, error) {
	return gammaOf(h, rowsOf(X), y, s)
}

func gammaOf(h Hyperplane, X []vec.Row, y []int, s Space) (float64, error) {
	gamma := math.Inf(1)
	least := func(m float64) float64 { gamma = min(gamma, m); return gamma }
	if err := eachMargin(h, X, y, s, least); err != nil {
		return 0, err
	}
	return finite("the margin", gamma)
}

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

// eachMargin calls use with the margin y·score/‖(w, b)‖ of each row, rounded down. use returns a
// limit: eachMargin may leave out rows whose margin is larger than the last limit.
func eachMargin(h Hyperplane, X []vec.Row, y []int, s Space, use func(m float64) (most float64)) error {
	if err := cmp.Or(h.check(s), checkLabelled(X, y, len(h.Weights), s)); err != nil {
		return err
	}
	w, b := h.Weights, h.Bias
	wScale := exact.PowerScale(max(vec.Largest(w), math.Abs(b)))
	length := lengthOf(pointDot(w, b, wScale, vec.Row{Value: w}, b, wScale))
	most := math.Inf(1)
	for i, x := range X {
		// doubt bounds the rounding error of the margin, and that of the plain score divided by ‖w‖.
		doubt := 0x1p-52 * float64(len(x.Value)+32) * math.Sqrt(vec.Dot(x.Value, x.Value)+1)
		if wScale == 1 && float64(y[i])*(x.Dot(w)+b) > length.most*(most+doubt) {
			continue
		}
		scale := pointScale(s, x) // of this row alone, so that a short row keeps its digits
		z := pointDot(w, b, wScale, x, 1, scale)
		if y[i] < 0 {
			z = z.Negated()
		}
		most = use(length.marginDown(z, scale))
	}
	return nil
}

// finite returns v, or an error if it has overflowed.
func finite(name string, v float64) (float64, error) {
	if !vec.IsFinite(v) {
		return 0, fmt.Errorf("%w: %s overflows, though every feature is finite", ErrNotFinite, name)
	}
	return v, nil
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

// checkLabelled returns an error unless X has points, and each has a label of +1 or −1.
func checkLabelled(X []vec.Row, y []int, d int, s Space) error {
	return cmp.Or(train.CheckLengths(len(X), len(y)), train.CheckSigns(y), checkPoints(X, d, s))
}

// checkPoints returns an error unless s is a Space and X has rows, all finite and of d features, or
// of widthOf(X) if d is 0.
func checkPoints(X []vec.Row, d int, s Space) error {
	if err := cmp.Or(checkSpace(s), require(len(X) > 0, ErrEmpty, "no rows")); err != nil {
		return err
	}
	d = cmp.Or(d, widthOf(X))
	for i, x := range X {
		x.Width = d
		if err := train.CheckRow(&x, d); err != nil {
			return &ExampleError{i, err}
		}
	}
	return nil
}

// rowsOf returns the rows of X, which share its memory.
func rowsOf[R Row](X []R) []vec.Row {
	rows := make([]vec.Row, len(X))
	for i := range X {
		switch x := any(&X[i]).(type) {
		case *[]float64:
			rows[i].Value = *x
		case *Sparse:
			rows[i] = x.row(0)
		}
	}
	return rows
}

// widthOf returns the number of features: that of the first dense row, or one more than the largest
// index of sparse rows. It is at most mostWidth: a row with a larger index is not valid.
func widthOf(X []vec.Row) int {
	d := uint64(1)
	for i := range X {
		switch x := &X[i]; {
		case x.Index == nil:
			return len(x.Value)
		case len(x.Index) > 0:
			d = max(d, uint64(slices.Max(x.Index))+1)
		}
	}
	return int(min(d, mostWidth))
}

func checkSpace(s Space) error { return checkName("Space", int(s), train.SpaceNames) }

// appended returns the coordinate that s appends to every row: 1, or 0 in Linear space.
func appended(s Space) float64 {
	if s == Affine {
		return 1
	}
	return 0
}

// pointScale returns a power of two. If the coordinates of X are multiplied by it, their products
// do not overflow.
func pointScale(s Space, X ...vec.Row) float64 {
	top := appended(s)
	for _, x := range X {
		top = max(top, vec.Largest(x.Value))
	}
	return exact.PowerScale(top)
}

// pointDot returns ⟨(a, aLast), (b, bLast)⟩·aScale·bScale. The last coordinates are biases, or
// those that the space appends.
func pointDot(a []float64, aLast, aScale float64, b vec.Row, bLast, bScale float64) exact.Sum {
	var sum exact.Sum
	for k, v := range b.Value {
		sum.AddProduct(a[b.At(k)], aScale, v, bScale)
	}
	sum.AddProduct(aLast, aScale, bLast, bScale)
	return sum
}
