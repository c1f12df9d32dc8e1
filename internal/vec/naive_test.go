package vec

import (
	"math"
	"math/rand/v2"
	"testing"
)

var inf = math.Inf(1)

// naiveDot adds the products in the order that Dot documents.
func naiveDot(a, b []float64) float64 {
	n := len(a)
	q := n - n%32
	var lane [32]float64
	for i := range q {
		p := a[i] * b[i]
		lane[i%32] += float64(p)
	}
	var v [8]float64
	for j := range v {
		v[j] = (lane[j] + lane[j+8]) + (lane[j+16] + lane[j+24])
	}
	for i := q; i < n; i++ {
		p := float64(a[i] * b[i])
		v[(i-q)%8] += p
	}
	var u [4]float64
	for j := range u {
		u[j] = v[j] + v[j+4]
	}
	return (u[0] + u[2]) + (u[1] + u[3])
}

func gaussian(r *rand.Rand, d int) []float64 {
	x := make([]float64, d)
	for j := range x {
		x[j] = r.NormFloat64()
	}
	return x
}

func sameBits(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }

func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}
