package perceptron

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"perceptron/internal/vec"
)

// A walk holds the inequalities on the way to a bound at every update of a run.
type walk struct {
	eta, R, gamma float64
	w0            []float64
	A, B          float64
	fromZero      bool
}

// check holds the k-th iterate to ηkγ ≤ ‖w_k‖ ≤ η√k R from zero, and to Ak² ≤
// ‖w(k) − w(0)‖² ≤ Bk from anywhere, with the slack of some roundings.
func (c walk) check(t *testing.T, w []float64, k int) {
	t.Helper()
	const slack = 1 + 1e-12
	v := make([]float64, len(w))
	vec.Axpy(v, w, -1, c.w0)
	moved, n := naiveDot(v, v), float64(k)
	if moved*slack < c.A*n*n || moved > c.B*n*slack {
		t.Fatalf("update %d: ‖w(k)−w(0)‖² = %v is outside [%v, %v]", k, moved, c.A*n*n, c.B*n)
	}
	if length := math.Sqrt(naiveDot(w, w)); c.fromZero && (length*slack < c.eta*n*c.gamma || length > c.eta*math.Sqrt(n)*c.R*slack) {
		t.Fatalf("update %d: ‖w‖ = %v is outside [%v, %v]", k, length, c.eta*n*c.gamma, c.eta*math.Sqrt(n)*c.R)
	}
}

// TestOnTheWay walks Online, update by update, over data with a planted margin,
// in both spaces, at many rates, from zero and elsewhere, and holds the counts to
// MistakeBound and StartBound.
func TestOnTheWay(t *testing.T) {
	for seed := range uint64(24) {
		set, u := planted(seed, 40, 4, 0.2)
		s := Space(seed % 2)
		for _, eta := range []float64{1, 0.1, 0.25, 7} {
			for _, far := range []float64{0, 0.3, 5} {
				start := Hyperplane{Weights: make([]float64, 4)}
				for j := range start.Weights {
					start.Weights[j] = far * math.Sin(float64(seed)+float64(j))
				}
				p := &Online{Rate: eta, Space: s, Start: start}
				k := walkOnline(t, p, set, u)
				if far == 0 && float64(k) > MistakeBound(must(Radius(set.X, s))(t), must(Gamma(u, set.X, set.y, s))(t)) {
					t.Fatalf("%d mistakes from zero break the bound", k)
				}
			}
		}
	}
}

func walkOnline(t *testing.T, p *Online, set dataset, u Hyperplane) (k int) {
	t.Helper()
	R, gamma := must(Radius(set.X, p.Space))(t), must(Gamma(u, set.X, set.y, p.Space))(t)
	mu := 0.0
	for i, x := range set.X {
		mu = min(mu, 2*float64(set.y[i])*must(p.Start.Score(x))(t))
	}
	length := vec.Norm(p.Start.Weights)
	A, B := StartEnvelope(R, gamma, p.Rate, mu)
	c := walk{p.Rate, R, gamma, append(append([]float64(nil), p.Start.Weights...), 0), A, B, length == 0}
	for clean := 0; clean < len(set.X); {
		for i, x := range set.X {
			if clean++; must(p.Update(x, set.y[i]))(t) {
				k++
				clean = 0
				c.check(t, p.now.units[0].w, k)
			}
		}
	}
	if bound := StartBound(R, gamma, p.Rate, length, mu); float64(k) > bound {
		t.Fatalf("%d mistakes, bound %v (R %v, γ %v, η %v, ‖w(0)‖ %v, μ %v)", k, bound, R, gamma, p.Rate, length, mu)
	}
	return k
}

// TestMarginRules holds both rules with a parameter to their bounds and margins,
// in many orders and rates.
func TestMarginRules(t *testing.T) {
	for seed := range uint64(20) {
		set, u := planted(seed, 40, 3, 0.15)
		s := Space(seed % 2)
		R, gamma := must(Radius(set.X, s))(t), must(Gamma(u, set.X, set.y, s))(t)
		for _, order := range []Order{Cyclic, Shuffled, Sampled} {
			for _, eta := range []float64{1, 0.1, 6} {
				for _, rho := range []float64{0.1, 1, 1.5} {
					p := &Margin{Space: s, Order: order, Seed: seed, Rate: eta, MaxEpochs: 1e6, Gamma: rho * gamma}
					holdMargin(t, p, set, MarginBound(R, gamma, p.Gamma), p.Gamma/2)
					p = &Margin{Space: s, Order: order, Seed: seed, Rate: eta, MaxEpochs: 1e6, Threshold: rho * R}
					k, margin := ThresholdBound(R, gamma, eta, p.Threshold)
					holdMargin(t, p, set, k, margin)
				}
			}
		}
	}
}

// TestOtherStarts: from w(0) the bounds grow by 2‖w(0)‖/(ηγ), MarginBound by
// 2‖w(0)‖/(η(γ − γ′/2)), in any order and at any rate.
func TestOtherStarts(t *testing.T) {
	for seed := range uint64(15) {
		set, u := planted(seed, 40, 3, 0.2)
		R, gamma := must(Radius(set.X, Linear))(t), must(Gamma(u, set.X, set.y, Linear))(t)
		start := Hyperplane{Weights: []float64{-float64(seed), 3, math.Cos(float64(seed))}}
		length, order := vec.Norm(start.Weights), Order(seed%3)
		for _, eta := range []float64{1, 0.1, 6} {
			k, _ := ThresholdBound(R, gamma, eta, R)
			more := 2 * length / (eta * gamma)
			mu := 0.0
			for i, x := range set.X {
				mu = min(mu, 2*float64(set.y[i])*must(start.Score(x))(t))
			}
			for _, c := range []struct {
				p     Model
				bound float64
			}{
				{&Online{Space: Linear, Order: order, Seed: seed, Rate: eta, Start: start, MaxEpochs: 1e6}, StartBound(R, gamma, eta, length, mu)},
				{&Batch{Space: Linear, Rate: eta, Start: start, MaxEpochs: 1e6}, BatchBound(len(set.X), R, gamma) + more},
				{&Margin{Space: Linear, Order: order, Seed: seed, Rate: eta, Start: start, MaxEpochs: 1e6, Threshold: R}, k + more},
				{&Margin{Space: Linear, Order: order, Seed: seed, Rate: eta, Start: start, MaxEpochs: 1e6}, 3*MistakeBound(R, gamma) + more},
				{&Margin{Space: Linear, Order: order, Seed: seed, Rate: eta, Start: start, MaxEpochs: 1e6, Gamma: gamma}, MarginBound(R, gamma, gamma) + 2*more},
			} {
				if res := must(c.p.Fit(set.X, set.y))(t); float64(res.Mistakes) > c.bound || res.Stop != Converged || res.Upper != inf {
					t.Fatalf("%T, η = %v: %+v, bound %v", c.p, eta, res, c.bound)
				}
			}
		}
	}
}

func holdMargin(t *testing.T, p *Margin, set dataset, bound, margin float64) {
	t.Helper()
	res := must(p.Fit(set.X, set.y))(t)
	achieved := must(Gamma(p.Hyperplane(), set.X, set.y, p.Space))(t)
	if res.Stop != Converged || float64(res.Mistakes) > bound || achieved < margin*(1-1e-12) {
		t.Fatalf("%+v, bound %v; margin %v, at least %v", res, bound, achieved, margin)
	}
}

// TestBatchBound holds Batch to its bound, at many rates.
func TestBatchBound(t *testing.T) {
	for seed := range uint64(20) {
		set, u := planted(seed, 60, 3, 0.2)
		s := Space(seed % 2)
		R, gamma := must(Radius(set.X, s))(t), must(Gamma(u, set.X, set.y, s))(t)
		for _, eta := range []float64{1, 0.1, 6} {
			p := &Batch{Space: s, Rate: eta, MaxEpochs: 1e6}
			res := must(p.Fit(set.X, set.y))(t)
			if bound := BatchBound(len(set.X), R, gamma); res.Stop != Converged || float64(res.Mistakes) > bound || float64(res.Epochs-1) > bound {
				t.Fatalf("%+v, bound %v", res, bound)
			}
		}
	}
}

// TestInseparable holds runs on noisy data to the bound for many u and γ, with D
// and L over the updates, and over all that was presented.
func TestInseparable(t *testing.T) {
	for seed := range uint64(12) {
		set := noisy(seed, 40, 3)
		s := Space(seed % 2)
		R := must(Radius(set.X, s))(t)
		const epochs = 6
		p := &Online{Space: s, Rate: []float64{1, 0.1, 9}[seed%3]}
		updates := dataset{}
		drawn := newNaive(config{order: Order(seed % 2), seed: seed}, Hyperplane{}, 3)
		for range epochs {
			for _, i := range drawn.indices(len(set.X)) {
				x := set.X[i]
				if must(p.Update(x, set.y[i]))(t) {
					updates.X, updates.y = append(updates.X, x), append(updates.y, set.y[i])
				}
			}
		}
		k := float64(len(updates.X))
		r := rand.New(rand.NewPCG(seed, 7))
		for range 30 {
			u := Hyperplane{Weights: gaussian(r, 3)}
			gamma := math.Exp(r.NormFloat64())
			D, L, err := Deviations(u, updates.X, updates.y, s, gamma)
			if err != nil {
				t.Fatal(err)
			}
			over := InseparableBound(R, gamma, D, L)
			D, L, _ = Deviations(u, set.X, set.y, s, gamma)
			all := InseparableBound(R, gamma, math.Sqrt(epochs)*D, epochs*L)
			if k > over || over > all*(1+1e-12) {
				t.Fatalf("%v updates, bounds %v and %v", k, over, all)
			}
		}
	}
}

// TestDeviations: against the formula, in floats, and never below it.
func TestDeviations(t *testing.T) {
	set := noisy(3, 30, 4)
	h := Hyperplane{[]float64{3, 0, 4, 0}, 12}
	for _, s := range []Space{Affine, Linear} {
		length := 13.0
		if s == Linear {
			h.Bias, length = 0, 5
		}
		for _, gamma := range []float64{0, 0.5, 3} {
			var squares, sum float64
			for i, x := range set.X {
				short := max(0, gamma-float64(set.y[i])*must(h.Score(x))(t)/length)
				squares += short * short
				sum += short
			}
			D, L, err := Deviations(h, set.X, set.y, s, gamma)
			if want := math.Sqrt(squares); err != nil || D < want*(1-1e-14) || D > want*(1+1e-14) {
				t.Errorf("γ = %v: D = %v, want %v", gamma, D, want)
			}
			if L < sum*(1-1e-14) || L > sum*(1+1e-14) {
				t.Errorf("γ = %v: L = %v, want %v", gamma, L, sum)
			}
		}
	}
	D, L, err := Deviations(Hyperplane{Weights: []float64{1}}, [][]float64{{1}, {-2}, {5}}, []int{1, 1, 1}, Linear, 2)
	if want := math.Sqrt(17); D < want || D > next(want) || L != 5 || err != nil {
		t.Errorf("D = %v, L = %v, want √17 and 5", D, L)
	}
	D, L, err = Deviations(Hyperplane{Weights: []float64{1}}, [][]float64{{0x1p600}, {-0x1p600}}, []int{1, 1}, Linear, 0x1p600)
	if D != 0x1p601 || L != 0x1p601 || err != nil {
		t.Errorf("D = %v, L = %v, %v, want 2⁶⁰¹", D, L, err)
	}
}

// TestDeviationsUp: in one dimension the margins are exact, and so are D² and L in
// rationals: never below them, and within few units.
func TestDeviationsUp(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 8))
	for i := range 400 {
		e := []int{0, 0, 0, 300, -300, -1070, 1000}[i%7]
		X, y := make([][]float64, 1+r.IntN(4)), []int{}
		for i := range X {
			X[i] = []float64{math.Ldexp(r.NormFloat64(), e+r.IntN(3))}
			y = append(y, 1-2*r.IntN(2))
		}
		gamma := math.Ldexp(math.Abs(r.NormFloat64()), e) * float64(r.IntN(3)) / 2
		D, L, err := Deviations(Hyperplane{Weights: []float64{1}}, X, y, Linear, gamma)
		if err != nil {
			t.Fatal(err)
		}
		squares, sum := new(big.Rat), new(big.Rat)
		for i, x := range X {
			if short := new(big.Rat).Sub(rat(gamma), rat(float64(y[i])*x[0])); short.Sign() > 0 {
				squares, sum = add(squares, square(short)), add(sum, short)
			}
		}
		near := func(v float64) *big.Rat { return rat(max(0, v-8*(next(v)-v))) }
		if square(rat(D)).Cmp(squares) < 0 || rat(L).Cmp(sum) < 0 || square(near(D)).Cmp(squares) > 0 || near(L).Cmp(sum) > 0 {
			t.Fatalf("2^%d: D = %v, L = %v; exactly √%v and %v", e, D, L, squares, sum)
		}
	}
}

// TestDeviationsOverflow: and the other arguments that make no sense.
func TestDeviationsOverflow(t *testing.T) {
	h, X := Hyperplane{Weights: []float64{1}}, [][]float64{{math.MaxFloat64}, {math.MaxFloat64}}
	for _, c := range []struct {
		gamma float64
		y     []int
		want  string
	}{
		{1, []int{-1, -1}, "perceptron: not finite: the deviations overflow, though every feature is finite"},
		{-1, []int{1, 1}, "perceptron: bad configuration: gamma is -1, want a finite number of at least 0"},
		{inf, []int{1, 1}, "perceptron: bad configuration: gamma is +Inf, want a finite number of at least 0"},
		{1, []int{1, 3}, "perceptron: example 1: bad label: 3, want +1 or -1"},
	} {
		D, L, err := Deviations(h, X, c.y, Linear, c.gamma)
		if D != 0 || L != 0 || err == nil || err.Error() != c.want {
			t.Errorf("γ = %v: %v, %v, %v, want %s", c.gamma, D, L, err, c.want)
		}
	}
}

// TestBoundArguments: every bound's answer to nonsense, and by hand.
func TestBoundArguments(t *testing.T) {
	nan := math.NaN()
	start := func(a ...float64) float64 { return StartBound(a[0], a[1], a[2], a[3], a[4]) }
	margin := func(a ...float64) float64 { return MarginBound(a[0], a[1], a[2]) }
	threshold := func(a ...float64) float64 { k, _ := ThresholdBound(a[0], a[1], a[2], a[3]); return k }
	least := func(a ...float64) float64 { _, m := ThresholdBound(a[0], a[1], a[2], a[3]); return m }
	batch := func(a ...float64) float64 { return BatchBound(int(a[0]), a[1], a[2]) }
	inseparable := func(a ...float64) float64 { return InseparableBound(a[0], a[1], a[2], a[3]) }
	A := func(a ...float64) float64 { v, _ := StartEnvelope(a[0], a[1], a[2], a[3]); return v }
	B := func(a ...float64) float64 { _, v := StartEnvelope(a[0], a[1], a[2], a[3]); return v }
	mix := func(a ...float64) float64 { m, _ := MixBound(a[0], a[1], int(a[2])); return m }
	rounds := func(a ...float64) float64 { _, r := MixBound(a[0], a[1], int(a[2])); return r }
	for i, c := range []struct {
		f    func(...float64) float64
		args []float64
		want float64
	}{
		// (9 + 4/2)/4 = 2.75, against 9/4 + 2·3/(2·2) = 3.75
		{start, []float64{3, 2, 2, 3, -4}, 2.75},
		// (9 + 40/2)/4 = 7.25, against 9/4 + 2·1/(2·2) = 2.75
		{start, []float64{3, 2, 2, 1, -40}, 2.75},
		{start, []float64{3, 2, 0, 0, 5}, 2.25},
		{start, []float64{3, 0, 1, 1, -1}, inf}, {start, []float64{3, -2, 1, 1, -1}, inf}, {start, []float64{3, inf, 1, 1, -1}, 0},
		{start, []float64{-3, 2, 1, 1, -1}, nan}, {start, []float64{3, nan, 1, 1, -1}, nan}, {start, []float64{3, 2, -1, 1, -1}, nan},
		{start, []float64{3, 2, 1, -1, -1}, nan}, {start, []float64{3, 2, 1, 1, nan}, nan}, {start, []float64{3, 2, 1, inf, -1}, inf},
		{start, []float64{3, 2, 1, 1, -inf}, inf},
		{A, []float64{3, 2, 0.5, -4}, 1}, {B, []float64{3, 2, 0.5, -4}, 4.25}, {B, []float64{3, 2, 0.5, 4}, 2.25},
		{A, []float64{3, -2, 0.5, -4}, 0}, {B, []float64{3, -2, 0.5, -4}, 4.25}, {A, []float64{3, 2, 0, 0}, 4},
		{B, []float64{3, 2, 1, -inf}, inf}, {A, []float64{3, 2, 1, -inf}, 0}, {threshold, []float64{0, 1, 1, 0}, 0}, {least, []float64{0, 1, 1, 0}, 0},
		{A, []float64{3, nan, 1, 0}, nan}, {B, []float64{3, 2, -1, 0}, nan}, {A, []float64{inf, 2, 1, 0}, 0}, {B, []float64{inf, 2, 1, 0}, inf},
		{margin, []float64{3, 2, 1}, 4}, {margin, []float64{3, 2, 2}, 9}, {margin, []float64{3, 2, 0}, 2.25},
		{margin, []float64{3, 2, 4}, inf}, {margin, []float64{3, 2, 5}, inf}, {margin, []float64{3, 0, 1}, inf},
		{margin, []float64{3, 2, -1}, nan}, {margin, []float64{3, 2, nan}, nan}, {margin, []float64{-3, 2, 1}, nan},
		{threshold, []float64{3, 2, 2, 4}, 3.25}, {least, []float64{2, 3, 2, 4}, 0.75}, {least, []float64{3, 2, 2, 0}, 0},
		{threshold, []float64{3, 2, 1, 9}, 3 * 2.25}, {least, []float64{3, 2, 0, 9}, 2.0 / 3},
		{threshold, []float64{3, 2, 1, -1}, nan}, {least, []float64{3, 2, 1, -1}, nan}, {least, []float64{3, -2, 1, 1}, 0},
		{batch, []float64{10, 3, 2}, 22.5}, {batch, []float64{0, 3, 2}, 0}, {batch, []float64{-1, 3, 2}, nan}, {batch, []float64{1, 3, 0}, inf},
		{inseparable, []float64{3, 2, 0, 0}, 2.25}, {inseparable, []float64{3, 2, 1, 100}, 4},
		// ((3 + √(9 + 4·2·2))/4)² = 4
		{inseparable, []float64{3, 2, 100, 2}, 4}, {inseparable, []float64{3, 0, 1, 1}, inf}, {inseparable, []float64{3, 1, inf, 1}, inf},
		{inseparable, []float64{3, 2, -1, 1}, nan}, {inseparable, []float64{3, 2, 1, -1}, nan}, {inseparable, []float64{3, nan, 1, 1}, nan},
		{mix, []float64{3, 2, 5}, 2.25}, {rounds, []float64{3, 2, 5}, 11.25}, {rounds, []float64{3, 2, -5}, nan},
	} {
		if got := c.f(c.args...); !same(got, c.want) {
			t.Errorf("case %d, %v: %v, want %v", i, c.args, got, c.want)
		}
	}
}

// TestRounding: directed to the last bit, through underflow and overflow.
func TestRounding(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 8))
	third := big.NewRat(1, 3)
	for range 3000 {
		v := mul(rat(math.Abs(math.Ldexp(r.NormFloat64(), r.IntN(2090)-1070))), third)
		up, down := roundUp(v), roundDown(v)
		if !math.IsInf(up, 1) && rat(up).Cmp(v) < 0 || rat(down).Cmp(v) > 0 || down != up && next(down) != up {
			t.Fatalf("%v is rounded to %v and %v", v, down, up)
		}
		root := rootUp(v)
		if square(root).Cmp(v) < 0 || square(root).Cmp(mul(v, add(rat(1), rat(0x1p-90)))) > 0 {
			t.Fatalf("the root of %v is %v", v, root)
		}
	}
	for _, v := range []float64{0, 5e-324, 1, 0.1, math.MaxFloat64} {
		if up, down := roundUp(rat(v)), roundDown(rat(v)); up != v || down != v {
			t.Errorf("%v is rounded to %v and %v", v, down, up)
		}
		if root := rootUp(square(rat(v))); root.Cmp(rat(v)) != 0 {
			t.Errorf("the root of %v² is %v", v, root)
		}
	}
	huge := mul(rat(math.MaxFloat64), rat(2))
	if up, down := roundUp(huge), roundDown(huge); up != inf || down != math.MaxFloat64 {
		t.Errorf("2·MaxFloat64 is rounded to %v and %v", down, up)
	}
}
