package naive

import (
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
)

// A Set is labelled rows with a name.
type Set struct {
	Name string
	X    [][]float64
	Y    []int
}

// XOR has no separating hyperplane.
var XOR = Set{"xor", [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}}, []int{-1, +1, +1, -1}}

// FourPoints has loops in both models (Affine, η = 1): Online from epoch 149 with period 65, Batch
// from epoch 91 with period 75.
var FourPoints = Set{"four points", [][]float64{{5, -6}, {1, -2}, {-2, -5}, {7, 3}}, []int{+1, +1, -1, -1}}

// Add appends a row.
func (s *Set) Add(x []float64, y int) { s.X, s.Y = append(s.X, x), append(s.Y, y) }

// Part returns the rows lo, …, hi−1.
func (s Set) Part(lo, hi int) Set { return Set{s.Name, s.X[lo:hi], s.Y[lo:hi]} }

// Pairs yields the rows themselves, of any widths.
func (s Set) Pairs() iter.Seq2[[]float64, int] {
	return func(yield func([]float64, int) bool) {
		for i := 0; i < len(s.X) && yield(s.X[i], s.Y[i]); i++ {
		}
	}
}

// Stream yields the rows through one buffer, overwritten each time.
func (s Set) Stream() iter.Seq2[[]float64, int] {
	return func(yield func([]float64, int) bool) {
		buffer := make([]float64, len(s.X[0]))
		for x, y := range s.Pairs() {
			copy(buffer, x)
			if !yield(buffer, y) {
				return
			}
			for j := range buffer {
				buffer[j] = math.NaN()
			}
		}
	}
}

// Against returns +1 for the class and −1 for the rest.
func Against(y []int, class int) []int {
	z := make([]int, len(y))
	for i, label := range y {
		if z[i] = -1; label == class {
			z[i] = +1
		}
	}
	return z
}

// Gaussian draws a row.
func Gaussian(r *rand.Rand, d int) []float64 {
	x := make([]float64, d)
	for j := range x {
		x[j] = r.NormFloat64()
	}
	return x
}

// GaussianRows draws n rows.
func GaussianRows(seed uint64, n, d int) (X [][]float64) {
	r := rand.New(rand.NewPCG(seed, 0))
	for range n {
		X = append(X, Gaussian(r, d))
	}
	return X
}

// Separable draws rows with |⟨u, x⟩| ≥ gap for a random unit u, which labels them.
func Separable(seed uint64, n, d int, gap float64) Set {
	s, _ := Planted(seed, n, d, gap)
	return s
}

// Planted also returns a multiple of u.
func Planted(seed uint64, n, d int, gap float64) (Set, []float64) {
	r := rand.New(rand.NewPCG(seed, 1))
	u, s := Gaussian(r, d), Set{Name: "separable"}
	length := math.Sqrt(Dot(u, u))
	for len(s.X) < n {
		x := Gaussian(r, d)
		if z := Dot(u, x) / length; math.Abs(z) >= gap {
			s.Add(x, int(math.Copysign(1, z)))
		}
	}
	return s, u
}

// Noisy draws rows whose labels are random.
func Noisy(seed uint64, n, d int) Set {
	r, s := rand.New(rand.NewPCG(seed, 2)), Set{Name: "noisy"}
	for range n {
		s.Add(Gaussian(r, d), 1-2*r.IntN(2))
	}
	return s
}

// Whole draws rows of small integers with random labels. Every sum of them is exact.
func Whole(seed uint64, n, d int) Set {
	r, s := rand.New(rand.NewPCG(seed, 3)), Set{Name: "whole"}
	for range n {
		x := make([]float64, d)
		for j := range x {
			x[j] = float64(r.IntN(9) - 4)
		}
		s.Add(x, 1-2*r.IntN(2))
	}
	return s
}

// Multi draws rows of k classes, whose labels are any ints.
func Multi(seed uint64, n, d, k int) Set {
	r, s := rand.New(rand.NewPCG(seed, 4)), Set{Name: "multi"}
	labels, centres := []int{7, -300, 0, 1 << 30, 12, -1, 5, 99, 8, 3}[:k], make([][]float64, k)
	for c := range centres {
		centres[c] = Gaussian(r, d)
	}
	for i := range n {
		x := Gaussian(r, d)
		for j := range x {
			x[j] = 0.4*x[j] + 2*centres[i%k][j]
		}
		s.Add(x, labels[i%k])
	}
	return s
}

// Uniform draws rows of k classes around their centres. It uses integer arithmetic only, so that
// the rows are the same on every machine.
func Uniform(seed uint64, n, d, k int) Set {
	r, s := rand.New(rand.NewPCG(seed, 9)), Set{Name: fmt.Sprintf("uniform%dx%d", n, d)}
	row := func() []float64 {
		x := make([]float64, d)
		for j := range x {
			x[j] = float64(int64(r.Uint64()>>11)-1<<52) * 0x1p-52
		}
		return x
	}
	centres := make([][]float64, k)
	for c := range centres {
		centres[c] = row()
	}
	for i := range n {
		x := row()
		for j := range x {
			x[j] += 0.25 * centres[i%k][j]
		}
		s.Add(x, i%k)
	}
	return s
}

// Sized gives the features sizes from 10⁻³ to 10⁴, in place.
func (s Set) Sized() Set {
	size, d := 1e-3, len(s.X[0])
	for j := range d {
		for _, x := range s.X {
			x[j] *= size
		}
		size *= math.Exp2(23.25 / float64(d-1))
	}
	s.Name = fmt.Sprintf("%d features of many sizes", d)
	return s
}

// Turned returns the rows reflected in the planes of three random vectors, which mixes all
// features.
func (s Set) Turned() Set {
	r, t := rand.New(rand.NewPCG(1, 13)), Set{Name: s.Name + ", turned", Y: s.Y}
	for _, x := range s.X {
		t.X = append(t.X, slices.Clone(x))
	}
	for range 3 {
		v := Gaussian(r, len(s.X[0]))
		for _, x := range t.X {
			c := -2 * Dot(v, x) / Dot(v, v)
			for j := range x {
				x[j] += float64(c * v[j])
			}
		}
	}
	return t
}
