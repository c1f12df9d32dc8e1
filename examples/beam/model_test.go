package main

import (
	"math"
	"math/rand/v2"
	"testing"

	"perceptron"
)

// TestRules: under every rule and both values of -keep, with some passes, training in several blocks, with
// restarts, is bit-identical to goroutines, Clone, Learn and Mix on the rows as the shards have them. The numbers of
// the features end where a block ends, before those of the bias.
func TestRules(t *testing.T) {
	for _, test := range []struct {
		learner
		features int
	}{
		{learner{"online", 0, "last", 1}, blockSize},
		{learner{"online", 0, "average", 3}, blockSize / 3},
		{learner{"margin", 0, "last", 2}, 7},
		{learner{"margin", 0, "average", 1}, blockSize/3 + 7},
		{learner{"gamma", 0.25, "last", 5}, blockSize + 7},
		{learner{"threshold", 0.5, "average", 2}, 7},
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
		return inProcess(t, format, &perceptron.Online{Keep: keep}, shards, l.Passes, by, rounds)
	}
	m := &perceptron.Margin{Keep: keep}
	switch l.Rule {
	case "gamma":
		m.Gamma = l.Bound
	case "threshold":
		m.Threshold = l.Bound
	}
	return inProcess(t, format, m, shards, l.Passes, by, rounds)
}

// several returns a function that calls learn once for each pass, and adds the examples and mistakes.
func several[M any](passes int, learn func(int, M) (perceptron.Epoch, error)) func(int, M) (perceptron.Epoch, error) {
	return func(i int, m M) (sum perceptron.Epoch, err error) {
		for range passes {
			var e perceptron.Epoch
			e, err = learn(i, m)
			sum.Examples, sum.Mistakes = sum.Examples+e.Examples, sum.Mistakes+e.Mistakes
		}
		return sum, err
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
