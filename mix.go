package perceptron

import (
	"fmt"
	"slices"

	"perceptron/internal/train"
	"perceptron/internal/vec"
)

// Mix returns a new model that is the weighted mean of models, for iterative
// parameter mixing (McDonald, Hall & Mann 2010): each round trains a clone of the
// model on each shard of the data for an epoch, and mixes the clones. Mix divides
// the weights by their sum, which gives the shares μ_s, and computes
//
//	w = Σ μ_s w_s,  b = Σ μ_s b_s
//
// in the order of models. Nil weights mean uniform weights. The weights may differ
// from round to round.
//
// For Online, from the zero vector, on data with margin γ, the mistakes k_s of the
// shards satisfy Σ over rounds of Σ μ_s k_s ≤ (R/γ)²: see [MixBound]. The bound does
// not hold for Margin or OneVsRest. For Multiclass of Online it is MixBound of √2·R.
//
// Mix averages the last iterates; under Average it also averages their sums and
// counts. Margin's R is the largest of theirs. The fields, the generator and the
// count of passes come from models[0]. Mix takes O(d) for each model and class.
//
// All models must know the same classes. If shards may lack some, let the model
// learn an example of each class before it is cloned. Weights in proportion to the
// mistakes are all zero in a round without mistakes. That round is the last: skip Mix
// there.
//
// Mix returns ErrEmpty if there are no models, ErrUntrained if a model is nil or
// untrained, and ErrDimension if the widths differ or there are more or fewer
// weights than models. It returns ErrConfig if the models differ in Space, Keep,
// rule, Gamma, Threshold or classes, or use Pocket. It also returns ErrConfig if a
// weight is negative or not finite, or if all weights are zero. It returns ErrNotFinite
// if the mean, or the sum of the iterates under Average, overflows.
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
	mixed := any(models[0]).(model).fields()
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
