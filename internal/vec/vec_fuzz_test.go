package vec

import (
	"encoding/binary"
	"math"
	"testing"

	"perceptron/internal/naive"
)

// floats reads float64s from bytes, whatever their bits.
func floats(data []byte) []float64 {
	var v []float64
	for ; len(data) >= 8; data = data[8:] {
		v = append(v, math.Float64frombits(binary.LittleEndian.Uint64(data)))
	}
	return v
}

// raw is the inverse of floats.
func raw(v ...float64) (data []byte) {
	for _, x := range v {
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(x))
	}
	return data
}

// FuzzDot compares Dot with the naive sum on any bits.
func FuzzDot(f *testing.F) {
	f.Add(raw(1, 2, 3, 4))
	f.Add(raw(inf, 0, math.NaN(), -1))
	f.Add(raw(math.MaxFloat64, 2, -math.MaxFloat64, 2, 5e-324, 0.5))
	f.Fuzz(func(t *testing.T, data []byte) {
		v := floats(data)
		a, b := v[:len(v)/2], v[len(v)/2:len(v)/2*2]
		if got, want := Dot(a, b), naive.Dot(a, b); !naive.Same(got, want) {
			t.Fatalf("Dot(%v, %v) = %v, want %v", a, b, got, want)
		}
	})
}
