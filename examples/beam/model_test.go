package main

import (
	"math"
	"math/rand/v2"
	"testing"

	"perceptron"
)

// TestRules: under every rule and both values of -keep, training in several blocks, with
// restarts, is bit-identical to goroutines, Clone, Learn and Mix on the rows as the shards have them. The numbers of
// the features end where a block ends, before those of the bias.
func TestRules(t *testing.T) {
	for _, test := range []struct {
		learner
		features int
	}{
		{learner{"online", 0, "last"}, blockSize},
		{learner{"online", 0, "average"}, blockSize / 3},
		{learner{"margin", 0, "last"}, 7},
		{learner{"margin", 0, "average"}, blockSize/3 + 7},
		{learner{"gamma", 0.25, "last"}, blockSize + 7},
		{learner{"threshold", 0.5, "average"}, 7},
	} {
		shards := spread(90, test.features).split(3)
		for i, by := range mixes {
			format := []string{libsvmFormat, rowsFormat}[i%2]
			c := setUp(t, format, shards)
			c.learner, c.Mix, c.chunk = test.learner, by, 2
			c.rounds = 1
			trained(t, c)
			c.rounds = 4
			if got, want := trained(t, c), reference(t, format, test.learner, shards, by, 4); !equal(got.State, want) {
				t.Errorf("%+v, %s: not bit-identical to goroutines: %+v, want %+v", test.learner, by, got.History, want.History)
			}
		}
	}
}

// reference trains an Online or a Margin with goroutines.
func reference(t *testing.T, format string, l learner, shards []dataset, by string, rounds int) trainedState {
	t.Helper()
	keep := map[string]perceptron.Keep{"last": perceptron.Last, "average": perceptron.Average}[l.Keep]
	if l.Rule == "online" {
		return inProcess(t, format, &perceptron.Online{Keep: keep}, shards, by, rounds)
	}
	m := &perceptron.Margin{Keep: keep}
	switch l.Rule {
	case "gamma":
		m.Gamma = l.Bound
	case "threshold":
		m.Threshold = l.Bound
	}
	return inProcess(t, format, m, shards, by, rounds)
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
