package vec

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
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

// FuzzDotSparse compares the products with a sparse vector with those of the window, for any indexes.
func FuzzDotSparse(f *testing.F) {
	f.Add(uint16(9), []byte{0, 3, 0, 5, 0, 7})
	f.Add(uint16(9), []byte{0, 5, 0, 5})
	f.Add(uint16(300), []byte("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"))
	f.Fuzz(func(t *testing.T, n uint16, data []byte) {
		r := rand.New(rand.NewPCG(uint64(n), uint64(len(data))))
		w, sum, low := naive.Gaussian(r, int(n)), naive.Gaussian(r, int(n)), naive.Gaussian(r, int(n))
		m, x, at := naive.Gaussian(r, 3*(int(n)+1)), naive.Gaussian(r, len(data)/2), make([]uint32, len(data)/2)
		for k := range at {
			at[k] = uint32(data[2*k])<<8 | uint32(data[2*k+1])
		}
		inside := !slices.ContainsFunc(at, func(j uint32) bool { return j >= uint32(n) })
		ascend := true
		for k := 1; k < len(at); k++ {
			ascend = ascend && at[k-1] < at[k]
		}
		got := []float64{DotSparse(w, at, x), DotMeans(w, sum, low, 3, at, x), 0, 0, 0}
		SparseScores(got[2:], m, 0, 3, at, x)
		want := slices.Repeat([]float64{math.NaN()}, 5)
		if inside && ascend {
			means := make([]float64, n)
			for j := range means {
				means[j] = Mean(w[j], sum[j], low[j], 3)
			}
			want[0], want[1] = naiveDot(window(w, at), x), naiveDot(window(means, at), x)
			for c := range 3 {
				want[2+c] = naiveDot(window(column(m, 3, c), at), x) + m[3*int(n)+c]
			}
		}
		if !slices.EqualFunc(got, want, naive.Same) {
			t.Fatalf("%v at %v: %v, want %v", x, at, got, want)
		}
	})
}
