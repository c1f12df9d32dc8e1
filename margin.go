package perceptron

import (
	"iter"

	"perceptron/internal/train"
	"perceptron/internal/vec"
)

var _ Model = (*Margin)(nil)

// Margin is the perceptron that also learns examples that are right by too small a margin. It makes
// Rosenblatt's update, w ← w + ηyx and b ← b + ηy, when y(⟨w, x⟩ + b) ≤ θ. From zero, with γ as in
// [MistakeBound]:
//
//	set          θ                 updates at most    margin at least
//	neither      ηR²               3(R/γ)²            γ/3
//	Gamma γ′     (γ′/2)‖(w, b)‖    (R/(γ − γ′/2))²    γ′/2, for γ′ < 2γ
//	Threshold    θ                 (2θ/η + R²)/γ²     γ/(2 + ηR²/θ)
//	Share s      s‖(w, b)‖²/(ηk)   [ShareBound]       sγ
//
// R is the largest norm ‖(x, 1)‖ of an example updated on so far, and k the number of updates so far. In
// Linear space read ‖x‖ and ‖w‖. The first rule is this package's own. Like Share (Panagiotakopoulos &
// Tsampouka 2011), it needs no prior knowledge, even in a stream. For the others see [MarginBound], and
// [ThresholdBound] (after Hardt & Recht 2022). The margins are those of the function [Gamma], for the last
// iterate of a run that ends with Converged. Unless Order is Sampled, the bound plus 1 suffices as MaxEpochs.
type Margin struct {
	Rate      float64    // η; 0 means 1. It only scales the weights, unless Start or Threshold is set. A change breaks the bounds
	Space     Space      // Affine (zero) learns a bias; Linear goes through the origin
	Start     Hyperplane // w(0), b(0); zero means the zero vector. Linear needs Bias 0
	MaxEpochs int        // limit of a Fit or a range over Epochs; 0 means 1000
	Order     Order      // Cyclic (zero), Shuffled each epoch, or Sampled with replacement
	Seed      uint64     // of Order's generator, math/rand/v2's PCG(Seed, 0)
	Keep      Keep       // the iterate that predicts: Last (zero), Average or Pocket
	Window    int        // of Average: whenever 2·Window examples count, each counts half from then on; 0: all count alike
	Gamma     float64    // γ′, twice the margin to reach; 0 means another rule
	Threshold float64    // θ; 0 means another rule
	Share     float64    // s < 1, the share of the margin to reach; 0 means another rule. At most one of the three is set

	twoClass
}

// The rules for Margin's θ. The step is rosenblatt's.
func thetaOfRadius(u train.Progress) float64 { return u.Rate * u.R2 }        // θ = ηR²
func thetaOfGamma(u train.Progress) float64  { return u.Gamma / 2 * u.Norm } // θ = (γ′/2)‖(w, b)‖
func thetaAsGiven(u train.Progress) float64  { return u.Threshold }          // θ = Threshold

// θ = s‖(w, b)‖²/(ηk) after k updates, and 0 before the first. ‖(w, b)‖/(ηk) ≥ γ, so the rows that are right have a
// margin above sγ.
func thetaOfShare(u train.Progress) float64 {
	if u.Updates == 0 {
		return 0
	}
	return u.Share * u.Norm2 / (u.Rate * float64(u.Updates))
}

var (
	marginRule    = &train.Rule{Name: "Margin", Step: rosenblatt, Constant: true, Theta: thetaOfRadius, R2: true}
	gammaRule     = &train.Rule{Name: "Margin", Step: rosenblatt, Constant: true, Theta: thetaOfGamma, Norm: true, With: "Gamma"}
	thresholdRule = &train.Rule{Name: "Margin", Step: rosenblatt, Constant: true, Theta: thetaAsGiven, With: "Threshold"}
	shareRule     = &train.Rule{Name: "Margin", Step: rosenblatt, Constant: true, Theta: thetaOfShare, Tally: true, With: "Share"}
)

func (p *Margin) fields() train.Config {
	rule := marginRule
	switch {
	case p.Gamma > 0:
		rule = gammaRule
	case p.Threshold > 0:
		rule = thresholdRule
	case p.Share > 0:
		rule = shareRule
	}
	return train.Config{
		Rate: p.Rate, MaxEpochs: p.MaxEpochs, Seed: p.Seed, Rule: rule,
		Space: uint8(p.Space), Order: uint8(p.Order), Keep: uint8(p.Keep), Window: p.Window,
		Parameters: train.Parameters{Gamma: p.Gamma, Threshold: p.Threshold, Share: p.Share},
	}
}

// same is as that of Online.
func (p *Margin) same(c *train.Config) bool {
	return p.Rate == c.Rate && p.MaxEpochs == c.MaxEpochs && p.Seed == c.Seed && uint8(p.Space) == c.Space &&
		uint8(p.Order) == c.Order && uint8(p.Keep) == c.Keep && p.Window == c.Window &&
		p.Gamma == c.Gamma && p.Threshold == c.Threshold && p.Share == c.Share
}

func (p *Margin) config() (train.Config, *Hyperplane, error) {
	return p.fields(), &p.Start, nil
}

// Fit trains as [Online.Fit] does, until an epoch makes no update.
func (p *Margin) Fit(X [][]float64, y []int) (Result, error) { return fit(p, train.Rows{X: X}, y) }

// Epochs is as [Online.Epochs]. Gamma, Threshold and Share must not change.
func (p *Margin) Epochs(X [][]float64, y []int) iter.Seq2[Epoch, error] {
	return runEpochs(p, train.Rows{X: X}, y)
}

// Learn makes one pass over a stream of examples, as [Online.Learn] does.
func (p *Margin) Learn(examples iter.Seq2[[]float64, int]) (Epoch, error) {
	return learn(p, examples)
}

// Update is as [Online.Update], and reports whether it made an update.
func (p *Margin) Update(x []float64, y int) (updated bool, err error) {
	if last := p.engine.Current(); last != nil && p.same(last) {
		return p.engine.Continue(x, y)
	}
	return update(p, &vec.Row{Value: x}, y)
}

// Clone returns an independent copy.
func (p *Margin) Clone() *Margin { return clone(p) }

func (p Margin) String() string { return describe(&p.engine, "Margin") }

func (p *Margin) unlearned() model { return onlyFields(p) }
