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
	config() (train.Config, *train.Hyperplane, error) // the fields, and Start
	unlearned() model                                 // a copy of the fields, with nothing learned
	learned() *train.Engine
}

// onlyFields implements unlearned for the binary models: it copies the fields of *p, and Start's
// weights, but nothing that p has learned.
func onlyFields[M any](p *M) model {
	q := *p
	m := any(&q).(model)
	_, start, _ := m.config()
	start.Weights, *m.learned() = slices.Clone(start.Weights), train.Engine{}
	return m
}

// complete replaces 0 by the default in Rate and MaxEpochs, and sets the rule of a Margin that has
// Gamma or Threshold.
func complete(c *train.Config) {
	c.Rate, c.MaxEpochs = cmp.Or(c.Rate, 1), cmp.Or(c.MaxEpochs, 1000)
	switch {
	case c.Gamma > 0:
		c.Rule = train.WithinGamma
	case c.Threshold > 0:
		c.Rule = train.WithinTheta
	}
}

// begin returns the fields of m for a training call, after it has validated them. fresh is true for
// Fit. Start is validated only if the call reads it.
func begin(m model, fresh bool) (train.Config, *train.Hyperplane, error) {
	begins, err := m.learned().Begin(fresh)
	if err != nil {
		return train.Config{}, nil, err
	}
	c, start, err := m.config()
	complete(&c)
	if err = cmp.Or(err, checkConfig(&c)); err == nil && begins {
		err = checkStart(&c, start)
	}
	return c, start, err
}

// checkFields validates all fields of m.
func checkFields(m model) error {
	c, start, err := m.config()
	return cmp.Or(err, checkConfig(&c), checkStart(&c, start))
}

// checkConfig returns an error about the first field that makes no sense. Update may call it for
// every row, so it allocates only for an error.
func checkConfig(c *train.Config) error {
	if err := cmp.Or(
		checkNumber("Rate", c.Rate, "1"),
		checkNumber("Gamma", c.Gamma, "another rule"),
		checkNumber("Threshold", c.Threshold, "another rule"),
	); err != nil {
		return err
	}
	switch {
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

// checkNumber returns an error unless v, the value of a field, is finite and at least 0. zero is
// what 0 means in the field.
func checkNumber(field string, v float64, zero string) error {
	if v >= 0 && vec.IsFinite(v) {
		return nil
	}
	return fmt.Errorf("%w: %s is %v, want a positive finite number, or 0 for %s", ErrConfig, field, v, zero)
}

// checkName returns an error unless the value of a field is one of the named constants.
func checkName(field string, value int, names []string) error {
	if value < len(names) {
		return nil
	}
	return fmt.Errorf("%w: %s is %d, want one of %s", ErrConfig, field, value, strings.Join(names, ", "))
}

// checkStart validates the numbers in Start. Training compares its width with that of the rows.
func checkStart(c *train.Config, start *train.Hyperplane) error {
	switch {
	case c.Space == train.Linear && start.Bias != 0:
		return fmt.Errorf("%w: Start.Bias is %v in Linear space, want 0", ErrConfig, start.Bias)
	case !vec.IsFinite(start.Bias):
		return fmt.Errorf("%w: Start.Bias is %v, want a finite number", ErrConfig, start.Bias)
	}
	if j := slices.IndexFunc(start.Weights, func(v float64) bool { return !vec.IsFinite(v) }); j >= 0 {
		return fmt.Errorf("%w: Start.Weights[%d] is %v, want a finite number", ErrConfig, j, start.Weights[j])
	}
	return require(c.Scheme != train.Kesler || start.IsZero(), ErrConfig, "Binary has a Start, but Multiclass starts from zero")
}
