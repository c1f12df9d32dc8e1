package train

import (
	"math/big"
	"math/rand/v2"
	"slices"
)

// This file holds naive references, written straight from the formulas. The tests compare
// training with them exactly.

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

// naiveScore returns ⟨w, x⟩ + b.
func naiveScore(h Hyperplane, x []float64) float64 { return naiveDot(h.Weights, x) + h.Bias }

// naiveBelow draws from [0, k) by Lemire's method in big integers: the integer part of
// k·u/2⁶⁴, unless its fraction is below 2⁶⁴ mod k.
func naiveBelow(gen *rand.PCG, k int) int {
	two64 := new(big.Int).Lsh(big.NewInt(1), 64)
	reject := new(big.Int).Mod(two64, big.NewInt(int64(k)))
	for {
		u := new(big.Int).SetUint64(gen.Uint64())
		hi, lo := new(big.Int).DivMod(u.Mul(u, big.NewInt(int64(k))), two64, new(big.Int))
		if lo.Cmp(reject) >= 0 {
			return int(hi.Int64())
		}
	}
}

// naiveOrder returns an epoch's order.
func naiveOrder(kind Order, gen *rand.PCG, rows int) []int {
	index := make([]int, rows)
	for i := range index {
		if index[i] = i; kind == Sampled {
			index[i] = naiveBelow(gen, rows)
		}
	}
	for i := rows - 1; i > 0 && kind == Shuffled; i-- {
		j := naiveBelow(gen, i+1)
		index[i], index[j] = index[j], index[i]
	}
	return index
}

// naivePocket is Rosenblatt's perceptron with a pocket, at the rate 1 in Affine space.
type naivePocket struct {
	order   Order
	gen     *rand.PCG
	now     Hyperplane // in training
	held    Hyperplane // in the pocket
	beat    int        // what a challenger of the pocket must exceed
	run     int        // of the iterate in training
	longest int        // run of this epoch
	ofLong  Hyperplane // its iterate
}

func newNaivePocket(order Order, seed uint64, d int) *naivePocket {
	zero := Hyperplane{Weights: make([]float64, d)}
	return &naivePocket{order: order, gen: rand.NewPCG(seed, 0), now: zero, held: zero.clone()}
}

// see learns one example of an epoch.
func (n *naivePocket) see(x []float64, y int) {
	n.run++
	if float64(y)*naiveScore(n.now, x) <= 0 {
		for j := range x {
			n.now.Weights[j] += float64(y) * x[j]
		}
		n.now.Bias += float64(y)
		n.run = 0
	}
	if n.run > n.longest {
		n.longest, n.ofLong = n.run, n.now.clone()
	}
}

// stream learns one example of a stream, where a run alone decides about the pocket.
func (n *naivePocket) stream(x []float64, y int) {
	if n.see(x, y); n.run > n.beat {
		n.held, n.beat = n.now.clone(), n.run
	}
}

// begin begins a range over epochs, which counts the pocket on its own rows.
func (n *naivePocket) begin(X [][]float64, y []int) { n.beat = countRight(n.held, X, y) }

// epoch trains for an epoch. Then the iterate of its longest run, and after it the last one,
// challenge the pocket.
func (n *naivePocket) epoch(X [][]float64, y []int) {
	n.run, n.longest = 0, 0
	for _, i := range naiveOrder(n.order, n.gen, len(X)) {
		n.see(X[i], y[i])
	}
	all := []Hyperplane{n.now.clone()}
	if n.longest > 0 {
		all = slices.Insert(all, 0, n.ofLong)
	}
	for _, h := range all {
		if right := countRight(h, X, y); right > n.beat {
			n.held, n.beat = h, right
		}
	}
}

func countRight(h Hyperplane, X [][]float64, y []int) (right int) {
	for i, x := range X {
		if float64(y[i])*naiveScore(h, x) > 0 {
			right++
		}
	}
	return right
}

// naiveBatch descends the perceptron criterion by one full gradient an epoch. It returns also
// the mistakes of all epochs and the loss of the last.
func naiveBatch(p *model, X [][]float64, y []int, epochs int) (h Hyperplane, mistakes int, loss float64) {
	d := len(X[0])
	h = Hyperplane{make([]float64, d), p.Start.Bias}
	copy(h.Weights, p.Start.Weights)
	for range epochs {
		sum := make([]float64, d+1)
		loss = 0
		for lo := 0; lo < len(X); lo += 256 {
			block, shortfall := make([]float64, d+1), 0.0
			for i := lo; i < min(lo+256, len(X)); i++ {
				m := float64(y[i]) * naiveScore(h, X[i])
				if m > 0 {
					continue
				}
				mistakes++
				shortfall -= m
				for j, v := range X[i] {
					block[j] += float64(y[i]) * v
				}
				if p.Space == Affine {
					block[d] += float64(y[i])
				}
			}
			for j := range sum {
				sum[j] += block[j]
			}
			loss += shortfall
		}
		for j := range h.Weights {
			h.Weights[j] += float64(p.Rate * sum[j])
		}
		h.Bias += float64(p.Rate * sum[d])
	}
	return h, mistakes, loss / float64(len(X))
}
