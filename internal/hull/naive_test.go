package hull

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"perceptron/internal/exact"
	"perceptron/internal/naive"
	"perceptron/internal/vec"
)

// A cloud is points with a name.
type cloud struct {
	name string
	Points
}

// linear is points without ones, all of the sign +1.
func linear(X ...[]float64) Points {
	return Points{X: dense(X...), Y: slices.Repeat([]int{1}, len(X)), Width: len(X[0])}
}

// dense returns the rows of X.
func dense(X ...[]float64) (rows []vec.Row) {
	for _, x := range X {
		rows = append(rows, vec.Row{Value: x})
	}
	return rows
}

// features returns the dense rows of p.
func features(p Points) (X [][]float64) {
	for _, x := range p.X {
		X = append(X, x.Value)
	}
	return X
}

func (c cloud) withOnes(ones bool) cloud {
	c.Ones = ones
	return c
}

// longest returns the length of the longest point, rounded up.
func longest(p Points) float64 {
	var most float64
	for _, x := range p.X {
		z := slices.Clone(x.Value)
		if p.Ones {
			z = append(z, 1)
		}
		var s exact.Sum
		scale := exact.PowerScale(vec.Largest(z))
		s.AddDot(z, scale, z, scale)
		most = max(most, exact.UnscaledUp(s.SqrtUp(), scale))
	}
	return most
}

// separable draws points, each with the sign of ⟨u, x⟩ for a random u.
func separable(seed uint64, n, d int, gap float64) cloud {
	s := naive.Separable(seed, n, d, gap)
	return cloud{fmt.Sprintf("separable %d×%d", n, d), Points{X: dense(s.X...), Y: s.Y, Width: d}}
}

func sized(c cloud) cloud {
	naive.Size(features(c.Points))
	c.name += " of many sizes"
	return c
}

func turned(c cloud) cloud {
	c.X, c.name = dense(naive.Turned(features(c.Points))...), c.name+", turned"
	return c
}

// crowded adds mixtures of the support. In exact arithmetic their scores are at the limit.
func crowded(c cloud) cloud {
	support := nearest(c.Points).Support
	slices.Sort(support)
	r := rand.New(rand.NewPCG(1, 15))
	c.X, c.Y, c.name = slices.Clone(c.X), slices.Clone(c.Y), c.name+", crowded"
	for range 100 {
		x := make([]float64, c.Width)
		for range 4 {
			i := support[r.IntN(len(support))]
			vec.Axpy(x, x, float64(c.Y[i])/4, c.X[i].Value)
		}
		c.X, c.Y = append(c.X, vec.Row{Value: x}), append(c.Y, +1)
	}
	return c
}

// nearest returns the last point of Approach.
func nearest(p Points) (pt Point) {
	for pt = range Approach(p, longest(p)) {
	}
	return pt
}

func rat(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }

func mul(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }

// rounded allows for some 100 roundings of Doubles up to 1, and quickly for as many of float64s.
const rounded, quickly = 100 * exact.Unit, 0x1p-45

// tiny fails if an element of v is larger than most.
func tiny(t *testing.T, what string, most float64, v ...exact.Double) {
	t.Helper()
	if off := vec.Largest(floats(v)); !(off <= most) {
		t.Fatalf("%s is off by %v", what, off)
	}
}
