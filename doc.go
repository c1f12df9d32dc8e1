// Package perceptron provides perceptrons: small linear classifiers that learn from slices, from
// streams, or one example at a time inside a running service. Functions compute every theorem's
// bound, so you can check any run.
//
// # A first call
//
//	var c perceptron.Classifier[[]float64]
//	res, err := c.Fit(X, labels)
//	label, err := c.Predict(x)
//
// Begin with a [Classifier]. Its labels are strings. It scales the rows, trains a model, and saves
// all three in one file.
//
// # Models
//
//	p := &perceptron.Online{Keep: perceptron.Average, Order: perceptron.Shuffled, MaxEpochs: 10}
//	res, err := p.Fit(X, y)
//
// The rows of X have one length. Labels are +1 and −1, or any integers for [OneVsRest] and
// [Multiclass]. The zero value of every model is ready, and is the textbook's. Exported fields are
// the hyperparameters; their comments say what zero means.
//
// # What comes back
//
// Predict returns +1 if the score ⟨w, x⟩ + b is at least 0, else −1. Fit returns a [Result]: how
// many epochs and mistakes, and why the run ended. [Accuracy] and [Evaluate] compare predictions
// with labels. No call panics on data. [errors.Is] matches errors with those below or package os's.
// An error leaves the model as it was; Learn keeps rows before a bad one.
//
// # Which model
//
// Most data is not separable. Then Fit runs for MaxEpochs epochs, by default 1000, unless it
// cycles, and [Average] predicts better: the mean of the weights varies far less than the last
// ones. [Shuffled] matters when rows are sorted by class. If features have unlike sizes,
// [Standardize] computes a [Scaling], and its Unscale turns the trained hyperplane into one for raw
// rows. For more classes use &Multiclass{Binary: p}.
//
//   - [Online] is Rosenblatt's perceptron. It has the smallest bound on updates.
//   - [Margin] also learns from examples that are right by too little. Use it when the data is
//     separable or you need a guarantee: once it converges, it has at least a third of the best
//     margin.
//   - [Batch] descends the gradient over all rows at once, in parallel.
//   - [Multiclass] trains one hyperplane for each class, all together. Begin with it: on the letter
//     data its accuracy is .06 higher than OneVsRest's.
//   - [OneVsRest] trains a separate Online, Margin or Batch for each class. Each score can be
//     read alone.
//
// [Separate] finds the largest margin γ, or rows that contradict each other, with a certificate.
//
// # Training
//
// Fit trains from scratch. A range over Epochs is the same loop with a body of yours, which may
// report progress, Clone the best model, or break. Learn takes a stream in constant memory, and
// Update one example. These three continue the training so far. [Mix] joins models.
//
// # Sparse rows
//
// Words and categories make rows of 10⁵ features or more, nearly all 0. A [SparseModel] trains any
// model but Batch on [Sparse] rows, in the time that their non-zeros take. Hash words with
// hash/fnv: the hashes of hash/maphash differ in each process, so a saved model would not fit.
//
// # Saving
//
// [Save] and [Load] keep a model in a file, and a Classifier has methods for its own. Classifiers,
// models, [Hyperplane] and [Separation] work with encoding/json and encoding/gob. Training resumed
// from the saved form is bit-identical to uninterrupted training. A model has no Scaling, as a
// Classifier has: save that too, or save unscaled [Hyperplanes].
//
// # Conventions and guarantees
//
// Rows and features count from 0. In training y·score ≤ 0 is a mistake, and "right" means y·score >
// 0. So a model at zero predicts +1, yet learns its first example. In Multiclass a tie with another
// class is a mistake too. Give features similar sizes: the largest determine R, the smallest
// perhaps γ.
//
// The same input bits give the same output bits, on every architecture and for any number of
// workers. But math/rand/v2's NormFloat64 depends on the architecture. No argument is retained, and
// none is changed except dst. Nothing prints or logs. No goroutine outlives the call that started
// it. Fit, Epochs, Learn, Update and unmarshalling require exclusive use of a model. All other
// calls, such as Predict, Save and Clone, only read: any number of goroutines may make them at
// once. Hold models by pointer and copy them with Clone. A copy by value may share the weights: all
// its training calls but Fit return ErrConfig.
//
// # The theorem
//
// Rosenblatt's rule, which [Online] states, learns from mistakes alone. In Linear space leave out b
// and the 1 below.
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
// so k ≤ K, in any order and over any number of epochs (Novikoff 1962). [MistakeBound] and the
// other bounds state theorems, which docs/theorems.md proves. [Radius], [Gamma] and [Result.Upper]
// compute R and bounds on γ. The theorems hold in exact arithmetic and for a constant Rate. In
// float64, a rate that is not a power of two changes a run slightly. Features whose squares
// underflow, around 10⁻¹⁷⁰, can break any bound.
package perceptron
