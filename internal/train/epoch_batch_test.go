package train

import (
	"testing"

	"perceptron/internal/naive"
)

// TestBatchBadRow: the error names the first bad row. It does not matter which worker finds it, and
// for which class.
func TestBatchBadRow(t *testing.T) {
	manyWorkers(t)
	set := naive.Noisy(5, 5000, 40)
	for _, i := range []int{4999, 2600, 2570, 700} {
		set.X[i][39] = inf
		for _, workers := range []int{1, 2, 7} {
			for _, rest := range []bool{false, true} {
				_, err := newModel(Config{Rest: rest, Rule: OnGradient, Workers: workers}).Fit(set.X, set.Y)
				refused(t, err, ErrNotFinite, i, "not finite: feature 39 is +Inf")
			}
		}
	}
}
