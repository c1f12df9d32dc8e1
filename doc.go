// Package perceptron provides perceptrons: small linear classifiers that learn from slices, from
// streams, or one example at a time inside a running service. Functions compute the bounds of the
// theorems, so you can check any run.
//
// # A first call
//
//	var c perceptron.Classifier[[]float64]
//	res, err := c.Fit(X, labels)
//	label, err := c.Predict(x)
//
// Begin with a [Classifier]. Its labels are strings. It scales the rows, trains a model, and saves
// labels, scaling and model in one file. It has Epochs for early stopping, Learn for streams, Update for
// feedback, and Hyperplane for the weights of a label.
//
// # Models
//
//	p := &perceptron.Online{Keep: perceptron.Average, Order: perceptron.Shuffled, MaxEpochs: 10}
//	res, err := p.Fit(X, y)
//
// The rows of X have one length. Labels are +1 and −1, or any integers for [OneVsRest] and
// [Multiclass]. The zero value of every model is ready to use. Exported fields are the
// hyperparameters; their comments say what zero means.
//
// # What comes back
//
// Predict returns +1 if the score ⟨w, x⟩ + b is at least 0, else −1. Fit returns a [Result]: how
// many epochs and mistakes, and why the run ended. [Accuracy] and [Evaluate] compare predictions
// with labels. No call panics on data. Test errors with [errors.Is]: each wraps one of those below,
// or comes from a file or reader. A call that fails leaves the model as it was, with two exceptions:
// Learn keeps what it learned before a bad row, and Epochs keeps the epochs before the failed one.
//
// # Which model
//
// Most data is not separable. Then Fit runs for MaxEpochs epochs (1000 by default), unless the weights
// repeat. Use [Average] for such data: the mean of the weights varies far less than the last weights,
// and predicts better. [Shuffled] matters when rows are sorted by class. If features have unlike sizes,
// [Standardize] computes a [Scaling], and its Unscale turns the trained hyperplane into one for raw
// rows. For more than two classes use &Multiclass{Binary: p}.
//
//   - [Online] is Rosenblatt's perceptron. It has the smallest bound on updates.
//   - [Margin] also learns from examples that are right by too little. Use it when the data is
//     separable or you need a guarantee: once its default rule converges, it has at least a third
//     of the best margin.
//   - [Batch] is gradient descent over all rows at once, in parallel.
//   - [Multiclass] trains one hyperplane for each class, all together. Begin with it: on the letter
//     data its accuracy is .06 higher than OneVsRest's.
//   - [OneVsRest] trains a separate Online, Margin or Batch for each class. The sign of a score is
//     a prediction for that class alone.
//
// A hyperplane is a straight border. With [Waves], a field of Classifier, borders bend: try 300 of them.
//
// [Separate] finds the largest margin γ, or rows that contradict each other, with a certificate.
//
// # Training
//
// Fit trains from scratch. A range over Epochs runs your loop body after each epoch: it may report
// progress, Clone the best model, or break. Learn trains on a stream in constant memory, and Update on
// one example. Epochs, Learn and Update continue the training so far. [Mix] averages models.
//
// # Sparse rows
//
// Words and categories make rows of 10⁵ features or more, nearly all 0. A [SparseModel] trains any
// model but Batch on [Sparse] rows, in time proportional to their non-zeros. [HashWords] makes the row of
// a text.
//
// # Saving
//
// [Save] writes a model to a file, and [Load] reads it. A Classifier has its own Save and Load.
// Classifiers, models, [Hyperplane] and [Separation] work with encoding/json and encoding/gob. [Split] and
// [Join] are for programs that mix models over many machines; others do not need them.
// Training resumed from the saved form is bit-identical to uninterrupted training. Unlike a
// Classifier, a model has no Scaling: save that too, or save the [Hyperplanes] that UnscaleAll
// returns.
//
// # Conventions and guarantees
//
// Rows and features are numbered from 0. In training y·score ≤ 0 is a mistake, and "right" means
// y·score > 0. So a model with zero weights predicts +1, but learns its first example. In
// Multiclass a tie is a mistake too. Give features similar sizes: the largest determine R, and the
// smallest may determine γ.
//
// The same input bits give the same output bits, on every architecture and for any number of
// workers. But data from math/rand/v2's NormFloat64 depends on the architecture. No argument is
// retained, and none is changed except dst. Nothing prints or logs. No goroutine outlives the call
// that started it. Fit, Epochs, Learn, Update and unmarshalling require exclusive use of a model.
// All other calls, such as Predict, Save and Clone, only read: any number of goroutines may make
// them at once. Hold models by pointer and copy them with Clone. A copy by value may share the
// weights: all its training calls but Fit return ErrConfig.
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
// other bounds state theorems, which docs/theorems.md proves. [Radius] computes R. [Gamma] and
// [Result.Upper] are bounds on γ. The theorems hold in exact arithmetic and for a constant Rate. In
// float64, a Rate that is not a power of two changes the rounding, and so the run slightly.
// Features whose squares underflow, around 10⁻¹⁷⁰, can break any bound.
package perceptron
