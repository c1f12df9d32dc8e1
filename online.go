package perceptron

import (
	"iter"

	"perceptron/internal/train"
)

var _ Model = (*Online)(nil)

// Online is Rosenblatt's perceptron (1958). It learns one example at a time. An
// example (x, y), y = ±1, with y(⟨w, x⟩ + b) ≤ 0 is a mistake, and then
//
//	w ← w + ηyx,  b ← b + ηy.
//
// Suppose that some hyperplane separates the data with margin γ, and that no row
// (x, 1) is longer than R. Then Online makes at most (R/γ)² mistakes from the zero
// vector, in any order and over any number of epochs (Novikoff 1962): see
// [MistakeBound].
//
// Most data is not separable. To begin with, standardise the features and use
// Online{Keep: Average, Order: Shuffled}.
//
// The zero value is ready. Predicting and learning take O(d) an example. [Pocket] reads
// the rows of an epoch once more. Training uses O(d) memory beside the data, and one
// index per row under Shuffled and Sampled.
//
// Any number of goroutines may read a model at once (Predict, Score, Hyperplane,
// Clone). Training requires exclusive use. Do not copy a trained model by value;
// Clone copies it.
type Online struct {
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

	twoClass
}

func (p *Online) config() (c train.Config, err error) {
	p.readInto(&c)
	return c, nil
}

// readInto sets the zero c. Update calls it because it copies nothing.
func (p *Online) readInto(c *train.Config) {
	c.Rate, c.MaxEpochs, c.Seed = p.Rate, p.MaxEpochs, p.Seed
	c.Space, c.Order, c.Keep, c.Rule = train.Space(p.Space), train.Order(p.Order), train.Keep(p.Keep), train.OnMistake
}

// Fit trains from scratch, from Start, until an epoch makes no mistake (Converged),
// the weights repeat (Cycled), or MaxEpochs epochs are done (EpochLimit). A run
// that does not converge is not an error.
//
// Fit first validates X and y. It returns ErrDimension if they differ in length, or if
// a row differs in width from the first row or from Start. It returns ErrEmpty if
// there are no rows or no features, and ErrLabel for a label that is neither +1 nor −1.
// It returns ErrNotFinite if training meets a NaN, an infinity or an overflow, and
// ErrConfig if the fields make no sense. After an error the model is as it was.
func (p *Online) Fit(X [][]float64, y []int) (Result, error) {
	return fit(p, X, y)
}

// Epochs continues the training so far, or begins at Start, and yields after each
// epoch:
//
//	for e, err := range p.Epochs(X, y) {
//		if err != nil {
//			return err
//		}
//		fmt.Println(e.N, e.Mistakes, e.Loss)
//	}
//
// The range ends by itself with the epoch whose Stop is not Running, after at most
// MaxEpochs epochs. After a break, the model is in its state after the yielded
// epoch. The fields are read when the range begins. The body may read the model.
// Training it there returns ErrConfig.
//
// An error is yielded once, with a zero Epoch, and that epoch is undone. The errors
// are those of Fit. Epochs also returns ErrDimension if the rows differ in width from
// those of earlier training. It returns ErrConfig if Space, Order or Keep has changed
// since training began, or if the model is a copy by value.
func (p *Online) Epochs(X [][]float64, y []int) iter.Seq2[Epoch, error] {
	return runEpochs(p, X, y)
}

// Learn makes one pass over a stream of examples, in the stream's own order. It
// continues the training so far, or begins at Start. Memory does not grow with the
// stream. The iterator may reuse its slice. It may read the model, which stays as it
// was until the pass ends. Training it there returns ErrConfig.
//
// A bad example ends the pass. The examples before it are learned, and the Epoch
// describes them, but its N does not count the pass. The error has the index of the
// example in the stream. The errors are those of Epochs, and ErrEmpty for a nil
// iterator. An empty stream is a pass of no examples.
func (p *Online) Learn(examples iter.Seq2[[]float64, int]) (Epoch, error) {
	return learn(p, examples)
}

// Update learns one example, and reports whether the iterate in training made a
// mistake on it. (Under Average and Pocket, Predict may still have been right.) It
// takes O(d), and allocates only for the first example. Its errors are those of
// Learn, without an index.
func (p *Online) Update(x []float64, y int) (updated bool, err error) {
	var c train.Config
	p.readInto(&c)
	if complete(&c); p.engine.Reads(&c) {
		return p.engine.Update(x, y)
	}
	return update(p, x, y)
}

// Clone returns an independent copy: training one of the two never changes the other.
func (p *Online) Clone() *Online { return clone(p) }

// String returns the model's kind, and its state in a few words.
func (p Online) String() string { return describe(&p.engine, "Online") }

func (p *Online) start() *Hyperplane { return &p.Start }

func (p *Online) fields() model {
	q := *p
	q.Start, q.twoClass = p.Start.clone(), twoClass{}
	return &q
}
