package train

import (
	"fmt"
	"slices"

	"perceptron/internal/vec"
)

// Mix makes m the mean of trained models, with the shares mu. It returns an error if they do
// not fit each other.
func (m *Engine) Mix(models []*Engine, mu []float64) error {
	t := models[0].now.clone()
	for s, e := range models {
		if err := checkMix(t, s, e.now); err != nil {
			return err
		}
	}
	planes := make([]*plane, len(models))
	for i, q := range t.planes {
		for s, e := range models {
			planes[s] = e.now.planes[i]
		}
		if err := q.mix(&t.Config, planes, mu); err != nil {
			return err
		}
	}
	for i, u := range t.units {
		for _, e := range models {
			u.r2 = max(u.r2, e.now.units[i].r2)
		}
		if u.normalise(&t.Config); !vec.IsFinite(u.theta) {
			return errMean
		}
	}
	m.commit(t)
	return nil
}

// checkMix returns the reason why the s-th state, u, cannot be mixed with t.
func checkMix(t *state, s int, u *state) error {
	differ := func(kind error, what string, of, first any) error {
		return fmt.Errorf("%w: model %d has %s %v, model 0 has %v", kind, s, what, of, first)
	}
	switch {
	case t.width != u.width:
		return differ(ErrDimension, "width", u.width, t.width)
	case t.Space != u.Space:
		return differ(ErrConfig, "Space", SpaceNames[u.Space], SpaceNames[t.Space])
	case t.Keep != u.Keep:
		return differ(ErrConfig, "Keep", KeepNames[u.Keep], KeepNames[t.Keep])
	case u.Keep == Pocket:
		return fmt.Errorf("%w: model %d has Keep Pocket, which cannot be mixed", ErrConfig, s)
	case t.Rule != u.Rule:
		return differ(ErrConfig, "the rule", u.Rule, t.Rule)
	case t.Bound() != u.Bound():
		return differ(ErrConfig, t.Rule.String(), u.Bound(), t.Bound())
	case !slices.Equal(t.classes(), u.classes()):
		return differ(ErrConfig, "classes", u.classes(), t.classes())
	}
	return nil
}
