package perceptron_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"perceptron"
)

// exactScore returns y⟨w, x⟩ exactly.
func exactScore(w, x []float64, y int) *big.Rat {
	sum := new(big.Rat)
	for j := range w {
		product := new(big.Rat).Mul(new(big.Rat).SetFloat64(w[j]), new(big.Rat).SetFloat64(x[j]))
		sum.Add(sum, product)
	}
	return sum.Mul(sum, big.NewRat(int64(y), 1))
}

// TestRounding checks the theorem float_bound on runs with features of very different
// size: the errors of scores and updates are at most ε and δ, each update happens where
// the exact score is at most ε, and k is within the bound.
func TestRounding(t *testing.T) {
	const (
		unit      = 0x1p-53
		underflow = 0x1p-1074 // τ = 2⁻¹⁰⁷⁵ is no float64
	)
	r := rand.New(rand.NewPCG(1, 30))
	var updates, rounded, bounded int
	for i := range perceptron.Share(24) {
		set := i * 24 / perceptron.Share(24)
		d, eta := 1+r.IntN(40), []float64{1, 0.1, 3}[r.IntN(3)]
		scale, u := make([]float64, d), make([]float64, d)
		for j := range scale {
			scale[j] = math.Ldexp(1+r.Float64(), r.IntN(10+3*set)-5-set)
			u[j] = r.NormFloat64() / scale[j]
		}
		var X [][]float64
		var y []int
		for len(X) < 20 {
			x, s, most := make([]float64, d), 0.0, 0.0
			for j := range x {
				x[j] = scale[j] * r.NormFloat64()
				s += u[j] * x[j]
				most += math.Abs(u[j] * x[j])
			}
			if math.Abs(s) < 0.3*most {
				continue
			}
			label := 1
			if s < 0 {
				label = -1
			}
			X, y = append(X, x), append(y, label)
		}
		sep, err := perceptron.Separate(X, y, perceptron.Linear)
		if err != nil {
			t.Fatal(err)
		}
		p := &perceptron.Online{Rate: eta, Space: perceptron.Linear}
		w := make([]float64, d)
		var k, W, largest float64
		var met []float64 // scores where it updated
		for range 30 {
			for i, x := range X {
				updated, err := p.Update(x, y[i])
				if err != nil {
					t.Fatal(err)
				}
				if !updated {
					continue
				}
				k++
				score, _ := exactScore(w, x, y[i]).Float64()
				met = append(met, score)
				next := p.Hyperplane().Weights
				for j := range w {
					exact := new(big.Rat).Mul(new(big.Rat).SetFloat64(eta*float64(y[i])), new(big.Rat).SetFloat64(x[j]))
					exact.Add(exact, new(big.Rat).SetFloat64(w[j]))
					off, _ := exact.Sub(exact, new(big.Rat).SetFloat64(next[j])).Float64()
					most := unit*(math.Abs(w[j])+eta*math.Abs(x[j])) + (1+unit)*(unit*eta*math.Abs(x[j])+underflow)
					if math.Abs(off) > most {
						t.Fatalf("weight %d: error %v of at most %v", j, off, most)
					}
					if off != 0 {
						rounded++
					}
					W, largest = max(W, math.Abs(next[j])), max(largest, math.Abs(x[j]))
				}
				w = next
			}
		}
		updates += int(k)
		// The theorem's numbers, with one more rounding each.
		grow := math.Pow(1+unit, float64(d/32+11))
		epsilon := (grow-1)*float64(d)*W*largest + grow*float64(d)*underflow
		delta := unit*(W+eta*largest) + (1+unit)*(unit*eta*largest+underflow)
		for _, s := range met {
			if s > epsilon {
				t.Errorf("an update at the score %v, want at most ε = %v", s, epsilon)
			}
		}
		progress := eta*sep.Lower - 2*math.Sqrt(float64(d))*delta
		if progress <= 0 {
			continue
		}
		bounded++
		bound := (eta*eta*sep.Radius*sep.Radius + 2*eta*epsilon) / (progress * progress)
		if k > bound*(1+1e-9) {
			t.Errorf("%v mistakes of at most %v", k, bound)
		}
	}
	if updates < perceptron.Share(500) || rounded < perceptron.Share(500) || bounded < perceptron.Share(10) {
		t.Errorf("%d updates, %d of their coordinates rounded, %d bounds: too easy", updates, rounded, bounded)
	}
}
