package perceptron

import (
	"fmt"
	"slices"

	"perceptron/internal/train"
	"perceptron/internal/vec"
)

// Mix returns a new model that is the weighted mean of models, for iterative parameter mixing
// (McDonald, Hall & Mann 2010): each round trains a clone of the model on each shard for an epoch,
// and mixes the clones. Mix divides the weights by their sum, which gives the shares μ_s, and
// computes w = Σ μ_s w_s and b = Σ μ_s b_s in the order of models, in O(d) for each model and
// class. Nil weights mean uniform ones. Each round may have other weights. [MixBound] bounds the
// mistakes. Under Average, Mix also averages the sums and counts. A Margin's R becomes the largest
// R. All else comes from models[0].
//
// All models must know the same classes: let the model learn an example of each class before it is
// cloned. Weights in proportion to the mistakes are all zero in a round without mistakes: then the
// training has ended. Mix returns ErrEmpty for no models; ErrUntrained if a model is nil or untrained;
// ErrDimension if widths differ, or if there are more or fewer weights than models; ErrConfig if models
// differ in Space, Keep, rule, Gamma, Threshold or classes, if they have a Share, if they use Pocket, if a weight is negative,
// or if the sum of the weights is 0 or not finite; and ErrNotFinite if a mean or Average's sum overflows.
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
