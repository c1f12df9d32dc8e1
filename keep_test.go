package perceptron

import (
	"math/big"
	"perceptron/internal/exact"
	"testing"
)

// TestTwoSum: the rounded sum and its error are the exact sum.
func TestTwoSum(t *testing.T) {
	values := []float64{0, 1, -1, 0.1, -0.3, 1e16, -1e16, 1e-20, 3.7e300, 5e-324, 1 << 53, -1.0 / 3}
	for _, a := range values {
		for _, b := range values {
			s, e := exact.TwoSum(a, b)
			exact := new(big.Rat).Add(rat(a), rat(b))
			if s != a+b || new(big.Rat).Add(rat(s), rat(e)).Cmp(exact) != 0 {
				t.Errorf("exact.TwoSum(%v, %v) = %v, %v", a, b, s, e)
			}
		}
	}
}
