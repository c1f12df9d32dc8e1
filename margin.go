package perceptron

import (
	"iter"

	"perceptron/internal/train"
)

var _ Model = (*Margin)(nil)

// Margin is the perceptron that also learns examples that are right by too little.
// Its update is Rosenblatt's, w ← w + ηyx and b ← b + ηy, made when
//
//	y(⟨w, x⟩ + b) ≤ θ.
//
// One of three rules gives θ:
//
//   - Neither Gamma nor Threshold set, this package's rule and the recommended one:
//     θ = ηR², where R is the largest norm ‖(x, 1)‖ of an example updated on so far.
//     It needs no prior knowledge, and works in a stream too. On data with margin γ
//     it converges, from the zero vector, after at most 3(R/γ)² updates, with a
//     margin of at least γ/3. Proof: each update adds at most 2ηθ + η²R² ≤ 3η²R² to
//     ‖(w, b)‖², and at least ηγ to the component along the best unit vector. So
//     ηkγ ≤ ‖(w, b)‖ ≤ η√(3k)R. At the end every y·score is at least ηR², while
//     ‖(w, b)‖ ≤ 3ηR²/γ.
//     Coq checks this: adaptive_bound and adaptive_reached in proofs/Threshold.v.
//   - Gamma: θ = (γ′/2)‖(w, b)‖. For γ′ < 2γ it converges, from zero, after at most
//     (R/(γ − γ′/2))² updates, with a margin of at least γ′/2: see [MarginBound].
//   - Threshold: θ as given (after Hardt & Recht 2022). It converges, from zero,
//     after at most (2θ/η + R²)/γ² updates, with a margin of at least
//     γ/(2 + ηR²/θ): see [ThresholdBound].
//
// In Linear space read ‖x‖ and ‖w‖. In Result and Epoch, a mistake is an update.
//
// Use Margin when the data is separable or a guarantee is needed. For other data
// use [Online] with Average: Margin with Average needs 50 to 200 epochs there.
//
// These margins hold for the last iterate of a run that ends with Converged. A run
// that ends with EpochLimit guarantees none. A MaxEpochs above the bound on updates
// always suffices, except under Sampled. Average and Pocket predict with other
// iterates, to which the theorems do not apply.
//
// Gamma's rule computes ‖(w, b)‖ anew at each update, so that it never drifts. A
// recurrence would need ‖(x, 1)‖², which costs as much. All other costs are those of
// [Online]. The bounds fail if R² underflows, for features around 10⁻¹⁷⁰. If R²
// overflows, training returns ErrNotFinite.
//
// The zero value is ready. Any number of goroutines may read a model at once
// (Predict, Score, Hyperplane, Clone). Training requires exclusive use. Do not copy
// a trained model by value; Clone copies it.
type Margin struct {
	// Rate is the learning rate η; 0 means 1. The theorems need one constant Rate:
	// a change between calls breaks their bounds.
	Rate float64
	// Space: Affine (zero) learns a bias; Linear goes through the origin.
	Space Space
	// Start is w(0), b(0); zero means the zero vector. In Linear space its Bias must be 0.
	Start Hyperplane
	// MaxEpochs limits a Fit or a range over Epochs; 0 means 1000.
	MaxEpochs int
	// Order: Cyclic (zero), Shuffled each epoch, or Sampled with replacement.
	Order Order
	// Seed seeds Order's generator, math/rand/v2's PCG(Seed, 0), when training begins.
	Seed uint64
	// Keep selects the iterate that predicts: Last (zero), Average or Pocket.
	Keep Keep
	// Gamma is γ′, twice the margin to reach: update when y·score ≤
	// (γ′/2)‖(w, b)‖; 0 means another rule.
	Gamma float64
	// Threshold is θ: update when y·score ≤ θ; 0 means another rule. At most one of
	// Gamma and Threshold is set.
	Threshold float64

	twoClass
}

func (p *Margin) config() (c train.Config, err error) {
	p.readInto(&c)
	return c, nil
}

// readInto sets the zero c. Update calls it because it copies nothing.
func (p *Margin) readInto(c *train.Config) {
	c.Rate, c.MaxEpochs, c.Seed = p.Rate, p.MaxEpochs, p.Seed
	c.Space, c.Order, c.Keep, c.Rule = train.Space(p.Space), train.Order(p.Order), train.Keep(p.Keep), train.WithinR
	c.Gamma, c.Threshold = p.Gamma, p.Threshold
}

// Fit trains from scratch, from Start, until an epoch makes no update (Converged),
// the weights repeat (Cycled), or MaxEpochs epochs are done (EpochLimit). A run
// that does not converge is not an error. The errors are those of [Online.Fit].
func (p *Margin) Fit(X [][]float64, y []int) (Result, error) {
	return fit(p, X, y)
}

// Epochs continues the training so far, or begins at Start, and yields after each
// epoch, as [Online.Epochs] does. It also returns ErrConfig if Gamma or Threshold has
// changed since training began.
func (p *Margin) Epochs(X [][]float64, y []int) iter.Seq2[Epoch, error] {
	return runEpochs(p, X, y)
}

// Learn makes one pass over a stream of examples, as [Online.Learn] does.
func (p *Margin) Learn(examples iter.Seq2[[]float64, int]) (Epoch, error) {
	return learn(p, examples)
}

// Update learns one example, and reports whether it changed the weights. It takes
// O(d), and allocates only for the first example. Its errors are those of Learn.
func (p *Margin) Update(x []float64, y int) (updated bool, err error) {
	var c train.Config
	p.readInto(&c)
	if complete(&c); p.engine.Reads(&c) {
		return p.engine.Update(x, y)
	}
	return update(p, x, y)
}

// Clone returns an independent copy: training one of the two never changes the other.
func (p *Margin) Clone() *Margin { return clone(p) }

// String returns the model's kind, and its state in a few words.
func (p Margin) String() string { return describe(&p.engine, "Margin") }

func (p *Margin) start() *Hyperplane { return &p.Start }

func (p *Margin) fields() model {
	q := *p
	q.Start, q.twoClass = p.Start.clone(), twoClass{}
	return &q
}
