package perceptron

import (
	"cmp"
	"math"
	"slices"

	"perceptron/internal/exact"
)

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
// Coq checks this: novikoff and novikoff_path in proofs/Online.v.
//
// This theorem and the others need one rate η for the whole training. If Rate
// changes between calls, their bounds need not hold, nor does Margin's promise of a
// margin of γ/3.
//
// All bounds are computed exactly, apart from InseparableBound's root, which is rounded
// up. They are rounded up at the end; margins and A are rounded down. So rounding never
// makes the comparison of a run with a bound wrong. A rate eta of 0 means 1, as in the models.
//
// Special cases: a bound is NaN if an argument is NaN, or if one other than γ is
// negative; else +Inf if γ ≤ 0 or another argument is infinite; else 0 if γ is +Inf.
func MistakeBound(R, gamma float64) float64 { return timesNovikoff(1, R, gamma) }

// StartBound bounds the mistakes of [Online] started from any w(0), whose length
// is ‖w(0)‖, with the smaller of
//
//	(R² − μ/η)/γ²  and  (R/γ)² + 2‖w(0)‖/(ηγ).
//
// Here μ = min(0, 2 min y⟨w(0), x⟩) over the examples; a positive mu counts as
// 0. If [Gamma] returns a negative g for w(0), μ ≥ 2g‖w(0)‖.
//
// Theorem (the fixed-increment rule, from lecture notes by R. Snapp; the second
// bound is this package's). Under the conditions of [MistakeBound], but from w(0),
// both bounds hold.
//
// Proof. Let v_k = w_k − w(0). Each mistake adds ηy⟨u, x⟩ ≥ ηγ to ⟨u, v⟩, and
// 2ηy⟨w, x⟩ − 2ηy⟨w(0), x⟩ + η²‖x‖² ≤ η²R² − ημ to ‖v‖², so (ηγ)²k² ≤ ‖v_k‖² ≤
// η(ηR² − μ)k, which is the first: see [StartEnvelope]. And ‖w_k‖² ≤ ‖w(0)‖² +
// η²R²k, while ‖w_k‖ ≥ ⟨u, w_k⟩ ≥ ηγk − ‖w(0)‖. If that is positive, its square
// (ηγk)² − 2ηγk‖w(0)‖ + ‖w(0)‖² ≤ ‖w(0)‖² + η²R²k gives the second. If not,
// k ≤ ‖w(0)‖/(ηγ). Neither bound implies the other: the second is better far from 0.
// Coq checks this: start_bound_snapp and start_bound in proofs/Online.v.
//
// Special cases are those of [MistakeBound], except that mu may be negative.
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

// StartEnvelope returns the two factors of the inequalities
//
//	Ak² ≤ ‖w(k) − w(0)‖² ≤ Bk,  A = (ηγ)²,  B = η(ηR² − μ)
//
// that hold at every mistake, the k-th, of [Online] started from w(0), under the
// conditions of [StartBound], which has the symbols and the proof. A is rounded
// down and B up.
// Coq checks this: start_envelope in proofs/Online.v.
//
// Special cases: both are NaN where [StartBound] is NaN, the length aside; else A is 0 and B is +Inf
// if γ is +Inf or another argument is infinite; else A is 0 if γ ≤ 0.
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

// MarginBound bounds the updates of [Margin] with Gamma γ′, from zero, with
//
//	(R/(γ − γ′/2))²,
//
// which is 4(R/γ)² for γ′ = γ, half of the 8(R/γ)² that lecture notes prove for
// γ′ ≤ γ. For γ′ ≥ 2γ it is +Inf. The final hyperplane has a margin of at least
// γ′/2.
//
// Theorem (this package's). Under the conditions of [MistakeBound], the rule that
// updates when y⟨w, x⟩ ≤ (γ′/2)‖w‖, 0 ≤ γ′ < 2γ, makes at most this many updates,
// at any rate. From another start the bound grows by 2‖w(0)‖/(η(γ − γ′/2)).
//
// Proof. An update makes ‖w + ηyx‖² ≤ ‖w‖² + ηγ′‖w‖ + η²R² ≤ (‖w‖ + ηγ′/2)² +
// η²R². By induction ‖w_k‖ ≤ η(kγ′/2 + √k R): for (kγ′/2 + √k R + γ′/2)² + R² ≤
// ((k+1)γ′/2 + √(k+1) R)². As in MistakeBound ‖w_k‖ ≥ ηkγ, so k(γ − γ′/2) ≤ √k R.
// Coq checks this: margin_bound, margin_bound_start, margin_bound_notes, margin_path
// and margin_reached in proofs/Threshold.v.
//
// Special cases are those of [MistakeBound].
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

// ThresholdBound bounds the updates k of [Margin] with Threshold θ, from zero, and
// the margin of the final hyperplane:
//
//	k ≤ (2θ/η + R²)/γ²,  margin ≥ γ/(2 + ηR²/θ).
//
// For θ = ηR² these are 3(R/γ)² and γ/3. Margin's default reaches both without
// knowing R: its θ only grows, and each update still adds at most 3η²R² to ‖w‖².
//
// Theorem (after Hardt & Recht 2022). Under the conditions of [MistakeBound], the
// rule that updates when y⟨w, x⟩ ≤ θ makes at most this many updates. From another
// start the bound grows by 2‖w(0)‖/(ηγ).
//
// Proof. An update adds at most 2ηθ + η²R² to ‖w‖², so η²k²γ² ≤ ‖w_k‖² ≤
// k(2ηθ + η²R²), which is the bound and also gives ‖w_k‖ ≤ (2θ + ηR²)/γ. At the
// end every y⟨w, x⟩ > θ, so the margin is more than θ/‖w_k‖.
// Coq checks this: threshold_bound, threshold_bound_start, threshold_reached,
// adaptive_bound, adaptive_bound_start and adaptive_reached in proofs/Threshold.v.
//
// The margin is rounded down. Special cases of k are those of [MistakeBound]. The
// margin is NaN where k is, and 0 if θ = 0, if γ ≤ 0, or if an argument is infinite.
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

// BatchBound bounds the misclassifications of [Batch] on n rows, summed over all
// epochs, by n(R/γ)², for training from zero. The number of epochs with a
// misclassification has the same bound.
//
// Theorem (this package's). Let Z have the rows yx. Under the conditions of
// [MistakeBound], batch gradient descent on Σ max(0, −y⟨w, x⟩) makes at most
// (‖Z‖₂/γ)² ≤ n(R/γ)² misclassifications. If the spectral norm ‖Z‖₂ is known,
// MistakeBound(‖Z‖₂, γ) is the sharper bound. From another start the bound grows by
// 2‖w(0)‖/(ηγ).
//
// Proof. An epoch that misclassifies the rows S, m of them, adds at least ηmγ to
// ⟨u, w⟩, and at most η²‖Σ_S yx‖² ≤ η²‖Z‖₂²m to ‖w‖², since Σ_S y⟨w, x⟩ ≤ 0. So
// (γΣm)² ≤ ‖Z‖₂²Σm.
// Coq checks this: batch_spectral_bound, batch_bound, batch_bound_start,
// batch_rows_bound, batch_rows_bound_start and epochs_at_most in proofs/Batch.v.
//
// Special cases are those of [MistakeBound].
func BatchBound(n int, R, gamma float64) float64 { return timesNovikoff(n, R, gamma) }

// InseparableBound bounds the mistakes of [Online], from zero, on any data, with
// the smaller of
//
//	((R + D)/γ)²  and  ((R + √(R² + 4γL))/(2γ))²
//
// for any γ > 0 and unit vector u, where D² = Σ max(0, γ − y⟨u, x⟩)² and L = Σ
// max(0, γ − y⟨u, x⟩). The sums are over the mistakes: an example counts as often as
// it was one. Over all examples presented the sums are no smaller. So for T epochs of
// Cyclic or Shuffled order, use √T·D and T·L with the [Deviations] of the rows.
//
// Theorem (Freund & Schapire 1999, Theorem 2; the second bound is often half as
// much). Online makes at most this many mistakes on examples with ‖x‖ ≤ R.
//
// Proof. With d_i = max(0, γ − y⟨u, x⟩), k mistakes make ⟨u, w_k⟩ ≥ η(kγ − Σd_i),
// and ‖w_k‖ ≤ η√k R. So kγ ≤ √k R + Σd_i. Since Σd_i ≤ √k D, √k γ ≤ R + D,
// which is the first bound. With L = Σd_i, the inequality is quadratic in √k, and its
// larger root gives the second.
// Coq checks this: inseparable_bound_freund_schapire and inseparable_bound in
// proofs/Online.v.
//
// Special cases are those of [MistakeBound].
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

// MulticlassBound bounds the mistakes of [Multiclass] with the rule of [Online], from
// zero, by 2(R/γ)².
//
// Here γ is the margin of the data for several classes: the largest value, over all
// W = (w_c) with Σ‖w_c‖² = 1, of
//
//	min ⟨w_y − w_r, x⟩ over the examples x, their classes y, and all classes r ≠ y.
//
// [MulticlassGamma] returns the margin of given hyperplanes, which is no larger.
//
// Theorem (Novikoff 1962, by Kesler's construction: Nilsson 1965; Duda & Hart 1973; for
// one rival Crammer & Singer 2003). Let γ > 0 and ‖x‖ ≤ R for every example. A mistake
// is an example with ⟨w_y − w_r, x⟩ ≤ 0 for the class r ≠ y with the highest score.
// Multiclass makes at most 2(R/γ)² mistakes, at any rate, in any order and over any
// number of epochs, and in a stream too, where classes may arrive late.
//
// Proof. Let z hold x for the class y, −x for r, and 0 for all others. Then ⟨W, z⟩ =
// ⟨w_y − w_r, x⟩ and ‖z‖² = 2‖x‖², and each mistake makes W ← W + ηz. This is
// Online's rule on the vectors z, of margin γ and of length at most √2·R, so
// [MistakeBound] applies. A class that has not arrived has w_c = 0, and nothing else is
// assumed about it.
// Coq checks this: multiclass_bound in proofs/Multiclass.v.
//
// The same proof makes other bounds hold with √2·R for R: [MarginBound],
// [ThresholdBound], [InseparableBound] with max(0, γ − ⟨u_y − u_r, x⟩) in its sums, and
// [MixBound].
// Coq checks this: multiclass_margin_bound, multiclass_threshold_bound,
// multiclass_inseparable_bound, multiclass_mix_bound and multiclass_mix_rounds in
// proofs/Multiclass.v.
//
// Special cases are those of [MistakeBound].
func MulticlassBound(R, gamma float64) float64 { return timesNovikoff(2, R, gamma) }

// MixBound bounds iterative parameter mixing ([Mix]) of [Online] models, from zero.
// It does not hold for [Margin] or [OneVsRest]. Let k_s be the mistakes of shard s in
// a round, and μ_s its share in the mix of that round, which may differ from round to
// round:
//
//	Σ over rounds of Σ_s μ_s k_s ≤ (R/γ)², the first result;
//	rounds with a mistake, under uniform shares, ≤ shards·(R/γ)², the second.
//
// If the shares are proportional to the mistakes, at most (R/γ)² rounds have one.
//
// Theorem (McDonald, Hall & Mann 2010, Theorem 3). In each round every shard trains
// an epoch from the last mean, and the results are mixed. Under the conditions of
// [MistakeBound], the bounds hold. From another start they grow by 2‖w(0)‖/(ηγ),
// and by shards times that.
//
// Proof. A shard's epoch adds at least ηk_sγ to ⟨u, w⟩ and at most η²k_sR² to
// ‖w‖². Mixing averages the first exactly, and does not exceed the average of the
// second, because ‖·‖² is convex. So with M = ΣΣμ_s k_s, ηγM ≤
// ‖w‖ ≤ ηR√M, which is M ≤ (R/γ)². A round with a mistake has Σμ_s k_s ≥ 1/shards
// under uniform shares, and Σk_s²/Σk_s ≥ 1 under proportional ones.
// Coq checks this: mix_bound, uniform_rounds, proportional_rounds, mix_bound_start,
// uniform_rounds_start and proportional_rounds_start in proofs/Mix.v.
//
// Special cases are those of [MistakeBound].
func MixBound(R, gamma float64, shards int) (mistakes, rounds float64) {
	return MistakeBound(R, gamma), BatchBound(shards, R, gamma)
}

// timesNovikoff returns n(R/γ)².
func timesNovikoff(n int, R, gamma float64) float64 {
	if k, ok := specialCase(gamma, R, float64(n)); ok {
		return k
	}
	return exact.NewRat(R).Over(exact.NewRat(gamma)).Squared().Times(exact.RatFromInt(n)).Up()
}

// specialCase returns the bound for arguments to which no theorem applies. All but
// gamma must be at least 0.
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

// rate returns η of a model's Rate, 0 meaning 1.
func rate(eta float64) exact.Rat { return exact.NewRat(cmp.Or(eta, 1)) }
