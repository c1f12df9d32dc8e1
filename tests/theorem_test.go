package tests_test

import (
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"perceptron"
	"perceptron/internal/naive"
	"perceptron/internal/vec"
)

// TestOnTheWay runs Online, update by update, over data with a planted margin, in
// both spaces, at many rates, from zero and elsewhere. It checks every iterate, and
// the counts against StartBound, which is MistakeBound from zero.
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
				walkOnline(t, p, set, u)
			}
		}
	}
}

// lowest returns μ = min(0, 2 min y⟨w(0), x⟩).
func lowest(t *testing.T, start perceptron.Hyperplane, set naive.Set) (mu float64) {
	t.Helper()
	for i, x := range set.X {
		mu = min(mu, 2*float64(set.Y[i])*must(start.Score(x))(t))
	}
	return mu
}

// walkOnline checks each iterate, with some slack for rounding: Ak² ≤ ‖w(k) − w(0)‖² ≤ Bk, and from
// zero ηkγ ≤ ‖w(k)‖ ≤ η√k R.
func walkOnline(t *testing.T, p *perceptron.Online, set naive.Set, u perceptron.Hyperplane) {
	t.Helper()
	k := 0
	const slack = 1 + 1e-12
	R, gamma := radiusOf(t, set, p.Space), gammaOf(t, set, u, p.Space)
	mu, length := lowest(t, p.Start, set), norm(p.Start.Weights)
	A, B := perceptron.StartEnvelope(R, gamma, p.Rate, mu)
	for clean := 0; clean < len(set.X); {
		for i, x := range set.X {
			if clean++; !must(p.Update(x, set.Y[i]))(t) {
				continue
			}
			clean = 0
			k++
			w, n := vector(p.Hyperplane()), float64(k)
			if now := norm(w); length == 0 && (now*slack < p.Rate*n*gamma || now > p.Rate*math.Sqrt(n)*R*slack) {
				t.Fatalf("update %d: ‖w‖ = %v is outside [%v, %v]", k, now, p.Rate*n*gamma, p.Rate*math.Sqrt(n)*R)
			}
			for j, from := range p.Start.Weights {
				w[j] -= from
			}
			if moved := vec.Dot(w, w); moved*slack < A*n*n || moved > B*n*slack {
				t.Fatalf("update %d: ‖w(k)−w(0)‖² = %v is outside [%v, %v]", k, moved, A*n*n, B*n)
			}
		}
	}
	if bound := perceptron.StartBound(R, gamma, p.Rate, length, mu); float64(k) > bound {
		t.Fatalf("%d mistakes, bound %v (R %v, γ %v, η %v, ‖w(0)‖ %v, μ %v)", k, bound, R, gamma, p.Rate, length, mu)
	}
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
			margin := perceptron.Margin{Space: perceptron.Linear, Order: order, Seed: seed, Rate: eta, Start: start, MaxEpochs: 1e6}
			theta, half := margin, margin
			theta.Threshold, half.Gamma = R, gamma
			for _, c := range []struct {
				p     perceptron.Model
				bound float64
			}{
				{&perceptron.Online{Space: perceptron.Linear, Order: order, Seed: seed, Rate: eta, Start: start, MaxEpochs: 1e6}, perceptron.StartBound(R, gamma, eta, length, lowest(t, start, set))},
				{&perceptron.Batch{Space: perceptron.Linear, Rate: eta, Start: start, MaxEpochs: 1e6}, perceptron.BatchBound(len(set.X), R, gamma) + more},
				{&theta, k + more},
				{&margin, 3*perceptron.MistakeBound(R, gamma) + more},
				{&half, perceptron.MarginBound(R, gamma, gamma) + 2*more},
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
				if must(p.Update(set.X[i], set.Y[i]))(t) {
					updates.Add(set.X[i], set.Y[i])
				}
			}
		}
		checkInseparable(t, r, updates, s, R, func(u perceptron.Hyperplane, gamma, over float64) {
			D, L := deviationsOf(t, set, u, s, gamma)
			if all := perceptron.InseparableBound(R, gamma, math.Sqrt(epochs)*D, epochs*L); over > all*(1+1e-12) {
				t.Fatalf("over the updates %v, over all examples %v", over, all)
			}
		})
	}
}

// checkInseparable fails unless the updates keep the bound, for random u and γ. It calls more with
// the bound.
func checkInseparable(t *testing.T, r *rand.Rand, updates naive.Set, s perceptron.Space, R float64, more func(u perceptron.Hyperplane, gamma, bound float64)) {
	t.Helper()
	for range 30 {
		u := perceptron.Hyperplane{Weights: naive.Gaussian(r, len(updates.X[0]))}
		gamma := math.Exp(r.NormFloat64())
		D, L := deviationsOf(t, updates, u, s, gamma)
		bound := perceptron.InseparableBound(R, gamma, D, L)
		if k := len(updates.X); float64(k) > bound {
			t.Fatalf("%d updates, bound %v", k, bound)
		}
		more(u, gamma, bound)
	}
}

// TestRounding checks the theorem float_bound on runs with features of very different size. The
// errors of scores and updates are at most ε and δ. Each update happens where the exact score is at
// most ε. k is within the bound.
func TestRounding(t *testing.T) {
	t.Parallel()
	const (
		unit      = 0x1p-53
		underflow = 0x1p-1074 // τ = 2⁻¹⁰⁷⁵ is no float64
	)
	r := rand.New(rand.NewPCG(1, 30))
	var updates, rounded, bounded int
	for i := range share(24) {
		step := i * 24 / share(24)
		d, eta := 1+r.IntN(40), []float64{1, 0.1, 3}[r.IntN(3)]
		scale, u := make([]float64, d), make([]float64, d)
		for j := range scale {
			scale[j] = math.Ldexp(1+r.Float64(), r.IntN(10+3*step)-5-step)
			u[j] = r.NormFloat64() / scale[j]
		}
		var set naive.Set
		for len(set.X) < 20 {
			x, s, most := make([]float64, d), 0.0, 0.0
			for j := range x {
				x[j] = scale[j] * r.NormFloat64()
				s += u[j] * x[j]
				most += math.Abs(u[j] * x[j])
			}
			if math.Abs(s) >= 0.3*most {
				set.Add(x, int(math.Copysign(1, s)))
			}
		}
		sep := must(perceptron.Separate(set.X, set.Y, perceptron.Linear))(t)
		p := &perceptron.Online{Rate: eta, Space: perceptron.Linear}
		w := make([]float64, d)
		var k, W, largest float64
		var met []float64 // scores where it updated
		for range 30 {
			for i, x := range set.X {
				if !must(p.Update(x, set.Y[i]))(t) {
					continue
				}
				k++
				y := float64(set.Y[i])
				score, _ := naive.RatDot(w, x).Float64()
				met = append(met, y*score)
				next := p.Hyperplane().Weights
				for j := range w {
					off, _ := naive.RatDot([]float64{w[j], eta * y, -1}, []float64{1, x[j], next[j]}).Float64()
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
		// These are the numbers of the theorem, each rounded once more.
		grow := math.Pow(1+unit, float64(d/32+11))
		epsilon := (grow-1)*float64(d)*W*largest + grow*float64(d)*underflow
		delta := unit*(W+eta*largest) + (1+unit)*(unit*eta*largest+underflow)
		if most := slices.Max(met); most > epsilon {
			t.Errorf("an update at the score %v, want at most ε = %v", most, epsilon)
		}
		progress := eta*sep.Lower - 2*math.Sqrt(float64(d))*delta
		if progress > 0 {
			bounded++
			bound := (eta*eta*sep.Radius*sep.Radius + 2*eta*epsilon) / (progress * progress)
			if k > bound*(1+1e-9) {
				t.Errorf("%v mistakes of at most %v", k, bound)
			}
		}
	}
	if updates < share(500) || rounded < share(500) || bounded < share(10) {
		t.Errorf("%d updates, %d of their coordinates rounded, %d bounds: too easy", updates, rounded, bounded)
	}
}

// integerSets yields 1,000 sets of small integers, so that scores of 0 are frequent. Four of five
// are labelled by a hyperplane.
func integerSets() iter.Seq2[[][]float64, []int] {
	return func(yield func([][]float64, []int) bool) {
		r := rand.New(rand.NewPCG(54, 0))
		row := func(d int) (x []float64) {
			for range d {
				x = append(x, float64(r.IntN(7)-3))
			}
			return x
		}
		for i := range 1000 {
			d := 1 + r.IntN(4)
			h := perceptron.Hyperplane{Weights: row(d), Bias: 0.5}
			X, y := make([][]float64, 2+r.IntN(8)), []int{}
			for j := range X {
				X[j] = row(d)
				score, _ := h.Score(X[j])
				if i%5 == 0 {
					score = float64(r.IntN(2)) - 0.5
				}
				label := +1
				if score < 0 {
					label = -1
				}
				y = append(y, label)
			}
			if !yield(X, y) {
				return
			}
		}
	}
}

// TestNotesSignOfZero compares every convention of sign(0), by hand, with Online and its Start: in
// the updates of each pass and in the weights.
func TestNotesSignOfZero(t *testing.T) {
	t.Parallel()
	differ, all := 0, 0
	for X, y := range integerSets() {
		var totals [3]int
		for i, zero := range []int{+1, -1, 0} {
			w, updates := byHand(X, y, whereSign(zero, -1))
			p := &perceptron.Online{Start: perceptron.Hyperplane{Bias: float64(zero) / (1 << 30)}}
			for pass, want := range updates {
				e, err := p.Learn(perceptron.Examples(X, y))
				if err != nil || e.Mistakes != want {
					t.Fatalf("%v %v, sign(0) = %d, pass %d: %d mistakes, %v, want %d", X, y, zero, pass, e.Mistakes, err, want)
				}
				totals[i] += want
			}
			h := p.Hyperplane()
			if got := append(h.Weights, h.Bias-p.Start.Bias); !slices.Equal(got, w) {
				t.Fatalf("%v %v, sign(0) = %d: %v, want %v", X, y, zero, got, w)
			}
		}
		if all++; totals[0] != totals[1] && totals[1] != totals[2] {
			differ++
		}
	}
	if all != 1000 || differ < 200 {
		t.Errorf("%d sets; the conventions differ on %d", all, differ)
	}
	// Scores of 2⁻⁴⁰ are smaller than the bias at the start.
	X, y := [][]float64{{0x1p-20}, {0x3p-20}}, []int{+1, -1}
	_, updates := byHand(X, y, whereSign(+1, -1))
	r := must((&perceptron.Online{Start: perceptron.Hyperplane{Bias: 1.0 / (1 << 30)}}).Fit(X, y))(t)
	if r.Stop != perceptron.Converged || r.Mistakes != 342 || updates[len(updates)-1] == 0 {
		t.Errorf("features of 2⁻²⁰: %+v, and by hand %d updates in the last pass", r, updates[len(updates)-1])
	}
}

// TestNotesConstantFeature compares Affine with Linear on (x, 1) and (1, x), after each update.
func TestNotesConstantFeature(t *testing.T) {
	for X, y := range integerSets() {
		var affine perceptron.Online
		last, first := &perceptron.Online{Space: perceptron.Linear}, &perceptron.Online{Space: perceptron.Linear}
		for i := range 5 * len(X) {
			x, label := X[i%len(X)], y[i%len(X)]
			a := must(affine.Update(x, label))(t)
			b := must(last.Update(append(slices.Clone(x), 1), label))(t)
			c := must(first.Update(append([]float64{1}, x...), label))(t)
			h := affine.Hyperplane()
			w := append(slices.Clone(h.Weights), h.Bias)
			v := first.Hyperplane().Weights
			if a != b || a != c || !slices.Equal(w, last.Hyperplane().Weights) || !slices.Equal(w, append(v[1:], v[0])) {
				t.Fatalf("%v %v, example %d: %v, %v and %v", X, y, i, h, last, first)
			}
		}
	}
}

// TestNotesSquares checks the equations and inequalities of Snapp's proof at each update, from random
// starts. All numbers are multiples of 1/16, so that they are exact.
func TestNotesSquares(t *testing.T) {
	const eta = 0.5
	r, updates := rand.New(rand.NewPCG(55, 0)), 0
	for X, y := range integerSets() {
		var start []float64
		for range len(X[0]) + 1 {
			start = append(start, float64(r.IntN(64)-32)/16)
		}
		M, mu := 0.0, math.Inf(1)
		var Z [][]float64 // x̂′
		for i, x := range X {
			z := []float64{float64(y[i])}
			for _, v := range x {
				z = append(z, float64(y[i])*v)
			}
			Z = append(Z, z)
			M, mu = max(M, inner(z, z)), min(mu, 2*inner(start, z))
		}
		p := &perceptron.Online{Space: perceptron.Linear, Rate: eta, Start: perceptron.Hyperplane{Weights: start}}
		moved, sum := make([]float64, len(start)), make([]float64, len(start))
		k, squares, along := 0.0, 0.0, 0.0
		for i := range 20 * len(Z) {
			z := Z[i%len(Z)]
			if !must(p.Update(z, +1))(t) {
				continue
			}
			k++
			updates++
			w := p.Hyperplane().Weights
			now := slices.Clone(w)
			for j := range now {
				now[j] -= start[j]
				sum[j] += eta * z[j]
			}
			square, before := inner(now, now), inner(moved, moved)
			step := eta * eta * inner(z, z)
			squares += step
			if k > 1 {
				along += 2 * eta * inner(start, z)
			}
			switch {
			case !slices.Equal(now, sum):
				t.Fatalf("moved by %v, want %v", now, sum)
			case square != before+2*eta*inner(moved, z)+step || k == 1 && square != step:
				t.Fatalf("‖w(k) − w(0)‖² = %v", square)
			case k > 1 && square > before-2*eta*inner(start, z)+step:
				t.Fatalf("‖w(k) − w(0)‖² = %v, want at most %v", square, before-2*eta*inner(start, z)+step)
			case square > squares-along || square > (eta*eta*M-eta*mu)*k:
				t.Fatalf("‖w(k) − w(0)‖² = %v, want at most %v and %v", square, squares-along, (eta*eta*M-eta*mu)*k)
			}
			moved = now
		}
	}
	if updates < 5000 {
		t.Errorf("%d updates", updates)
	}
}
