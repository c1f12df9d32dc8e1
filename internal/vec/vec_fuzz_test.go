package vec

import (
	"math"
	"testing"

	"perceptron/internal/naive"
)

// FuzzDot compares Dot with the naive sum on any bits.
func FuzzDot(f *testing.F) {
	f.Add(naive.Raw(1, 2, 3, 4))
	f.Add(naive.Raw(inf, 0, math.NaN(), -1))
	f.Add(naive.Raw(math.MaxFloat64, 2, -math.MaxFloat64, 2, 5e-324, 0.5))
	f.Fuzz(func(t *testing.T, data []byte) {
		v := naive.Floats(data)
		a, b := v[:len(v)/2], v[len(v)/2:len(v)/2*2]
		if got, want := Dot(a, b), naive.Dot(a, b); !naive.Same(got, want) {
			t.Fatalf("Dot(%v, %v) = %v, want %v", a, b, got, want)
		}
	})
}
