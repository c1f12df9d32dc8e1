package train

import (
	"errors"

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

// ErrorAt returns an error about the example with this index: of its row in X, or its number in a stream. Package
// perceptron sets ErrorAt, because its users read the index from a type of that package.
var ErrorAt func(index int, err error) error

// A Report is called after a pass: with the number of passes since training began, the examples of this pass, its
// updates, its mean loss, and why training ended. Package perceptron makes an Epoch of these numbers, or adds them to
// a Result. Epochs goes on only if the Report returns true.
type Report func(passes, examples, mistakes int, loss float64, stop uint8) bool

// The numbers that stand for the constants of package perceptron's types Stop, Order, Keep and Space, where their
// meanings are documented. The saved form has their names instead.
const (
	Running, Converged, Cycled, EpochLimit = 0, 1, 2, 3
	Cyclic, Shuffled, Sampled              = 0, 1, 2
	Last, Average, Pocket                  = weights.Last, weights.Average, weights.Pocket
	Affine, Linear                         = 0, 1
)

// The names of the numbers: OrderNames[Cyclic] is "Cyclic".
var (
	OrderNames = []string{"Cyclic", "Shuffled", "Sampled"}
	KeepNames  = weights.KeepNames
	SpaceNames = []string{"Affine", "Linear"}
)
