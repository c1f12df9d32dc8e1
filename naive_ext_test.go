package perceptron_test

import (
	"iter"
	"math"
	"math/rand/v2"
	"testing"

	"perceptron"
)

var inf = math.Inf(1)

// A dataset is labelled rows.
type dataset struct {
	X [][]float64
	y []int
}

// add appends a row.
func (s *dataset) add(x []float64, y int) {
	s.X, s.y = append(s.X, x), append(s.y, y)
}

// stream returns an iterator over the rows, for Learn.
func (s *dataset) stream() iter.Seq2[[]float64, int] {
	return func(yield func([]float64, int) bool) {
		for i, x := range s.X {
			if !yield(x, s.y[i]) {
				return
			}
		}
	}
}

func (s *dataset) radius(t testing.TB, space perceptron.Space) float64 {
	t.Helper()
	return must(perceptron.Radius(s.X, space))(t)
}

func (s *dataset) gamma(t testing.TB, h perceptron.Hyperplane, space perceptron.Space) float64 {
	t.Helper()
	return must(perceptron.Gamma(h, s.X, s.y, space))(t)
}

func (s *dataset) deviations(t testing.TB, h perceptron.Hyperplane, space perceptron.Space, gamma float64) (D, L float64) {
	t.Helper()
	D, L, err := perceptron.Deviations(h, s.X, s.y, space, gamma)
	if err != nil {
		t.Fatal(err)
	}
	return D, L
}

func (s *dataset) fit(t testing.TB, m perceptron.Model) perceptron.Result {
	t.Helper()
	return must(m.Fit(s.X, s.y))(t)
}

func norm(v []float64) float64 { return math.Sqrt(dot(v, v)) }

func dot(a, b []float64) (sum float64) {
	for j, v := range a {
		sum += v * b[j]
	}
	return sum
}

func gaussian(r *rand.Rand, d int) []float64 {
	x := make([]float64, d)
	for j := range x {
		x[j] = r.NormFloat64()
	}
	return x
}

// planted draws rows with |⟨u, x⟩| ≥ gap for a random unit u, which labels them,
// and returns u too.
func planted(seed uint64, n, d int, gap float64) (dataset, perceptron.Hyperplane) {
	r := rand.New(rand.NewPCG(seed, 1))
	u, set := gaussian(r, d), dataset{}
	length := math.Sqrt(dot(u, u))
	for len(set.X) < n {
		x := gaussian(r, d)
		if z := dot(u, x) / length; math.Abs(z) >= gap {
			set.add(x, int(math.Copysign(1, z)))
		}
	}
	return set, perceptron.Hyperplane{Weights: u}
}

// noisy draws rows with random labels.
func noisy(seed uint64, n, d int) (set dataset) {
	r := rand.New(rand.NewPCG(seed, 2))
	for range n {
		set.add(gaussian(r, d), 1-2*r.IntN(2))
	}
	return set
}

// margin returns Lower of the rows' separation in Linear space. The bracket must be
// narrower than a part in 10¹².
func margin(t testing.TB, set dataset) float64 {
	t.Helper()
	sep := must(perceptron.Separate(set.X, set.y, perceptron.Linear))(t)
	if err := sep.Verify(set.X, set.y); err != nil {
		t.Fatal(err)
	}
	if !sep.Separable || sep.Upper-sep.Lower > 1e-12*sep.Upper {
		t.Fatalf("γ in [%v, %v]", sep.Lower, sep.Upper)
	}
	return sep.Lower
}
