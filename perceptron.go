package perceptron

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"
	"strings"

	"perceptron/internal/saved"
	"perceptron/internal/train"
)

// A Predictor labels a vector.
type Predictor interface {
	Predict(x []float64) (int, error)
}

// A Model is a Predictor that learns from labelled vectors: [*Online], [*Batch], [*Margin], [*OneVsRest] or
// [*Multiclass]. The labels y are +1 or −1 for the binary models, and any int for the others. Only types of
// this package implement Model, so that later versions can add methods. Functions that take a Model return
// ErrConfig for a struct that embeds one.
type Model interface {
	Predictor
	Fit(X [][]float64, y []int) (Result, error)
	learned() *train.Engine
}

// A Learner is a Model that also learns step by step: any model but a [*Batch].
type Learner interface {
	Model
	Epochs(X [][]float64, y []int) iter.Seq2[Epoch, error]
	Learn(examples iter.Seq2[[]float64, int]) (Epoch, error)
	Update(x []float64, y int) (updated bool, err error)
}

// The errors of this package, for [errors.Is]. An error about one row of X, or one example of
// Learn's stream, is an [ExampleError], which has the index.
var (
	ErrDimension = train.ErrDimension // widths or lengths differ, or an index is not below the width
	ErrLabel     = train.ErrLabel     // a label is neither ±1 nor a known class, is not UTF-8, or is one too many or the only one
	ErrNotFinite = train.ErrNotFinite // a number is NaN or infinite, or a computation overflows
	ErrEmpty     = train.ErrEmpty     // no rows, no features, no models, or no iterator
	ErrUntrained = train.ErrUntrained // no example has been learned, or there are no weights
	ErrConfig    = train.ErrConfig    // a field or an argument is invalid, or this call is not allowed now
	ErrFormat    = saved.ErrFormat    // a saved form, a text in LIBSVM's format, a constant's name or the order of indexes is not valid

	ErrCertificate = errors.New("perceptron: false certificate") // Verify finds a false claim
)

// An ExampleError is an error about one example.
type ExampleError struct {
	Index int   // of the row in X, or of the example in Learn's stream, from 0
	Err   error // the cause, without the index
}

func (e *ExampleError) Error() string {
	return fmt.Sprintf("perceptron: example %d: %s", e.Index, strings.TrimPrefix(e.Err.Error(), "perceptron: "))
}

func (e *ExampleError) Unwrap() error { return e.Err }

func init() { train.ErrorAt = func(index int, err error) error { return &ExampleError{index, err} } }

// A Result summarises a Fit.
type Result struct {
	Epochs   int  // epochs run; for OneVsRest, the most of any class
	Mistakes int  // updates made; for Batch, misclassifications; for OneVsRest, the sum over classes
	Stop     Stop // why the run ended
	// Upper is ‖w_k‖/(ηk) after k = Mistakes updates from zero: an upper bound, up to rounding, on the margin γ of
	// the data (Novikoff 1962). It is +Inf for any other Start, and for k = 0. OneVsRest takes its classes' least.
	Upper float64
	// Rows is the number of distinct rows updated on, by Rosenblatt's rule in Cyclic order; else it is 0. After
	// Converged, under Last and Pocket, at most so many rows are misclassified when each is left out in turn
	// (Vapnik & Chervonenkis 1974; docs/theorems.md).
	Rows int
}

// String returns one line: "20 epochs, 1631 mistakes, EpochLimit".
func (r Result) String() string {
	return fmt.Sprintf("%s, %s, %v", saved.Count(r.Epochs, "epoch", "epochs"), saved.Count(r.Mistakes, "mistake", "mistakes"), r.Stop)
}

// MarshalJSON returns an object with the fields. An infinite Upper is null.
func (r Result) MarshalJSON() ([]byte, error) {
	type fields Result
	return json.Marshal(struct {
		fields
		Upper *float64
	}{fields(r), orNull(r.Upper)})
}

// UnmarshalJSON reads MarshalJSON's form. A missing or null Upper is +Inf.
func (r *Result) UnmarshalJSON(data []byte) error {
	type fields Result
	f := fields(*r)
	f.Upper = math.Inf(1) // null leaves it as it is
	return readFields(data, f, (*fields)(r))
}

// An Epoch summarises one pass over the examples, and the iterate in training.
type Epoch struct {
	N        int // passes finished since training began: 1 after the first
	Examples int // seen in this pass
	Mistakes int // as in Result
	// Loss is the mean of max(0, −y·score), each score taken before the update. OneVsRest adds the classes' losses;
	// Multiclass takes the highest score less the own class's. +Inf is an overflow.
	Loss float64
	Stop Stop // Running, unless this is the last epoch of its range
}

// String returns one line: "epoch 3: 150 examples, 7 mistakes, loss 0.02, …".
func (e Epoch) String() string {
	return fmt.Sprintf("epoch %d: %s, %s, loss %.3g, %v", e.N, saved.Count(e.Examples, "example", "examples"), saved.Count(e.Mistakes, "mistake", "mistakes"), e.Loss, e.Stop)
}

// MarshalJSON returns an object with the fields. An infinite Loss is null.
func (e Epoch) MarshalJSON() ([]byte, error) {
	type fields Epoch
	return json.Marshal(struct {
		fields
		Loss *float64
	}{fields(e), orNull(e.Loss)})
}

// UnmarshalJSON reads MarshalJSON's form. A missing or null Loss is +Inf.
func (e *Epoch) UnmarshalJSON(data []byte) error {
	type fields Epoch
	f := fields(*e)
	f.Loss = math.Inf(1) // null leaves it as it is
	return readFields(data, f, (*fields)(e))
}

// readFields sets *to to f with the fields in data. On error it changes nothing.
func readFields[F any](data []byte, f F, to *F) error {
	err := json.Unmarshal(data, &f)
	if err == nil {
		*to = f
	}
	return err
}

// orNull returns v, or nil if it is infinite: JSON has no infinity, and writes nil as null.
func orNull(v float64) *float64 {
	if math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// Stop is the reason why training ended. It does not depend on Keep.
type Stop uint8

const (
	Running   Stop = iota // training has not ended
	Converged             // the run verified that every row is right under the final weights (y·score > θ for Margin)
	// Cycled: the order is fixed, and after an epoch with mistakes the weights (and R) equal earlier ones bit for bit.
	// So the run never converges. The data may still be separable: an update can be lost in rounding.
	Cycled
	EpochLimit // MaxEpochs epochs were run
)

// Order is the order in which an epoch presents the rows.
type Order uint8

const (
	Cyclic   Order = iota // the order of X
	Shuffled              // every row once, in a new random order each epoch
	Sampled               // len(X) rows, drawn with replacement; a row that is not drawn is not read, and its NaN is no error
)

// Keep selects what predicts: an iterate, the weights and bias after some example, or the mean of the
// iterates. Set it before training begins.
type Keep uint8

const (
	Last Keep = iota // the last iterate, as in Rosenblatt's perceptron
	// Average predicts with the mean of the iterates, one after each example seen (Freund & Schapire 1999). Use it for
	// data that is not separable. The first read after training computes the mean, in O(d).
	Average
	// Pocket predicts with an iterate that classifies the most rows correctly, of those that an epoch compares at its
	// end; in a stream, with that of the longest sequence without an update (Gallant 1990; docs/theorems.md).
	Pocket
)

// Space says whether a bias is learned.
type Space uint8

const (
	Affine Space = iota // x is taken as (x, 1): a bias is learned
	Linear              // x is taken as it is: the hyperplane goes through the origin
)

var stopNames = []string{"Running", "Converged", "Cycled", "EpochLimit"}

func (s Stop) String() string { return nameOf(s, "Stop", stopNames) }

func (s Stop) MarshalText() ([]byte, error) { return textOf(s, "Stop", stopNames) }

// UnmarshalText reads a constant's name, in small or capital letters.
func (s *Stop) UnmarshalText(text []byte) error { return setName(s, "Stop", stopNames, text) }

func (o Order) String() string { return nameOf(o, "Order", train.OrderNames) }

func (o Order) MarshalText() ([]byte, error) { return textOf(o, "Order", train.OrderNames) }

// UnmarshalText reads a constant's name, in small or capital letters.
func (o *Order) UnmarshalText(text []byte) error { return setName(o, "Order", train.OrderNames, text) }

func (k Keep) String() string { return nameOf(k, "Keep", train.KeepNames) }

func (k Keep) MarshalText() ([]byte, error) { return textOf(k, "Keep", train.KeepNames) }

// UnmarshalText reads a constant's name, in small or capital letters.
func (k *Keep) UnmarshalText(text []byte) error { return setName(k, "Keep", train.KeepNames, text) }

func (s Space) String() string { return nameOf(s, "Space", train.SpaceNames) }

func (s Space) MarshalText() ([]byte, error) { return textOf(s, "Space", train.SpaceNames) }

// UnmarshalText reads a constant's name, in small or capital letters.
func (s *Space) UnmarshalText(text []byte) error { return setName(s, "Space", train.SpaceNames, text) }

// require returns nil if ok is true, else an error of the kind. cmp.Or of several is the
// first error.
func require(ok bool, kind error, format string, args ...any) error {
	if ok {
		return nil
	}
	return fmt.Errorf("%w: %s", kind, fmt.Sprintf(format, args...))
}

// nameOf returns the name of e, or its kind and number if it has no name.
func nameOf[E ~uint8](e E, kind string, names []string) string {
	if int(e) < len(names) {
		return names[e]
	}
	return fmt.Sprintf("%s(%d)", kind, uint8(e))
}

// textOf returns the name of e, or ErrFormat if it has none.
func textOf[E ~uint8](e E, kind string, names []string) ([]byte, error) {
	if int(e) < len(names) {
		return []byte(names[e]), nil
	}
	return nil, fmt.Errorf("%w: %s is none of %s", ErrFormat, nameOf(e, kind, names), strings.Join(names, ", "))
}

// setName sets *e to the value that has the name in text, in small or capital letters.
func setName[E ~uint8](e *E, kind string, names []string, text []byte) error {
	for i, name := range names {
		if strings.EqualFold(name, string(text)) {
			*e = E(i)
			return nil
		}
	}
	return fmt.Errorf("%w: %s %q is none of %s", ErrFormat, kind, text, strings.Join(names, ", "))
}
