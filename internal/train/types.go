package train

import (
	"errors"
	"fmt"
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

// A Result summarises a Fit, and an Epoch a pass over the examples. The package perceptron
// documents their fields.
type (
	Result struct {
		Epochs, Mistakes int
		Stop             Stop
		Upper            float64
	}
	Epoch struct {
		N, Examples, Mistakes int
		Loss                  float64
		Stop                  Stop
	}
)

// Stop is the reason why training ended; Order is the order of the rows in an epoch; Keep
// selects the iterate that predicts; Space says what a vector is taken as.
type (
	Stop  uint8
	Order uint8
	Keep  uint8
	Space uint8
)

// The values of these types. The package perceptron documents them.
const (
	Running Stop = iota
	Converged
	Cycled
	EpochLimit
)

const (
	Cyclic Order = iota
	Shuffled
	Sampled
)

const (
	Last Keep = iota
	Average
	Pocket
)

const (
	Affine Space = iota
	Linear
)

// The names of the values, in their order.
var (
	OrderNames = []string{"Cyclic", "Shuffled", "Sampled"}
	KeepNames  = []string{"Last", "Average", "Pocket"}
	SpaceNames = []string{"Affine", "Linear"}
)

func (o Order) String() string { return NameOf(o, "Order", OrderNames) }
func (k Keep) String() string  { return NameOf(k, "Keep", KeepNames) }
func (s Space) String() string { return NameOf(s, "Space", SpaceNames) }

// NameOf returns the name of e, a value of the kind.
func NameOf[E ~uint8](e E, kind string, names []string) string {
	if int(e) < len(names) {
		return names[e]
	}
	return fmt.Sprintf("%s(%d)", kind, uint8(e))
}

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
