package perceptron_test

import (
	"math"
	"testing"

	"perceptron"
	"perceptron/internal/naive"
)

// The runs in this file almost reach the bounds. So a bound with a wrong factor or a
// missing square fails.

// spiral builds rows in R³ for Linear space, all +1, with last coordinate gamma and
// length R. A perceptron of rate 1 that begins at w learns every row in turn. c(w) is
// the largest score that still updates, and each row turns w as little as it can.
func spiral(R, gamma float64, w [3]float64, c func(w []float64, R float64) float64) naive.Set {
	s := math.Sqrt(R*R - gamma*gamma)
	var set naive.Set
	for {
		q := math.Hypot(w[0], w[1])
		along := min(q, (c(w[:], R)-w[2]*gamma)/s-1e-9*R*R)
		ex, ey := 1.0, 0.0
		if q > 0 {
			if along < -q {
				return set
			}
			cos := along / q
			sin := math.Sqrt(max(0, 1-cos*cos))
			ex, ey = (w[0]*cos-w[1]*sin)/q, (w[1]*cos+w[0]*sin)/q
		} else if w[2]*gamma > c(w[:], R) {
			return set
		}
		row := []float64{s * ex, s * ey, gamma}
		for j, v := range row {
			w[j] += v
		}
		set.Add(row, +1)
	}
}

// nearly fails unless got is at most bound, and at least share of it.
func nearly(t *testing.T, what string, got, bound, share float64) {
	t.Helper()
	t.Logf("%s: %.6g of %.6g, %.4f", what, got, bound, got/bound)
	if got > bound || got < share*bound {
		t.Errorf("%s: %v, want at most %v and at least %v of it", what, got, bound, share)
	}
}

// confirmed fails unless Separate finds the margin that the rows were built for.
func confirmed(t *testing.T, set naive.Set, gamma float64) {
	t.Helper()
	if got := margin(t, set); math.Abs(got-gamma) > 1e-12*gamma {
		t.Errorf("γ = %v, built for %v", got, gamma)
	}
}

const nearK = 1000 // K = (R/γ)² of the spirals, R = 1

var nearGamma = 1 / math.Sqrt(nearK)

func never([]float64, float64) float64 { return 0 }

// TestNearStart: from −(R²/γ)u the run makes nearly K + 2‖w(0)‖/(ηγ) mistakes.
func TestNearStart(t *testing.T) {
	set := spiral(1, nearGamma, [3]float64{0, 0, -1 / nearGamma}, never)
	confirmed(t, set, nearGamma)
	start := perceptron.Hyperplane{Weights: []float64{0, 0, -1 / nearGamma}}
	p := &perceptron.Online{Space: perceptron.Linear, Start: start}
	res := fit(t, set, p)
	mu := inf
	for _, x := range set.X {
		mu = min(mu, 2*must(start.Score(x))(t))
	}
	nearly(t, "StartBound", float64(res.Mistakes), perceptron.StartBound(1, nearGamma, 1, 1/nearGamma, mu), 0.999)
	if res.Epochs != 2 || res.Mistakes != 2998 {
		t.Errorf("%+v, want 2998 mistakes, all in the first of 2 epochs", res)
	}
	// The first of the two bounds is the nearer one for short starts.
	one := &perceptron.Online{Space: perceptron.Linear, Start: perceptron.Hyperplane{Weights: []float64{-1}}}
	res = must(one.Fit([][]float64{{1}}, []int{+1}))(t)
	nearly(t, "StartBound, short", float64(res.Mistakes), perceptron.StartBound(1, 1, 1, 1, -2), 2.0/3)
}

// TestNearMargin: γ′ = γ comes near the sharp form of the theorem, and a small γ′
// near the bound itself.
func TestNearMargin(t *testing.T) {
	for _, c := range []struct {
		rho, share float64
		updates    int
	}{{1, 0.62, 2511}, {0.1, 0.96, 1070}} {
		prime := c.rho * nearGamma
		set := spiral(1, nearGamma, [3]float64{}, func(w []float64, _ float64) float64 {
			return prime / 2 * math.Sqrt(w[0]*w[0]+w[1]*w[1]+w[2]*w[2])
		})
		confirmed(t, set, nearGamma)
		p := &perceptron.Margin{Space: perceptron.Linear, Gamma: prime}
		res := fit(t, set, p)
		nearly(t, "MarginBound", float64(res.Mistakes), perceptron.MarginBound(1, nearGamma, prime), c.share)
		if res.Mistakes != c.updates || res.Epochs != 2 {
			t.Errorf("ρ = %v: %+v, want %d updates in 2 epochs", c.rho, res, c.updates)
		}
		if c.rho == 1 { // τ with ρ(2−ρ)τ = 2 ln(1 + ρτ)
			nearly(t, "MarginBound, sharp form", float64(res.Mistakes), 2.5129*nearK, 0.999)
		}
	}
}

// TestNearThreshold: θ = R² makes nearly 3K updates, and leaves nearly γ/3; so
// does the rule that finds θ by itself.
func TestNearThreshold(t *testing.T) {
	set := spiral(1, nearGamma, [3]float64{}, func([]float64, float64) float64 { return 1 })
	confirmed(t, set, nearGamma)
	for _, p := range []*perceptron.Margin{{Space: perceptron.Linear, Threshold: 1}, {Space: perceptron.Linear}} {
		res := fit(t, set, p)
		k, least := perceptron.ThresholdBound(1, nearGamma, 1, 1)
		nearly(t, "ThresholdBound", float64(res.Mistakes), k, 0.999)
		achieved := gammaOf(t, set, p.Hyperplane(), perceptron.Linear)
		nearly(t, "ThresholdBound, margin", least, achieved, 0.999)
	}
}

// units is n unit vectors, all +1.
func units(n int) naive.Set {
	var set naive.Set
	for i := range n {
		x := make([]float64, n)
		x[i] = 1
		set.Add(x, +1)
	}
	return set
}

// hadamard is rows of 15 features and a label whose vectors y(x, 1) are a Hadamard matrix.
func hadamard() (set naive.Set) {
	for i := range 16 {
		z := make([]float64, 16)
		for j := range z {
			z[j] = 1
			for bits := i & j; bits != 0; bits &= bits - 1 {
				z[j] = -z[j]
			}
		}
		label := z[15]
		x := z[:15]
		for j := range x {
			x[j] *= label
		}
		set.Add(x, int(label))
	}
	return set
}

// TestNearMistakes: unit vectors, and in Affine space a Hadamard matrix, reach
// Novikoff's bound.
func TestNearMistakes(t *testing.T) {
	set := units(100)
	confirmed(t, set, 0.1)
	p := &perceptron.Online{Space: perceptron.Linear, Rate: 0.1}
	res := fit(t, set, p)
	nearly(t, "MistakeBound", float64(res.Mistakes), perceptron.MistakeBound(1, 0.1), 0.9999999)

	set = hadamard()
	res = must(new(perceptron.Online).Fit(set.X, set.Y))(t)
	R := radiusOf(t, set, perceptron.Affine)
	nearly(t, "MistakeBound, Affine", float64(res.Mistakes), perceptron.MistakeBound(R, 1), 1)
	if R != 4 || res.Mistakes != 16 {
		t.Errorf("R = %v, %+v; want 4 and 16 mistakes", R, res)
	}
}

// TestNearBatch: copies of one row reach n(R/γ)², unit vectors (‖Z‖₂/γ)², and two
// opposed heaps show that the square is needed.
func TestNearBatch(t *testing.T) {
	p := &perceptron.Batch{Space: perceptron.Linear}
	copies := naive.Set{}
	for range 70 {
		copies.Add([]float64{3, 4}, +1)
	}
	res := fit(t, copies, p)
	nearly(t, "BatchBound", float64(res.Mistakes), perceptron.BatchBound(70, 5, 5), 1)

	set := units(64)
	confirmed(t, set, 0.125)
	res = fit(t, set, p)
	nearly(t, "BatchBound, spectral", float64(res.Mistakes), perceptron.MistakeBound(1, 0.125), 1)

	var heaps naive.Set
	for i := range 2000 {
		x := []float64{10, 1}
		if i >= 1010 {
			x = []float64{-10, 1}
		}
		heaps.Add(x, +1)
	}
	confirmed(t, heaps, 1)
	p.MaxEpochs = 1e6
	res = fit(t, heaps, p)
	nearly(t, "BatchBound, heaps", float64(res.Mistakes), perceptron.BatchBound(2000, math.Sqrt(101), 1), 0.25)
	if res.Mistakes != 50990 {
		t.Errorf("%+v, want 50990 misclassifications", res)
	}
}

// TestNearInseparable: unit vectors reach the bound for any c ≥ 1, and nearly so
// when (e₁, −1) contradicts the first.
func TestNearInseparable(t *testing.T) {
	for _, c := range []float64{1, 2, 5} {
		const n = 400
		set := units(n)
		u := perceptron.Hyperplane{Weights: make([]float64, n)}
		for j := range u.Weights {
			u.Weights[j] = 1
		}
		gamma := c / 20
		p := &perceptron.Online{Space: perceptron.Linear, MaxEpochs: 1}
		res := fit(t, set, p)
		D, L := deviationsOf(t, set, u, perceptron.Linear, gamma)
		nearly(t, "InseparableBound by D", float64(res.Mistakes), perceptron.InseparableBound(1, gamma, D, 1e18), 0.99999)
		nearly(t, "InseparableBound by L", float64(res.Mistakes), perceptron.InseparableBound(1, gamma, 1e18, L), 0.99999)
		share, ok := map[float64]float64{2: 0.99, 5: 0.9}[c]
		if !ok {
			continue
		}
		set.Add(set.X[0], -1)
		res = fit(t, set, p)
		D, _ = deviationsOf(t, set, u, perceptron.Linear, gamma)
		nearly(t, "InseparableBound, contradicted", float64(res.Mistakes), perceptron.InseparableBound(1, gamma, D, 1e18), share)
	}
}

// TestNearMix: shards that are alike reach (R/γ)² weighted mistakes under any
// weights.
func TestNearMix(t *testing.T) {
	set := units(25)
	for _, weights := range [][]float64{nil, {1, 0, 0}, {0.5, 0.2, 0.3}} {
		var shards []*perceptron.Online
		weighted, mu := 0.0, []float64{1.0 / 3, 1.0 / 3, 1.0 / 3}
		if weights != nil {
			mu = weights
		}
		for s := range 3 {
			p := &perceptron.Online{Space: perceptron.Linear}
			weighted += mu[s] * float64(must(p.Learn(set.Pairs()))(t).Mistakes)
			shards = append(shards, p)
		}
		mean := must(perceptron.Mix(shards, weights))(t)
		if e := must(mean.Learn(set.Pairs()))(t); e.Mistakes != 0 {
			t.Fatalf("the second round has %d mistakes", e.Mistakes)
		}
		bound, rounds := perceptron.MixBound(1, 0.2, 3)
		nearly(t, "MixBound", weighted, bound, 0.9999999)
		if rounds < 75 || rounds > 75.0001 {
			t.Errorf("rounds = %v, want 75", rounds)
		}
	}
}
