package perceptron

import (
	"iter"

	"perceptron/internal/train"
)

var _ Model = (*Batch)(nil)

// Batch minimises the perceptron criterion Σ max(0, −y(⟨w, x⟩ + b)) by gradient
// descent on all rows at once. An epoch finds the misclassified rows,
// y(⟨w, x⟩ + b) ≤ 0, and then
//
//	w ← w + η Σ yx,  b ← b + η Σ y  over the misclassified rows.
//
// If some hyperplane separates the data with margin γ, the run ends. From the zero
// vector, the misclassifications summed over all epochs are at most ‖Z‖₂²/γ² ≤
// n(R/γ)², where Z has the rows y(x, 1): see [BatchBound]. The number of epochs
// with a misclassification has the same bound.
//
// The zero value is ready. An epoch takes O(nd), which the workers share. Training
// uses O(d) memory for each worker beside the data. The rows are summed in fixed
// blocks, and the blocks in order, so the number of workers never changes a bit.
//
// Any number of goroutines may read a model at once (Predict, Score, Hyperplane,
// Clone). Training requires exclusive use. Do not copy a trained model by value;
// Clone copies it.
type Batch struct {
	// Rate is the learning rate η; 0 means 1. The theorems need one constant Rate:
	// a change between calls breaks their bounds.
	Rate float64
	// Space: Affine (zero) learns a bias; Linear goes through the origin.
	Space Space
	// Start is w(0), b(0); zero means the zero vector. In Linear space its Bias must be 0.
	Start Hyperplane
	// MaxEpochs limits a Fit or a range over Epochs; 0 means 1000.
	MaxEpochs int
	// Workers is the number of goroutines that share the rows; 0 means GOMAXPROCS.
	// It never changes a bit of the result.
	Workers int

	twoClass
}

func (p *Batch) config() (train.Config, error) {
	return train.Config{Rate: p.Rate, Space: train.Space(p.Space), MaxEpochs: p.MaxEpochs, Workers: p.Workers, Rule: train.OnGradient}, nil
}

// Fit trains from scratch, from Start, until an epoch misclassifies no row
// (Converged), the weights repeat (Cycled), or MaxEpochs epochs are done
// (EpochLimit). A run that does not converge is not an error. The errors are those
// of [Online.Fit].
func (p *Batch) Fit(X [][]float64, y []int) (Result, error) {
	return fit(p, X, y)
}

// Epochs continues the training so far, or begins at Start, and yields after each
// epoch, as [Online.Epochs] does.
func (p *Batch) Epochs(X [][]float64, y []int) iter.Seq2[Epoch, error] {
	return runEpochs(p, X, y)
}

// Clone returns an independent copy: training one of the two never changes the other.
func (p *Batch) Clone() *Batch { return clone(p) }

// String returns the model's kind, and its state in a few words.
func (p Batch) String() string { return describe(&p.engine, "Batch") }

func (p *Batch) start() *Hyperplane { return &p.Start }

func (p *Batch) fields() model {
	q := *p
	q.Start, q.twoClass = p.Start.clone(), twoClass{}
	return &q
}
