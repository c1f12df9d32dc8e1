package perceptron

import (
	"iter"

	"perceptron/internal/train"
	"perceptron/internal/vec"
)

var _ Model = (*Batch)(nil)

// Batch minimises the perceptron criterion Σ max(0, −y(⟨w, x⟩ + b)) by gradient descent. A row with y(⟨w, x⟩
// + b) ≤ 0 is misclassified. An epoch is
//
//	w ← w + η Σ yx,  b ← b + η Σ y  over the misclassified rows.
//
// For the bound on misclassifications see [BatchBound]. An epoch takes O(nd), which the workers share.
// Training uses O(d) more memory for each worker.
type Batch struct {
	Rate      float64    // η; 0 means 1. It only scales the weights, unless Start is set. A change breaks the bounds
	Space     Space      // Affine (zero) learns a bias; Linear goes through the origin
	Start     Hyperplane // w(0), b(0); zero means the zero vector. Linear needs Bias 0
	MaxEpochs int        // limit of a Fit or a range over Epochs; 0 means 1000
	Workers   int        // goroutines that share the rows; 0 means GOMAXPROCS

	twoClass
}

// descend makes the step of an epoch, and reports whether the result is finite. sum is minus the
// criterion's gradient: Σ yx over the misclassified rows, and Σ y as its last element. It is the
// sum of rosenblatt's steps with η = 1. The last element of w is b.
func descend(w, sum []float64, eta float64) (finite bool) {
	return vec.Axpy(w, w, eta, sum) // w ← w + η Σ yx,  b ← b + η Σ y
}

var batchRule = &train.Rule{Name: "Batch", Step: rosenblatt, Constant: true, Descend: descend}

func (p *Batch) config() (train.Config, *Hyperplane, error) {
	return train.Config{
		Rate: p.Rate, Space: uint8(p.Space), MaxEpochs: p.MaxEpochs, Workers: p.Workers, Rule: batchRule,
	}, &p.Start, nil
}

// Fit trains as [Online.Fit] does, until an epoch misclassifies no row.
func (p *Batch) Fit(X [][]float64, y []int) (Result, error) { return fit(p, train.Rows{X: X}, y) }

// Epochs continues the training so far, as [Online.Epochs] does.
func (p *Batch) Epochs(X [][]float64, y []int) iter.Seq2[Epoch, error] {
	return runEpochs(p, train.Rows{X: X}, y)
}

// Clone returns an independent copy.
func (p *Batch) Clone() *Batch { return clone(p) }

func (p Batch) String() string { return describe(&p.engine, "Batch") }

func (p *Batch) unlearned() model { return onlyFields(p) }
