package perceptron

import (
	"math/bits"
	"math/rand/v2"
)

// A rowOrder is one epoch's sequence of n row indices. Copies of it are
// independent of each other.
type rowOrder struct {
	kind Order
	n    int
	pos  int
	perm []int    // Shuffled
	gen  rand.PCG // Sampled
}

// restart begins the next epoch. Shuffled draws the whole epoch from gen. Sampled
// takes a copy of gen and draws from that, row by row.
func (o *rowOrder) restart(gen *rand.PCG) {
	o.pos = 0
	switch o.kind {
	case Shuffled:
		o.perm = permutation(o.perm, o.n, gen)
	case Sampled:
		o.gen = *gen
	}
}

// next returns the index of the next row.
func (o *rowOrder) next() int {
	i := o.pos
	o.pos++
	if o.kind == Cyclic {
		return i
	}
	return o.drawn(i)
}

// drawn returns the i-th index of a random order. It is apart so that next is inlined.
//
//go:noinline
func (o *rowOrder) drawn(i int) int {
	if o.kind == Sampled {
		return uniform(&o.gen, o.n)
	}
	return o.perm[i]
}

// permutation shuffles the identity on n indices, in the memory of p, by the method
// of Fisher and Yates (Durstenfeld 1964). It starts from the identity so that the
// generator alone determines each epoch's order.
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

// uniform returns an integer in [0, n), each equally likely (Lemire 2019): the high
// word of a random word times n. It draws again where the low word shows that the
// draw is one of the few surplus ones.
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
