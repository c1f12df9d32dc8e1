// Package naive draws random rows with known properties, for the tests of several packages. It also
// has helpers for these tests. Only tests import it.
package naive

import (
	"iter"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
)

// SameBits reports whether two numbers have the same bits.
func SameBits(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }

// Same reports whether two numbers have the same bits, or are both NaN.
func Same(a, b float64) bool { return SameBits(a, b) || a != a && b != b }

// Must returns a function that returns v, or fails the test if err is not nil.
func Must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// Epochs ranges over epochs and fails the test on an error.
func Epochs[E any](t testing.TB, epochs iter.Seq2[E, error]) iter.Seq[E] {
	return func(yield func(E) bool) {
		for e, err := range epochs {
			if !yield(Must(e, err)(t)) {
				return
			}
		}
	}
}

// A Set is labelled rows with a name.
type Set struct {
	Name string
	X    [][]float64
	Y    []int
}

// Add appends a row.
func (s *Set) Add(x []float64, y int) { s.X, s.Y = append(s.X, x), append(s.Y, y) }

// Gaussian draws a row of d features from the standard normal distribution.
func Gaussian(r *rand.Rand, d int) []float64 {
	x := make([]float64, d)
	for j := range x {
		x[j] = r.NormFloat64()
	}
	return x
}

// draw returns a Set of n rows, which row draws with their labels. stream keeps the random numbers of
// different kinds of sets apart.
func draw(name string, n int, seed, stream uint64, row func(r *rand.Rand, i int) ([]float64, int)) Set {
	r, s := rand.New(rand.NewPCG(seed, stream)), Set{Name: name}
	for i := range n {
		s.Add(row(r, i))
	}
	return s
}

// Separable draws rows x with |⟨u, x⟩| ≥ gap, for a random vector u of length 1. The label of x is the
// sign of ⟨u, x⟩. The first vector drawn is a positive multiple of u.
func Separable(seed uint64, n, d int, gap float64) Set {
	var u []float64
	return draw("separable", n, seed, 1, func(r *rand.Rand, i int) ([]float64, int) {
		if i == 0 {
			u = Gaussian(r, d)
		}
		for {
			x, dot, square := Gaussian(r, d), 0.0, 0.0
			for j, v := range u {
				dot, square = dot+float64(v*x[j]), square+float64(v*v)
			}
			if z := dot / math.Sqrt(square); math.Abs(z) >= gap {
				return x, int(math.Copysign(1, z))
			}
		}
	})
}

// Noisy draws rows whose labels are random.
func Noisy(seed uint64, n, d int) Set {
	return draw("noisy", n, seed, 2, func(r *rand.Rand, _ int) ([]float64, int) { return Gaussian(r, d), 1 - 2*r.IntN(2) })
}

// Whole draws rows of small integers with random labels. Sums of the features have no rounding errors.
func Whole(seed uint64, n, d int) Set {
	return draw("whole", n, seed, 3, func(r *rand.Rand, _ int) ([]float64, int) {
		x := make([]float64, d)
		for j := range x {
			x[j] = float64(r.IntN(9) - 4)
		}
		return x, 1 - 2*r.IntN(2)
	})
}

// Multi draws rows of k ≤ 10 classes, around a random centre for each class. The labels are arbitrary
// ints.
func Multi(seed uint64, n, d, k int) Set {
	centres := make([][]float64, k)
	return draw("multi", n, seed, 4, func(r *rand.Rand, i int) ([]float64, int) {
		for c := 0; i == 0 && c < k; c++ {
			centres[c] = Gaussian(r, d)
		}
		x := Gaussian(r, d)
		for j := range x {
			x[j] = 0.4*x[j] + 2*centres[i%k][j]
		}
		return x, [...]int{7, -300, 0, 1 << 30, 12, -1, 5, 99, 8, 3}[i%k]
	})
}

// Size multiplies the j-th feature of each row by a factor, in place. The factors grow with j from
// about 10⁻³ to about 10⁴.
func Size(X [][]float64) {
	for _, x := range X {
		for j := range x {
			x[j] *= math.Exp2(-10 + 23.25*float64(j)/float64(len(x)-1))
		}
	}
}

// Turned returns the rows after reflections in three hyperplanes through 0 with random normal
// vectors. This mixes all features.
func Turned(X [][]float64) [][]float64 {
	r, turned := rand.New(rand.NewPCG(1, 13)), make([][]float64, len(X))
	for i, x := range X {
		turned[i] = slices.Clone(x)
	}
	for range 3 {
		v := Gaussian(r, len(X[0]))
		for _, x := range turned {
			dot, square := 0.0, 0.0
			for j, u := range v {
				dot, square = dot+float64(u*x[j]), square+float64(u*u)
			}
			for j, u := range v {
				x[j] -= float64(2 * dot / square * u)
			}
		}
	}
	return turned
}

// Go calls f in a goroutine that wg waits for, as WaitGroup.Go does since Go 1.25.
func Go(wg *sync.WaitGroup, f func()) {
	wg.Add(1)
	go func() {
		defer wg.Done()
		f()
	}()
}

// Dense returns the n elements of a sparse vector.
func Dense(n int, index []uint32, value []float64) []float64 {
	v := make([]float64, n)
	for k, j := range index {
		v[j] = value[k]
	}
	return v
}

// Allocated returns what f allocates: bytes, and the number of allocations.
func Allocated(f func()) (bytes, times uint64) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, after.Mallocs - before.Mallocs
}
