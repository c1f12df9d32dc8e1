package perceptron

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"perceptron/internal/train"
	"perceptron/internal/vec"
)

// A model is what training and saving need of a Model of this package.
type model interface {
	Model
	config() (train.Config, error) // the fields, Start aside
	start() *Hyperplane            // the field Start
	unlearned() model              // a copy of the fields, with nothing learned
	learned() *train.Engine
}

// onlyFields is unlearned of all binary models.
func onlyFields[M any](p *M) model {
	q := *p
	m := any(&q).(model)
	*m.start(), *m.learned() = m.start().clone(), train.Engine{}
	return m
}

// complete replaces 0 by the default in Rate and MaxEpochs, and sets the rule of a Margin that has
// Gamma or Threshold.
func complete(c *train.Config) {
	if c.Rate == 0 {
		c.Rate = 1
	}
	if c.MaxEpochs == 0 {
		c.MaxEpochs = 1000
	}
	switch {
	case c.Gamma > 0:
		c.Rule = train.WithinGamma
	case c.Threshold > 0:
		c.Rule = train.WithinTheta
	}
}

// begin returns the fields of m for a training call, after it has validated them. fresh is true for
// Fit. Start is validated only if the call reads it.
func begin(m model, fresh bool) (train.Config, error) {
	begins, err := m.learned().Begin(fresh)
	if err != nil {
		return train.Config{}, err
	}
	c, err := m.config()
	complete(&c)
	if err = cmp.Or(err, checkConfig(&c)); err == nil && begins {
		err = checkStart(&c, m.start())
	}
	return c, err
}

// checkFields validates all fields of m.
func checkFields(m model) error {
	c, err := m.config()
	return cmp.Or(err, checkConfig(&c), checkStart(&c, m.start()))
}

// checkConfig returns an error about the first field that makes no sense. !(v >= 0) is true for a
// NaN too.
func checkConfig(c *train.Config) error {
	switch {
	case !(c.Rate >= 0) || !vec.IsFinite(c.Rate):
		return fmt.Errorf("%w: Rate is %v, want a positive finite number, or 0 for 1", ErrConfig, c.Rate)
	case !(c.Gamma >= 0) || !vec.IsFinite(c.Gamma):
		return fmt.Errorf("%w: Gamma is %v, want a positive finite number, or 0 for another rule", ErrConfig, c.Gamma)
	case !(c.Threshold >= 0) || !vec.IsFinite(c.Threshold):
		return fmt.Errorf("%w: Threshold is %v, want a positive finite number, or 0 for another rule", ErrConfig, c.Threshold)
	case c.Gamma > 0 && c.Threshold > 0:
		return fmt.Errorf("%w: Gamma is %v and Threshold is %v, want at most one of them set", ErrConfig, c.Gamma, c.Threshold)
	case c.MaxEpochs < 0:
		return fmt.Errorf("%w: MaxEpochs is %d, want at least 1, or 0 for 1000", ErrConfig, c.MaxEpochs)
	case c.Workers < 0:
		return fmt.Errorf("%w: Workers is %d, want at least 1, or 0 for GOMAXPROCS", ErrConfig, c.Workers)
	}
	return cmp.Or(
		checkName("Space", int(c.Space), train.SpaceNames),
		checkName("Order", int(c.Order), train.OrderNames),
		checkName("Keep", int(c.Keep), train.KeepNames),
	)
}

// checkName returns an error unless the value of a field is one of the named constants.
func checkName(field string, value int, names []string) error {
	if value < len(names) {
		return nil
	}
	return fmt.Errorf("%w: %s is %d, want one of %s", ErrConfig, field, value, strings.Join(names, ", "))
}

// checkStart validates the numbers in Start. Training compares its width with that of the rows.
func checkStart(c *train.Config, start *Hyperplane) error {
	switch {
	case c.Space == train.Linear && start.Bias != 0:
		return fmt.Errorf("%w: Start.Bias is %v in Linear space, want 0", ErrConfig, start.Bias)
	case !vec.IsFinite(start.Bias):
		return fmt.Errorf("%w: Start.Bias is %v, want a finite number", ErrConfig, start.Bias)
	}
	if j := slices.IndexFunc(start.Weights, func(v float64) bool { return !vec.IsFinite(v) }); j >= 0 {
		return fmt.Errorf("%w: Start.Weights[%d] is %v, want a finite number", ErrConfig, j, start.Weights[j])
	}
	return require(c.Scheme != train.Kesler || start.isZero(), ErrConfig, "Binary has a Start, but Multiclass starts from zero")
}
