package perceptron

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"perceptron/internal/vec"
)

// A Predictor labels a vector.
type Predictor interface {
	Predict(x []float64) (int, error)
}

// A Model is a Predictor that learns from labelled vectors. Its implementations
// are [*Online], [*Batch], [*Margin] and [*OneVsRest].
//
// Fit begins afresh on the rows of X, which have one length, and their labels
// y: +1 and −1 for the binary models, any integers for OneVsRest. An error
// leaves the model as it was.
type Model interface {
	Predictor
	Fit(X [][]float64, y []int) (Result, error)
}

var (
	_ Predictor = Hyperplane{}
	_ Model     = (*Online)(nil)
	_ Model     = (*Batch)(nil)
	_ Model     = (*Margin)(nil)
	_ Model     = (*OneVsRest)(nil)
)

// Errors say what was found and what was expected; [errors.Is] tells their kind
// and, where a row is to blame, [ExampleError] its index.
var (
	ErrDimension = errors.New("perceptron: dimension mismatch") // widths or counts that differ
	ErrLabel     = errors.New("perceptron: bad label")          // neither +1 nor −1, or one class alone for OneVsRest.Fit
	ErrNotFinite = errors.New("perceptron: not finite")         // a NaN, an infinity or an overflow
	ErrEmpty     = errors.New("perceptron: empty")              // no rows, no features, no iterator
	ErrUntrained = errors.New("perceptron: untrained model")    // nothing learned to predict with
	ErrConfig    = errors.New("perceptron: bad configuration")  // fields that make no sense, or a call at the wrong time
	ErrFormat    = errors.New("perceptron: bad format")         // an encoding, or a constant's name, that is none
)

// An ExampleError names the example that an error is about.
type ExampleError struct {
	Index int // of the row in X, or of the example in Learn's stream; from 0
	Err   error
}

func (e *ExampleError) Error() string {
	return fmt.Sprintf("perceptron: example %d: %s", e.Index, strings.TrimPrefix(e.Err.Error(), "perceptron: "))
}

func (e *ExampleError) Unwrap() error { return e.Err }

// A Result tells how a Fit went.
type Result struct {
	Epochs   int  // epochs run
	Mistakes int  // updates made; for Batch, misclassifications; summed over epochs and classes
	Stop     Stop // why the run ended

	// Upper is ‖w_k‖/(ηk) after k = Mistakes updates from the zero vector, an
	// upper bound, to rounding, on the margin γ of the data: ‖w_k‖ ≥ ηkγ, since
	// each update adds at least ηγ to the component along the best unit vector
	// (Novikoff 1962). It is +Inf for another Start and for k = 0. For
	// OneVsRest it is the least of the classes' bounds, and so bounds the least
	// of their margins.
	Upper float64
}

// An Epoch tells of one pass over the examples. Mistakes and Loss are those of
// the iterate in training, whatever Keep makes of it for prediction: what Predict
// uses is followed with [Accuracy].
type Epoch struct {
	N        int     // passes finished since the model began: this one's number, from 1
	Examples int     // examples seen in this pass
	Mistakes int     // updates made; for Batch, misclassifications; summed over classes
	Loss     float64 // mean of max(0, −y·score), each score as the pass saw it; summed over classes; +Inf if the sum overflows
	Stop     Stop    // Running unless this is the last epoch of its range
}

// Stop says why training ended. It speaks of the training iterate, whatever
// Keep makes of the iterates for prediction.
type Stop uint8

const (
	// Running: training has not ended.
	Running Stop = iota
	// Converged: every row was seen to be right by the final weights; for
	// [Margin] right by more than its θ.
	Converged
	// Cycled: the weights at the end of an epoch with mistakes equal, bit for
	// bit, earlier ones, in an order that is fixed: the run can never end. It
	// is no proof that the data is inseparable, since rounding can absorb
	// updates.
	Cycled
	// EpochLimit: MaxEpochs epochs were run.
	EpochLimit
)

// Order is the order in which an epoch presents the rows.
type Order uint8

const (
	// Cyclic presents the rows as they stand.
	Cyclic Order = iota
	// Shuffled presents every row once, in a new random order each epoch.
	Shuffled
	// Sampled draws as many rows as there are, each independently and with
	// replacement.
	Sampled
)

// Keep says which iterate predicts. Training itself is the same under each.
type Keep uint8

const (
	// Last predicts with the last iterate, as Rosenblatt's perceptron does.
	Last Keep = iota
	// Average predicts with the mean of the iterates after each example seen
	// (Freund & Schapire 1999, the cheap form of their voting). It is the best
	// choice for data that is not separable.
	Average
	// Pocket predicts with the best iterate found so far (Gallant 1990, the
	// pocket algorithm with ratchet): an iterate replaces the one in the pocket
	// when it answers a longer run of examples right (for Margin: needs no
	// update) and then has strictly more rows right, y·score > 0. In a stream
	// there are no rows to count: the run alone decides, and must also exceed
	// the number of rows that the last count found right. A run that was long in
	// a stream is as hard to beat on rows later.
	Pocket
)

// Space says what vectors are taken as.
type Space uint8

const (
	// Affine takes x as (x, 1): a bias is learned.
	Affine Space = iota
	// Linear takes x as it is: the hyperplane goes through the origin.
	Linear
)

var (
	stopNames  = []string{"Running", "Converged", "Cycled", "EpochLimit"}
	orderNames = []string{"Cyclic", "Shuffled", "Sampled"}
	keepNames  = []string{"Last", "Average", "Pocket"}
	spaceNames = []string{"Affine", "Linear"}
)

// String returns the constant's name.
func (s Stop) String() string { return nameOf(s, "Stop", stopNames) }

// MarshalText returns the constant's name; a value without one is ErrFormat.
func (s Stop) MarshalText() ([]byte, error) { return textOf(s, "Stop", stopNames) }

// UnmarshalText takes a constant's name in any case; another is ErrFormat.
func (s *Stop) UnmarshalText(text []byte) error { return setName(s, "Stop", stopNames, text) }

// String returns the constant's name.
func (o Order) String() string { return nameOf(o, "Order", orderNames) }

// MarshalText returns the constant's name; a value without one is ErrFormat.
func (o Order) MarshalText() ([]byte, error) { return textOf(o, "Order", orderNames) }

// UnmarshalText takes a constant's name in any case; another is ErrFormat.
func (o *Order) UnmarshalText(text []byte) error { return setName(o, "Order", orderNames, text) }

// String returns the constant's name.
func (k Keep) String() string { return nameOf(k, "Keep", keepNames) }

// MarshalText returns the constant's name; a value without one is ErrFormat.
func (k Keep) MarshalText() ([]byte, error) { return textOf(k, "Keep", keepNames) }

// UnmarshalText takes a constant's name in any case; another is ErrFormat.
func (k *Keep) UnmarshalText(text []byte) error { return setName(k, "Keep", keepNames, text) }

// String returns the constant's name.
func (s Space) String() string { return nameOf(s, "Space", spaceNames) }

// MarshalText returns the constant's name; a value without one is ErrFormat.
func (s Space) MarshalText() ([]byte, error) { return textOf(s, "Space", spaceNames) }

// UnmarshalText takes a constant's name in any case; another is ErrFormat.
func (s *Space) UnmarshalText(text []byte) error { return setName(s, "Space", spaceNames, text) }

func nameOf[E ~uint8](e E, kind string, names []string) string {
	if int(e) < len(names) {
		return names[e]
	}
	return fmt.Sprintf("%s(%d)", kind, uint8(e))
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

// A Hyperplane is the set {x : ⟨w, x⟩ + b = 0}. It labels +1 the side that its
// weights point to, and itself. Its methods only read it, and any number of
// goroutines may call them at once.
type Hyperplane struct {
	Weights []float64 `json:"weights"`
	Bias    float64   `json:"bias"`
}

// Score returns ⟨w, x⟩ + b in O(d) without allocating. It returns ErrUntrained
// if h has no weights, ErrEmpty if x is empty, ErrDimension if it is of another
// length, and ErrNotFinite if the score is NaN or infinite, as any NaN or ±Inf
// in x makes it.
func (h Hyperplane) Score(x []float64) (float64, error) {
	if len(h.Weights) == 0 {
		return 0, fmt.Errorf("%w: the hyperplane has no weights", ErrUntrained)
	}
	s, err := score(h.Weights, h.Bias, x)
	if err != nil {
		return 0, cmp.Or(h.checkFinite(), err)
	}
	return s, nil
}

// checkFinite names a weight, or the bias, that is not finite.
func (h Hyperplane) checkFinite() error {
	for j, v := range h.Weights {
		if !vec.IsFinite(v) {
			return fmt.Errorf("%w: weight %d is %v", ErrNotFinite, j, v)
		}
	}
	if !vec.IsFinite(h.Bias) {
		return fmt.Errorf("%w: the bias is %v", ErrNotFinite, h.Bias)
	}
	return nil
}

// Predict returns +1 if the score is at least 0, else −1; errors as of Score.
func (h Hyperplane) Predict(x []float64) (int, error) {
	s, err := h.Score(x)
	return sign(s, err)
}

func (h Hyperplane) clone() Hyperplane {
	return Hyperplane{Weights: slices.Clone(h.Weights), Bias: h.Bias}
}

// Distance returns (⟨w, x⟩ + b)/‖w‖, the signed Euclidean distance of x from
// the hyperplane, positive on the side labelled +1. Errors as of Score, and
// ErrNotFinite for w = 0, which is no hyperplane.
func (h Hyperplane) Distance(x []float64) (float64, error) {
	s, err := h.Score(x)
	if err != nil {
		return 0, err
	}
	length, e := vec.ScaledNorm(h.Weights)
	m, k := math.Frexp(s)
	d := math.Ldexp(m/length, k-e)
	if !vec.IsFinite(d) {
		return 0, fmt.Errorf("%w: distance %v: score %v over ‖w‖ = %v", ErrNotFinite, d, s, vec.Norm(h.Weights))
	}
	return d, nil
}

// score returns ⟨w, x⟩ + b, or the reason why it is no finite number.
func score(w []float64, b float64, x []float64) (float64, error) {
	s := vec.Dot(w, x) + b
	if !vec.IsFinite(s) {
		return 0, scoreError(len(w), x)
	}
	return s, nil
}

// sign is the one rule for predictions: a score of 0 is +1.
func sign(s float64, err error) (int, error) {
	switch {
	case err != nil:
		return 0, err
	case s >= 0:
		return +1, nil
	}
	return -1, nil
}

// scoreError tells why x has no finite score against d weights.
func scoreError(d int, x []float64) error {
	if err := checkWidth(d, x); err != nil {
		return err
	}
	for j, v := range x {
		if !vec.IsFinite(v) {
			return fmt.Errorf("%w: feature %d is %v", ErrNotFinite, j, v)
		}
	}
	return fmt.Errorf("%w: the score overflows, though every feature is finite", ErrNotFinite)
}

func checkWidth(d int, x []float64) error {
	switch {
	case len(x) == 0:
		return fmt.Errorf("%w: the row has no features", ErrEmpty)
	case len(x) != d:
		return fmt.Errorf("%w: width %d, want %d", ErrDimension, len(x), d)
	}
	return nil
}

// Accuracy returns the share of the rows of X whose predicted label is that of
// y, in one Predict a row. It returns ErrConfig for a p that is a nil interface,
// ErrEmpty for no rows, ErrDimension if X and y differ in length, and p's own
// errors with the index of the row.
func Accuracy(p Predictor, X [][]float64, y []int) (float64, error) {
	right := 0
	err := predictAll(p, X, y, func(i, label int) {
		if label == y[i] {
			right++
		}
	})
	if err != nil {
		return 0, err
	}
	return float64(right) / float64(len(X)), nil
}

// Confusion counts predictions: counts[t][p] rows of class classes[t] were
// predicted to be of class classes[p]. The classes are all labels that occur in
// y or are predicted, ascending. It takes one Predict a row; errors as of
// Accuracy.
func Confusion(p Predictor, X [][]float64, y []int) (classes []int, counts [][]int, err error) {
	predicted := make([]int, len(X))
	if err := predictAll(p, X, y, func(i, label int) { predicted[i] = label }); err != nil {
		return nil, nil, err
	}
	classes = addClasses(addClasses(nil, y), predicted)
	counts = make([][]int, len(classes))
	for t := range counts {
		counts[t] = make([]int, len(classes))
	}
	for i, label := range predicted {
		t, _ := slices.BinarySearch(classes, y[i])
		p, _ := slices.BinarySearch(classes, label)
		counts[t][p]++
	}
	return classes, counts, nil
}

func predictAll(p Predictor, X [][]float64, y []int, each func(i, label int)) error {
	switch {
	case p == nil:
		return fmt.Errorf("%w: the predictor is nil", ErrConfig)
	case len(X) != len(y):
		return fmt.Errorf("%w: len(X) is %d, but len(y) is %d", ErrDimension, len(X), len(y))
	case len(X) == 0:
		return fmt.Errorf("%w: no rows", ErrEmpty)
	}
	for i, x := range X {
		label, err := p.Predict(x)
		if err != nil {
			return &ExampleError{i, err}
		}
		each(i, label)
	}
	return nil
}

// addClasses adds the labels that are new to classes, which are kept ascending.
func addClasses(classes, labels []int) []int {
	for _, label := range labels {
		if i, found := slices.BinarySearch(classes, label); !found {
			classes = slices.Insert(classes, i, label)
		}
	}
	return classes
}

// Mix returns a new model that is the weighted mean of models: iterative
// parameter mixing (McDonald, Hall & Mann 2010) trains a clone of it on each
// shard of the data for an epoch, mixes again, and so on. With the weights μ_s
// divided by their sum,
//
//	w = Σ μ_s w_s,  b = Σ μ_s b_s,
//
// summed in the order of models; nil weights mean uniform ones. The weights of
// each round may differ. On data with margin γ, from the zero vector, the
// mistakes k_s of the shards satisfy Σ over rounds of Σ μ_s k_s ≤ (R/γ)².
//
// The last iterates are mixed; under Average their sums and counts as well.
// Margin's R is the largest of theirs. Fields, generator and the count of passes
// come from models[0]. It takes O(d) a model, and a class.
//
// All must have met the same classes: where shards may lack some, the model that
// is cloned learns an example of each first. Weights in proportion to the
// mistakes are all zero in a round without any, which is the last and needs no
// mix.
//
// It returns ErrEmpty for no models, ErrUntrained for a nil or untrained one,
// ErrDimension if their widths differ or there are more or fewer weights than
// models, and ErrConfig if they differ in Space, Keep, rule or classes, keep a
// Pocket, or a weight is negative or not finite or all are zero, ErrNotFinite
// if the mean overflows.
func Mix[M *Online | *Margin | *OneVsRest](models []M, weights []float64) (M, error) {
	mu, err := shares(weights, len(models))
	if err != nil {
		return nil, err
	}
	parts := make([]*trainer, len(models))
	for s, m := range models {
		if m == nil {
			return nil, fmt.Errorf("%w: model %d is nil", ErrUntrained, s)
		}
		if parts[s], err = any(m).(trainable).state().trained(); err != nil {
			return nil, fmt.Errorf("%w: model %d has seen no example", ErrUntrained, s)
		}
	}
	t, err := mix(parts, mu)
	if err != nil {
		return nil, err
	}
	mixed := any(models[0]).(trainable).fields()
	mixed.(trainable).state().commit(t)
	return any(mixed).(M), nil
}

// A trainable is any of the four models.
type trainable interface {
	Model
	fields() Model   // a new model with the same exported fields
	state() *learned // what it has learned
}

// shares returns n weights divided by their sum.
func shares(weights []float64, n int) ([]float64, error) {
	switch {
	case n == 0:
		return nil, fmt.Errorf("%w: no models", ErrEmpty)
	case weights == nil:
		weights = slices.Repeat([]float64{1}, n)
	case len(weights) != n:
		return nil, fmt.Errorf("%w: len(weights) is %d, want %d", ErrDimension, len(weights), n)
	}
	var sum float64
	for s, v := range weights {
		if !(v >= 0) {
			return nil, fmt.Errorf("%w: weight %d is %v, want at least 0", ErrConfig, s, v)
		}
		sum += v
	}
	if !(sum > 0) || !vec.IsFinite(sum) {
		return nil, fmt.Errorf("%w: the weights sum to %v, want a positive finite number", ErrConfig, sum)
	}
	mu := make([]float64, n)
	for s, v := range weights {
		mu[s] = v / sum
	}
	return mu, nil
}
