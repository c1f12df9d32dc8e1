// Package perceptron provides perceptrons: small linear classifiers that learn from slices, from streams, or
// one example at a time inside a running service. Functions compute the bounds of the theorems, so you can
// check any run.
//
// # A first call
//
//	var c perceptron.Classifier[[]float64]
//	res, err := c.Fit(X, labels)
//	label, err := c.Predict(x)
//
// Begin with a [Classifier]. Its labels are strings. It scales the rows, trains a model, and saves labels,
// scaling and model in one file.
//
// # Models
//
//	p := &perceptron.Online{Keep: perceptron.Average, Order: perceptron.Shuffled, MaxEpochs: 10}
//	res, err := p.Fit(X, y)
//
// The rows of X have one length. Labels are +1 and −1, or any integers for OneVsRest and Multiclass. The zero
// value of every model is ready to use. Exported fields are the hyperparameters; their comments say what zero
// means.
//
//   - [Online] is Rosenblatt's perceptron. It has the smallest bound on updates.
//   - [Margin] also learns from examples that are right by too little. Use it for separable data, or for a
//     guarantee: at least a third of the best margin.
//   - [Batch] is gradient descent over all rows at once, in parallel.
//   - [Multiclass] trains one hyperplane for each class, all together. On the letter data its accuracy is .06
//     higher than OneVsRest's.
//   - [OneVsRest] trains a separate Online, Margin or Batch for each class.
//
// Fit trains from scratch. Epochs, Learn and Update continue the training so far. A range over Epochs runs
// your loop body after each epoch: it may report progress, Clone the best model, or break. Learn trains on a
// stream in constant memory, and Update on one example.
//
// Most data is not separable. Then Fit runs for MaxEpochs epochs, unless the weights repeat. Use [Average]
// for such data: the mean of the weights varies far less than the last weights, and predicts better.
// [Shuffled] matters when rows are sorted by class. Give features similar sizes with [Standardize]. With
// [Waves], a field of Classifier, borders bend. [SparseModel] learns rows such as those of texts. [Mix]
// averages models. [Separate] finds the largest margin γ, or rows that contradict each other, with a
// certificate.
//
// # Saving
//
// [Save] and [Load] use a file. Models and Classifiers also implement the interfaces of encoding,
// encoding/json and encoding/gob. docs/format.md describes both forms. They keep every bit: training resumed
// from them is bit-identical to uninterrupted training. Equal states have equal forms. Unmarshalling replaces
// the fields too. Unlike a Classifier, a model has no [Scaling]: save that too, or save the [Hyperplanes]
// that UnscaleAll returns.
//
// # Errors
//
// No call panics on data. Every error wraps one of the variables below, or comes from a file or reader. The
// comment of a variable says when calls return it; comments of calls add what is special. A call that fails
// leaves the model and dst as they were. But Learn keeps what it learned before a bad row, and Epochs keeps
// the epochs before the failed one.
//
// # Conventions and guarantees
//
// Rows and features are numbered from 0. There are n rows of d features, or of z that are not 0, and K
// classes. In training y·score ≤ 0 is a mistake, and "right" means y·score > 0. So a model with zero weights
// predicts +1, but learns its first example. In Multiclass a tie is a mistake too.
//
// The same input bits give the same output bits, on every architecture and for any number of workers. No
// argument is retained, and none is changed except dst. Nothing prints or logs. No goroutine outlives the
// call that started it. Fit, Epochs, Learn, Update, SetParts and unmarshalling require exclusive use. All
// other calls only read: any number of goroutines may make them at once. Hold models by pointer and copy them
// with Clone. A copy by value may share the weights: all its training calls but Fit return ErrConfig.
//
// # The theorem
//
// Rosenblatt's rule, which [Online] states, learns from mistakes alone. R is the length of the longest row
// (x, 1). The margin γ is the least y(⟨w, x⟩ + b)/‖(w, b)‖, for the best hyperplane. After k mistakes from
// zero with rate η,
//
//	ηkγ ≤ ‖(w, b)‖ ≤ η√k R,
//
// so k ≤ (R/γ)², in any order and over any number of epochs (Novikoff 1962). In Linear space leave out b and
// the 1. The Euclidean margin differs: it divides by ‖w‖. docs/theorems.md proves the theorems. They hold in
// exact arithmetic and for a constant Rate. In float64, a Rate that is not a power of two changes the
// rounding. Features whose squares underflow, around 10⁻¹⁷⁰, can break bounds.
package perceptron
