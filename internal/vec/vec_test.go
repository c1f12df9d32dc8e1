package vec

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"unsafe"
)

// special are values for which a wrong order or a wrong sign of zero shows.
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

// guarded returns a copy of v in a larger slice, with guard values on both sides,
// offset float64s behind the start of a cache line. intact reports whether the guard
// values are unchanged.
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
			if (i < from || i >= from+len(v)) && !sameBits(x, guard) {
				return false
			}
		}
		return true
	}
}

// TestDot compares every form of the kernel with the naive sum, for every length
// and alignment.
func TestDot(t *testing.T) {
	eachForm(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 5))
		for n := range 1101 {
			for specials := range 3 {
				a, b := vectors(r, n, specials)
				want := naiveDot(a, b)
				for i := range 8 {
					ga, intactA := guarded(a, i)
					gb, intactB := guarded(b, (3*i+n)%8)
					if got := Dot(ga, gb); !same(got, want) || !intactA() || !intactB() {
						t.Fatalf("n = %d, offset %d: dot = %v, want %v", n, i, got, want)
					}
				}
			}
		}
	})
}

// TestDotFew: a few products are added in the same order as many. Products that are
// all −0 have the sum +0.
func TestDotFew(t *testing.T) {
	eachForm(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(2, 5))
		for n := range 33 {
			a, b := make([]float64, n), make([]float64, n)
			for range 100 {
				for i := range a {
					a[i], b[i] = r.NormFloat64(), r.NormFloat64()
				}
				if got, want := Dot(a, b), naiveDot(a, b); got != want {
					t.Fatalf("n = %d: %v, want %v", n, got, want)
				}
			}
			clear(a)
			if got := Dot(a, slices.Repeat([]float64{-1}, n)); math.Float64bits(got) != 0 {
				t.Fatalf("n = %d: %v, want +0", n, got)
			}
		}
	})
}

// TestDots5: each of the five sums has the bits of Dot.
func TestDots5(t *testing.T) {
	eachForm(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(4, 5))
		for n := range 1101 {
			var v [6][]float64
			var intact [6]func() bool
			for i := range v {
				x, _ := vectors(r, n, n%3)
				v[i], intact[i] = guarded(x, r.IntN(8))
			}
			var sums [5]float64
			Dots5(&sums, v[5], (*[5][]float64)(v[:5]), v[0])
			for i, got := range sums {
				if want := naiveDot(v[5], v[i]); !same(got, want) {
					t.Fatalf("n = %d, sum %d: %v, want %v", n, i, got, want)
				}
			}
			for i := range intact {
				if !intact[i]() {
					t.Fatalf("n = %d: written around vector %d", n, i)
				}
			}
		}
	})
}

func TestDots5Lengths(t *testing.T) {
	for short := range 6 {
		t.Run(strconv.Itoa(short), func(t *testing.T) {
			var v [6][]float64
			for i := range v {
				v[i] = make([]float64, 9)
			}
			v[short] = v[short][:8]
			defer func() {
				if recover() == nil {
					t.Error("Dots5 of different lengths does not panic")
				}
			}()
			Dots5(new([5]float64), v[5], (*[5][]float64)(v[:5]), v[0])
		})
	}
}

func TestDotLengths(t *testing.T) {
	for _, n := range []int{0, 1, 7, 8, 31, 32, 33, 100} {
		for _, m := range []int{0, 1, 9, 32, 64, 101} {
			got := Dot(make([]float64, n), make([]float64, m))
			if math.IsNaN(got) != (n != m) {
				t.Errorf("lengths %d and %d: dot = %v", n, m, got)
			}
		}
	}
}

// TestDotGuards: a NaN or an infinity in any coordinate makes the score
// non-finite, whatever the weights.
func TestDotGuards(t *testing.T) {
	eachForm(t, func(t *testing.T) {
		for _, n := range []int{1, 5, 8, 31, 32, 40, 100} {
			for i := range n {
				for _, bad := range []float64{inf, -inf, math.NaN()} {
					for _, weight := range []float64{0, 1, -2, 1e-300} {
						w, x := make([]float64, n), make([]float64, n)
						w[i], x[i] = weight, bad
						if got := Dot(w, x); IsFinite(got) {
							t.Fatalf("%v·%v at %d of %d gives %v", weight, bad, i, n, got)
						}
					}
				}
			}
		}
	})
}

func TestAxpy(t *testing.T) {
	eachForm(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(2, 5))
		for n := range 1101 {
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
					if !same(dst[i], want) || !same(aliased[i], want) {
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

// TestAxpyFinite: Axpy reports one element that is not finite, wherever it is.
func TestAxpyFinite(t *testing.T) {
	eachForm(t, func(t *testing.T) {
		for n := 1; n < 80; n++ {
			for i := range n {
				for _, bad := range []float64{inf, -inf, math.NaN(), math.MaxFloat64} {
					w, x := make([]float64, n), make([]float64, n)
					w[i], x[i] = math.MaxFloat64, bad
					if Axpy(w, w, 0.5, x) {
						t.Fatalf("n = %d: %v at %d is called finite", n, bad, i)
					}
				}
			}
		}
	})
}

func TestAxpyLengths(t *testing.T) {
	for _, n := range [][3]int{{2, 3, 3}, {3, 2, 3}, {3, 3, 2}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("lengths %v do not panic", n)
				}
			}()
			Axpy(make([]float64, n[0]), make([]float64, n[1]), 1, make([]float64, n[2]))
		}()
	}
}

// TestPrefetch: the loop ends for every length, and no address faults.
func TestPrefetch(t *testing.T) {
	Prefetch(nil)
	for n := range 34 {
		Prefetch(make([]float64, n))
	}
}
