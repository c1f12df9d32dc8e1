package train

import (
	"fmt"
	"slices"
)

// Mix makes m the mean of trained models, with the shares mu. It returns an error if they do
// not fit each other.
func (m *Engine) Mix(models []*Engine, mu []float64) error {
	parts := make([]*state, len(models))
	for s, e := range models {
		parts[s] = e.now
	}
	t := parts[0].clone()
	for s, part := range parts {
		if err := checkMix(t, s, part); err != nil {
			return err
		}
	}
	for c, u := range t.units {
		same := make([]*unit, len(parts))
		for s, part := range parts {
			same[s] = part.units[c]
		}
		if err := u.mix(&t.Config, same, mu); err != nil {
			return err
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
		return differ(ErrConfig, "Space", u.Space, t.Space)
	case t.Keep != u.Keep:
		return differ(ErrConfig, "Keep", u.Keep, t.Keep)
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
