// Package perceptron provides perceptrons: small linear classifiers that learn
// from a slice, from a stream, or one example at a time inside a running service.
// Functions compute R, γ and the mistake bounds, so you can check any run against
// the theory.
//
// # The rule
//
// A perceptron labels a vector x by the side of a hyperplane on which x lies: +1 if
// ⟨w, x⟩ + b ≥ 0, else −1. Rosenblatt's rule (1958) learns w and b from labelled
// examples, one at a time. It learns only from mistakes. When y(⟨w, x⟩ + b) ≤ 0,
//
//	w ← w + ηyx,  b ← b + ηy.
//
// Each mistake tilts the hyperplane towards the example:
//
//	p := new(perceptron.Online)
//	if _, err := p.Fit(X, y); err != nil {
//		return err
//	}
//	label, err := p.Predict(x)
//
// The zero value of every model is ready. Exported fields are the
// hyperparameters. Each field's comment says what zero means.
//
// # The theorem
//
// The number of mistakes is bounded. Suppose that some hyperplane separates the
// examples with margin γ, and that no example is longer than R. Then training from
// zero makes at most (R/γ)² mistakes, in any order and over any number of epochs
// (Novikoff 1962). Let u be the unit vector along that hyperplane's weights. After k
// mistakes,
//
//	ηkγ ≤ ⟨u, w⟩ ≤ ‖w‖ ≤ η√k R,
//
// because every mistake adds at least ηγ to ⟨u, w⟩ and at most η²R² to ‖w‖². The
// left side grows as k and the right side as √k. They are equal at k = (R/γ)².
//
// [Radius] returns R, and [Gamma] the margin of a hyperplane. [MistakeBound],
// [StartBound], [MarginBound], [ThresholdBound], [BatchBound], [InseparableBound],
// [MixBound] and [MulticlassBound] each state and prove a theorem. [MulticlassGamma] is
// Gamma for many classes. All are rounded so that their rounding never makes a comparison
// with a run wrong. Every Fit from zero also gives an upper bound on the margin of the
// data, up to rounding, for free: [Result.Upper].
//
// # Separable or not
//
// [Separate] finds the hyperplane with the largest margin γ, and returns a lower and
// an upper bound on γ that account for all rounding. For inseparable data it finds
// the few rows that contradict each other, and the multipliers that make their sum zero.
// The result, a [Separation], is a certificate. Its Verify method checks every number
// from the data alone, in exact arithmetic. Its MistakeBound method returns
// Novikoff's bound for that margin.
//
// # Choosing a model
//
// Most data is not separable. To begin with, standardise the features and use
//
//	p := &perceptron.Online{
//		Keep:  perceptron.Average,
//		Order: perceptron.Shuffled,
//	}
//
// To standardise a feature, subtract its mean and divide by its standard deviation.
// This lifts the accuracy on the wine data from .61 to .98, and on the glass data
// from .35 to .62. [Average] predicts with the mean of the iterates, which varies far
// less than the last one. [Shuffled] matters when rows are sorted by class. On
// inseparable data no run converges: Fit runs for MaxEpochs epochs unless it cycles,
// and 10 are often enough.
//
//   - [Online] is Rosenblatt's perceptron. It has the smallest bound on updates, and
//     may end with any hyperplane that separates.
//   - [Margin] also learns from examples that are right by too little. Use it when
//     the data is separable or you need a guarantee. Without parameters it converges
//     within 3(R/γ)² updates to at least a third of the best margin. On inseparable
//     data, Margin with Average needs 50 to 200 epochs: after 10 epochs its accuracy
//     is .03 on the abalone data, where Online's is .25, and .75 on the segment data,
//     where Online's is .91.
//   - [Batch] descends the gradient of the perceptron criterion over all rows at
//     once, in parallel.
//   - [Multiclass] learns any number of classes, with one hyperplane for each, and
//     trains all of them together. It has a theorem of its own.
//   - [OneVsRest] learns any number of classes, with a separate Online, Margin or Batch
//     for each.
//
// Multiclass is the better one where classes are many and features few. Accuracy on
// held-out rows, averaged, after 10 epochs, of OneVsRest and of Multiclass: .70 and .76
// on the letter data (26 classes, 16 features), .60 and .73 on vowel, .92 and .94 on
// pendigits, .90 and .92 on segment, .71 and .73 on audiology. They are equal on
// MNIST's digits and on 24 languages in 2,048 features. OneVsRest gives each class a
// detector of its own, whose score means something without the others.
//
// # Training
//
// Fit trains from scratch until it converges, cycles or reaches MaxEpochs. Epochs is
// the same loop in the caller's hands: a range over it, with break, provides
// progress, early stopping, time limits and cancellation. The loop body may Clone
// the best model so far. Learn takes a stream in constant memory, and Update takes
// one example. Epochs, Learn and Update continue the training so far. [Mix] joins
// models that were trained in parallel.
//
// # Saving
//
// [Save] and [Load] keep a model in a file. Save replaces the file in one atomic
// step. Every model, [Hyperplane] and [Separation] implements the interfaces of
// package encoding, and works with encoding/json and encoding/gob.
//
// The saved form is JSON. The binary form puts this JSON in a frame: magic, version,
// length, and a CRC-32C checksum. docs/format.md describes both forms. Both contain
// the fields and the whole training state, so training resumed from a saved model is
// bit-identical to uninterrupted training. Data is fully validated before it replaces
// anything.
//
// A trained model predicts with a [Hyperplane], or with one for each class. A program
// can store these and use them alone.
//
// # Conventions
//
// The rows of X are dense slices of one length. Labels are +1 and −1, or any integers
// for OneVsRest and Multiclass. Rows and features count from 0. Prediction returns +1 for
// a score of 0. In training y·score ≤ 0 is a mistake. So an example with a score of 0 is
// learned, whatever its label: the zero vector learns from its first example. "Right"
// means y·score > 0. In Multiclass a tie with another class is a mistake too.
//
// A bias is learned unless Space is [Linear]. The theory then takes a row x as
// (x, 1): R is the largest ‖(x, 1)‖, and γ is measured with ‖(w, b)‖. The package
// scales no row. The caller should scale features of very different size, because
// the largest determines R, and γ may depend on the smallest.
//
// # Guarantees
//
// No call panics on data. An error says what was found and what was expected.
// [errors.Is] matches it with one of this package's errors. An error about a row of X,
// or about an example of Learn's stream, is an [ExampleError], which has the index. An
// error leaves the model as it was. A bad row in the middle of a stream loses none of
// the rows before it; one in the middle of an epoch undoes that epoch.
//
// The same input bits give the same output bits, on every architecture and for any
// number of workers. Sums have one fixed order, and no product is fused with an
// addition. The input must have equal bits too: math/rand/v2's NormFloat64, for
// example, differs between architectures.
//
// No argument is retained or changed, except a destination. Nothing prints or logs. No
// goroutine outlives the call that started it. Any number of goroutines may read a
// model at once; training requires exclusive use. Do not copy a trained model by
// value, because the copy may share the weights; Clone copies it. Except for Fit,
// training a copy returns ErrConfig. Hold models by pointer.
//
// The theorems hold in exact arithmetic and for a constant Rate. If Rate changes
// between calls, MistakeBound and Margin's third need not hold. In float64, a rate
// that is not a power of two changes a run slightly. Features whose squares underflow,
// around 10⁻¹⁷⁰, can break any bound. MixBound holds for Online and, with √2·R, for
// Multiclass of Online only.
package perceptron
