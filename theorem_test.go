package perceptron_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"perceptron"
	"perceptron/internal/naive"
	"perceptron/internal/vec"
)

// A walk has the inequalities that must hold at every update of a run.
type walk struct {
	eta, R, gamma float64
	w0            []float64
	A, B          float64
	fromZero      bool
}

// check checks the k-th iterate: ηkγ ≤ ‖w_k‖ ≤ η√k R from zero, and Ak² ≤
// ‖w(k) − w(0)‖² ≤ Bk from anywhere, with some slack for rounding.
func (c walk) check(t *testing.T, w []float64, k int) {
	t.Helper()
	const slack = 1 + 1e-12
	v := slices.Clone(w)
	for j := range v {
		v[j] -= c.w0[j]
	}
	moved, n := vec.Dot(v, v), float64(k)
	if moved*slack < c.A*n*n || moved > c.B*n*slack {
		t.Fatalf("update %d: ‖w(k)−w(0)‖² = %v is outside [%v, %v]", k, moved, c.A*n*n, c.B*n)
	}
	if length := norm(w); c.fromZero && (length*slack < c.eta*n*c.gamma || length > c.eta*math.Sqrt(n)*c.R*slack) {
		t.Fatalf("update %d: ‖w‖ = %v is outside [%v, %v]", k, length, c.eta*n*c.gamma, c.eta*math.Sqrt(n)*c.R)
	}
}

// TestOnTheWay runs Online, update by update, over data with a planted margin, in
// both spaces, at many rates, from zero and elsewhere. It checks every iterate, and
// the counts against MistakeBound and StartBound.
func TestOnTheWay(t *testing.T) {
	for seed := range uint64(24) {
		set, u := planted(seed, 40, 4, 0.2)
		s := perceptron.Space(seed % 2)
		for _, eta := range []float64{1, 0.1, 0.25, 7} {
			for _, far := range []float64{0, 0.3, 5} {
				start := perceptron.Hyperplane{Weights: make([]float64, 4)}
				for j := range start.Weights {
					start.Weights[j] = far * math.Sin(float64(seed)+float64(j))
				}
				p := &perceptron.Online{Rate: eta, Space: s, Start: start}
				k := walkOnline(t, p, set, u)
				if far == 0 && float64(k) > perceptron.MistakeBound(radiusOf(t, set, s), gammaOf(t, set, u, s)) {
					t.Fatalf("%d mistakes from zero break the bound", k)
				}
			}
		}
	}
}

func walkOnline(t *testing.T, p *perceptron.Online, set naive.Set, u perceptron.Hyperplane) (k int) {
	t.Helper()
	R, gamma := radiusOf(t, set, p.Space), gammaOf(t, set, u, p.Space)
	mu := 0.0
	for i, x := range set.X {
		mu = min(mu, 2*float64(set.Y[i])*must(p.Start.Score(x))(t))
	}
	length := norm(p.Start.Weights)
	A, B := perceptron.StartEnvelope(R, gamma, p.Rate, mu)
	c := walk{p.Rate, R, gamma, append(slices.Clone(p.Start.Weights), 0), A, B, length == 0}
	for clean := 0; clean < len(set.X); {
		for i, x := range set.X {
			if clean++; must(p.Update(x, set.Y[i]))(t) {
				k++
				clean = 0
				h := p.Hyperplane()
				c.check(t, append(h.Weights, h.Bias), k)
			}
		}
	}
	if bound := perceptron.StartBound(R, gamma, p.Rate, length, mu); float64(k) > bound {
		t.Fatalf("%d mistakes, bound %v (R %v, γ %v, η %v, ‖w(0)‖ %v, μ %v)", k, bound, R, gamma, p.Rate, length, mu)
	}
	return k
}

// TestOtherStarts: from w(0) the bounds grow by 2‖w(0)‖/(ηγ), MarginBound by
// 2‖w(0)‖/(η(γ − γ′/2)), in any order and at any rate.
func TestOtherStarts(t *testing.T) {
	for seed := range uint64(15) {
		set, u := planted(seed, 40, 3, 0.2)
		R, gamma := radiusOf(t, set, perceptron.Linear), gammaOf(t, set, u, perceptron.Linear)
		start := perceptron.Hyperplane{Weights: []float64{-float64(seed), 3, math.Cos(float64(seed))}}
		length, order := norm(start.Weights), perceptron.Order(seed%3)
		for _, eta := range []float64{1, 0.1, 6} {
			k, _ := perceptron.ThresholdBound(R, gamma, eta, R)
			more := 2 * length / (eta * gamma)
			mu := 0.0
			for i, x := range set.X {
				mu = min(mu, 2*float64(set.Y[i])*must(start.Score(x))(t))
			}
			for _, c := range []struct {
				p     perceptron.Model
				bound float64
			}{
				{&perceptron.Online{Space: perceptron.Linear, Order: order, Seed: seed, Rate: eta, Start: start, MaxEpochs: 1e6}, perceptron.StartBound(R, gamma, eta, length, mu)},
				{&perceptron.Batch{Space: perceptron.Linear, Rate: eta, Start: start, MaxEpochs: 1e6}, perceptron.BatchBound(len(set.X), R, gamma) + more},
				{&perceptron.Margin{Space: perceptron.Linear, Order: order, Seed: seed, Rate: eta, Start: start, MaxEpochs: 1e6, Threshold: R}, k + more},
				{&perceptron.Margin{Space: perceptron.Linear, Order: order, Seed: seed, Rate: eta, Start: start, MaxEpochs: 1e6}, 3*perceptron.MistakeBound(R, gamma) + more},
				{&perceptron.Margin{Space: perceptron.Linear, Order: order, Seed: seed, Rate: eta, Start: start, MaxEpochs: 1e6, Gamma: gamma}, perceptron.MarginBound(R, gamma, gamma) + 2*more},
			} {
				if res := fit(t, set, c.p); float64(res.Mistakes) > c.bound || res.Stop != perceptron.Converged || res.Upper != inf {
					t.Fatalf("%T, η = %v: %+v, bound %v", c.p, eta, res, c.bound)
				}
			}
		}
	}
}

// TestBatchBound: Batch keeps its bound, at many rates.
func TestBatchBound(t *testing.T) {
	for seed := range uint64(20) {
		set, u := planted(seed, 60, 3, 0.2)
		s := perceptron.Space(seed % 2)
		R, gamma := radiusOf(t, set, s), gammaOf(t, set, u, s)
		for _, eta := range []float64{1, 0.1, 6} {
			p := &perceptron.Batch{Space: s, Rate: eta, MaxEpochs: 1e6}
			res := fit(t, set, p)
			if bound := perceptron.BatchBound(len(set.X), R, gamma); res.Stop != perceptron.Converged || float64(res.Mistakes) > bound || float64(res.Epochs-1) > bound {
				t.Fatalf("%+v, bound %v", res, bound)
			}
		}
	}
}

// TestInseparable: runs on noisy data keep the bound for many u and γ, with D and L
// over the updates, and over all examples presented.
func TestInseparable(t *testing.T) {
	for seed := range uint64(12) {
		set := naive.Noisy(seed, 40, 3)
		s := perceptron.Space(seed % 2)
		R := radiusOf(t, set, s)
		const epochs = 6
		p := &perceptron.Online{Space: s, Rate: []float64{1, 0.1, 9}[seed%3]}
		updates := naive.Set{}
		r := rand.New(rand.NewPCG(seed, 7))
		for range epochs {
			for _, i := range r.Perm(len(set.X)) {
				x := set.X[i]
				if must(p.Update(x, set.Y[i]))(t) {
					updates.Add(x, set.Y[i])
				}
			}
		}
		k := float64(len(updates.X))
		for range 30 {
			u := perceptron.Hyperplane{Weights: naive.Gaussian(r, 3)}
			gamma := math.Exp(r.NormFloat64())
			D, L := deviationsOf(t, updates, u, s, gamma)
			over := perceptron.InseparableBound(R, gamma, D, L)
			D, L = deviationsOf(t, set, u, s, gamma)
			all := perceptron.InseparableBound(R, gamma, math.Sqrt(epochs)*D, epochs*L)
			if k > over || over > all*(1+1e-12) {
				t.Fatalf("%v updates, bounds %v and %v", k, over, all)
			}
		}
	}
}

// TestGammaGrows: under Gamma a run on data that is not separable need not cycle. Each
// epoch adds 1 to the weight.
func TestGammaGrows(t *testing.T) {
	X, y := [][]float64{{1}, {1}, {-1}}, []int{1, 1, 1}
	p := &perceptron.Margin{Space: perceptron.Linear, Gamma: 2, MaxEpochs: 50}
	result, err := p.Fit(X, y)
	if err != nil || result.Stop != perceptron.EpochLimit || result.Mistakes != 150 {
		t.Errorf("%+v, %v; want 150 updates up to the limit", result, err)
	}
	if w := p.Hyperplane().Weights[0]; w != 50 {
		t.Errorf("w = %v after 50 epochs, want 50", w)
	}
}

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
