package perceptron

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"

	"perceptron/internal/train"
)

// This file holds naive references, written straight from the formulas. The tests
// compare the models with them exactly.

// naiveDot sums the products in the order that vec.Dot documents.
func naiveDot(a, b []float64) float64 {
	n := len(a)
	q := n - n%32
	var lane [32]float64
	for i := range q {
		p := a[i] * b[i]
		lane[i%32] += float64(p)
	}
	var v [8]float64
	for j := range v {
		v[j] = (lane[j] + lane[j+8]) + (lane[j+16] + lane[j+24])
	}
	for i := q; i < n; i++ {
		p := float64(a[i] * b[i])
		v[(i-q)%8] += p
	}
	var u [4]float64
	for j := range u {
		u[j] = v[j] + v[j+4]
	}
	return (u[0] + u[2]) + (u[1] + u[3])
}

// naive is an example-by-example perceptron of any rule, Order and Keep.
type naive struct {
	train.Config
	start  Hyperplane
	w      []float64
	b      float64
	R2     float64
	gen    *rand.PCG
	ran    int
	loss   float64
	wrongs int // updates in all epochs

	iterates []Hyperplane // after each example
	pocket   Hyperplane
	beat     int        // what a challenger of the pocket must exceed
	run      int        // of the iterate in training
	longest  int        // run of this epoch
	ofLong   Hyperplane // its iterate
}

func newNaive(c train.Config, start Hyperplane, d int) *naive {
	n := &naive{Config: c, start: start, w: make([]float64, d), b: start.Bias, gen: rand.NewPCG(c.Seed, 0)}
	copy(n.w, start.Weights)
	n.pocket = n.plane()
	return n
}

// naiveOf returns the reference of a model that is untrained.
func naiveOf(m model, d int) *naive { return newNaive(configured(m), *m.start(), d) }

func (n *naive) plane() Hyperplane { return Hyperplane{slices.Clone(n.w), n.b} }

func (n *naive) score(h Hyperplane, x []float64) float64 { return naiveDot(h.Weights, x) + h.Bias }

func (n *naive) theta() float64 {
	switch n.Rule {
	case train.WithinGamma:
		return n.Gamma / 2 * math.Sqrt(naiveDot(append(slices.Clone(n.w), n.b), append(slices.Clone(n.w), n.b)))
	case train.WithinTheta:
		return n.Threshold
	case train.WithinR:
		return n.Rate * n.R2
	}
	return 0
}

// see learns one example of an epoch.
func (n *naive) see(x []float64, y int) (updated bool) {
	m := float64(y) * n.score(n.plane(), x)
	if updated = m <= n.theta(); updated {
		n.wrongs++
		n.loss += max(0, -m)
		for j := range x {
			n.w[j] += float64(n.Rate * float64(y) * x[j])
		}
		norm2 := naiveDot(x, x)
		if n.Space == train.Affine {
			n.b += float64(n.Rate * float64(y))
			norm2++
		}
		if n.Rule == train.WithinR {
			n.R2 = max(n.R2, norm2)
		}
		n.run = 0
	} else {
		n.run++
	}
	if n.run > n.longest {
		n.longest, n.ofLong = n.run, n.plane()
	}
	n.iterates = append(n.iterates, n.plane())
	return updated
}

// stream learns one example of a stream, where a run alone decides about the pocket.
func (n *naive) stream(x []float64, y int) (updated bool) {
	updated = n.see(x, y)
	if n.run > n.beat {
		n.pocket, n.beat = n.plane(), n.run
	}
	return updated
}

// begin begins a range over epochs, which counts the pocket on its own rows.
func (n *naive) begin(X [][]float64, y []int) { n.beat = n.count(n.pocket, X, y) }

// challenge lets the iterate of the epoch's longest run, and then the last one, challenge
// the pocket.
func (n *naive) challenge(X [][]float64, y []int) {
	all := []Hyperplane{n.plane()}
	if n.longest > 0 {
		all = []Hyperplane{n.ofLong, n.plane()}
	}
	for _, h := range all {
		if right := n.count(h, X, y); right > n.beat {
			n.pocket, n.beat = h, right
		}
	}
}

func (n *naive) count(h Hyperplane, X [][]float64, y []int) (right int) {
	for i, x := range X {
		if float64(y[i])*n.score(h, x) > 0 {
			right++
		}
	}
	return right
}

// epoch runs one epoch and reports whether the run converged.
func (n *naive) epoch(X [][]float64, y []int) (mistakes int, converged bool) {
	n.loss, n.run, n.longest = 0, 0, 0
	for _, i := range n.indices(len(X)) {
		if n.see(X[i], y[i]) {
			mistakes++
		}
	}
	n.challenge(X, y)
	n.ran++
	n.loss /= float64(len(X))
	if mistakes > 0 {
		return mistakes, false
	}
	for i, x := range X {
		if float64(y[i])*n.score(n.plane(), x) <= n.theta() {
			return mistakes, false
		}
	}
	return mistakes, true
}

// below draws from [0, k) by Lemire's method in big integers: the integer part
// of k·u/2⁶⁴, unless its fraction is below 2⁶⁴ mod k.
func (n *naive) below(k int) int {
	two64 := new(big.Int).Lsh(big.NewInt(1), 64)
	reject := new(big.Int).Mod(two64, big.NewInt(int64(k)))
	for {
		u := new(big.Int).SetUint64(n.gen.Uint64())
		hi, lo := new(big.Int).DivMod(u.Mul(u, big.NewInt(int64(k))), two64, new(big.Int))
		if lo.Cmp(reject) >= 0 {
			return int(hi.Int64())
		}
	}
}

func (n *naive) indices(rows int) []int {
	index := make([]int, rows)
	for i := range index {
		index[i] = i
	}
	switch n.Order {
	case train.Shuffled:
		for i := rows - 1; i > 0; i-- {
			j := n.below(i + 1)
			index[i], index[j] = index[j], index[i]
		}
	case train.Sampled:
		for i := range index {
			index[i] = n.below(rows)
		}
	}
	return index
}

// predictor returns the hyperplane that Keep selects. For Average that is the exact
// mean of all iterates, rounded once.
func (n *naive) predictor() Hyperplane {
	switch n.Keep {
	case train.Pocket:
		return n.pocket
	case train.Average:
		mean := n.plane()
		for j := range mean.Weights {
			mean.Weights[j] = exactMean(n.iterates, func(h Hyperplane) float64 { return h.Weights[j] })
		}
		mean.Bias = exactMean(n.iterates, func(h Hyperplane) float64 { return h.Bias })
		return mean
	}
	return n.plane()
}

func exactMean(iterates []Hyperplane, part func(Hyperplane) float64) float64 {
	sum := new(big.Float).SetPrec(2200)
	for _, h := range iterates {
		sum.Add(sum, new(big.Float).SetFloat64(part(h)))
	}
	mean, _ := sum.Quo(sum, new(big.Float).SetInt64(int64(len(iterates)))).Float64()
	return mean
}

// slack is how far each coordinate of an average may be from the exact mean: two roundings of it,
// one of the sum and one of the quotient. It is 0 where both are exact.
func (n *naive) slack(set dataset) (slack Hyperplane) {
	slack.Weights = make([]float64, len(n.w))
	if n.Keep != train.Average || set.name == "whole" && n.Rate == 1 {
		return slack
	}
	ulp, mean := 2*0x1p-53, n.predictor()
	for j, v := range mean.Weights {
		slack.Weights[j] = ulp * math.Abs(v)
	}
	slack.Bias = ulp * math.Abs(mean.Bias)
	return slack
}

// naiveBatch descends the perceptron criterion by one full gradient an epoch.
func naiveBatch(p model, X [][]float64, y []int, epochs int) (h Hyperplane, mistakes int) {
	d, s, start := len(X[0]), configured(p), *p.start()
	h = Hyperplane{make([]float64, d), start.Bias}
	copy(h.Weights, start.Weights)
	for range epochs {
		sum := make([]float64, d+1)
		for lo := 0; lo < len(X); lo += 256 {
			block := make([]float64, d+1)
			for i := lo; i < min(lo+256, len(X)); i++ {
				if float64(y[i])*(naiveDot(h.Weights, X[i])+h.Bias) > 0 {
					continue
				}
				mistakes++
				for j, v := range X[i] {
					block[j] += float64(y[i]) * v
				}
				if s.Space == train.Affine {
					block[d] += float64(y[i])
				}
			}
			for j := range sum {
				sum[j] += block[j]
			}
		}
		for j := range h.Weights {
			h.Weights[j] += float64(s.Rate * sum[j])
		}
		h.Bias += float64(s.Rate * sum[d])
	}
	return h, mistakes
}
