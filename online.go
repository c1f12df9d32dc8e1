package perceptron

import (
	"iter"

	"perceptron/internal/train"
	"perceptron/internal/vec"
)

var _ Model = (*Online)(nil)

// Online is Rosenblatt's perceptron (1958). It learns one example at a time. An example (x, y), y = ±1, with
// y(⟨w, x⟩ + b) ≤ 0 is a mistake, and then
//
//	w ← w + ηyx,  b ← b + ηy.
//
// From zero it makes at most (R/γ)² mistakes on separable data (Novikoff 1962): see [MistakeBound].
// Predicting and learning take O(d) an example. [Pocket] reads the rows of an epoch once more. Training uses
// O(d) more memory, and one index per row under Shuffled and Sampled. The zero value is the textbook rule. To
// begin, use [Classifier].
type Online struct {
	Rate      float64    // η; 0 means 1. It only scales the weights, unless Start or Threshold is set. A change breaks the bounds
	Space     Space      // Affine (zero) learns a bias; Linear goes through the origin
	Start     Hyperplane // w(0), b(0); zero means the zero vector. Linear needs Bias 0
	MaxEpochs int        // limit of a Fit or a range over Epochs; 0 means 1000
	Order     Order      // Cyclic (zero), Shuffled each epoch, or Sampled with replacement
	Seed      uint64     // of Order's generator, math/rand/v2's PCG(Seed, 0)
	Keep      Keep       // the iterate that predicts: Last (zero), Average or Pocket
	Window    int        // of Average: whenever 2·Window examples count, each counts half from then on; 0: all count alike

	twoClass
}

// rosenblatt returns the step of Rosenblatt's rule. The score is ⟨w, x⟩ + b. Online has θ = 0;
// Margin has another θ. The caller adds step·x to w, and step to b. Package vec has the same rule
// in assembly, which makes the updates of an epoch under Last; TestRule compares the two bit for
// bit.
func rosenblatt(e train.Example) (step float64) {
	if e.Y*e.Score > e.Theta {
		return 0 // no mistake
	}
	return e.Rate * e.Y // w ← w + ηyx,  b ← b + ηy
}

var onlineRule = &train.Rule{Name: "Online", Step: rosenblatt, Constant: true}

func (p *Online) fields() train.Config {
	return train.Config{
		Rate: p.Rate, MaxEpochs: p.MaxEpochs, Seed: p.Seed, Rule: onlineRule,
		Space: uint8(p.Space), Order: uint8(p.Order), Keep: uint8(p.Keep), Window: p.Window,
	}
}

// same reports whether c has the fields of p. A Config to compare takes long to build beside an Update of few
// features. TestSameFields finds a field that is missing here.
func (p *Online) same(c *train.Config) bool {
	return p.Rate == c.Rate && p.MaxEpochs == c.MaxEpochs && p.Seed == c.Seed && uint8(p.Space) == c.Space &&
		uint8(p.Order) == c.Order && uint8(p.Keep) == c.Keep && p.Window == c.Window
}

func (p *Online) config() (train.Config, *Hyperplane, error) {
	return p.fields(), &p.Start, nil
}

// Fit trains from scratch, from Start, until an epoch makes no mistake (Converged), the weights repeat
// (Cycled), or MaxEpochs epochs are done (EpochLimit). None of these is an error. Rows of one class alone
// are legal.
func (p *Online) Fit(X [][]float64, y []int) (Result, error) { return fit(p, train.Rows{X: X}, y) }

// Epochs continues the training so far, or begins at Start. A range over it reads the fields, yields after
// each epoch, and ends by itself with the epoch whose Stop is not Running. The body may read the model, but
// not train it. If an epoch fails, the range yields the error once, with a zero Epoch. The rows' width,
// Space, Order and Keep must be those of earlier training.
func (p *Online) Epochs(X [][]float64, y []int) iter.Seq2[Epoch, error] {
	return runEpochs(p, train.Rows{X: X}, y)
}

// Learn makes one pass over a stream of examples, in its order and in constant memory, and continues the
// training as Epochs does. [Examples] makes a stream from slices. The iterator may reuse its slice. It may
// read the model, but sees the model before the pass: if an example depends on earlier updates, use Update. A
// bad example ends the pass, and the Epoch describes the examples before it. N then does not count the pass.
func (p *Online) Learn(examples iter.Seq2[[]float64, int]) (Epoch, error) {
	return learn(p, examples)
}

// Update learns one example in O(d), and reports whether the iterate in training made a mistake. Under
// Average and Pocket, Predict may have been right. Update allocates only if it is the first since the model
// was made or loaded, or makes the first mistake since it learned sparse rows.
func (p *Online) Update(x []float64, y int) (updated bool, err error) {
	if last := p.engine.Current(); last != nil && p.same(last) {
		return p.engine.Continue(x, y)
	}
	return update(p, &vec.Row{Value: x}, y)
}

// Clone returns an independent copy.
func (p *Online) Clone() *Online { return clone(p) }

func (p Online) String() string { return describe(&p.engine, "Online") }

func (p *Online) unlearned() model { return onlyFields(p) }
