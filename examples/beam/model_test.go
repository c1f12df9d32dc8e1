package main

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestKeep: with both values of -keep, training in several blocks, with restarts, is bit-identical to goroutines,
// Clone, Learn and Mix. The numbers of the features end where a block ends, before those of the bias.
func TestKeep(t *testing.T) {
	for _, test := range []struct {
		learner
		features int
	}{
		{learner{"last"}, blockSize},
		{learner{"last"}, 7},
		{learner{"average"}, blockSize / 3},
		{learner{"average"}, blockSize/3 + 7},
	} {
		shards := spread(90, test.features).split(3)
		for _, by := range mixes {
			c := setUp(t, shards)
			c.learner, c.Mix, c.chunk = test.learner, by, 2
			c.rounds = 1
			trained(t, c)
			c.rounds = 4
			if got, want := trained(t, c), reference(t, test.learner, shards, by, 4); !equal(got.State, want) {
				t.Errorf("%+v, %s: not bit-identical to goroutines: %+v, want %+v", test.learner, by, got.History, want.History)
			}
		}
	}
}

// spread returns n rows of about 20 values that are not zero, whose labels depend on the last
// feature.
func spread(n, features int) (set dataset) {
	r := rand.New(rand.NewPCG(5, 0))
	for i := range n {
		x := make([]float64, features)
		for range 20 {
			x[r.IntN(features)] = r.NormFloat64()
		}
		x[features-1] = float64(i%3) - 1
		set.X, set.y = append(set.X, x), append(set.y, int(math.Copysign(1, x[features-1]+0.7*r.NormFloat64())))
	}
	return set
}
