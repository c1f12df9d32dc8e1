package perceptron

import (
	"fmt"
	"iter"

	"perceptron/internal/vec"
)

// Margin is the perceptron that also learns examples which are right, but by
// too little. Its update is Rosenblatt's, w ← w + ηyx and b ← b + ηy, made when
//
//	y(⟨w, x⟩ + b) ≤ θ
//
// where one of three rules gives θ:
//
//   - Neither field set, this package's rule and the one to recommend: θ = ηR²,
//     R the largest norm ‖(x, 1)‖ of an example that it has updated on. It needs
//     to know nothing beforehand, and works in a stream too. On data with margin
//     γ it converges, from the zero vector, after at most 3(R/γ)² updates, with a
//     margin of at least γ/3: each update adds at most 2ηθ + η²R² ≤ 3η²R² to
//     ‖(w, b)‖², and ηγ to its component along the best unit vector, so ηkγ ≤
//     ‖(w, b)‖ ≤ η√(3k)R; and in the end every y·score is at least ηR², while
//     ‖(w, b)‖ ≤ 3ηR²/γ.
//   - Gamma: θ = (γ′/2)‖(w, b)‖. For γ′ < 2γ it converges, from zero, after at
//     most (R/(γ − γ′/2))² updates, with a margin of at least γ′/2: see
//     [MarginBound].
//   - Threshold: θ as given (after Hardt & Recht 2022). It converges, from zero,
//     after at most (2θ/η + R²)/γ² updates, with a margin of at least
//     γ/(2 + ηR²/θ): see [ThresholdBound].
//
// In Linear space read ‖x‖ and ‖w‖. Here a mistake, in Result and Epoch, is an
// update.
//
// The margins are those of the last iterate of a run that has Converged. One that
// came to EpochLimit promises none: raise MaxEpochs, of which one more than the
// bound on updates is always enough, but under Sampled. Average and Pocket
// predict with other iterates, to which the theorems do not apply.
//
// ‖(w, b)‖ is computed anew at each update, so that it never drifts; it costs
// no more than the ‖x‖² that keeping it by recurrence would need. Otherwise
// the costs are those of [Online]. An R² that vanishes, of features around
// 10⁻¹⁷⁰, breaks the bounds; one that overflows is ErrNotFinite.
//
// The zero value is ready. Any number of goroutines may read a model at once
// (Predict, Score, Hyperplane, Clone); training needs the model alone. A trained
// model must not be copied by value: Clone copies.
type Margin struct {
	Rate      float64    // η; 0 means 1
	Space     Space      // Affine (zero): a bias is learned; Linear: through the origin
	Start     Hyperplane // w(0), b(0); zero means the zero vector
	MaxEpochs int        // per Fit or range over Epochs; 0 means 1000
	Order     Order      // Cyclic (zero), Shuffled each epoch, Sampled with replacement
	Seed      uint64     // of Order's generator, math/rand/v2's PCG(Seed, 0)
	Keep      Keep       // Last (zero), Average, Pocket: which iterate predicts
	Gamma     float64    // γ′, twice the margin to be reached: update when y·score ≤ (γ′/2)‖(w, b)‖; 0 means not this rule
	Threshold float64    // θ: update when y·score ≤ θ; 0 means not this rule; at most one of the two is set

	learned learned
}

func (p *Margin) reading() reading {
	return reading{
		rate: p.Rate, gamma: p.Gamma, threshold: p.Threshold, maxEpochs: p.MaxEpochs,
		space: p.Space, order: p.Order, keep: p.Keep,
	}
}

func (p *Margin) unchanged(r *reading) bool {
	return p.Rate == r.rate && p.Gamma == r.gamma && p.Threshold == r.threshold && p.MaxEpochs == r.maxEpochs &&
		p.Space == r.space && p.Order == r.order && p.Keep == r.keep
}

func (p *Margin) settings() (s settings, err error) {
	s = settings{
		read: p.reading(), rate: p.Rate, space: p.Space, start: p.Start, maxEpochs: p.MaxEpochs,
		order: p.Order, seed: p.Seed, keep: p.Keep, rule: withinR,
	}
	switch {
	case !(p.Gamma >= 0) || !vec.IsFinite(p.Gamma):
		return s, fmt.Errorf("%w: Gamma is %v, want a positive finite number, or 0 for another rule", ErrConfig, p.Gamma)
	case !(p.Threshold >= 0) || !vec.IsFinite(p.Threshold):
		return s, fmt.Errorf("%w: Threshold is %v, want a positive finite number, or 0 for another rule", ErrConfig, p.Threshold)
	case p.Gamma > 0 && p.Threshold > 0:
		return s, fmt.Errorf("%w: Gamma is %v and Threshold is %v, want at most one of them set", ErrConfig, p.Gamma, p.Threshold)
	case p.Gamma > 0:
		s.rule, s.bound = withinGamma, p.Gamma
	case p.Threshold > 0:
		s.rule, s.bound = withinTheta, p.Threshold
	}
	return s, s.check()
}

// Fit trains afresh from Start, whatever the model has learned before, until an
// epoch makes no update (Converged), the weights repeat (Cycled) or MaxEpochs
// epochs are done (EpochLimit). A run that does not converge is no error.
// Errors are those of [Online.Fit].
func (p *Margin) Fit(X [][]float64, y []int) (Result, error) {
	s, err := p.settings()
	if err != nil {
		return Result{}, err
	}
	return p.learned.fit(s, X, y)
}

// Epochs trains on from where the model stands, from Start if it is untrained,
// and yields after each epoch, as [Online.Epochs] does. A change of Gamma or
// Threshold is ErrConfig too.
func (p *Margin) Epochs(X [][]float64, y []int) iter.Seq2[Epoch, error] {
	return p.learned.epochs(p.settings, X, y)
}

// Learn makes one pass over a stream of examples, from where the model stands,
// as [Online.Learn] does.
func (p *Margin) Learn(examples iter.Seq2[[]float64, int]) (Epoch, error) {
	s, err := p.settings()
	if err != nil {
		return Epoch{}, err
	}
	return p.learned.learn(s, examples)
}

// Update learns one example, and tells whether it changed the weights. It takes
// O(d) and allocates nothing but with the first example.
func (p *Margin) Update(x []float64, y int) (updated bool, err error) {
	if t := p.learned.steady(); t != nil && p.unchanged(&t.read) && t.right(x, y) {
		return false, nil
	}
	s, err := p.settings()
	if err != nil {
		return false, err
	}
	return p.learned.update(&s, x, y)
}

// Score returns ⟨w, x⟩ + b for the weights that Keep said when training began,
// in O(d) without allocating; errors as of [Online.Score].
func (p *Margin) Score(x []float64) (float64, error) { return p.learned.score(x) }

// Predict returns +1 if the score is at least 0, else −1; errors as of Score.
func (p *Margin) Predict(x []float64) (int, error) { return sign(p.Score(x)) }

// Hyperplane returns a copy of what Predict uses; the zero Hyperplane if no
// example has been seen.
func (p *Margin) Hyperplane() Hyperplane { return p.learned.hyperplane() }

// Clone returns a copy that is trained on its own.
func (p *Margin) Clone() *Margin {
	q := p.fields().(*Margin)
	q.learned.clone(&p.learned)
	return q
}

func (p *Margin) state() *learned { return &p.learned }

func (p *Margin) fields() Model {
	return &Margin{
		Rate: p.Rate, Space: p.Space, Start: p.Start.clone(), MaxEpochs: p.MaxEpochs,
		Order: p.Order, Seed: p.Seed, Keep: p.Keep, Gamma: p.Gamma, Threshold: p.Threshold,
	}
}
