// Package perceptron provides perceptrons: small linear classifiers that learn
// from a slice, from a stream, or one example at a time inside a running
// service, and whose theory can be held against every run.
//
// # The rule
//
// A perceptron labels a vector x by the side of a hyperplane that it lies on,
// +1 if ⟨w, x⟩ + b ≥ 0, else −1. Rosenblatt's rule (1958) learns w and b from
// labelled examples, one at a time, and only from mistakes: when
// y(⟨w, x⟩ + b) ≤ 0,
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
// The zero value of every model is ready: exported fields are the
// hyperparameters, and each says what zero means.
//
// # The theorem
//
// Tilting comes to an end. If some hyperplane separates the examples with a
// margin γ, and none is longer than R, there are at most (R/γ)² mistakes, in any
// order and over any number of epochs (Novikoff 1962). For u, the unit vector
// along that hyperplane's weights, and k mistakes from zero,
//
//	ηkγ ≤ ⟨u, w⟩ ≤ ‖w‖ ≤ η√k R,
//
// since every mistake adds at least ηγ to ⟨u, w⟩ and at most η²R² to ‖w‖². The
// left grows as k and the right as √k: they meet at k = (R/γ)².
//
// [Radius] and [Gamma] are R and the margin that a hyperplane achieves;
// [MistakeBound], [StartBound], [MarginBound], [ThresholdBound], [BatchBound],
// [InseparableBound] and [MixBound] state and prove a theorem each. All are
// rounded so that no run breaks a bound by their rounding. And every Fit from zero
// proves something about the data for nothing: [Result] has an Upper, above which,
// but for rounding, its margin cannot be.
//
// # Separable or not
//
// [Separate] finds the hyperplane with the largest margin, and brackets γ by two
// numbers with all rounding counted; or the few rows that contradict each other, with
// the weights that make their sum zero. Its answer, a [Separation], is a certificate:
// Verify checks every number from the data alone, in exact arithmetic, and
// MistakeBound is Novikoff's with that margin.
//
// # Choosing a model
//
//   - [Margin] learns from mistakes and from examples that are right by too
//     little. Without parameters it converges, within 3(R/γ)² updates, to at
//     least a third of the best margin there is. It is the one to begin with.
//   - [Online] is Rosenblatt's perceptron: the smallest bound on updates, any
//     hyperplane that separates.
//   - [Batch] descends the gradient of the perceptron criterion over all rows at
//     once, in parallel.
//   - [OneVsRest] learns any number of classes, with one of the three for each.
//
// Where the data is not separable, as most is not, set Keep of Online or Margin,
// or of OneVsRest's Binary, to [Average]: the mean of the iterates predicts, and
// swings far less than the last one. No run converges there, so that Fit goes on
// to MaxEpochs unless it cycles: 10 epochs are often enough. Where rows come
// sorted by class, set Order to [Shuffled].
//
// # Training
//
// Fit trains afresh until it converges, cycles or comes to MaxEpochs. Epochs is
// the same loop in the caller's hands: progress, early stopping, time limits and
// cancellation are a range over it, with break; the body may Clone the best model
// so far. Learn takes a stream in constant memory, and Update one example. All
// but Fit go on from where the model stands. [Mix] joins models that were trained
// in parallel.
//
// # Saving
//
// [Save] and [Load] keep a model in a file, in one atomic step. Every model, as
// [Hyperplane] and [Separation], has a binary form and one in JSON, for encoding's
// interfaces, encoding/json and encoding/gob; docs/format.md has both byte by byte.
// They hold the fields and all that training goes on from: a training that is
// broken off, saved, loaded elsewhere and gone on with ends as the unbroken one
// does, to the bit. What is read is checked whole before it replaces anything.
//
// What predicts is a [Hyperplane], or one a class, which a program can store and
// use on its own.
//
// # Conventions
//
// Rows are slices of one length, and labels are +1 and −1, or any integers for
// OneVsRest. Rows and features count from 0. A score of 0 is predicted +1. In
// training y·score ≤ 0 is a mistake, so that a score of 0 is learned from whatever
// the label: the zero vector learns from its first example. "Right" means
// y·score > 0.
//
// A bias is learned unless Space is [Linear]. The theory then takes a row x as
// (x, 1), so R is the largest ‖(x, 1)‖ and γ is measured with ‖(w, b)‖. No row
// is normalised: features of very different size want scaling by the caller,
// since R counts the largest and γ may live in the smallest.
//
// # Guarantees
//
// No call panics on data. An error says what was found and what was expected,
// is one of this package's by [errors.Is], and names the row by [ExampleError]
// where one is to blame. It leaves the model as it was: a bad row in the middle
// of a stream loses none before it, and one in the middle of an epoch undoes
// that epoch.
//
// The same input bits give the same output bits, on every architecture and for
// any number of workers: sums have one fixed order, and no product is fused with
// an addition.
//
// Nothing that is passed in is kept or changed. Nothing prints or logs, and no
// goroutine outlives the call that began it. Any number of goroutines may read a
// model at once; training needs it alone. A trained model must not be copied by
// value: the copy would share the weights and follow the original's training.
// It is refused training of its own (ErrConfig) until Fit; Clone copies. So hold
// models by pointer.
//
// The theorems hold in exact arithmetic. In float64 a rate that is no power of
// two changes a run a little, and features so small that their squares vanish,
// around 10⁻¹⁷⁰, can break any bound.
package perceptron
