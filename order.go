package perceptron

import (
	"math/bits"
	"math/rand/v2"
)

// An order is one epoch's sequence of n row indices, walked once by next. Its
// copies are independent of each other.
type order struct {
	kind Order
	n    int
	pos  int
	perm []int    // Shuffled
	gen  rand.PCG // Sampled
}

// restart begins the next epoch. For Shuffled it moves gen on to where that epoch
// leaves it; for Sampled the order has a copy, which walking moves.
func (o *order) restart(gen *rand.PCG) {
	o.pos = 0
	switch o.kind {
	case Shuffled:
		o.perm = permutation(o.perm, o.n, gen)
	case Sampled:
		o.gen = *gen
	}
}

// next returns the index of the next row.
func (o *order) next() int {
	i := o.pos
	o.pos++
	switch o.kind {
	case Shuffled:
		return o.perm[i]
	case Sampled:
		return uniform(&o.gen, o.n)
	}
	return i
}

// permutation shuffles the identity on n indices in the memory of p: Fisher and
// Yates' method as Durstenfeld 1964 has it. It starts from the identity so that
// the generator alone decides each epoch's order.
func permutation(p []int, n int, gen *rand.PCG) []int {
	p = p[:0]
	for i := range n {
		p = append(p, i)
	}
	for i := n - 1; i > 0; i-- {
		j := uniform(gen, i+1)
		p[i], p[j] = p[j], p[i]
	}
	return p
}

// uniform returns an integer in [0, n), each equally likely: the high word of a
// random word times n, drawn again where the low word shows the few draws too
// many (Lemire 2019).
func uniform(gen *rand.PCG, n int) int {
	m := uint64(n)
	hi, lo := bits.Mul64(gen.Uint64(), m)
	if lo < m {
		for tooMany := -m % m; lo < tooMany; {
			hi, lo = bits.Mul64(gen.Uint64(), m)
		}
	}
	return int(hi)
}
