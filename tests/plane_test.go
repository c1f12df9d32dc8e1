package tests_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"perceptron"
	"perceptron/internal/naive"
)

// mostInPlane is ⌊(R/γ)²/2⌋ + 1: what docs/theorems.md proves for two coordinates.
func mostInPlane(R, gamma float64) int { return int(perceptron.MistakeBound(R, gamma)/2) + 1 }

// TestPlaneReached: the three rows (p, γ), (−A, γ) and (A, γ) reach the bound of the plane. All numbers are
// integers, so no operation rounds.
func TestPlaneReached(t *testing.T) {
	const gamma = 840
	sets := 0
	for A := gamma; A < 12*gamma; A += 35 {
		square := gamma * gamma
		K := (A*A + square) / (2 * square) // ⌊(R/γ)²/2⌋
		p := (K*square + A - 1) / A        // |x| before the last mistake
		if (A-p)*A < (K-1)*square {
			continue // p is no integer
		}
		if K%2 == 0 {
			p = A - p
		}
		sets++
		set := naive.Set{}
		for i, x := range []int{p, -A, A} {
			y := 1 - 2*(i%2)
			set.Add([]float64{float64(y * x), float64(y * gamma)}, y)
		}
		R := math.Sqrt(float64(A*A + square))
		if res := fit(t, set, &perceptron.Online{Space: perceptron.Linear}); res.Mistakes != K+1 || res.Stop != perceptron.Converged {
			t.Fatalf("A = %d, p = %d: %+v, want %d mistakes", A, p, res, K+1)
		}
		if s := must(perceptron.Separate(set.X, set.Y, perceptron.Linear))(t); math.Abs(s.Lower-gamma) > 1e-9*gamma || math.Abs(s.Radius-R) > 1e-12*R {
			t.Fatalf("A = %d: γ = %v and R = %v, want %d and %v", A, s.Lower, s.Radius, gamma, R)
		}
	}
	if sets < 250 {
		t.Fatalf("only %d sets", sets)
	}
}

// TestPlaneMost: no run exceeds the bound of the plane. The rows have two features in Linear space,
// or one in Affine space. Some are random, and some are chosen to make many mistakes.
func TestPlaneMost(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 11))
		set, s := naive.Set{}, perceptron.Space(seed%2)
		w, gap := []float64{r.NormFloat64(), r.NormFloat64()}, 0.3*r.Float64()
		for len(set.X) < 30 {
			z, y, features := []float64{2*r.Float64() - 1, 2*r.Float64() - 1}, 1, 2
			if s == perceptron.Affine {
				z[1], features = 1, 1
			}
			score := score(w, z)
			if math.Abs(score) <= gap*norm(w) {
				continue
			}
			if score < 0 {
				y = -1
			}
			set.Add(z[:features], y)
		}
		sep := must(perceptron.Separate(set.X, set.Y, s))(t)
		res := fit(t, set, &perceptron.Online{Space: s, Order: perceptron.Order(seed % 3), Seed: seed, MaxEpochs: 1e6})
		if res.Mistakes > mostInPlane(sep.Radius, sep.Lower) {
			t.Fatalf("seed %d: %d mistakes with R = %v and γ = %v", seed, res.Mistakes, sep.Radius, sep.Lower)
		}
	}
	best := 0.0
	for seed := range uint64(2000) {
		ratio := 1.5 + 4*float64(seed%8)/8
		k := fooled(t, rand.New(rand.NewPCG(seed, 12)), ratio)
		best = max(best, float64(k)/float64(mostInPlane(ratio, 1)))
		if k > mostInPlane(ratio, 1) {
			t.Fatalf("seed %d: %d mistakes with R/γ = %v", seed, k, ratio)
		}
	}
	if best < 0.95 {
		t.Errorf("the chosen rows make at most %v of the bound", best)
	}
}

// fooled chooses rows (a, 1) of length at most R against the run, and returns the number of mistakes.
func fooled(t *testing.T, r *rand.Rand, R float64) (k int) {
	t.Helper()
	p, A := &perceptron.Online{Space: perceptron.Linear}, math.Sqrt(R*R-1)
	a := A * r.Float64()
	for must(p.Update([]float64{a, 1}, 1))(t) {
		k++
		h := p.Hyperplane().Weights
		x, need := h[0], math.Nextafter(h[1]/math.Abs(h[0]), inf) // |a| that is wrong
		if need > A {
			break
		}
		a = math.Copysign([]float64{need, A, need + (A-need)*r.Float64(), max(need, min(A, math.Abs(x)+A/2))}[r.IntN(4)], -x)
	}
	return k
}

// TestPlaneNotSpace: three coordinates allow more mistakes than two.
func TestPlaneNotSpace(t *testing.T) {
	set := naive.Set{}
	for i := range 3 {
		x := make([]float64, 3)
		x[i] = 1
		set.Add(x, 1)
	}
	if res := fit(t, set, &perceptron.Online{Space: perceptron.Linear}); res.Mistakes <= mostInPlane(1, 1/math.Sqrt(3)) {
		t.Errorf("%d mistakes", res.Mistakes)
	}
}
