package train

import (
	"fmt"
	"slices"

	"perceptron/internal/exact"
	"perceptron/internal/vec"
)

// Mix makes m the weighted mean of trained models. mu has the share of each model, and the shares
// sum to 1. The fields, the generator, and the counts of passes and of examples are copied from the
// first model. Mix returns an error if the models differ in width, classes, Space, Keep, rule,
// Threshold or Gamma, if they have Keep Pocket, or if the mean overflows.
func (m *Engine) Mix(models []*Engine, mu []float64) error {
	t := models[0].now.flat().clone()
	t.means.outdate()
	for s, e := range models {
		if err := checkMix(t, s, e.now); err != nil {
			return err
		}
	}
	units := make([]*unit, len(models))
	for i, u := range t.units {
		for s, e := range models {
			units[s] = e.now.flat().units[i]
		}
		if err := u.mix(&t.Config, units, mu); err != nil {
			return err
		}
	}
	m.commit(t)
	return nil
}

// errMean is the error for a mean of models in which a weight, θ or a sum of iterates is not
// finite.
var errMean = fmt.Errorf("%w: the mean overflows", ErrNotFinite)

// mix makes u the mean of the units, one of each model, with the shares mu. The vectors are added in
// the order of the models, so the result always has the same bits. R² becomes the largest R² of the
// units, which is that of all their updates together.
func (u *unit) mix(c *Config, units []*unit, mu []float64) error {
	u.seen = 0
	for s, other := range units {
		u.r2 = max(u.r2, other.r2)
		u.seen = min(u.seen+float64(mu[s]*other.seen), countable)
	}
	for k, q := range u.planes {
		clear(q.w)
		for s, other := range units {
			vec.Axpy(q.w, q.w, mu[s], other.planes[k].w)
		}
		if c.averages() {
			u.mixAverage(k, units, mu)
		}
		if !vec.Finite(q.w) || !vec.Finite(q.average.low) {
			return errMean
		}
	}
	if u.normalise(c); !vec.IsFinite(u.theta) {
		return errMean
	}
	return nil
}

// mixAverage sets the average of the unit's k-th plane, after mix has set its count and iterate. The
// sum of the plane's iterates becomes the mean of the units' sums, with the shares mu. Each sum is
// n·w less the average's vector: see average. The products and differences are computed in
// double-double, because large sums may nearly cancel. If a number overflows, an element of low is
// not finite.
func (u *unit) mixAverage(k int, units []*unit, mu []float64) {
	product := func(a, b float64) exact.Double { return exact.Double{Hi: a}.Times(exact.Double{Hi: b}) }
	q := u.planes[k]
	a := &q.average
	for i, w := range q.w {
		sum := product(u.seen, w)
		for s, other := range units {
			o := other.planes[k]
			iterates := product(other.seen, o.w[i]).Minus(exact.Double{Hi: o.average.sum[i], Lo: o.average.low[i]})
			sum = sum.Minus(iterates.Times(exact.Double{Hi: mu[s]}))
		}
		a.sum[i], a.low[i] = sum.Hi, sum.Lo // Hi and Lo of a difference are never −0
	}
}

// checkMix returns an error unless the state u of the s-th model can be mixed with t, the state of
// the first model.
func checkMix(t *state, s int, u *state) error {
	differ := func(kind error, what string, of, first any) error {
		return fmt.Errorf("%w: model %d has %s %v, model 0 has %v", kind, s, what, of, first)
	}
	c := u.Config
	c.Order = t.Order // models may differ in Order
	field, first, of := t.difference(&c)
	switch {
	case t.width != u.width:
		return differ(ErrDimension, "width", u.width, t.width)
	case field != "":
		return differ(ErrConfig, field, of, first)
	case u.Keep == Pocket:
		return fmt.Errorf("%w: model %d has Keep Pocket, which cannot be mixed", ErrConfig, s)
	case !slices.Equal(t.classes, u.classes):
		return differ(ErrConfig, "classes", u.classes, t.classes)
	}
	return nil
}
