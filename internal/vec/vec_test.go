package vec

import (
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"unsafe"

	"perceptron/internal/exact"
	"perceptron/internal/naive"
)

var inf = math.Inf(1)

// special are values for which a wrong order or a wrong sign of zero shows.
var special = []float64{
	0, math.Copysign(0, -1), 1, -1, 0.1, -1e300, 1e300, 5e-324, -5e-324, 1e-310,
	math.MaxFloat64, -math.MaxFloat64, inf, -inf, math.NaN(), 1 << 53, 1.0 / 3,
}

// vectors returns two vectors of n numbers of mixed magnitude, with some of the special ones.
func vectors(r *rand.Rand, n int, specials int) (a, b []float64) {
	a, b = naive.Gaussian(r, n), naive.Gaussian(r, n)
	for i := range n {
		a[i] *= math.Pow(10, float64(r.IntN(9)-4))
	}
	for range min(specials, n) {
		a[r.IntN(n)] = special[r.IntN(len(special))]
		b[r.IntN(n)] = special[r.IntN(len(special))]
	}
	return a, b
}

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

// guarded returns a copy of v in a larger slice, with guard values on both sides, offset float64s
// behind the start of a cache line. intact reports whether the guard values are unchanged.
func guarded(v []float64, offset int) (copied []float64, intact func() bool) {
	const margin = 72
	guard := math.Float64frombits(0x7ff8_dead_beef_0001)
	all := make([]float64, len(v)+2*margin)
	for i := range all {
		all[i] = guard
	}
	line := int(uintptr(unsafe.Pointer(&all[0]))/8) % 8
	from := margin - line - 8 + offset
	copied = all[from : from+len(v) : from+len(v)]
	copy(copied, v)
	return copied, func() bool {
		for i, x := range all {
			if (i < from || i >= from+len(v)) && !naive.SameBits(x, guard) {
				return false
			}
		}
		return true
	}
}

// lengths yields the lengths of vectors from 0 to 1100. Unless PERCEPTRON_FULL is set, it yields
// a sample of those from 128 on, which has every remainder of 32, the most elements that a kernel
// reads in one step, and the ends of a tile of dotGeneric.
func lengths(yield func(n int) bool) {
	stride := 15
	if os.Getenv("PERCEPTRON_FULL") != "" {
		stride = 1
	}
	for n := 0; n <= 1100; n++ {
		if (n < 128 || n%stride == 0 || (n+1)%512 < 3) && !yield(n) {
			return
		}
	}
}

// TestDot compares every version of the kernel with the naive sum, for every length and alignment.
// Products that are all −0 have the sum +0.
func TestDot(t *testing.T) {
	eachVersion(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 5))
		for n := range lengths {
			for specials := range 4 {
				a, b := vectors(r, n, specials)
				if specials == 3 {
					a, b = make([]float64, n), slices.Repeat([]float64{-1}, n)
				}
				want := naiveDot(a, b)
				for i := range 8 {
					ga, intactA := guarded(a, i)
					gb, intactB := guarded(b, (3*i+n)%8)
					got, fetching := Dot(ga, gb), dotFetch(ga, gb, gb)
					if !naive.Same(got, want) || !naive.Same(fetching, want) || !intactA() || !intactB() {
						t.Fatalf("n = %d, offset %d: dot = %v, and %v with fetching, want %v", n, i, got, fetching, want)
					}
				}
			}
		}
	})
}

// TestDots compares the products of a block with the naive sums, for every length and
// many numbers of vectors.
func TestDots(t *testing.T) {
	eachVersion(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(4, 5))
		var b block
		for n := range lengths {
			k := 1 + n%12
			if n < 100 {
				b, k = block{}, 1+n%26
			}
			checkDots(t, r, &b, n, k)
		}
	})
}

// checkDots compares b's products of rows of n elements with k vectors, with and without fetching.
func checkDots(t *testing.T, r *rand.Rand, b *block, n, k int) {
	t.Helper()
	var intact []func() bool
	vector := func() []float64 {
		v, _ := vectors(r, n, n%3)
		v, ok := guarded(v, r.IntN(8))
		intact = append(intact, ok)
		return v
	}
	var x [blockRows][]float64
	for j := range x {
		x[j] = vector()
	}
	w := make([][]float64, k)
	for i := range w {
		w[i] = vector()
	}
	b.load(w)
	for _, next := range []*[blockRows][]float64{nil, {x[3], x[0], x[0], x[2]}} {
		got := b.dots(&x, next)
		if len(got) != blockRows*k {
			t.Fatalf("n = %d, %d vectors: %d products", n, k, len(got))
		}
		for i, p := range got {
			if want := naiveDot(x[i%blockRows], w[i/blockRows]); !naive.Same(p, want) {
				t.Fatalf("n = %d, %d vectors: product %d is %v, want %v", n, k, i, p, want)
			}
		}
	}
	for i := range intact {
		if !intact[i]() {
			t.Fatalf("n = %d, %d vectors: written around vector %d", n, k, i)
		}
	}
}

// panics fails unless f panics on these vectors.
func panics(t *testing.T, v any, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("no panic with %v", v)
		}
	}()
	f()
}

func TestAxpy(t *testing.T) {
	eachVersion(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(2, 5))
		for n := range lengths {
			for specials := range 2 {
				w, x := vectors(r, n, 2*specials)
				w, intactW := guarded(w, r.IntN(8))
				x, intactX := guarded(x, r.IntN(8))
				dst, intactDst := guarded(make([]float64, n), r.IntN(8))
				aliased, intactAliased := guarded(w, n%8)
				c := r.NormFloat64()
				ok, okAliased := Axpy(dst, w, c, x), Axpy(aliased, aliased, c, x)
				wantOK := true
				for i := range n {
					product := float64(c * x[i])
					want := w[i] + product
					wantOK = wantOK && IsFinite(want)
					if !naive.Same(dst[i], want) || !naive.Same(aliased[i], want) {
						t.Fatalf("n = %d, coordinate %d: %v and %v, want %v", n, i, dst[i], aliased[i], want)
					}
				}
				if ok != wantOK || okAliased != wantOK {
					t.Fatalf("n = %d: reported finite: %v and %v, want %v", n, ok, okAliased, wantOK)
				}
				if !intactW() || !intactX() || !intactDst() || !intactAliased() {
					t.Fatalf("n = %d: written outside", n)
				}
			}
		}
	})
}

// TestAccumulate compares every version of Accumulate with exact.TwoSum, for every length.
func TestAccumulate(t *testing.T) {
	eachVersion(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(6, 5))
		for n := range lengths {
			for specials := range 2 {
				w, sum := vectors(r, n, 2*specials)
				low, from := vectors(r, n, specials)
				c := float64(r.IntN(100))
				var v [6][]float64
				var intact [6]func() bool
				for i, from := range [][]float64{make([]float64, n), make([]float64, n), sum, low, from, w} {
					v[i], intact[i] = guarded(from, r.IntN(8))
				}
				ok, okInPlace := Accumulate(v[0], v[1], v[2], v[3], c, v[4], v[5]), Accumulate(v[2], v[3], v[2], v[3], c, v[4], v[5])
				wantOK := true
				for i := range n {
					d, f := exact.TwoSum(w[i], -from[i])
					p := float64(c * d)
					s, e := exact.TwoSum(sum[i], p)
					l := low[i] + (e + math.FMA(c, d, -p) + float64(c*f))
					wantOK = wantOK && IsFinite(s) && IsFinite(l)
					if !naive.Same(v[0][i], s) || !naive.Same(v[1][i], l) || !naive.Same(v[2][i], s) || !naive.Same(v[3][i], l) {
						t.Fatalf("n = %d, coordinate %d: %v and %v, in place %v and %v, want %v and %v", n, i, v[0][i], v[1][i], v[2][i], v[3][i], s, l)
					}
				}
				if ok != wantOK || okInPlace != wantOK {
					t.Fatalf("n = %d: reported finite: %v and %v, want %v", n, ok, okInPlace, wantOK)
				}
				for i := range intact {
					if !intact[i]() {
						t.Fatalf("n = %d: written around vector %d", n, i)
					}
				}
			}
		}
	})
}

// TestEachElement: if one element at any place is not finite, Dot's sum is not finite, for any
// weight there. Axpy and Accumulate report the element.
func TestEachElement(t *testing.T) {
	eachVersion(t, func(t *testing.T) {
		for n := 1; n < 80; n++ {
			for i := range n {
				at := func(v float64) []float64 { x := make([]float64, n); x[i] = v; return x }
				for _, bad := range []float64{inf, -inf, math.NaN()} {
					for _, weight := range []float64{0, 1, -2, 1e-300} {
						if got := Dot(at(weight), at(bad)); IsFinite(got) {
							t.Fatalf("%v·%v at %d of %d gives %v", weight, bad, i, n, got)
						}
					}
					v, w, x := at(0), at(0), at(bad)
					if Axpy(v, w, 0.5, x) || Axpy(v, x, 1, w) {
						t.Fatalf("Axpy calls %v at %d of %d finite", bad, i, n)
					}
					if Accumulate(v, w, at(bad), at(0), 1, x, x) || Accumulate(v, w, at(0), at(bad), 1, at(0), at(0)) {
						t.Fatalf("Accumulate calls %v at %d of %d finite", bad, i, n)
					}
				}
				if w := at(math.MaxFloat64); Axpy(w, w, 0.5, w) {
					t.Fatalf("Axpy calls an overflow at %d of %d finite", i, n)
				}
			}
		}
	})
}

// TestLengths: vectors of different lengths give NaN or a panic.
func TestLengths(t *testing.T) {
	v := func(n int) []float64 { return make([]float64, n) }
	for _, n := range []int{0, 1, 7, 8, 31, 32, 33, 100} {
		for _, m := range []int{0, 1, 9, 32, 64, 101} {
			if got, fetching := Dot(v(n), v(m)), dotFetch(v(n), v(m), v(m)); IsFinite(got) != (n == m) || IsFinite(fetching) != (n == m) {
				t.Errorf("lengths %d and %d: dot = %v, and %v with fetching", n, m, got, fetching)
			}
		}
	}
	for other := range 16 {
		w := slices.Repeat([][]float64{v(9)}, 8)
		w[other/2] = v(8 + other%2*2) // shorter, or longer
		panics(t, w, func() {
			var b block
			b.load(w[blockRows:])
			b.dots((*[blockRows][]float64)(w), nil)
		})
		if other < 6 {
			panics(t, w, func() { Axpy(w[0], w[1], 1, w[2]) })
		}
		if other < 12 {
			panics(t, w, func() { Accumulate(w[0], w[1], w[2], w[3], 1, w[4], w[5]) })
		}
	}
}

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
