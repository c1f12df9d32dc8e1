package train

import (
	"fmt"
	"slices"

	"perceptron/internal/vec"
	"perceptron/internal/weights"
)

// Mix makes m the weighted mean of trained models. mu has the share of each model, and the shares
// sum to 1. The fields, the generator, and the counts of passes and of examples are copied from the
// first model. R² becomes the largest R² of the models, which is that of all their updates together.
// Mix returns an error if the models differ in width, classes, Space, Keep, rule, Threshold or Gamma,
// if they have Keep Pocket or Share, or if the mean overflows.
func (m *Engine) Mix(models []*Engine, mu []float64) error {
	first := models[0].now
	all := make([]*weights.Planes, len(models))
	for s, e := range models {
		if err := checkMix(first, s, e.now); err != nil {
			return err
		}
		all[s] = &e.now.planes
	}
	t, finite := *first, false
	t.units = make([]*unit, len(first.units))
	if t.planes, finite = weights.Mix(all, mu); !finite {
		return errMean
	}
	for i, u := range first.units {
		t.units[i] = u.clone()
		for _, e := range models {
			t.units[i].r2 = max(t.units[i].r2, e.now.units[i].r2)
		}
		if t.units[i].normalise(&t.core); !vec.IsFinite(t.units[i].theta) {
			return errMean
		}
	}
	m.commit(&t)
	return nil
}

// errMean is the error for a mean of models in which a weight, θ or a sum of iterates is not
// finite.
var errMean = fmt.Errorf("%w: the mean overflows", ErrNotFinite)

// checkMix returns an error unless the state u of the s-th model can be mixed with t, the state of
// the first model.
func checkMix(t *state, s int, u *state) error {
	differ := func(kind error, what string, of, first any) error {
		return fmt.Errorf("%w: model %d has %s %v, model 0 has %v", kind, s, what, of, first)
	}
	c := u.fields
	c.Order = t.fields.Order // models may differ in Order
	field, first, of := t.fields.difference(&c)
	switch {
	case t.planes.Width() != u.planes.Width():
		return differ(ErrDimension, "width", u.planes.Width(), t.planes.Width())
	case field != "":
		return differ(ErrConfig, field, of, first)
	case u.fields.Rule.Tally:
		return fmt.Errorf("%w: model %d is %v, which cannot be mixed", ErrConfig, s, u.fields.Rule)
	case u.fields.Keep == Pocket:
		return fmt.Errorf("%w: model %d has Keep Pocket, which cannot be mixed", ErrConfig, s)
	case !slices.Equal(t.classes, u.classes):
		return differ(ErrConfig, "classes", u.classes, t.classes)
	}
	return nil
}
