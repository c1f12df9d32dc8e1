package weights

import (
	"testing"

	"perceptron/internal/saved"
)

// TestSaveLarge: if so many vectors without their zeros could not be loaded, Save writes whole ones.
func TestSaveLarge(t *testing.T) {
	defer func(most uint64) { saved.MostZeros = most }(saved.MostZeros)
	p := trained(t, Average, 1<<17, 3)
	for most, whole := range map[uint64]bool{saved.MostZeros: false, 1: true} {
		saved.MostZeros = most
		for _, f := range p.Save() {
			for _, v := range f.Vectors() {
				if (v.Index == nil) != whole {
					t.Errorf("with at most %d zeros, a vector of %d has %d values", most, v.N, len(v.Value))
				}
			}
		}
	}
}
