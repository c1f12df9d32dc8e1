package perceptron

import (
	"math"
	"math/rand/v2"
	"testing"
)

// special are values whose sums and products depend on the order or the sign
// of zero.
var special = []float64{
	0, math.Copysign(0, -1), 1, -1, 0.1, -1e300, 1e300, 5e-324, -5e-324, 1e-310,
	math.MaxFloat64, -math.MaxFloat64, inf, -inf, math.NaN(), 1 << 53, 1.0 / 3,
}

func same(a, b float64) bool { return sameBits(a, b) || math.IsNaN(a) && math.IsNaN(b) }

// vectors returns two vectors of n numbers of mixed magnitude, with some of the
// special ones.
func vectors(r *rand.Rand, n int, specials int) (a, b []float64) {
	a, b = gaussian(r, n), gaussian(r, n)
	for i := range n {
		a[i] *= math.Pow(10, float64(r.IntN(9)-4))
	}
	for range min(specials, n) {
		a[r.IntN(n)] = special[r.IntN(len(special))]
		b[r.IntN(n)] = special[r.IntN(len(special))]
	}
	return a, b
}

func TestDot(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 5))
	for n := range 1100 {
		for specials := range 3 {
			a, b := vectors(r, n, specials)
			if got, want := dot(a, b), naiveDot(a, b); !same(got, want) {
				t.Fatalf("n = %d: dot = %v, want %v", n, got, want)
			}
		}
	}
}

func TestDotLengths(t *testing.T) {
	for _, n := range []int{0, 1, 7, 8, 31, 32, 33, 100} {
		for _, m := range []int{0, 1, 9, 32, 64, 101} {
			got := dot(make([]float64, n), make([]float64, m))
			if math.IsNaN(got) != (n != m) {
				t.Errorf("lengths %d and %d: dot = %v", n, m, got)
			}
		}
	}
}

// TestDotGuards: a NaN or an infinity in any coordinate makes the score
// non-finite, whatever the weights.
func TestDotGuards(t *testing.T) {
	for _, n := range []int{1, 5, 8, 31, 32, 40, 100} {
		for i := range n {
			for _, bad := range []float64{inf, -inf, math.NaN()} {
				for _, weight := range []float64{0, 1, -2, 1e-300} {
					w, x := make([]float64, n), make([]float64, n)
					w[i], x[i] = weight, bad
					if got := dot(w, x); isFinite(got) {
						t.Fatalf("%v·%v at %d of %d gives %v", weight, bad, i, n, got)
					}
				}
			}
		}
	}
}

func TestAxpy(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 5))
	for n := range 200 {
		w, x := vectors(r, n, 2)
		c := r.NormFloat64()
		dst, aliased := make([]float64, n), append([]float64(nil), w...)
		axpy(dst, w, c, x)
		axpy(aliased, aliased, c, x)
		for i := range n {
			product := float64(c * x[i])
			if want := w[i] + product; !same(dst[i], want) || !same(aliased[i], want) {
				t.Fatalf("n = %d, coordinate %d: %v and %v, want %v", n, i, dst[i], aliased[i], want)
			}
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("axpy of different lengths does not panic")
		}
	}()
	axpy(make([]float64, 3), make([]float64, 2), 1, make([]float64, 3))
}

func TestAxpyLengths(t *testing.T) {
	for _, n := range [][3]int{{2, 3, 3}, {3, 2, 3}, {3, 3, 2}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("lengths %v do not panic", n)
				}
			}()
			axpy(make([]float64, n[0]), make([]float64, n[1]), 1, make([]float64, n[2]))
		}()
	}
}

func TestFinite(t *testing.T) {
	for n := range 20 {
		v := make([]float64, n)
		for i := range v {
			v[i] = math.Copysign(math.MaxFloat64, float64(i%2)-0.5)
		}
		if !finite(v) {
			t.Fatalf("%v is called not finite", v)
		}
		for i := range v {
			for _, bad := range []float64{inf, -inf, math.NaN()} {
				old := v[i]
				if v[i] = bad; finite(v) {
					t.Fatalf("%v is called finite", v)
				}
				v[i] = old
			}
		}
	}
	for x, want := range map[float64]bool{0: true, math.MaxFloat64: true, -math.MaxFloat64: true, 5e-324: true, inf: false, -inf: false} {
		if isFinite(x) != want {
			t.Errorf("isFinite(%v) = %v", x, !want)
		}
	}
	if isFinite(math.NaN()) {
		t.Error("isFinite(NaN)")
	}
}

// TestNorm: within rounding wherever the norm is a float64, though its square
// may not be.
func TestNorm(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	for _, e := range []int{-1070, -1000, -600, -536, -530, -525, -515, -460, -440, 0, 440, 490, 505, 600, 1015} {
		for n := 1; n < 40; n++ {
			v := gaussian(r, n)
			plain := math.Sqrt(naiveDot(v, v))
			for i := range v {
				v[i] = math.Ldexp(v[i], e)
			}
			want := math.Ldexp(plain, e)
			slack := max(1e-15*want, 5e-324*float64(n))
			if got := norm(v); !(math.Abs(got-want) <= slack) {
				t.Fatalf("2^%d, n = %d: norm = %v, want %v", e, n, got, want)
			}
		}
	}
	for _, c := range []struct {
		v    []float64
		want float64
	}{{nil, 0}, {[]float64{0, 0}, 0}, {[]float64{3, 4}, 5}, {[]float64{0x3p900, 0x4p900}, 0x5p900}, {[]float64{0x3p-1070, 0x4p-1070}, 0x5p-1070}, {[]float64{inf, 1}, inf}} {
		if got := norm(c.v); got != c.want {
			t.Errorf("norm(%v) = %v, want %v", c.v, got, c.want)
		}
	}
	if got := norm([]float64{1, math.NaN()}); !math.IsNaN(got) {
		t.Errorf("norm of NaN = %v", got)
	}
}
