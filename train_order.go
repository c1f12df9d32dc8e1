package perceptron

import (
	"math/bits"
	"math/rand/v2"
)

// A rowOrder is one epoch's sequence of row indices, drawn before the epoch. nil is the order
// of the rows.
type rowOrder []int

// draw returns the next epoch's order of n rows, in the memory of o.
func (o rowOrder) draw(kind Order, n int, gen *rand.PCG) rowOrder {
	switch kind {
	case Shuffled:
		return permutation(o, n, gen)
	case Sampled:
		o = o[:0]
		for range n {
			o = append(o, uniform(gen, n))
		}
		return o
	}
	return nil
}

// at returns the i-th index.
func (o rowOrder) at(i int) int {
	if o == nil {
		return i
	}
	return o[i]
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
