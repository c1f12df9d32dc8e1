//go:build unix

package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"perceptron"
)

// drawn returns rows that a hyperplane separates, dense and as sparse rows.
func drawn(seed uint64, n, d int) (X [][]float64, sparse []perceptron.Sparse, y []int) {
	r := rand.New(rand.NewPCG(seed, 72))
	for range n {
		x, row, label := make([]float64, d), perceptron.Sparse{}, 1-2*r.IntN(2)
		for j := range x {
			if r.IntN(3) > 0 {
				x[j] = r.NormFloat64()
			}
		}
		x[0] = float64(label) * (.5 + r.Float64())
		for j, v := range x {
			if v != 0 {
				row.Index, row.Value = append(row.Index, uint32(j)), append(row.Value, v)
			}
		}
		X, sparse, y = append(X, x), append(sparse, row), append(y, label)
	}
	return X, sparse, y
}

// TestAlgorithms: all algorithms bracket the margin that Separate finds, on dense and on sparse rows.
func TestAlgorithms(t *testing.T) {
	for seed := range uint64(10) {
		X, sparse, y := drawn(seed, 40, 5)
		s, err := perceptron.Separate(X, y, perceptron.Affine)
		if err != nil {
			t.Fatal(err)
		}
		γ := s.Lower / s.Radius
		for kind, z := range map[string]points{"dense": denseRows(X, y), "sparse": sparseRows(sparse, y)} {
			for name, run := range map[string]func(points, *tracker){"smooth": smooth, "Gilbert": gilbert, "MDM": mdm} {
				tr := newTracker(time.Minute)
				run(z, tr)
				if !(tr.lower <= γ*(1+1e-9) && γ <= tr.upper*(1+1e-9) && tr.lower >= γ*(1-narrow)) {
					t.Errorf("seed %d: %s %s: γ in [%v, %v], want %v", seed, kind, name, tr.lower, tr.upper, γ)
				}
			}
		}
	}
}

// TestCombine: the sums equal those that are computed row by row, for any number of rows and zeros.
func TestCombine(t *testing.T) {
	for n := 1; n <= 13; n++ {
		X, sparse, y := drawn(uint64(n), n, 5)
		λ := make([]float64, n)
		for i := range λ {
			λ[i] = float64(i % 3)
		}
		for kind, z := range map[string]points{"dense": denseRows(X, y), "sparse": sparseRows(sparse, y)} {
			got, want := make([]float64, 6), make([]float64, 6)
			z.combine(got, λ)
			for i, c := range λ {
				z.add(want, c, i)
			}
			for j := range want {
				if math.Abs(got[j]-want[j]) > 1e-12 {
					t.Errorf("%d %s rows: Σλz = %v, want %v", n, kind, got, want)
				}
			}
		}
	}
}

// BenchmarkPoints: what a step of the smooth perceptron needs, products with all rows and a sum of all rows.
func BenchmarkPoints(b *testing.B) {
	for _, shape := range [][2]int{{208, 60}, {6513, 126}, {10000, 784}, {2000, 1500}} {
		X, _, y := drawn(1, shape[0], shape[1])
		z := denseRows(X, y)
		w, s := make([]float64, shape[1]+1), make([]float64, shape[0])
		for i := range s {
			s[i] = 1
		}
		b.Run(fmt.Sprintf("%d,%d/sum", shape[0], shape[1]), func(b *testing.B) {
			for b.Loop() {
				z.combine(w, s)
			}
		})
		b.Run(fmt.Sprintf("%d,%d/products", shape[0], shape[1]), func(b *testing.B) {
			for b.Loop() {
				z.scores(s, w)
			}
		})
	}
}

// TestSmoothSteps: the smooth perceptron separates within the number of steps of its theorem.
func TestSmoothSteps(t *testing.T) {
	for seed := range uint64(20) {
		X, _, y := drawn(seed, 100, 4)
		s, err := perceptron.Separate(X, y, perceptron.Affine)
		if err != nil {
			t.Fatal(err)
		}
		tr := newTracker(time.Minute)
		smooth(denseRows(X, y), tr)
		if most := 2 * math.Sqrt(2*math.Log(100)) * s.Radius / s.Lower; tr.firstStep == 0 || float64(tr.firstStep) > most {
			t.Errorf("seed %d: separates after %d steps, want at most %.1f", seed, tr.firstStep, most)
		}
	}
}

// TestSoft: soft minimises, and its limit for small μ is the row with the least score.
func TestSoft(t *testing.T) {
	s, λ := []float64{.3, -.2, .1}, make([]float64, 3)
	value := func(λ []float64, μ float64) (sum float64) {
		for i, v := range λ {
			sum += λ[i]*s[i] + μ*v*math.Log(v)
		}
		return sum
	}
	soft(λ, s, .5)
	best := value(λ, .5)
	for _, step := range [][]float64{{.01, -.01, 0}, {-.01, 0, .01}, {0, .01, -.01}, {.01, 0, -.01}} {
		other := make([]float64, 3)
		for i := range other {
			other[i] = λ[i] + step[i]
		}
		if value(other, .5) <= best {
			t.Errorf("%v is better than %v", other, λ)
		}
	}
	if soft(λ, s, 1e-9); λ[1] != 1 || λ[0] != 0 {
		t.Errorf("λ = %v", λ)
	}
}
