package train

import (
	"fmt"

	"perceptron/internal/vec"
)

// A Rule says when an example is learned: when y·score ≤ θ.
type Rule uint8

const (
	OnMistake   Rule = iota // θ = 0: Rosenblatt's
	WithinGamma             // θ = (γ′/2)‖(w, b)‖
	WithinTheta             // a θ that is given
	WithinR                 // θ = ηR², R the largest norm updated on so far
	OnGradient              // θ = 0, all mistakes of an epoch at once: Batch
)

// String returns the model, and the field that gives the rule, for errors.
func (r Rule) String() string {
	return [...]string{"Online", "Margin with Gamma", "Margin with Threshold", "Margin", "Batch"}[r]
}

// A Scheme says how the hyperplanes of a model learn.
type Scheme uint8

const (
	TwoClasses Scheme = iota // one hyperplane, for labels +1 and −1
	OneVsRest                // one for each class, and each learns on its own
	Kesler                   // one for each class, and all learn together: Multiclass
)

// A Config is a model's fields as a training call reads them: valid, and with their defaults.
// Start is apart, because only the beginning of training reads it. Two equal Configs train
// alike, so Update compares the fields with those of the last call.
type Config struct {
	Rate      float64 // η
	Gamma     float64 // γ′, of WithinGamma
	Threshold float64 // θ, of WithinTheta
	MaxEpochs int
	Workers   int // 0 means GOMAXPROCS
	Seed      uint64
	Space     Space
	Order     Order
	Keep      Keep
	Rule      Rule
	Scheme    Scheme
}

// same reports whether c == d. It compares field by field: reading fields together that were
// just written one by one makes a processor wait.
func (c *Config) same(d *Config) bool {
	return c.Rate == d.Rate && c.Gamma == d.Gamma && c.Threshold == d.Threshold &&
		c.MaxEpochs == d.MaxEpochs && c.Workers == d.Workers && c.Seed == d.Seed &&
		c.Space == d.Space && c.Order == d.Order && c.Keep == d.Keep &&
		c.Rule == d.Rule && c.Scheme == d.Scheme
}

// Bound returns the rule's parameter, γ′ or θ; 0 if it has none.
func (c *Config) Bound() float64 {
	switch c.Rule {
	case WithinGamma:
		return c.Gamma
	case WithinTheta:
		return c.Threshold
	}
	return 0
}

// checkResume checks that training begun under c may continue under next. The rate, the
// seed, and the limits of epochs and workers may change.
func (c *Config) checkResume(next *Config) error {
	changed := func(field string, now, then any) error {
		return fmt.Errorf("%w: %s is %v, but training began with %v; Fit starts from scratch", ErrConfig, field, now, then)
	}
	switch {
	case c.Space != next.Space:
		return changed("Space", next.Space, c.Space)
	case c.Order != next.Order:
		return changed("Order", next.Order, c.Order)
	case c.Keep != next.Keep:
		return changed("Keep", next.Keep, c.Keep)
	case c.Rule != next.Rule:
		return changed("the rule", next.Rule, c.Rule)
	case c.Bound() != next.Bound():
		return changed(c.Rule.String(), next.Bound(), c.Bound())
	}
	return nil
}

// thetaFor returns θ for an iterate of the norm ‖w‖, which only WithinGamma needs, and
// for R². A mistake is y·score ≤ θ.
func (c *Config) thetaFor(norm, r2 float64) float64 {
	switch c.Rule {
	case WithinGamma:
		return c.Gamma / 2 * norm
	case WithinTheta:
		return c.Threshold
	case WithinR:
		return c.Rate * r2
	}
	return 0
}

// squaredNorm returns ‖x‖², or ‖(x, 1)‖² in Affine space.
func (c *Config) squaredNorm(x []float64) float64 {
	if c.Space == Affine {
		return vec.Dot(x, x) + 1
	}
	return vec.Dot(x, x)
}
