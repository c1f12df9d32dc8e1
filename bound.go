package perceptron

import (
	"cmp"
	"math"
	"slices"

	"perceptron/internal/exact"
)

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
// With K = (R/γ)², it is the least of
//
//	K/(1 − 2s) for s < ½, and (2tK/(2t − 1))^(1/(2 − 2t)) for t ≥ s, ½ < t < 1,
//
// over up to 30 values of t, and +Inf for s ≥ 1. The final margin is at least sγ.
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
