package perceptron

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"perceptron/internal/exact"
	"perceptron/internal/vec"
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
		if scale == 1 && (&config{space: s}).squaredNorm(x) < 0.99*longest*longest {
			continue
		}
		square := exactDot(x, scale, x, scale)
		if s == Affine {
			square.addProduct(1, scale, 1, scale)
		}
		longest = max(longest, square.sqrtUp())
	}
	R := unscaledUp(longest, scale)
	if !vec.IsFinite(R) {
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
// largest γ of any hyperplane, is at least that. Terms some 270 decades below the
// largest are allowed for, not resolved. It takes O(nd).
//
// It returns ErrNotFinite if the hyperplane is not finite or all zero, or a row
// is not finite; ErrUntrained if h has no weights; ErrConfig if it has a bias in
// Linear space; ErrEmpty, ErrDimension and ErrLabel as [Online.Fit] does.
func Gamma(h Hyperplane, X [][]float64, y []int, s Space) (float64, error) {
	gamma := math.Inf(1)
	err := margins(h, X, y, s, func(m float64) { gamma = min(gamma, m) })
	if err != nil {
		return 0, err
	}
	if !vec.IsFinite(gamma) {
		return 0, fmt.Errorf("%w: the margin overflows, though every feature is finite", ErrNotFinite)
	}
	return gamma, nil
}

// Deviations returns how far the rows fall short of a margin gamma from h,
//
//	D = √Σ max(0, γ − mᵢ)²,  L = Σ max(0, γ − mᵢ),
//
// where mᵢ is the i-th row's yᵢ(⟨w, xᵢ⟩ + b)/‖(w, b)‖, or yᵢ⟨w, xᵢ⟩/‖w‖ in Linear
// space; both rounded up. They are what [InseparableBound] asks for. It takes
// O(nd); errors as of [Gamma], and ErrConfig for a gamma that is negative or not
// finite.
func Deviations(h Hyperplane, X [][]float64, y []int, s Space, gamma float64) (D, L float64, err error) {
	if !(gamma >= 0) || !vec.IsFinite(gamma) {
		return 0, 0, fmt.Errorf("%w: gamma is %v, want a finite number of at least 0", ErrConfig, gamma)
	}
	scale, err := rowScale(X, s)
	if err != nil {
		return 0, 0, err
	}
	if gamma > 0 {
		scale = min(scale, powerScale(gamma))
	}
	var squares, sum enclosure
	err = margins(h, X, y, s, func(m float64) {
		short, low := exact.TwoSum(gamma, -m)
		if low > 0 {
			short = next(short)
		}
		short = max(0, short)
		squares.addProduct(short, scale, short, scale)
		sum.addProduct(short, scale, 1, 1)
	})
	D, L = unscaledUp(squares.sqrtUp(), scale), unscaledUp(sum.upper(), scale)
	if err == nil && !(vec.IsFinite(D) && vec.IsFinite(L)) {
		err = fmt.Errorf("%w: the deviations overflow, though every feature is finite", ErrNotFinite)
	}
	if err != nil {
		return 0, 0, err
	}
	return D, L, nil
}

// margins calls each with every row's y·score/‖(w, b)‖, rounded down.
func margins(h Hyperplane, X [][]float64, y []int, s Space, each func(m float64)) error {
	if err := h.check(s); err != nil {
		return err
	}
	if err := checkRows(X, y, len(h.Weights)); err != nil {
		return err
	}
	if err := checkBinary(y); err != nil {
		return err
	}
	if _, err := rowScale(X, s); err != nil {
		return err
	}
	wScale := powerScale(max(vec.Largest(h.Weights), math.Abs(h.Bias)))
	square := exactDot(h.Weights, wScale, h.Weights, wScale)
	square.addProduct(h.Bias, wScale, h.Bias, wScale)
	longest, shortest := square.sqrtUp(), square.sqrtDown()
	for i, x := range X {
		scale, _ := rowScale(X[i:i+1], s) // its own: a short row keeps its digits
		z := exactDot(h.Weights, wScale, x, scale)
		z.addProduct(h.Bias, wScale, 1, scale)
		if y[i] < 0 {
			z = z.negated()
		}
		length := longest
		if z.lower() < 0 {
			length = shortest
		}
		each(divideDown(divideDown(z.lower(), length), scale))
	}
	return nil
}

// MistakeBound returns (R/γ)².
//
// Theorem (Novikoff 1962). Let a unit vector u satisfy y⟨u, x⟩ ≥ γ > 0 for every
// example, and ‖x‖ ≤ R. Then [Online], started from zero with any rate η > 0,
// makes at most (R/γ)² mistakes on them, in any order and over any number of
// epochs. In Affine space x stands for (x, 1) and w for (w, b), here and in all
// the bounds.
//
// Proof. Let w_k be the weights after k mistakes. Each adds ηy⟨u, x⟩ ≥ ηγ to
// ⟨u, w⟩, so ‖w_k‖ ≥ ⟨u, w_k⟩ ≥ ηkγ. And each adds 2ηy⟨w, x⟩ + η²‖x‖² ≤ η²R² to
// ‖w‖², since y⟨w, x⟩ ≤ 0, so ‖w_k‖ ≤ η√k R. Together k²γ² ≤ kR².
//
// All bounds are computed exactly and rounded up once, so that comparing a run
// with one is never wrong by rounding. They return +Inf for γ ≤ 0, of which the
// theorems say nothing, and for an infinite argument; but 0 for an infinite γ; and
// NaN for NaN, and for a negative where a length, a rate, a sum or a count
// belongs. A rate eta of 0 means 1, as in the models.
func MistakeBound(R, gamma float64) float64 {
	if k, ok := trivial(gamma, R); ok {
		return k
	}
	return roundUp(quo(square(ratOf(R)), square(ratOf(gamma))))
}

// StartBound bounds the mistakes of [Online] started from any w(0), whose length
// is ‖w(0)‖, with the smaller of
//
//	(R² − μ/η)/γ²  and  (R/γ)² + 2‖w(0)‖/(ηγ).
//
// Here μ = min(0, 2 min y⟨w(0), x⟩) over the examples; a positive mu counts as
// 0. Where [Gamma] returns a negative g for w(0), μ ≥ 2g‖w(0)‖.
//
// Theorem (the fixed-increment rule, from lecture notes by R. Snapp; the second
// bound is this package's). Under
// the conditions of [MistakeBound], but from w(0), both bounds hold.
//
// Proof. Let v_k = w_k − w(0). Each mistake adds ηy⟨u, x⟩ ≥ ηγ to ⟨u, v⟩, and
// 2ηy⟨w, x⟩ − 2ηy⟨w(0), x⟩ + η²‖x‖² ≤ η²R² − ημ to ‖v‖², so (ηγ)²k² ≤ ‖v_k‖² ≤
// η(ηR² − μ)k, which is the first: see [StartEnvelope]. And ‖w_k‖² ≤ ‖w(0)‖² +
// η²R²k while ‖w_k‖ ≥ ⟨u, w_k⟩ ≥ ηγk − ‖w(0)‖. Where that is positive, its square
// (ηγk)² − 2ηγk‖w(0)‖ + ‖w(0)‖² ≤ ‖w(0)‖² + η²R²k is the second, and elsewhere
// k ≤ ‖w(0)‖/(ηγ). Neither implies the other: the second is better far from 0.
//
// For nonsense see [MistakeBound].
func StartBound(R, gamma, eta, length, mu float64) float64 {
	if k, ok := trivial(gamma, R, eta, length, max(0, -mu)); ok {
		return k
	}
	step := rate(eta)
	first := add(square(ratOf(R)), quo(ratOf(max(0, -mu)), step))
	first = quo(first, square(ratOf(gamma)))
	second := quo(ratOf(length), mul(step, ratOf(gamma)))
	second = add(square(quo(ratOf(R), ratOf(gamma))), add(second, second))
	return min(roundUp(first), roundUp(second))
}

// StartEnvelope returns the two factors of the inequalities
//
//	Ak² ≤ ‖w(k) − w(0)‖² ≤ Bk,  A = (ηγ)²,  B = η(ηR² − μ)
//
// that hold at every mistake, the k-th, of [Online] started from w(0), under the
// conditions of [StartBound], which has the symbols and the proof. A is rounded
// down and B up. For γ ≤ 0 A is 0, for an infinite argument they are 0 and +Inf,
// for other nonsense, as [MistakeBound] has it, NaN.
func StartEnvelope(R, gamma, eta, mu float64) (A, B float64) {
	if b, ok := trivial(1, R, eta, max(0, -mu), max(0, gamma)); ok {
		return max(0, min(b, 0)), b
	}
	step := rate(eta)
	a := square(mul(step, ratOf(max(0, gamma))))
	b := mul(step, add(mul(step, square(ratOf(R))), ratOf(max(0, -mu))))
	return roundDown(a), roundUp(b)
}

// MarginBound bounds the updates of [Margin] with Gamma γ′, from zero, with
//
//	(R/(γ − γ′/2))²,
//
// which is 4(R/γ)² for γ′ = γ, half of the 8(R/γ)² that lecture notes prove for
// γ′ ≤ γ. For γ′ ≥ 2γ it is +Inf. The hyperplane that the rule stops at has a
// margin of at least γ′/2.
//
// Theorem (this package's). Under the conditions of [MistakeBound], the rule that
// updates when y⟨w, x⟩ ≤ (γ′/2)‖w‖, 0 ≤ γ′ < 2γ, makes at most so many updates, at any rate.
// From another start the bound grows by 2‖w(0)‖/(η(γ − γ′/2)).
//
// Proof. An update makes ‖w + ηyx‖² ≤ ‖w‖² + ηγ′‖w‖ + η²R² ≤ (‖w‖ + ηγ′/2)² +
// η²R². By induction ‖w_k‖ ≤ η(kγ′/2 + √k R): for (kγ′/2 + √k R + γ′/2)² + R² ≤
// ((k+1)γ′/2 + √(k+1) R)². As ever ‖w_k‖ ≥ ηkγ, so k(γ − γ′/2) ≤ √k R.
//
// For nonsense see [MistakeBound].
func MarginBound(R, gamma, gammaPrime float64) float64 {
	if k, ok := trivial(gamma, R, gammaPrime); ok {
		return k
	}
	rest := new(big.Rat).Sub(ratOf(gamma), quo(ratOf(gammaPrime), ratOf(2)))
	if rest.Sign() <= 0 {
		return math.Inf(1)
	}
	return roundUp(square(quo(ratOf(R), rest)))
}

// ThresholdBound bounds the updates k of [Margin] with Threshold θ, from zero,
// and gives the margin that the hyperplane it stops at has at least:
//
//	k ≤ (2θ/η + R²)/γ²,  margin ≥ γ/(2 + ηR²/θ),
//
// the margin rounded down; it is 0 for θ = 0 or γ ≤ 0. For θ = ηR² these are
// 3(R/γ)² and γ/3, which Margin's default reaches without knowing R: its θ only
// grows, and each update still adds at most 3η²R² to ‖w‖².
//
// Theorem (after Hardt & Recht 2022). Under the conditions of [MistakeBound],
// the rule that updates when y⟨w, x⟩ ≤ θ makes at most so many updates. From
// another start the bound grows by 2‖w(0)‖/(ηγ).
//
// Proof. An update adds at most 2ηθ + η²R² to ‖w‖², so η²k²γ² ≤ ‖w_k‖² ≤
// k(2ηθ + η²R²), which is the bound and also gives ‖w_k‖ ≤ (2θ + ηR²)/γ. At the
// end every y⟨w, x⟩ > θ, so the margin is more than θ/‖w_k‖.
//
// For nonsense see [MistakeBound].
func ThresholdBound(R, gamma, eta, theta float64) (k, margin float64) {
	if k, ok := trivial(gamma, R, eta, theta); ok {
		return k, max(0, min(k, 0))
	}
	grows := quo(ratOf(theta), rate(eta))
	grows = add(add(grows, grows), square(ratOf(R)))
	k = roundUp(quo(grows, square(ratOf(gamma))))
	if theta > 0 {
		margin = roundDown(quo(mul(ratOf(gamma), quo(ratOf(theta), rate(eta))), grows))
	}
	return k, margin
}

// BatchBound bounds the misclassifications of [Batch] on n rows, summed over all
// epochs, and so the epochs that have any, from zero, with n(R/γ)².
//
// Theorem (this package's). Let Z have the rows yx. Under the conditions of
// [MistakeBound], batch gradient descent on Σ max(0, −y⟨w, x⟩) meets at most
// (‖Z‖₂/γ)² ≤ n(R/γ)² misclassifications. Where the spectral norm ‖Z‖₂ is known, MistakeBound(‖Z‖₂,
// γ) is the sharper bound. From another start it grows by 2‖w(0)‖/(ηγ).
//
// Proof. An epoch that misclassifies the rows S, m of them, adds at least ηmγ to
// ⟨u, w⟩, and at most η²‖Σ_S yx‖² ≤ η²‖Z‖₂²m to ‖w‖², since Σ_S y⟨w, x⟩ ≤ 0. So
// (γΣm)² ≤ ‖Z‖₂²Σm.
//
// For nonsense see [MistakeBound].
func BatchBound(n int, R, gamma float64) float64 {
	if k, ok := trivial(gamma, R, float64(n)); ok {
		return k
	}
	k := quo(square(ratOf(R)), square(ratOf(gamma)))
	return roundUp(k.Mul(k, new(big.Rat).SetInt64(int64(n))))
}

// InseparableBound bounds the mistakes of [Online], from zero, on any data, with
// the smaller of
//
//	((R + D)/γ)²  and  ((R + √(R² + 4γL))/(2γ))²
//
// for any γ > 0 and unit vector u, where D² = Σ max(0, γ − y⟨u, x⟩)² and L = Σ
// max(0, γ − y⟨u, x⟩), the sums being over the examples that were mistakes, each
// as often as it was. Over all examples presented they are no smaller, so that
// [Deviations] of the rows bound T epochs of Cyclic or Shuffled order with √T·D
// and T·L.
//
// Theorem (Freund & Schapire 1999, Theorem 2; the second bound is often half as
// much). Online makes at most so many mistakes on examples with ‖x‖ ≤ R.
//
// Proof. With d_i = max(0, γ − y⟨u, x⟩), k mistakes make ⟨u, w_k⟩ ≥ η(kγ − Σd_i),
// and ‖w_k‖ ≤ η√k R. So kγ ≤ √k R + Σd_i. As Σd_i ≤ √k D, that is √k γ ≤ R + D;
// and as it is a quadratic inequality in √k, with L = Σd_i, it is the second.
//
// For nonsense see [MistakeBound].
func InseparableBound(R, gamma, D, L float64) float64 {
	if k, ok := trivial(gamma, R, D, L); ok {
		return k
	}
	r, g := ratOf(R), ratOf(gamma)
	first := square(quo(add(r, ratOf(D)), g))
	four := mul(ratOf(4), mul(g, ratOf(L)))
	second := square(quo(add(r, rootUp(add(square(r), four))), add(g, g)))
	return min(roundUp(first), roundUp(second))
}

// MixBound bounds iterative parameter mixing ([Mix]) of Online models over so
// many shards, from zero. Let k_s be the mistakes of shard s in a round, and μ_s
// its share in the mix of that round, which may differ from round to round:
//
//	Σ over rounds of Σ_s μ_s k_s ≤ (R/γ)², the first result;
//	rounds with a mistake, under uniform shares, ≤ shards·(R/γ)², the second.
//
// Where the shares are proportional to the mistakes, the rounds with one are at
// most (R/γ)² too.
//
// Theorem (McDonald, Hall & Mann 2010, Theorem 3). Each shard trains an epoch
// from the mean, and the mean is mixed anew. Under the conditions of
// [MistakeBound], the bounds hold. From another start they grow by 2‖w(0)‖/(ηγ),
// and by shards times that.
//
// Proof. A shard's epoch adds at least ηk_sγ to ⟨u, w⟩ and at most η²k_sR² to
// ‖w‖². Mixing averages both, ‖·‖² being convex. So with M = ΣΣμ_s k_s, ηγM ≤
// ‖w‖ ≤ ηR√M, which is M ≤ (R/γ)². A round with a mistake has Σμ_s k_s ≥ 1/shards
// under uniform shares, and Σk_s²/Σk_s ≥ 1 under proportional ones.
//
// For nonsense see [MistakeBound].
func MixBound(R, gamma float64, shards int) (mistakes, rounds float64) {
	return MistakeBound(R, gamma), BatchBound(shards, R, gamma)
}

// trivial answers for arguments of which a theorem says nothing; all but gamma
// may not be negative.
func trivial(gamma float64, others ...float64) (k float64, ok bool) {
	if math.IsNaN(gamma) {
		return gamma, true
	}
	for _, v := range others {
		if !(v >= 0) {
			return math.NaN(), true
		}
	}
	switch {
	case gamma <= 0 || math.IsInf(slices.Max(others), 1):
		return math.Inf(1), true
	case math.IsInf(gamma, 1):
		return 0, true
	}
	return 0, false
}
