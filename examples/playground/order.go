package main

import (
	"math/bits"
	"math/rand/v2"

	"perceptron"
)

// An order draws the rows of each epoch exactly as the library does with Seed 0. So a step inside an
// epoch presents the same row as the library's run. TestSteps checks this.
type order struct {
	kind perceptron.Order
	gen  rand.PCG // its zero value is PCG(0, 0)
}

// epoch returns the indices of the rows in the order of the next epoch.
func (o *order) epoch(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
		if o.kind == perceptron.Sampled {
			rows[i] = o.uniform(n)
		}
	}
	if o.kind == perceptron.Shuffled {
		for i := n - 1; i > 0; i-- {
			j := o.uniform(i + 1)
			rows[i], rows[j] = rows[j], rows[i]
		}
	}
	return rows
}

// uniform returns an integer in [0, n), by Lemire's method (2019).
func (o *order) uniform(n int) int {
	m := uint64(n)
	hi, lo := bits.Mul64(o.gen.Uint64(), m)
	if lo < m {
		for tooMany := -m % m; lo < tooMany; {
			hi, lo = bits.Mul64(o.gen.Uint64(), m)
		}
	}
	return int(hi)
}
