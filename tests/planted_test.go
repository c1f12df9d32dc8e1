package tests_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"perceptron"
	"perceptron/internal/naive"
	"perceptron/internal/vec"
)

// These tests check the bounds of both kinds of models on data with a planted margin. It has two
// classes, or 3 to 6. Separate computes its γ, for several classes on the rows of Kesler's
// construction.

// A task is data with its margin and radius, for a kind of model. R is √2 times the radius for
// Multiclass, so that its bounds are those of a binary model.
type task struct {
	by       subject
	set      naive.Set
	classes  int
	space    perceptron.Space
	R, gamma float64
}

// plantedSigns draws rows of two classes.
func plantedSigns(t *testing.T, seed uint64) task {
	t.Helper()
	c := task{by: subjects[0], set: naive.Separable(seed, 48, 3, 0.05*float64(1+seed%5)), classes: 2, space: perceptron.Space(1 - seed%2)}
	sep := must(perceptron.Separate(c.set.X, c.set.Y, c.space))(t)
	if !sep.Separable || sep.Upper-sep.Lower > 1e-12*sep.Upper {
		t.Fatalf("γ in [%v, %v]", sep.Lower, sep.Upper)
	}
	c.R, c.gamma = radiusOf(t, c.set, c.space), sep.Lower
	return c
}

// plantedClasses draws rows that random hyperplanes of one length score ahead for their
// class. The classes take turns.
func plantedClasses(t *testing.T, seed uint64) task {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 8))
	c := task{by: subjects[1], classes: 3 + int(seed%4), space: perceptron.Space(seed / 4 % 2)}
	W := make([][]float64, c.classes)
	for k := range W {
		W[k] = naive.Gaussian(r, 3)
		length := norm(W[k])
		for j := range W[k] {
			W[k][j] /= length
		}
	}
	for y := 0; len(c.set.X) < 24; {
		x := naive.Gaussian(r, 3)
		ahead := inf
		for k := range W {
			if k != y {
				ahead = min(ahead, vec.Dot(W[y], x)-vec.Dot(W[k], x))
			}
		}
		if ahead > 0.1 {
			c.set.Add(x, y)
			y = (y + 1) % c.classes
		}
	}
	c.R, c.gamma = root2*radiusOf(t, c.set, c.space), margin(t, keslerRows(c.set, c.space))
	return c
}

// tasks calls each with planted tasks of both kinds, and several rates for each.
func tasks(t *testing.T, n uint64, each func(c task, seed uint64, rate float64)) {
	t.Helper()
	for seed := range n {
		for _, c := range []task{plantedSigns(t, seed), plantedClasses(t, seed)} {
			for _, rate := range []float64{1, 0.1, 8} {
				each(c, seed, rate)
			}
		}
	}
}

// A rule is a model with a bound on its mistakes and a margin that it reaches.
type rule struct {
	p            perceptron.Binary
	bound, least float64
}

// rules returns Margin's rules with the fields of p, at shares of γ and of R.
func (c task) rules(p perceptron.Margin, shares ...float64) []rule {
	all := []rule{{&p, 3 * perceptron.MistakeBound(c.R, c.gamma), c.gamma / 3}}
	for _, rho := range shares {
		gamma, theta := p, p
		gamma.Gamma, theta.Threshold = rho*c.gamma, rho*c.R
		k, least := perceptron.ThresholdBound(c.R, c.gamma, p.Rate, theta.Threshold)
		all = append(all, rule{&gamma, perceptron.MarginBound(c.R, c.gamma, gamma.Gamma), gamma.Gamma / 2}, rule{&theta, k, least})
		share := p
		share.Share = rho / 2
		all = append(all, rule{&share, perceptron.ShareBound(c.R, c.gamma, share.Share), share.Share * c.gamma})
	}
	return all
}

// check fails unless the mistakes keep the rule's bound, and m reaches its margin.
func (c task) check(t *testing.T, r rule, m perceptron.Model, mistakes int, upper float64) {
	t.Helper()
	got := c.by.achieved(t, m, c.set, c.space)
	if float64(mistakes) > r.bound || !(got > 0) || got < r.least*(1-1e-12) || got > upper || upper < c.gamma {
		t.Fatalf("%v: %d mistakes, bound %v; margin %v, at least %v; γ %v, Upper %v", m, mistakes, r.bound, got, r.least, c.gamma, upper)
	}
}

// fit checks a run until it converges.
func (c task) fit(t *testing.T, r rule) {
	t.Helper()
	m := c.by.over(r.p)
	res := fit(t, c.set, m)
	if res.Stop != perceptron.Converged {
		t.Fatalf("%v: %+v", m, res)
	}
	c.check(t, r, m, res.Mistakes, res.Upper)
}

// TestMistakes: no run makes more mistakes than the bound. Upper, and the margin of the
// hyperplanes, bracket γ.
func TestMistakes(t *testing.T) {
	tasks(t, 20, func(c task, seed uint64, rate float64) {
		for order := range perceptron.Sampled + 1 {
			p := &perceptron.Online{Space: c.space, Order: order, Seed: seed, Rate: rate, MaxEpochs: 1e6}
			c.fit(t, rule{p, perceptron.MistakeBound(c.R, c.gamma), 0})
		}
	})
}

// TestMarginRules: Margin's rules keep their bounds and margins, in all orders and at many
// rates. The default makes at most 3(R/γ)² updates, and reaches at least a third of the margin.
func TestMarginRules(t *testing.T) {
	tasks(t, 12, func(c task, seed uint64, rate float64) {
		p := perceptron.Margin{Space: c.space, Order: perceptron.Order(seed % 3), Seed: seed, Rate: rate, MaxEpochs: 1e6}
		for _, r := range c.rules(p, 0.1, 1, 1.5) {
			c.fit(t, r)
		}
	})
}

// lateRows is the rows so that each class arrives after those of the classes before.
func lateRows(set naive.Set, classes int) (late naive.Set) {
	for round := range classes {
		for i, x := range set.X {
			if set.Y[i] <= round {
				late.Add(x, set.Y[i])
			}
		}
	}
	return late
}

// TestLate: in streams in which classes arrive late, the bounds hold from the first example on, and
// the margins at the end.
func TestLate(t *testing.T) {
	t.Parallel()
	tasks(t, 12, func(c task, seed uint64, rate float64) {
		late := lateRows(c.set, c.classes)
		online := rule{&perceptron.Online{Space: c.space, Rate: rate}, perceptron.MistakeBound(c.R, c.gamma), 0}
		for _, r := range append(c.rules(perceptron.Margin{Space: c.space, Rate: rate}, 1), online) {
			m, updates := c.by.over(r.p), 0
			for clean := false; !clean; {
				e := must(m.Learn(perceptron.Examples(late.X, late.Y)))(t)
				updates += e.Mistakes
				clean = e.Mistakes == 0
			}
			c.check(t, r, m, updates, inf)
		}
	})
}

// rival returns the class other than y with the highest score, the lowest of several,
// and y's score less its own. A class that has not arrived has the score 0.
func rival(t *testing.T, m *perceptron.Multiclass, x []float64, y int) (r int, ahead float64) {
	t.Helper()
	own, high := 0.0, math.Inf(-1)
	for k, s := range must(m.Scores(nil, x))(t) {
		if class := m.Classes()[k]; class == y {
			own = s
		} else if s > high {
			r, high = class, s
		}
	}
	return r, own - high
}

// TestMulticlassInseparable: streams with random labels keep InseparableBound of √2·R,
// for many W and γ. The vectors z of the updates are those of the rivals.
func TestMulticlassInseparable(t *testing.T) {
	for seed := range uint64(12) {
		const classes, d = 4, 3
		r, set, updates := rand.New(rand.NewPCG(seed, 9)), naive.Set{}, naive.Set{}
		for range 250 {
			set.Add(naive.Gaussian(r, d), r.IntN(classes))
		}
		s := perceptron.Space(seed % 2)
		m := &perceptron.Multiclass{Binary: &perceptron.Online{Space: s, Rate: []float64{1, 0.1, 9}[seed%3]}}
		must(m.Update(set.X[0], set.Y[0]))(t)
		for i, x := range set.X {
			far, ahead := rival(t, m, x, set.Y[i])
			updated := must(m.Update(x, set.Y[i]))(t)
			if updated != (ahead <= 0) {
				t.Fatalf("Update = %v, but the class is %v ahead", updated, ahead)
			}
			if updated {
				updates.Add(keslerRow(x, set.Y[i], far, classes, s), +1)
			}
		}
		checkInseparable(t, r, updates, perceptron.Linear, root2*radiusOf(t, set, s), func(perceptron.Hyperplane, float64, float64) {})
	}
}

// TestMulticlassLine: Multiclass separates classes at −1, 0 and 1 on a line. OneVsRest
// cannot, because the middle class has no half-line to itself.
func TestMulticlassLine(t *testing.T) {
	X, y := [][]float64{{-1}, {0}, {1}}, []int{-1, 0, 1}
	for _, b := range []perceptron.Model{nil, new(perceptron.Margin), &perceptron.Margin{Threshold: 3}, &perceptron.Margin{Gamma: 0.1}, &perceptron.Online{Order: perceptron.Sampled}} {
		m := &perceptron.Multiclass{Binary: asBinary(b)}
		res := must(m.Fit(X, y))(t)
		gamma := must(perceptron.MulticlassGamma(m.Hyperplanes(), X, y, perceptron.Affine))(t)
		if res.Stop != perceptron.Converged || !(gamma > 0) {
			t.Errorf("%v: %+v, margin %v; want a run that converges", b, res, gamma)
		}
	}
	m := &perceptron.OneVsRest{Binary: &perceptron.Online{MaxEpochs: 1e5}}
	if res := must(m.Fit(X, y))(t); res.Stop != perceptron.Cycled {
		t.Errorf("OneVsRest: %+v, want a run that cycles", res)
	}
}

// TestMulticlassWider: data that OneVsRest separates is separable here. Its hyperplanes
// have a margin for several classes, and Multiclass converges.
func TestMulticlassWider(t *testing.T) {
	separated := 0
	for seed := range uint64(150) {
		set, space := naive.Multi(seed, 12, 2+int(seed%3), 3+int(seed%3)), perceptron.Space(seed%2)
		b := &perceptron.Online{Space: space, MaxEpochs: 50}
		rest := &perceptron.OneVsRest{Binary: b}
		if must(rest.Fit(set.X, set.Y))(t).Stop != perceptron.Converged {
			continue
		}
		separated++
		gamma := must(perceptron.MulticlassGamma(rest.Hyperplanes(), set.X, set.Y, space))(t)
		m := &perceptron.Multiclass{Binary: &perceptron.Online{Space: space, MaxEpochs: 1e5}}
		if res := must(m.Fit(set.X, set.Y))(t); !(gamma > 0) || res.Stop != perceptron.Converged || res.Upper < gamma {
			t.Fatalf("seed %d: margin %v of OneVsRest, but %+v", seed, gamma, res)
		}
	}
	if separated < 30 || separated > 120 {
		t.Errorf("OneVsRest separates %d of 150 sets", separated)
	}
}

// TestMixBound: shards train an epoch from the mean and are mixed again. Their weighted mistakes
// are at most (R/γ)², or 2(R/γ)² of Multiclass, under uniform shares and shares in proportion to
// the mistakes (McDonald, Hall & Mann 2010, Theorem 3). The rounds end, and the bounds on them
// hold.
func TestMixBound(t *testing.T) {
	for seed := range uint64(12) {
		for _, c := range []task{plantedSigns(t, seed), plantedClasses(t, seed)} {
			for _, proportional := range []bool{false, true} {
				weighted, rounds := mixRounds(t, c, proportional)
				bound, most := perceptron.MixBound(c.R, c.gamma, 3)
				if proportional {
					most = bound
				}
				if weighted > bound || rounds > most {
					t.Fatalf("%s: weighted mistakes %v of %v, rounds %v of %v", c.by.name, weighted, bound, rounds, most)
				}
			}
		}
	}
}

// mixRounds mixes three shards until a round makes no mistake.
func mixRounds(t *testing.T, c task, proportional bool) (weighted, rounds float64) {
	t.Helper()
	learn := func(m perceptron.Learner, from, to int) float64 {
		return float64(must(m.Learn(perceptron.Examples(c.set.X[from:to], c.set.Y[from:to])))(t).Mistakes)
	}
	n := len(c.set.X) / 3
	mean := c.by.over(&perceptron.Online{Space: c.space, MaxEpochs: 1})
	weighted += learn(mean, 0, c.classes) // a row of each class
	for rounds = 1; ; rounds++ {
		shards, weights, mistakes := make([]perceptron.Learner, 3), make([]float64, 3), 0.0
		for s := range shards {
			shards[s] = cloneOf(mean).(perceptron.Learner)
			weights[s] = learn(shards[s], s*n, s*n+n)
			mistakes += weights[s]
		}
		if mistakes == 0 {
			if right := must(perceptron.Accuracy(mean, c.set.X, c.set.Y))(t); right < 1 {
				t.Fatalf("the mix has %v of the rows right", right)
			}
			return weighted, rounds
		}
		for s, k := range weights {
			if !proportional {
				weighted += k / 3
				weights[s] = 1
			} else {
				weighted += k * k / mistakes
			}
		}
		mean = mixOf(t, shards, weights)
	}
}

func score(w, z []float64) (s float64) {
	for j, a := range w {
		s += a * z[j]
	}
	return s
}

// TestMistakesEstimateErrors runs one pass over each of 4⁵ streams of equally likely examples. The
// mistakes are as many as the errors of the iterates on one more example, times 4.
func TestMistakesEstimateErrors(t *testing.T) {
	Z := [][]float64{{1, 2}, {2, -1}, {-1, 3}, {3, -1}}
	const n = 5
	mistakes, errors, most := 0, 0, 0 // errors has each iterate's wrong examples, of 4
	for stream := range 1 << (2 * n) {
		p, k := &perceptron.Online{Rate: 1, Space: perceptron.Linear}, 0
		for m := range n {
			w := p.Hyperplane().Weights
			for _, z := range Z {
				if score(w, z) <= 0 {
					errors++
				}
			}
			if must(p.Update(Z[stream>>(2*m)&3], +1))(t) {
				k++
			}
		}
		mistakes, most = mistakes+k, max(most, k)
	}
	if 4*mistakes != errors || most < 2 {
		t.Errorf("%d mistakes, %d errors on 4 examples; at most %d mistakes in a stream", mistakes, errors, most)
	}
}

// TestEveryLearnerErrs shows unit vectors to learners, each with the label that it does not
// predict. Each is updated on all n rows, and n is Novikoff's bound on the separable data.
func TestEveryLearnerErrs(t *testing.T) {
	const n = 16
	for _, keep := range []perceptron.Keep{perceptron.Last, perceptron.Average, perceptron.Pocket} {
		p, best := &perceptron.Online{Space: perceptron.Linear, Keep: keep}, perceptron.Hyperplane{Weights: make([]float64, n)}
		var X [][]float64
		var y []int
		for m := range n {
			x, label := make([]float64, n), +1
			x[m] = 1
			if m > 0 && must(p.Predict(x))(t) > 0 {
				label = -1
			}
			if !must(p.Update(x, label))(t) {
				t.Errorf("%v: row %d was no mistake", keep, m)
			}
			best.Weights[m] = float64(label) / math.Sqrt(n)
			X, y = append(X, x), append(y, label)
		}
		gamma := must(perceptron.Gamma(best, X, y, perceptron.Linear))(t)
		if bound := perceptron.MistakeBound(1, gamma); math.Abs(bound-n) > 1e-9 {
			t.Errorf("%v: the bound is %v, want %d", keep, bound, n)
		}
	}
}

// TestGammaGrows: under Gamma a run on data that is not separable need not cycle. Each
// epoch adds 1 to the weight.
func TestGammaGrows(t *testing.T) {
	p := &perceptron.Margin{Space: perceptron.Linear, Gamma: 2, MaxEpochs: 50}
	res := must(p.Fit([][]float64{{1}, {1}, {-1}}, []int{1, 1, 1}))(t)
	diff(t, "Stop", res.Stop, perceptron.EpochLimit)
	diff(t, "updates", res.Mistakes, 150)
	diff(t, "w", p.Hyperplane().Weights[0], 50)
}

// planted draws rows with |⟨u, x⟩| ≥ gap for a random unit u, and returns a multiple of u too.
func planted(seed uint64, n, d int, gap float64) (naive.Set, perceptron.Hyperplane) {
	u := naive.Gaussian(rand.New(rand.NewPCG(seed, 1)), d) // the first that Separable draws
	return naive.Separable(seed, n, d, gap), perceptron.Hyperplane{Weights: u}
}
