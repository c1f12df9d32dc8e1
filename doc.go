// Package perceptron provides perceptrons: small linear classifiers that learn from
// slices, from streams, or one example at a time inside a running service. Functions
// compute R, γ and the mistake bounds, so you can check any run against the theory.
//
// # A first call
//
//	p := &perceptron.Online{Keep: perceptron.Average, Order: perceptron.Shuffled}
//	res, err := p.Fit(X, y)
//	if err != nil {
//		return err
//	}
//	label, err := p.Predict(x)
//
// The rows of X are slices of one length. Labels are +1 and −1, or any integers for
// [OneVsRest] and [Multiclass]. The zero value of every model is ready. Exported fields
// are the hyperparameters, and each field's comment says what zero means.
//
// # What comes back
//
// A perceptron labels a vector x by the side of a hyperplane on which x lies: Predict
// returns +1 if the score ⟨w, x⟩ + b is at least 0, else −1. Score, [Hyperplane] and
// Hyperplanes give what is behind a label. Fit returns a [Result]: how many epochs and
// mistakes, and why the run ended. [Accuracy] and [Confusion] compare predictions with
// labels.
//
// No call panics on data. An error says what was found and what was expected, and
// [errors.Is] matches it with one of this package's errors. An [ExampleError] has the
// index of a row of X, or of an example of Learn's stream. An error leaves the model as it
// was, except that Learn keeps what it learned before a bad example.
//
// # Which model
//
// Most data is not separable. To begin with, standardise the features and train Online as
// above. [Standardise] computes a [Scaling], and its Unscale turns the trained hyperplane
// into one for raw rows. [Average] predicts with the mean of the iterates, which varies far
// less than the last one. [Shuffled] matters when rows are sorted by class. On inseparable
// data no run converges: Fit runs for MaxEpochs epochs unless it cycles, and 10 are often
// enough.
//
//   - [Online] is Rosenblatt's perceptron. It has the smallest bound on updates, and may
//     end with any hyperplane that separates.
//   - [Margin] also learns from examples that are right by too little. Use it when the data
//     is separable or you need a guarantee: at the end at least a third of the best margin.
//     On other data, with Average, it needs many more epochs than Online.
//   - [Batch] descends the gradient of the perceptron criterion over all rows at once, in
//     parallel.
//   - [Multiclass] learns any number of classes, with one hyperplane for each, and trains
//     all of them together. Where classes are many and features few it is the better one:
//     on the letter data (26 classes, 16 features) it has five points more than OneVsRest.
//   - [OneVsRest] learns any number of classes, with a separate Online, Margin or Batch for
//     each. Each class has a detector of its own, whose score means something without the
//     others.
//
// [Separate] finds the hyperplane with the largest margin γ, or the few rows that
// contradict each other. Its result, a [Separation], is a certificate.
//
// # Training
//
// Fit trains from scratch until it converges, cycles or reaches MaxEpochs. Epochs is the
// same loop in the caller's hands: a range over it, with break, provides progress, early
// stopping, time limits and cancellation, and its body may Clone the best model so far.
// Learn takes a stream in constant memory, which [Examples] makes of slices, and Update
// takes one example. Epochs, Learn and Update continue the training so far. [Mix] joins
// models that were trained in parallel.
//
// # Saving
//
// [Save] and [Load] keep a model in a file. Save replaces the file in one atomic step.
// Every model, [Hyperplane] and [Separation] works with encoding/json and encoding/gob.
// The saved form has the fields and the whole training state, so training resumed from it
// is bit-identical to uninterrupted training. It is JSON; the binary form puts this JSON
// in a frame with a checksum. docs/format.md describes both. Data is fully validated
// before it replaces anything. [Hyperplanes] and Scaling are plain structs, so a program
// that knows no model can store, load and use them.
//
// # Conventions and guarantees
//
// Rows and features count from 0. In training y·score ≤ 0 is a mistake, and "right" means
// y·score > 0. So an example with a score of 0 is learned, whatever its label: the zero
// vector learns from its first example. In Multiclass a tie with another class is a mistake
// too. The package scales no row. The largest features determine R, and γ may depend on
// the smallest, so features should have similar sizes.
//
// The same input bits give the same output bits, on every architecture and for any number
// of workers. Sums have one fixed order, and no product is fused with an addition. The
// input must have equal bits too: math/rand/v2's NormFloat64, for example, differs between
// architectures.
//
// No argument is retained or changed, except a destination. Nothing prints or logs. No
// goroutine outlives the call that started it. Any number of goroutines may read a model
// at once; training requires exclusive use. Hold models by pointer: a copy by value may
// share the weights, so training it returns ErrConfig, except for Fit. Clone copies.
//
// # The theorem
//
// Rosenblatt's rule (1958) learns from mistakes alone. When y(⟨w, x⟩ + b) ≤ 0,
//
//	w ← w + ηyx,  b ← b + ηy.
//
// Five symbols, and Linear space without the bias b, are all that the theory needs:
//
//	w, b  the hyperplane {x : ⟨w, x⟩ + b = 0}
//	η     the rate
//	R     the length of the longest row (x, 1)
//	γ     the margin: the least y(⟨w, x⟩ + b)/‖(w, b)‖, for the best hyperplane
//	K     (R/γ)², which bounds the mistakes
//
// γ is not the Euclidean margin, which divides by ‖w‖. After k mistakes from zero,
//
//	ηkγ ≤ ‖(w, b)‖ ≤ η√k R,
//
// so k ≤ K, in any order and over any number of epochs (Novikoff 1962). [MistakeBound] and
// the other bounds state theorems, which docs/theorems.md proves. [Radius] and [Gamma]
// compute R and γ. Every Fit from zero also gives an upper bound on γ, [Result.Upper].
//
// The theorems hold in exact arithmetic and for a constant Rate. In float64, a rate that is
// not a power of two changes a run slightly. Features whose squares underflow, around
// 10⁻¹⁷⁰, can break any bound.
package perceptron
