package vec

import (
	"math"
	"math/rand/v2"
	"testing"

	"perceptron/internal/naive"
)

// TestNorm: the norm is right to rounding, even if its square overflows or underflows.
func TestNorm(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	for _, e := range []int{-1070, -1000, -600, -536, -530, -525, -515, -460, -440, 0, 440, 490, 505, 600, 1015} {
		for n := 1; n < 40; n++ {
			v := naive.Gaussian(r, n)
			plain := math.Sqrt(naiveDot(v, v))
			for i := range v {
				v[i] = math.Ldexp(v[i], e)
			}
			want := math.Ldexp(plain, e)
			slack := max(1e-15*want, 5e-324*float64(n))
			if got := Norm(v); !(math.Abs(got-want) <= slack) {
				t.Fatalf("2^%d, n = %d: norm = %v, want %v", e, n, got, want)
			}
		}
	}
	for _, c := range []struct {
		v    []float64
		want float64
	}{{nil, 0}, {[]float64{0, 0}, 0}, {[]float64{3, 4}, 5}, {[]float64{0x3p900, 0x4p900}, 0x5p900}, {[]float64{0x3p-1070, 0x4p-1070}, 0x5p-1070}, {[]float64{inf, 1}, inf}} {
		if got := Norm(c.v); got != c.want {
			t.Errorf("Norm(%v) = %v, want %v", c.v, got, c.want)
		}
	}
	if got := Norm([]float64{1, math.NaN()}); !math.IsNaN(got) {
		t.Errorf("norm of NaN = %v", got)
	}
}

func TestLargest(t *testing.T) {
	for _, c := range []struct {
		v    []float64
		want float64
	}{{nil, 0}, {[]float64{-3, 2}, 3}, {[]float64{1, -inf, 2}, inf}, {[]float64{math.NaN(), 1}, math.NaN()}, {[]float64{-0.5, 0.25}, 0.5}} {
		if got := Largest(c.v); !naive.Same(got, c.want) {
			t.Errorf("Largest(%v) = %v, want %v", c.v, got, c.want)
		}
	}
}
