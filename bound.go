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

// MistakeBound returns (R/γ)². Theorem (Novikoff 1962). Let a unit vector u satisfy y⟨u, x⟩ ≥ γ > 0 for every
// example, and ‖x‖ ≤ R. Then [Online], started from zero with any rate η > 0, makes at most (R/γ)² mistakes
// on them, in any order and over any number of epochs.
//
// For this and all bounds below, and for [StartEnvelope]: in Affine space x is (x, 1) and w is (w, b). The
// rate is constant; an eta of 0 is 1. docs/theorems.md has the proofs, and what another start adds. Bounds
// and B are rounded up, margins and A down. A mu above 0, +Inf too, counts as 0. Special values are those of
// the first line that applies:
//
//	an argument is NaN, or negative and not γ or mu   every result is NaN
//	an argument is infinite and not γ                 bounds and B are +Inf, margins and A are 0
//	γ ≤ 0                                             bounds are +Inf, margins and A are 0
//	γ = +Inf                                          B is +Inf, all others are 0
func MistakeBound(R, gamma float64) float64 { return timesNovikoff(1, R, gamma) }

// StartBound bounds the mistakes of [Online] started from any w(0) of length ‖w(0)‖, under the
// conditions of [MistakeBound], with the smaller of
//
//	(R² − μ/η)/γ²  and  (R/γ)² + 2‖w(0)‖/(ηγ).
//
// Here μ = min(0, 2 min y⟨w(0), x⟩). If [Gamma] of w(0) is g < 0, μ ≥ 2g‖w(0)‖.
func StartBound(R, gamma, eta, length, mu float64) float64 {
	fall := max(0, -mu)
	if k, ok := specialCase(gamma, R, eta, length, fall); ok {
		return k
	}
	r, g, step := exact.NewRat(R), exact.NewRat(gamma), rate(eta)
	first := r.Squared().Plus(exact.NewRat(fall).Over(step)).Over(g.Squared())
	more := exact.NewRat(length).Over(step.Times(g))
	second := r.Over(g).Squared().Plus(more).Plus(more)
	return min(first.Up(), second.Up())
}

// StartEnvelope returns A and B of the bounds
//
//	Ak² ≤ ‖w(k) − w(0)‖² ≤ Bk,  A = (ηγ)²,  B = η(ηR² − μ)
//
// at the k-th mistake, for every k, under the conditions of [StartBound].
func StartEnvelope(R, gamma, eta, mu float64) (A, B float64) {
	rise, fall := max(0, gamma), max(0, -mu)
	if b, ok := specialCase(1, R, eta, fall, rise); ok {
		return min(b, 0), b
	}
	step := rate(eta)
	a := step.Times(exact.NewRat(rise)).Squared()
	b := step.Times(step.Times(exact.NewRat(R).Squared()).Plus(exact.NewRat(fall)))
	return a.Down(), b.Up()
}

// MarginBound bounds the updates of [Margin] with Gamma γ′ by (R/(γ − γ′/2))², from zero, under the
// conditions of [MistakeBound]. It is +Inf for γ′ ≥ 2γ. The final hyperplane has a margin of at least γ′/2.
func MarginBound(R, gamma, gammaPrime float64) float64 {
	if k, ok := specialCase(gamma, R, gammaPrime); ok {
		return k
	}
	rest := exact.NewRat(gamma).Minus(exact.NewRat(gammaPrime).Over(exact.NewRat(2)))
	if rest.Cmp(exact.NewRat(0)) <= 0 {
		return math.Inf(1)
	}
	return exact.NewRat(R).Over(rest).Squared().Up()
}

// ThresholdBound bounds the updates k of [Margin] with Threshold θ, from zero, and the final margin (after
// Hardt & Recht 2022), as in [MistakeBound]:
//
//	k ≤ (2θ/η + R²)/γ²,  margin ≥ γ/(2 + ηR²/θ), or 0 for θ = 0.
//
// For θ = ηR² these are 3(R/γ)² and γ/3, as for Margin's default.
func ThresholdBound(R, gamma, eta, theta float64) (k, margin float64) {
	if k, ok := specialCase(gamma, R, eta, theta); ok {
		return k, min(k, 0)
	}
	g, share := exact.NewRat(gamma), exact.NewRat(theta).Over(rate(eta))
	grows := share.Plus(share).Plus(exact.NewRat(R).Squared())
	k = grows.Over(g.Squared()).Up()
	if theta > 0 {
		margin = g.Times(share).Over(grows).Down()
	}
	return k, margin
}

// ShareBound bounds the updates of [Margin] with Share s, from zero, under the conditions of [MistakeBound].
// For K = (R/γ)², it is
//
//	K/(1 − 2s) for s < ½, or less: (2tK/(2t − 1))^(1/(2 − 2t)) for t ≥ s, ½ < t < 1,
//
// with the best of up to 30 values of t. It is +Inf for s ≥ 1. A run that ends has a margin of at least sγ.
func ShareBound(R, gamma, share float64) float64 {
	k, ok := specialCase(gamma, R, share)
	if ok {
		return k
	}
	one, novikoff := exact.NewRat(1), exact.NewRat(R).Over(exact.NewRat(gamma)).Squared()
	above := func(t float64) float64 { // the bound for t > ½
		twice := exact.NewRat(2 * t)
		if t <= 0.5 || t >= 1 {
			return math.Inf(1)
		}
		base := twice.Times(novikoff).Over(twice.Minus(one)).Up()
		return exact.PowerUp(max(1, base), one.Over(exact.NewRat(2).Minus(twice)).Up())
	}
	if k = above(share); share < 0.5 {
		k = novikoff.Over(one.Minus(exact.NewRat(2 * share))).Up()
	}
	for ahead := (1 - share) / 2; ahead > 0x1p-10; ahead *= 0.8 {
		k = min(k, above(share+ahead))
	}
	return k
}

// BatchBound bounds the misclassifications of [Batch] on n rows, summed over all epochs, from zero, by
// n(R/γ)², as in [MistakeBound]. So does MistakeBound(‖Z‖₂, γ), which is never larger. The matrix Z has the
// rows yx.
func BatchBound(n int, R, gamma float64) float64 { return timesNovikoff(n, R, gamma) }

// InseparableBound bounds the mistakes of [Online] on any data, from zero, by
//
//	min(((R + D)/γ)², ((R + √(R² + 4γL))/(2γ))²)
//
// for ‖x‖ ≤ R, any γ > 0 and any unit vector u, such as a trained hyperplane divided by its norm. Try several
// γ, and use the least bound. D² = Σ max(0, γ − y⟨u, x⟩)² and L = Σ max(0, γ − y⟨u, x⟩) have one term for
// each mistake. For T epochs in Cyclic or Shuffled order, use √T·D and T·L of [Deviations] instead. (Freund &
// Schapire 1999, Theorem 2; Mohri & Rostamizadeh 2013.)
func InseparableBound(R, gamma, D, L float64) float64 {
	if k, ok := specialCase(gamma, R, D, L); ok {
		return k
	}
	r, g := exact.NewRat(R), exact.NewRat(gamma)
	first := r.Plus(exact.NewRat(D)).Over(g).Squared()
	four := exact.NewRat(4).Times(g).Times(exact.NewRat(L))
	root := r.Squared().Plus(four).RootUp()
	second := r.Plus(root).Over(g.Plus(g)).Squared()
	return min(first.Up(), second.Up())
}

// MulticlassBound bounds the mistakes of [Multiclass] with the rule of [Online], from zero, by 2(R/γ)², in
// any order, even if classes arrive late. No example is longer than R. γ is the margin: the largest, over W
// with Σ‖w_c‖² = 1, of
//
//	min ⟨w_y − w_r, x⟩ over the examples x, their classes y, and all classes r ≠ y.
//
// [MarginBound], [ThresholdBound], [ShareBound], [MixBound] and [InseparableBound] hold too, with √2·R for R.
// For the last, u has a vector for each class, with Σ‖u_c‖² = 1, and an update of y and r has ⟨u_y − u_r, x⟩
// for y⟨u, x⟩.
func MulticlassBound(R, gamma float64) float64 { return timesNovikoff(2, R, gamma) }

// MixBound bounds iterative parameter mixing ([Mix]) of [Online] models, from zero, under the conditions of
// [MistakeBound] (McDonald et al. 2010, Theorem 3). In each round, shard s trains an epoch from the last
// mean, makes k_s mistakes and has share μ_s:
//
//	Σ over rounds of Σ_s μ_s k_s ≤ (R/γ)², the first result;
//	rounds with a mistake, under uniform shares, ≤ shards·(R/γ)², the second.
//
// Under shares proportional to the mistakes, at most (R/γ)² rounds have any. The bounds do not hold for
// [Margin] or [OneVsRest].
func MixBound(R, gamma float64, shards int) (mistakes, rounds float64) {
	if k, ok := specialCase(gamma, R, float64(shards)); ok {
		return k, k
	}
	return MistakeBound(R, gamma), BatchBound(shards, R, gamma)
}

// timesNovikoff returns n(R/γ)².
func timesNovikoff(n int, R, gamma float64) float64 {
	if k, ok := specialCase(gamma, R, float64(n)); ok {
		return k
	}
	return exact.NewRat(R).Over(exact.NewRat(gamma)).Squared().Times(exact.RatFromInt(n)).Up()
}

// specialCase returns the bound for arguments to which the theorem does not apply, and true. Such
// arguments are a NaN, an infinity, a γ that is not positive, or another argument below 0.
func specialCase(gamma float64, others ...float64) (k float64, ok bool) {
	switch {
	case math.IsNaN(gamma) || !(slices.Min(others) >= 0): // Min is NaN if one of them is
		return math.NaN(), true
	case gamma <= 0 || math.IsInf(slices.Max(others), 1):
		return math.Inf(1), true
	case math.IsInf(gamma, 1):
		return 0, true
	}
	return 0, false
}

// rate returns η for the Rate of a model, where 0 means 1.
func rate(eta float64) exact.Rat { return exact.NewRat(cmp.Or(eta, 1)) }

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
