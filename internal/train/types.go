package train

import (
	"errors"
	"slices"
)

// The kinds of errors. The package perceptron exports them under the same names, and so
// they have its prefix.
var (
	ErrDimension = errors.New("perceptron: dimension mismatch")
	ErrLabel     = errors.New("perceptron: bad label")
	ErrNotFinite = errors.New("perceptron: not finite")
	ErrEmpty     = errors.New("perceptron: empty")
	ErrUntrained = errors.New("perceptron: untrained model")
	ErrConfig    = errors.New("perceptron: bad configuration")
)

// An ExampleError is an error about the example with the index.
type ExampleError struct {
	Index int
	Err   error
}

// Error returns the text of Err.
func (e *ExampleError) Error() string { return e.Err.Error() }

// A Result summarises a Fit. The package perceptron documents the fields.
type Result struct {
	Epochs, Mistakes int
	Stop             Stop
	Upper            float64
}

// An Epoch summarises a pass over the examples. The package perceptron documents the fields.
type Epoch struct {
	N, Examples, Mistakes int
	Loss                  float64
	Stop                  Stop
}

// Stop is the reason why training ended. The package perceptron documents the values of this
// type and of the next three.
type Stop uint8

// Order is the order of the rows in an epoch.
type Order uint8

// Keep selects the iterate that predicts.
type Keep uint8

// Space says what a vector is taken as.
type Space uint8

const (
	Running, Converged, Cycled, EpochLimit Stop  = 0, 1, 2, 3
	Cyclic, Shuffled, Sampled              Order = 0, 1, 2
	Last, Average, Pocket                  Keep  = 0, 1, 2
	Affine, Linear                         Space = 0, 1
)

// The names of the values, in their order.
var (
	OrderNames = []string{"Cyclic", "Shuffled", "Sampled"}
	KeepNames  = []string{"Last", "Average", "Pocket"}
	SpaceNames = []string{"Affine", "Linear"}
)

// A Hyperplane is the set {x : ⟨w, x⟩ + b = 0}.
type Hyperplane struct {
	Weights []float64
	Bias    float64
}

// IsZero reports whether all weights and the bias are 0.
func (h *Hyperplane) IsZero() bool { return h.Bias == 0 && allZero(h.Weights) }

func allZero(v []float64) bool {
	return !slices.ContainsFunc(v, func(a float64) bool { return a != 0 })
}

func (h Hyperplane) clone() Hyperplane { return Hyperplane{slices.Clone(h.Weights), h.Bias} }
