package train

import (
	"errors"
	"slices"

	"perceptron/internal/vec"
	"perceptron/internal/weights"
)

// The kinds of errors. Package perceptron exports them under the same names, so their texts begin
// with its name.
var (
	ErrDimension = errors.New("perceptron: dimension mismatch")
	ErrLabel     = errors.New("perceptron: bad label")
	ErrNotFinite = errors.New("perceptron: not finite")
	ErrEmpty     = errors.New("perceptron: empty")
	ErrUntrained = errors.New("perceptron: untrained model")
	ErrConfig    = errors.New("perceptron: bad configuration")
)

// An ExampleError is an error about one example.
type ExampleError struct {
	Index int // of its row in X, or its number in a stream
	Err   error
}

// Error returns the text of Err.
func (e *ExampleError) Error() string { return e.Err.Error() }

// A Result is what Fit returns. Package perceptron documents the fields.
type Result struct {
	Epochs, Mistakes int
	Stop             Stop
	Upper            float64
	Rows             int
}

// An Epoch describes one pass over the examples. Package perceptron documents the fields.
type Epoch struct {
	N, Examples, Mistakes int
	Loss                  float64
	Stop                  Stop
}

// Stop is the reason why training ended. Package perceptron documents the values of Stop, Order and
// Space, and of Keep.
type Stop uint8

// Order is the order of the rows in an epoch.
type Order uint8

// Keep says which iterate predicts: the last one, the mean, or the best one.
type Keep = weights.Keep

// Space says whether a bias is learned: Affine, or Linear for none.
type Space uint8

// The values of the types above. Package perceptron's constants have the same numbers. The saved
// form has the names of the values instead.
const (
	Running, Converged, Cycled, EpochLimit Stop  = 0, 1, 2, 3
	Cyclic, Shuffled, Sampled              Order = 0, 1, 2
	Affine, Linear                         Space = 0, 1

	Last, Average, Pocket = weights.Last, weights.Average, weights.Pocket
)

// The names of the values: OrderNames[Cyclic] is "Cyclic".
var (
	OrderNames = []string{"Cyclic", "Shuffled", "Sampled"}
	KeepNames  = weights.KeepNames
	SpaceNames = []string{"Affine", "Linear"}
)

// A Hyperplane is the set {x : ⟨w, x⟩ + b = 0}.
type Hyperplane struct {
	Weights []float64
	Bias    float64
}

// IsZero reports whether all weights and the bias are 0.
func (h *Hyperplane) IsZero() bool { return h.Bias == 0 && vec.Largest(h.Weights) == 0 }

// clone returns a copy of h that shares no memory with h.
func (h Hyperplane) clone() Hyperplane { return Hyperplane{slices.Clone(h.Weights), h.Bias} }
