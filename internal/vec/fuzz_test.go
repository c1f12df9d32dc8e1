package vec

import (
	"encoding/binary"
	"math"
	"testing"

	"perceptron/internal/naive"
)

// FuzzDot compares Dot with the naive sum on any bits.
func FuzzDot(f *testing.F) {
	for _, v := range [][]float64{{1, 2, 3, 4}, {inf, 0, math.NaN(), -1}, {math.MaxFloat64, 2, -math.MaxFloat64, 2, 5e-324, 0.5}} {
		data, _ := binary.Append(nil, binary.LittleEndian, v)
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v := make([]float64, len(data)/8)
		_, _ = binary.Decode(data, binary.LittleEndian, v)
		a, b := v[:len(v)/2], v[len(v)/2:len(v)/2*2]
		if got, want := Dot(a, b), naiveDot(a, b); !naive.Same(got, want) {
			t.Fatalf("Dot(%v, %v) = %v, want %v", a, b, got, want)
		}
	})
}
