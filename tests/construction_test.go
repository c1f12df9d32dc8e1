package tests_test

import (
	"cmp"
	"math"
	"math/bits"
	"os"
	"regexp"
	"slices"
	"testing"

	"perceptron"
	"perceptron/internal/naive"
)

// The runs in this file almost reach the bounds. So a bound with a wrong factor or a missing square
// fails. Most of them are made twice: by a binary model, and by Multiclass with the classes +1 and
// −1. There, each mistake of the binary model is a mistake too, γ is √2 times the binary margin,
// and √2·R replaces R. So a bound of Multiclass with a wrong factor 2 fails.

// spiral builds rows of length 1 in R³ for Linear space, all +1, with the last coordinate
// nearGamma. A perceptron of rate 1 begins at w and learns every row, one after another. c(w) is
// the largest score that still updates. Each row turns w as little as possible.
func spiral(w [3]float64, c func(w [3]float64) float64) (set naive.Set) {
	gamma, s := nearGamma, math.Sqrt(1-nearGamma*nearGamma)
	for {
		q := math.Hypot(w[0], w[1])
		along := min(q, (c(w)-w[2]*gamma)/s-1e-9)
		ex, ey := 1.0, 0.0
		if q > 0 {
			if along < -q {
				return set
			}
			cos := along / q
			sin := math.Sqrt(max(0, 1-cos*cos))
			ex, ey = (w[0]*cos-w[1]*sin)/q, (w[1]*cos+w[0]*sin)/q
		} else if w[2]*gamma > c(w) {
			return set
		}
		row := []float64{s * ex, s * ey, gamma}
		for j, v := range row {
			w[j] += v
		}
		set.Add(row, +1)
	}
}

// nearly fails unless got is at most bound, and at least share times bound.
func nearly(t *testing.T, what string, got, bound, share float64) {
	t.Helper()
	t.Logf("%s: %.6g of %.6g, %.4f", what, got, bound, got/bound)
	if got > bound || got < share*bound {
		t.Errorf("%s: %v, want at most %v and at least %v of it", what, got, bound, share)
	}
}

const nearK = 1000 // K = (R/γ)² of the spirals, R = 1

var nearGamma = 1 / math.Sqrt(nearK)

// alternate returns the rows yx with the labels +1 and −1 in turn. Their binary margin is
// that of the rows with the label +1.
func alternate(set naive.Set) (signed naive.Set) {
	for i, x := range set.X {
		y := 1 - 2*(i%2)
		row := slices.Clone(x)
		for j := range row {
			row[j] *= float64(y * set.Y[i])
		}
		signed.Add(row, y)
	}
	return signed
}

// root2 is √2, rounded up.
var root2 = math.Nextafter(math.Sqrt2, 2)

// A subject is a kind of model whose bound is measured. Its rows have the margin unit·γ, where γ is
// the margin that they were built for, and unit·R stands for R in a bound.
type subject struct {
	name string
	unit float64
	rows func(set naive.Set) naive.Set
	over func(b perceptron.Binary) perceptron.Learner
}

var subjects = []subject{
	{"binary", 1, func(set naive.Set) naive.Set { return set }, func(b perceptron.Binary) perceptron.Learner { return b.(perceptron.Learner) }},
	{"Multiclass", root2, alternate, func(b perceptron.Binary) perceptron.Learner { return &perceptron.Multiclass{Binary: b} }},
}

// vectors returns the vectors of a binary model that makes the subject's decisions on the rows.
func (c subject) vectors(set naive.Set) naive.Set {
	if c.unit > 1 {
		return keslerRows(set, perceptron.Linear)
	}
	return set
}

// confirmed returns the rows for the subject, and their margin in Linear space by Separate. It
// fails unless they were built for that. It is rounded down, so a bound by it is none too small.
func (c subject) confirmed(t *testing.T, set naive.Set, built float64) (naive.Set, float64) {
	t.Helper()
	set = c.rows(set)
	gamma := margin(t, c.vectors(set))
	if math.Abs(gamma-c.unit*built) > 1e-12*gamma {
		t.Errorf("%s: γ = %v, built for %v", c.name, gamma, c.unit*built)
	}
	return set, gamma
}

// achieved returns the margin of m's hyperplanes.
func (c subject) achieved(t *testing.T, m perceptron.Model, set naive.Set, s perceptron.Space) float64 {
	t.Helper()
	if m, many := m.(*perceptron.Multiclass); many {
		return must(perceptron.MulticlassGamma(m.Hyperplanes(), set.X, set.Y, s))(t)
	}
	return gammaOf(t, set, m.(perceptron.Binary).Hyperplane(), s)
}

// TestNearStart: from −(R²/γ)u the run makes nearly K + 2‖w(0)‖/(ηγ) mistakes.
func TestNearStart(t *testing.T) {
	set := spiral([3]float64{0, 0, -1 / nearGamma}, func([3]float64) float64 { return 0 })
	subjects[0].confirmed(t, set, nearGamma)
	start := perceptron.Hyperplane{Weights: []float64{0, 0, -1 / nearGamma}}
	p := &perceptron.Online{Space: perceptron.Linear, Start: start}
	res := fit(t, set, p)
	nearly(t, "StartBound", float64(res.Mistakes), perceptron.StartBound(1, nearGamma, 1, 1/nearGamma, lowest(t, start, set)), 0.999)
	diff(t, "mistakes", res.Mistakes, 2998)
	diff(t, "epochs", res.Epochs, 2)
	// The first of the two bounds is the nearer one for short starts.
	one := &perceptron.Online{Space: perceptron.Linear, Start: perceptron.Hyperplane{Weights: []float64{-1}}}
	res = must(one.Fit([][]float64{{1}}, []int{+1}))(t)
	nearly(t, "StartBound, short", float64(res.Mistakes), perceptron.StartBound(1, 1, 1, 1, -2), 2.0/3)
}

// TestNearMargin: γ′ = γ comes near the sharp form of the theorem, and a small γ′ near the bound
// itself. Half of γ′ is reached.
func TestNearMargin(t *testing.T) {
	for _, c := range []struct {
		rho, share float64
		updates    int
	}{{1, 0.62, 2511}, {0.1, 0.96, 1070}} {
		prime := c.rho * nearGamma
		built := spiral([3]float64{}, func(w [3]float64) float64 {
			return prime / 2 * norm(w[:])
		})
		for _, by := range subjects {
			set, gamma := by.confirmed(t, built, nearGamma)
			m := by.over(&perceptron.Margin{Space: perceptron.Linear, Gamma: by.unit * prime})
			res := fit(t, set, m)
			nearly(t, by.name+", MarginBound", float64(res.Mistakes), perceptron.MarginBound(by.unit, gamma, by.unit*prime), c.share)
			diff(t, by.name+": updates", res.Mistakes, c.updates)
			diff(t, by.name+": epochs", res.Epochs, 2)
			if c.rho == 1 { // τ with ρ(2−ρ)τ = 2 ln(1 + ρτ)
				nearly(t, "MarginBound, sharp form", float64(res.Mistakes), 2.5129*nearK, 0.999)
			}
			if got := by.achieved(t, m, set, perceptron.Linear); got < by.unit*prime/2*(1-1e-12) {
				t.Errorf("%s, ρ = %v: margin %v, want at least %v", by.name, c.rho, got, by.unit*prime/2)
			}
		}
	}
}

// TestNearThreshold: θ = R², or 2R² of Multiclass, makes nearly 3(R/γ)² updates, or 6(R/γ)², and
// leaves nearly γ/3. So does the rule that finds θ by itself.
func TestNearThreshold(t *testing.T) {
	built := spiral([3]float64{}, func([3]float64) float64 { return 1 })
	for _, by := range subjects {
		set, gamma := by.confirmed(t, built, nearGamma)
		theta := math.Round(by.unit * by.unit)
		for _, p := range []*perceptron.Margin{{Space: perceptron.Linear, Threshold: theta}, {Space: perceptron.Linear}} {
			m := by.over(p)
			res := fit(t, set, m)
			k, least := perceptron.ThresholdBound(by.unit, gamma, 1, theta) // 3(R/γ)² and γ/3
			nearly(t, by.name+", ThresholdBound", float64(res.Mistakes), k, 0.999)
			got := by.achieved(t, m, set, perceptron.Linear)
			nearly(t, by.name+", ThresholdBound, margin", least, got, 0.999)
		}
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
			z[j] = float64(1 - 2*(bits.OnesCount(uint(i&j))%2))
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

// TestNearMistakes: unit vectors, and in Affine space a Hadamard matrix, reach Novikoff's bound.
func TestNearMistakes(t *testing.T) {
	for _, by := range subjects {
		set, gamma := by.confirmed(t, units(100), 0.1)
		res := fit(t, set, by.over(&perceptron.Online{Space: perceptron.Linear, Rate: 0.1}))
		nearly(t, by.name+", MistakeBound", float64(res.Mistakes), perceptron.MistakeBound(by.unit, gamma), 0.9999999)
		set = hadamard() // γ = 1
		res = fit(t, set, by.over(new(perceptron.Online)))
		R := radiusOf(t, set, perceptron.Affine)
		nearly(t, by.name+", MistakeBound, Affine", float64(res.Mistakes), perceptron.MistakeBound(by.unit*R, by.unit), 0.9999999)
		diff(t, by.name+": R", R, 4)
		diff(t, by.name+": mistakes", res.Mistakes, 16)
	}
}

// TestNearMulticlass: with K classes, unit vectors reach the share K/(2(K−1)) of 2(R/γ)².
func TestNearMulticlass(t *testing.T) {
	t.Parallel()
	for classes := 2; classes <= 7; classes++ {
		set, share := units(56), float64(classes)/float64(2*(classes-1))
		for i := range set.Y {
			set.Y[i] = i % classes
		}
		gamma := margin(t, keslerRows(set, perceptron.Linear))
		if built := math.Sqrt(2 * share / 56); math.Abs(gamma-built) > 1e-12*built {
			t.Errorf("γ = %v, built for %v", gamma, built)
		}
		res := fit(t, set, &perceptron.Multiclass{Binary: &perceptron.Online{Space: perceptron.Linear, Rate: 0.1}})
		nearly(t, "MulticlassBound", float64(res.Mistakes), perceptron.MulticlassBound(1, gamma), 0.9999999*share)
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
	subjects[0].confirmed(t, set, 0.125)
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
	subjects[0].confirmed(t, heaps, 1)
	p.MaxEpochs = 1e6
	res = fit(t, heaps, p)
	nearly(t, "BatchBound, heaps", float64(res.Mistakes), perceptron.BatchBound(2000, math.Sqrt(101), 1), 0.25)
	diff(t, "misclassifications", res.Mistakes, 50990)
}

// TestNearInseparable: unit vectors reach the bound for any c ≥ 1, and nearly so when a row
// contradicts the first.
func TestNearInseparable(t *testing.T) {
	t.Parallel()
	const n = 400
	for _, by := range subjects {
		for c, share := range map[float64]float64{1: 0, 2: 0.99, 5: 0.9} {
			set, gamma := by.rows(units(n)), c/20*by.unit
			u := perceptron.Hyperplane{Weights: slices.Repeat([]float64{1}, n)}
			if by.unit > 1 { // W: −1 for the class −1, +1 for +1
				u.Weights = append(slices.Repeat([]float64{-1}, n), u.Weights...)
			}
			m := by.over(&perceptron.Online{Space: perceptron.Linear, MaxEpochs: 1})
			res := fit(t, set, m)
			D, L := deviationsOf(t, by.vectors(set), u, perceptron.Linear, gamma)
			nearly(t, by.name+", InseparableBound by D", float64(res.Mistakes), perceptron.InseparableBound(by.unit, gamma, D, 1e18), 0.99999)
			nearly(t, by.name+", InseparableBound by L", float64(res.Mistakes), perceptron.InseparableBound(by.unit, gamma, 1e18, L), 0.99999)
			set.Add(set.X[0], -set.Y[0])
			res = fit(t, set, m)
			D, _ = deviationsOf(t, by.vectors(set), u, perceptron.Linear, gamma)
			nearly(t, by.name+", InseparableBound, contradicted", float64(res.Mistakes), perceptron.InseparableBound(by.unit, gamma, D, 1e18), share)
		}
	}
}

// TestNearMix: shards that are alike reach (R/γ)² weighted mistakes under any weights.
func TestNearMix(t *testing.T) {
	for _, by := range subjects {
		set, gamma := by.confirmed(t, units(25), 0.2)
		bound, rounds := perceptron.MixBound(by.unit, gamma, 3)
		for _, weights := range [][]float64{nil, {1, 0, 0}, {0.5, 0.2, 0.3}} {
			shards, weighted := []perceptron.Learner{}, 0.0
			for s := range 3 {
				m, mu := by.over(&perceptron.Online{Space: perceptron.Linear, MaxEpochs: 1}), 1.0/3
				if weights != nil {
					mu = weights[s]
				}
				weighted += mu * float64(fit(t, set, m).Mistakes)
				shards = append(shards, m)
			}
			e := must(mixOf(t, shards, weights).Learn(perceptron.Examples(set.X, set.Y)))(t)
			diff(t, by.name+": mistakes of the second round", e.Mistakes, 0)
			nearly(t, by.name+", MixBound", weighted, bound, 0.9999999)
		}
		nearly(t, by.name+", rounds", 75, rounds, 0.999999)
	}
}

// A bounded has separable rows, their R and γ in Linear space, and a hyperplane with the margin γ.
type bounded struct {
	naive.Set
	R, gamma float64
	u        perceptron.Hyperplane
}

// boundRuns has a run for each exported bound. It returns what the bound limits, and the bound.
var boundRuns = map[string]func(t *testing.T, s bounded) (count int, bound float64){
	"MistakeBound": func(t *testing.T, s bounded) (count int, bound float64) {
		return fit(t, s.Set, &perceptron.Online{Space: perceptron.Linear}).Mistakes, perceptron.MistakeBound(s.R, s.gamma)
	},
	"StartBound": func(t *testing.T, s bounded) (count int, bound float64) { // from −(R²/γ)u
		start := perceptron.Hyperplane{Weights: slices.Clone(s.u.Weights)}
		for j := range start.Weights {
			start.Weights[j] *= -s.R * s.R / s.gamma / norm(s.u.Weights)
		}
		return fit(t, s.Set, &perceptron.Online{Space: perceptron.Linear, Start: start}).Mistakes, perceptron.StartBound(s.R, s.gamma, 1, norm(start.Weights), lowest(t, start, s.Set))
	},
	"MarginBound": func(t *testing.T, s bounded) (count int, bound float64) {
		return fit(t, s.Set, &perceptron.Margin{Space: perceptron.Linear, Gamma: s.gamma / 10}).Mistakes, perceptron.MarginBound(s.R, s.gamma, s.gamma/10)
	},
	"ThresholdBound": func(t *testing.T, s bounded) (count int, bound float64) {
		bound, _ = perceptron.ThresholdBound(s.R, s.gamma, 1, s.R*s.R)
		return fit(t, s.Set, &perceptron.Margin{Space: perceptron.Linear, Threshold: s.R * s.R}).Mistakes, bound
	},
	"ShareBound": func(t *testing.T, s bounded) (count int, bound float64) {
		return fit(t, s.Set, &perceptron.Margin{Space: perceptron.Linear, Share: 0.05}).Mistakes, perceptron.ShareBound(s.R, s.gamma, 0.05)
	},
	"BatchBound": func(t *testing.T, s bounded) (count int, bound float64) {
		return fit(t, s.Set, &perceptron.Batch{Space: perceptron.Linear}).Mistakes, perceptron.BatchBound(len(s.X), s.R, s.gamma)
	},
	"InseparableBound": func(t *testing.T, s bounded) (count int, bound float64) { // one epoch, and a margin that no rows have
		D, L := deviationsOf(t, s.Set, s.u, perceptron.Linear, 2*s.gamma)
		return fit(t, s.Set, &perceptron.Online{Space: perceptron.Linear, MaxEpochs: 1}).Mistakes, perceptron.InseparableBound(s.R, 2*s.gamma, D, L)
	},
	"MulticlassBound": func(t *testing.T, s bounded) (count int, bound float64) {
		s.Set = alternate(s.Set) // Multiclass's margin of these rows is √2 times γ
		return fit(t, s.Set, &perceptron.Multiclass{Binary: &perceptron.Online{Space: perceptron.Linear}}).Mistakes, perceptron.MulticlassBound(s.R, s.gamma*(math.Sqrt2-1e-15))
	},
	"MixBound": func(t *testing.T, s bounded) (count int, bound float64) { // two equal shards, until a round has no mistake
		bound, _ = perceptron.MixBound(s.R, s.gamma, 2)
		for mean, k := (&perceptron.Online{Space: perceptron.Linear}), 1; k > 0; count += k {
			one, other := mean.Clone(), mean.Clone()
			k = must(one.Learn(perceptron.Examples(s.X, s.Y)))(t).Mistakes
			must(other.Learn(perceptron.Examples(s.X, s.Y)))(t) // makes the same mistakes
			mean = must(perceptron.Mix([]*perceptron.Online{one, other}, nil))(t)
		}
		return count, bound
	},
}

// looseBounds has the bounds that no run here comes near, each with the share of it that a run reaches.
var looseBounds = map[string]float64{"MarginBound": 0.96, "ShareBound": 0.96}

// TestBounds: every run keeps its bound on all the rows, and comes near it on some. So a bound that is
// too small fails, and one that is too large must be named in looseBounds.
func TestBounds(t *testing.T) {
	sets := []naive.Set{
		{Name: "copies", X: slices.Repeat([][]float64{{3, 4}}, 70), Y: slices.Repeat([]int{+1}, 70)}, units(100),
		spiral([3]float64{0, 0, -1 / nearGamma}, func([3]float64) float64 { return 0 }), spiral([3]float64{}, func([3]float64) float64 { return 1 }),
		spiral([3]float64{}, func(w [3]float64) float64 { return nearGamma / 20 * norm(w[:]) }), naive.Separable(1, 40, 4, 0.2), naive.Separable(2, 60, 9, 0.05),
	}
	most := map[string]float64{} // the largest share of a bound that a run reaches
	for i, set := range sets {
		sep := must(perceptron.Separate(set.X, set.Y, perceptron.Linear))(t)
		s := bounded{set, radiusOf(t, set, perceptron.Linear), sep.Lower, sep.Hyperplane}
		for name, run := range boundRuns {
			count, bound := run(t, s)
			if most[name] = max(most[name], float64(count)/bound); float64(count) > bound {
				t.Errorf("set %d: %v, but %s is %v", i, count, name, bound)
			}
		}
	}
	for _, f := range regexp.MustCompile(`(?m)^func (\w+Bound)\(`).FindAllStringSubmatch(string(must(os.ReadFile("docs/api.txt"))(t)), -1) {
		if name := f[1]; boundRuns[name] == nil {
			t.Errorf("%s has no run: give it one in boundRuns", name)
		} else if share := cmp.Or(looseBounds[name], 0.999); most[name] < share {
			t.Errorf("the runs reach the share %.4f of %s, want %v: find rows that come nearer, or name it in looseBounds", most[name], name, share)
		}
	}
}
