package vec

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"perceptron/internal/naive"
)

// sparseVector returns a sparse vector of n elements with some special ones.
func sparseVector(r *rand.Rand, n int) (at []uint32, x []float64) {
	for j, share := 0, r.Float64(); j < n; j++ {
		if r.Float64() < share {
			v := r.NormFloat64()
			if r.IntN(8) == 0 {
				v = special[r.IntN(len(special))]
			}
			at, x = append(at, uint32(j)), append(x, v)
		}
	}
	return at, x
}

// sparseLengths are numbers of elements around the steps of Dot's order, and others.
var sparseLengths = []int{0, 1, 7, 8, 9, 31, 32, 33, 39, 63, 64, 65, 95, 96, 200}

// notSparse are pairs of indexes and values that are no sparse vector of 40 elements.
var notSparse = []struct {
	at []uint32
	x  []float64
}{
	{[]uint32{1}, nil},
	{nil, []float64{1}},
	{[]uint32{1, 2}, []float64{1}},
	{[]uint32{40}, []float64{1}},
	{[]uint32{1, 40}, []float64{1, 1}},
	{[]uint32{math.MaxUint32}, []float64{1}},
	{[]uint32{0, 0}, []float64{1, 1}},
	{[]uint32{5, 4}, []float64{1, 1}},
	{[]uint32{33, 33}, []float64{1, 1}},
	{[]uint32{35, 34}, []float64{1, 1}},
	{[]uint32{35, 3}, []float64{1, 1}},
}

// window returns the elements of w at the indexes.
func window(w []float64, at []uint32) []float64 {
	v := make([]float64, len(at))
	for k, j := range at {
		v[k] = w[j]
	}
	return v
}

// TestDotSparse: the products have the bits that Dot gives for the window, with every form of the
// kernels. The indexes may ascend or be in any other order.
func TestDotSparse(t *testing.T) {
	eachVersion(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(38, 1))
		for range 300 {
			for _, n := range sparseLengths {
				w := naive.Gaussian(r, n)
				for j := range w {
					if r.IntN(8) == 0 {
						w[j] = special[r.IntN(len(special))]
					}
				}
				at, x := sparseVector(r, n)
				if got, want := DotSparse(w, at, x), naiveDot(window(w, at), x); !naive.Same(got, want) {
					t.Fatalf("%d elements at %v: DotSparse is %v, want %v", n, at, got, want)
				}
				sum, low, means := naive.Gaussian(r, n), naive.Gaussian(r, n), make([]float64, n)
				for j := range means {
					means[j] = Mean(w[j], sum[j], low[j], 7)
				}
				if got, want := DotMeans(w, sum, low, 1, 7, at, x), naiveDot(window(means, at), x); !naive.Same(got, want) {
					t.Fatalf("%d elements at %v: DotMeans is %v, want %v", n, at, got, want)
				}
				if n == 0 {
					continue
				}
				strided := func(v []float64) []float64 { m := join([][]float64{w, w, v, w}); return m[2 : len(m)-1] }
				if got, want := DotMeans(strided(w), strided(sum), strided(low), 4, 7, at, x), naiveDot(window(means, at), x); !naive.Same(got, want) {
					t.Fatalf("%d elements at %v, strided: DotMeans is %v, want %v", n, at, got, want)
				}
			}
		}
		w := make([]float64, 52)
		for _, c := range notSparse {
			for k := range 12 { // valid elements before them, as many as are taken at once and more
				at, x := slices.Clone(c.at), slices.Clone(c.x)
				for j := range at {
					at[j] += uint32(k)
				}
				for j := range k {
					at, x = slices.Insert(at, j, uint32(j)), slices.Insert(x, j, 1)
				}
				if got := DotSparse(w[:40], at, x); !math.IsNaN(got) {
					t.Errorf("DotSparse of %v at %v is %v, want NaN", x, at, got)
				}
				if got := DotMeans(w[:40], w, w, 1, 1, at, x); !math.IsNaN(got) {
					t.Errorf("DotMeans of %v at %v is %v, want NaN", x, at, got)
				}
			}
		}
	})
}

// TestAddSparse: a sum has the bits of Axpy of the window.
func TestAddSparse(t *testing.T) {
	r := rand.New(rand.NewPCG(38, 4))
	for range 300 {
		for _, n := range sparseLengths {
			w, x := vectors(r, n, r.IntN(3))
			at, _ := sparseVector(r, n)
			x = x[:len(at)]
			part, want := window(w, at), slices.Clone(w)
			ok := Axpy(part, part, 0.3, x)
			for k, j := range at {
				want[j] = part[k]
			}
			if got := AddSparse(w, at, 0.3, x); got != ok || !slices.EqualFunc(w, want, naive.Same) {
				t.Fatalf("%v at %v: %t and %v, want %t and %v", x, at, got, w, ok, want)
			}
		}
	}
}

// TestSparseScores: the scores have the bits that Dot gives for the windows, with every vector and every
// version of the kernels. No memory around the elements changes.
func TestSparseScores(t *testing.T) {
	eachVersion(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(38, 2))
		for range 40 {
			for _, n := range sparseLengths {
				k := 1 + r.IntN(37)
				first := r.IntN(k)
				elements, intact := guarded(naive.Gaussian(r, (n+1)*k), r.IntN(8))
				at, x := sparseVector(r, n)
				got, apart := guarded(make([]float64, 1+r.IntN(k-first)), r.IntN(8))
				SparseScores(got, elements, first, k, at, x)
				for i, s := range got {
					w := column(elements, k, first+i)
					if want := naiveDot(window(w, at), x) + w[n]; !naive.Same(s, want) {
						t.Fatalf("%d elements at %v: score %d + %d of %d is %v, want %v", n, at, first, i, k, s, want)
					}
				}
				clear(got)
				if !apart() || !intact() {
					t.Fatalf("%d scores of %d: the memory around them has changed", len(got), k)
				}
			}
		}
		for _, c := range notSparse {
			got := make([]float64, 3)
			SparseScores(got, make([]float64, 41*3), 0, 3, c.at, c.x)
			if slices.ContainsFunc(got, func(v float64) bool { return !math.IsNaN(v) }) {
				t.Errorf("SparseScores of %v at %v is %v, want three NaN", c.x, c.at, got)
			}
		}
	})
}

// column returns the c-th of k vectors side by side.
func column(m []float64, k, c int) (v []float64) {
	for j := c; j < len(m); j += k {
		v = append(v, m[j])
	}
	return v
}

// join returns vectors side by side.
func join(vectors [][]float64) (m []float64) {
	for j := range vectors[0] {
		for _, v := range vectors {
			m = append(m, v[j])
		}
	}
	return m
}

// TestGather: Gather and Scatter read and write some elements and the last one of a vector, alone or beside
// others, and no others.
func TestGather(t *testing.T) {
	r := rand.New(rand.NewPCG(38, 3))
	for _, n := range []int{1, 2, 5, 40} {
		vectors := [][]float64{naive.Gaussian(r, n), naive.Gaussian(r, n), naive.Gaussian(r, n)}
		for k := 1; k <= 3; k++ {
			m := join(vectors[:k])
			c := r.IntN(k)
			w, v := m[c:len(m)-k+c+1], slices.Clone(vectors[c])
			at, _ := sparseVector(r, n-1)
			want := []float64{7}
			for _, j := range append(slices.Clone(at), uint32(n-1)) {
				want = append(want, v[j])
			}
			if got := Gather([]float64{7}, w, k, at); !slices.Equal(got, want) {
				t.Errorf("Gather at %v is %v, want %v", at, got, want)
			}
			from := append(naive.Gaussian(r, len(at)+1), 9)
			for i, j := range append(slices.Clone(at), uint32(n-1)) {
				v[j] = from[i]
			}
			all := slices.Clone(vectors[:k])
			all[c] = v
			if Scatter(w, k, at, from); !slices.Equal(m, join(all)) {
				t.Errorf("Scatter of %v at %v: %v, want %v", from, at, m, join(all))
			}
		}
	}
}
