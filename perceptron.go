package perceptron

import (
	"fmt"
	"strings"

	"perceptron/internal/saved"
	"perceptron/internal/train"
)

// A Predictor labels a vector.
type Predictor interface {
	Predict(x []float64) (int, error)
}

// A Model is a Predictor that learns from labelled vectors. [*Online], [*Batch],
// [*Margin], [*OneVsRest] and [*Multiclass] implement it.
//
// Fit trains from scratch on the rows of X and their labels y. All rows have
// one length. A label is +1 or −1 for the binary models and any int for
// OneVsRest and Multiclass. An error leaves the model as it was.
type Model interface {
	Predictor
	Fit(X [][]float64, y []int) (Result, error)
}

// The errors of this package. An error's text says what was found and what was
// expected. [errors.Is] identifies its kind. An error about a row of X,
// or about an example of Learn's stream, is an [ExampleError], which has the index.
var (
	// ErrDimension: widths or counts differ.
	ErrDimension = train.ErrDimension
	// ErrLabel: a label is neither +1 nor −1, or there is only one class.
	ErrLabel = train.ErrLabel
	// ErrNotFinite: a number is NaN or infinite, or a computation overflows.
	ErrNotFinite = train.ErrNotFinite
	// ErrEmpty: there are no rows, no features, no models, or no iterator.
	ErrEmpty = train.ErrEmpty
	// ErrUntrained: the model has learned nothing to predict with.
	ErrUntrained = train.ErrUntrained
	// ErrConfig: a field or an argument makes no sense, the call comes at the wrong
	// time, or a claim of a Separation is false.
	ErrConfig = train.ErrConfig
	// ErrFormat: the data is not a saved form, or the text names no constant.
	ErrFormat = saved.ErrFormat
)

// An ExampleError is an error about one example.
type ExampleError struct {
	// Index is that of the row in X, or of the example in Learn's stream, from 0.
	Index int
	// Err is the error without the index.
	Err error
}

// Error returns the text of Err with the index in front.
func (e *ExampleError) Error() string {
	return fmt.Sprintf("perceptron: example %d: %s", e.Index, strings.TrimPrefix(e.Err.Error(), "perceptron: "))
}

// Unwrap returns Err.
func (e *ExampleError) Unwrap() error { return e.Err }

// A Result summarises a Fit.
type Result struct {
	// Epochs is the number of epochs run; for OneVsRest, the most of any class.
	Epochs int
	// Mistakes counts the updates made; for Batch, the misclassifications. It is
	// a sum over epochs and, for OneVsRest, over classes.
	Mistakes int
	// Stop is the reason why the run ended.
	Stop Stop

	// Upper is ‖w_k‖/(ηk) after k = Mistakes updates from the zero vector. It is
	// an upper bound, up to rounding, on the margin γ of the data: each update adds
	// at least ηγ to the component of w along the best unit vector, so ‖w_k‖ ≥ ηkγ
	// (Novikoff 1962). Upper is +Inf for any other Start, and for k = 0. For
	// OneVsRest it is the least of the classes' bounds, and so bounds the least of
	// their margins. For Multiclass it is ‖W‖/(ηk), where W is all weights and biases,
	// and bounds the margin in [MulticlassBound].
	// Coq checks this: margin_from_run in proofs/Online.v, margin_from_batch in
	// proofs/Batch.v and margin_from_multiclass in proofs/Multiclass.v.
	Upper float64
}

// An Epoch summarises one pass over the examples. Mistakes and Loss describe the
// iterate in training, whatever Keep selects for prediction. [Accuracy] measures
// what Predict uses.
type Epoch struct {
	// N counts the finished passes since training began, and so numbers them from 1.
	N int
	// Examples is the number of examples seen in this pass.
	Examples int
	// Mistakes counts the updates made; for Batch, the misclassifications. For
	// OneVsRest it is a sum over classes.
	Mistakes int
	// Loss is the mean of max(0, −y·score), where each score is the one that the
	// pass saw. For OneVsRest it is a sum over classes. For Multiclass it is the mean
	// of max(0, s_r − s_y). It is +Inf if the sum overflows.
	Loss float64
	// Stop is Running unless this is the last epoch of its range.
	Stop Stop
}

// Stop is the reason why training ended. It describes the training iterate,
// whatever Keep selects for prediction.
type Stop uint8

const (
	// Running: training has not ended.
	Running Stop = iota
	// Converged: the run verified that every row is right under the final
	// weights. For Margin, every y·score exceeds θ.
	Converged
	// Cycled: the order is fixed, the weights at the end of an epoch equal earlier
	// weights bit for bit, and that epoch was not free of mistakes. Under Margin's
	// default rule, R must be equal too. Such a run can never end, if the body of a range
	// over Epochs changes no row and no label. Coq checks this: cycled_never_converges in proofs/Cycle.v. It does not
	// prove that the data is inseparable, because rounding can absorb updates. Separate
	// can prove that.
	Cycled
	// EpochLimit: MaxEpochs epochs were run.
	EpochLimit
)

// Order is the order in which an epoch presents the rows.
type Order uint8

const (
	// Cyclic presents the rows in the order of X.
	Cyclic Order = iota
	// Shuffled presents every row once, in a new random order each epoch.
	Shuffled
	// Sampled draws len(X) rows, each independently and with replacement.
	Sampled
)

// Keep selects the iterate that predicts. It does not affect training. Predictions
// use the Keep with which training began.
type Keep uint8

const (
	// Last predicts with the last iterate, as Rosenblatt's perceptron does.
	Last Keep = iota
	// Average predicts with the mean of the iterates after each example seen
	// (Freund & Schapire 1999, the cheap form of their voting). Use it for data that
	// is not separable. The first read after training computes the mean, in O(d).
	Average
	// Pocket predicts with the best iterate found so far (Gallant 1990, the pocket
	// algorithm, with the ratchet at the end of an epoch). Two iterates then challenge
	// the one in the pocket: the first that answered the epoch's longest run of examples
	// without an update, and the last one. The better of them replaces it if it has
	// strictly more rows right: y·score > 0, and in Multiclass a score above all others.
	//
	// A Fit or a range over Epochs begins by counting the rows that the pocket has right.
	// In a stream there are no rows to count. There an iterate replaces the pocket's as
	// soon as its run exceeds the rows of the last count, or the run of the last
	// replacement since.
	//
	// Each epoch reads the rows at most once more, and takes at most 2.5 times as long as
	// under Last. Each hyperplane needs two vectors more.
	Pocket
)

// Space selects what a vector is taken as.
type Space uint8

const (
	// Affine takes x as (x, 1): a bias is learned.
	Affine Space = iota
	// Linear takes x as it is: the hyperplane goes through the origin.
	Linear
)

var stopNames = []string{"Running", "Converged", "Cycled", "EpochLimit"}

// String returns the constant's name.
func (s Stop) String() string { return train.NameOf(s, "Stop", stopNames) }

// MarshalText returns the constant's name. It returns ErrFormat for a value that
// is not a constant of the type.
func (s Stop) MarshalText() ([]byte, error) { return textOf(s, "Stop", stopNames) }

// UnmarshalText sets s to the constant of this name, in any case. It returns
// ErrFormat if there is none.
func (s *Stop) UnmarshalText(text []byte) error { return setName(s, "Stop", stopNames, text) }

// String returns the constant's name.
func (o Order) String() string { return train.NameOf(o, "Order", train.OrderNames) }

// MarshalText returns the constant's name. It returns ErrFormat for a value that
// is not a constant of the type.
func (o Order) MarshalText() ([]byte, error) { return textOf(o, "Order", train.OrderNames) }

// UnmarshalText sets o to the constant of this name, in any case. It returns
// ErrFormat if there is none.
func (o *Order) UnmarshalText(text []byte) error { return setName(o, "Order", train.OrderNames, text) }

// String returns the constant's name.
func (k Keep) String() string { return train.NameOf(k, "Keep", train.KeepNames) }

// MarshalText returns the constant's name. It returns ErrFormat for a value that
// is not a constant of the type.
func (k Keep) MarshalText() ([]byte, error) { return textOf(k, "Keep", train.KeepNames) }

// UnmarshalText sets k to the constant of this name, in any case. It returns
// ErrFormat if there is none.
func (k *Keep) UnmarshalText(text []byte) error { return setName(k, "Keep", train.KeepNames, text) }

// String returns the constant's name.
func (s Space) String() string { return train.NameOf(s, "Space", train.SpaceNames) }

// MarshalText returns the constant's name. It returns ErrFormat for a value that
// is not a constant of the type.
func (s Space) MarshalText() ([]byte, error) { return textOf(s, "Space", train.SpaceNames) }

// UnmarshalText sets s to the constant of this name, in any case. It returns
// ErrFormat if there is none.
func (s *Space) UnmarshalText(text []byte) error { return setName(s, "Space", train.SpaceNames, text) }

// require returns nil if ok is true, else an error of the kind. cmp.Or of several is the
// first error.
func require(ok bool, kind error, format string, args ...any) error {
	if ok {
		return nil
	}
	return fmt.Errorf("%w: %s", kind, fmt.Sprintf(format, args...))
}

func textOf[E ~uint8](e E, kind string, names []string) ([]byte, error) {
	if int(e) < len(names) {
		return []byte(names[e]), nil
	}
	return nil, fmt.Errorf("%w: %s(%d) is none of %s", ErrFormat, kind, uint8(e), strings.Join(names, ", "))
}

func setName[E ~uint8](e *E, kind string, names []string, text []byte) error {
	for i, name := range names {
		if strings.EqualFold(name, string(text)) {
			*e = E(i)
			return nil
		}
	}
	return fmt.Errorf("%w: %s %q is none of %s", ErrFormat, kind, text, strings.Join(names, ", "))
}
