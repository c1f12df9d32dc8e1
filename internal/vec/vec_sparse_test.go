package vec

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// sparseVector returns a sparse vector of n elements with some special ones, and the same with its
// zeros.
func sparseVector(r *rand.Rand, n int) (at []uint32, x, dense []float64) {
	dense = make([]float64, n)
	for j, share := 0, r.Float64(); j < n; j++ {
		if r.Float64() < share {
			v := r.NormFloat64()
			if r.IntN(8) == 0 {
				v = special[r.IntN(len(special))]
			}
			at, x, dense[j] = append(at, uint32(j)), append(x, v), v
		}
	}
	return at, x, dense
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

// TestDotSparse: the sum, whole or in parts, has the bits of Dot of the vector with its zeros.
func TestDotSparse(t *testing.T) {
	r := rand.New(rand.NewPCG(38, 1))
	for range 300 {
		for _, n := range sparseLengths {
			w := gaussian(r, n)
			at, x, dense := sparseVector(r, n)
			want := naiveDot(w, dense)
			if got := DotSparse(w, at, x); !same(got, want) {
				t.Fatalf("%d elements at %v: DotSparse is %v, want %v", n, at, got, want)
			}
			s := SparseSum{N: n}
			for rest := at; len(rest) > 0; {
				k := 1 + r.IntN(len(rest))
				part := make([]float64, k)
				for i, j := range rest[:k] {
					part[i] = w[j]
				}
				s.Add(rest[:k], part, x[len(at)-len(rest):])
				s.Add(nil, nil, nil)
				rest = rest[k:]
			}
			if got := s.Sum(); !same(got, want) {
				t.Fatalf("%d elements at %v: SparseSum is %v, want %v", n, at, got, want)
			}
		}
	}
	for _, c := range notSparse {
		if got := DotSparse(make([]float64, 40), c.at, c.x); !math.IsNaN(got) {
			t.Errorf("DotSparse of %v at %v is %v, want NaN", c.x, c.at, got)
		}
	}
}

// TestMatrixDots: the products with every column have the bits of Dot, with every form of the kernels,
// and no memory around lanes and elements changes.
func TestMatrixDots(t *testing.T) {
	eachForm(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(38, 2))
		var scratch []float64
		for range 40 {
			for _, n := range sparseLengths {
				k := 1 + r.IntN(11)
				elements, intact := guarded(gaussian(r, (n+1)*k), r.IntN(8))
				m := Matrix{elements, k}
				at, x, dense := sparseVector(r, n)
				got := m.Dots(&scratch, at, x)
				for c := range k {
					if want := naiveDot(column(m, c)[:n], dense); !same(got[c], want) {
						t.Fatalf("%d elements at %v: product %d of %d is %v, want %v", n, at, c, k, got[c], want)
					}
				}
				if len(got) != k || !intact() {
					t.Fatalf("%d products of %d; the memory around the elements is intact: %t", len(got), k, intact())
				}
				for i := range scratch {
					scratch[i] = math.NaN() // the next call must not read what this one has left
				}
			}
		}
		for _, c := range notSparse {
			got := Matrix{make([]float64, 41*3), 3}.Dots(&scratch, c.at, c.x)
			if len(got) != 3 || slices.ContainsFunc(got, func(v float64) bool { return !math.IsNaN(v) }) {
				t.Errorf("Dots of %v at %v is %v, want three NaN", c.x, c.at, got)
			}
		}
	})
}

// column returns the c-th vector of m.
func column(m Matrix, c int) (v []float64) {
	for j := c; j < len(m.Elements); j += m.Stride {
		v = append(v, m.Elements[j])
	}
	return v
}

// TestMatrix: vectors go into columns and come back; a wider matrix has the same columns; Gather and
// Scatter read and write some elements and the last one of a column, and no others.
func TestMatrix(t *testing.T) {
	r := rand.New(rand.NewPCG(38, 3))
	for _, n := range []int{1, 2, 5, 40} {
		vectors := [][]float64{gaussian(r, n), gaussian(r, n), gaussian(r, n)}
		m := Matrix{}.Widen(2, n)
		m.Join(0, vectors[:2])
		m = m.Widen(4, n)
		m.Join(2, vectors[2:])
		back := [][]float64{make([]float64, n), make([]float64, n), make([]float64, n)}
		m.Split(back)
		columns := [][]float64{column(m, 0), column(m, 1), column(m, 2), column(m, 3)}
		want := append(slices.Clone(vectors), make([]float64, n))
		if fmt.Sprint(columns) != fmt.Sprint(want) || fmt.Sprint(back) != fmt.Sprint(vectors) || len(m.Elements) != 4*n {
			t.Fatalf("%d elements: the columns are %v, and come back as %v, want %v", n, columns, back, want)
		}
		at, _, _ := sparseVector(r, n-1)
		var elements []float64
		for _, j := range at {
			elements = append(elements, vectors[1][j])
		}
		elements = append(elements, vectors[1][n-1])
		if got := m.Gather([]float64{7}, 1, at); !slices.Equal(got, append([]float64{7}, elements...)) {
			t.Errorf("Gather at %v is %v, want 7 and %v", at, got, elements)
		}
		from := append(gaussian(r, len(at)+1), 9)
		for k, j := range append(slices.Clone(at), uint32(n-1)) {
			want[1][j] = from[k]
		}
		if m.Scatter(1, at, from); !slices.Equal(m.Elements, joined(want)) {
			t.Errorf("Scatter of %v at %v: %v, want %v", from, at, m.Elements, joined(want))
		}
	}
}

// joined returns the elements of vectors side by side.
func joined(vectors [][]float64) (elements []float64) {
	for j := range vectors[0] {
		for _, v := range vectors {
			elements = append(elements, v[j])
		}
	}
	return elements
}
