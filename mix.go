package perceptron

import (
	"fmt"
	"slices"

	"perceptron/internal/train"
	"perceptron/internal/vec"
)

// Mix returns a new model that is the weighted mean of models, for iterative parameter mixing (McDonald, Hall
// & Mann 2010): each round trains a clone of the model on each shard for an epoch, and mixes the clones. See
// [MixBound]. The shares μ_s are the weights divided by their sum, and equal for nil weights. Mix computes w
// = Σ μ_s w_s and b = Σ μ_s b_s in the order of models, in O(d) for each model and class. Under Average, sums
// and counts are averaged too. A Margin's R becomes the largest R. The rest is models[0]'s.
//
// All models must know the same classes: let the model learn an example of each class before it is cloned.
// They must have the same Space, Keep and rule, and neither Share nor Pocket. Weights that are all zero are
// ErrConfig: if they are in proportion to the mistakes, the training has ended.
func Mix[M *Online | *Margin | *OneVsRest | *Multiclass](models []M, weights []float64) (M, error) {
	mu, err := shares(weights, len(models))
	if err != nil {
		return nil, err
	}
	parts := make([]*train.Engine, len(models))
	for s, m := range models {
		if m == nil {
			return nil, fmt.Errorf("%w: model %d is nil", ErrUntrained, s)
		}
		if parts[s] = any(m).(model).learned(); parts[s].Trained() != nil {
			return nil, fmt.Errorf("%w: model %d has seen no example", ErrUntrained, s)
		}
	}
	mixed := any(models[0]).(model).unlearned()
	if err := mixed.learned().Mix(parts, mu); err != nil {
		return nil, err
	}
	return any(mixed).(M), nil
}

// shares returns n weights divided by their sum.
func shares(weights []float64, n int) ([]float64, error) {
	switch {
	case n == 0:
		return nil, fmt.Errorf("%w: no models", ErrEmpty)
	case weights == nil:
		weights = slices.Repeat([]float64{1}, n)
	case len(weights) != n:
		return nil, fmt.Errorf("%w: len(weights) is %d, want %d", ErrDimension, len(weights), n)
	}
	var sum float64
	for s, v := range weights {
		if !(v >= 0) {
			return nil, fmt.Errorf("%w: weight %d is %v, want at least 0", ErrConfig, s, v)
		}
		sum += v
	}
	if !(sum > 0) || !vec.IsFinite(sum) {
		return nil, fmt.Errorf("%w: the weights sum to %v, want a positive finite number", ErrConfig, sum)
	}
	mu := make([]float64, n)
	for s, v := range weights {
		mu[s] = v / sum
	}
	return mu, nil
}
