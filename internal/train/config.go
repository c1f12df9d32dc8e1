package train

import (
	"fmt"
	"math"
)

// A Scheme says how many hyperplanes a model has, and whether they learn together.
type Scheme uint8

const (
	TwoClasses Scheme = iota // one hyperplane, for labels +1 and −1
	OneVsRest                // one for each class, and each learns alone: its class against the rest
	Kesler                   // one for each class, and one update moves two of them: Multiclass
)

// A Rule says which examples are learned: those with y·score ≤ θ, where the rule gives θ.
type Rule uint8

const (
	OnMistake   Rule = iota // θ = 0: Rosenblatt's
	WithinGamma             // θ = (γ′/2)‖(w, b)‖: Margin with Gamma
	WithinTheta             // θ is a field: Margin with Threshold
	WithinR                 // θ = ηR², R the largest norm of an example learned so far: Margin
	OnGradient              // θ = 0, and one update for all mistakes of an epoch: Batch
)

// String returns the name of the model that has the rule, for errors.
func (r Rule) String() string {
	return [...]string{"Online", "Margin with Gamma", "Margin with Threshold", "Margin", "Batch"}[r]
}

// A Config holds a model's fields as a training call reads them: valid, with 0 replaced by the
// default. The field Start is not in it, because only the first training call reads Start. Update
// compares the Config of a call with the last one: equal Configs need no validation.
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

// Bound returns γ′ for a Margin with Gamma, θ for one with Threshold, and 0 for the other rules,
// which read no such field.
func (c *Config) Bound() float64 {
	switch c.Rule {
	case WithinGamma:
		return c.Gamma
	case WithinTheta:
		return c.Threshold
	}
	return 0
}

// checkResume returns an error if training that began under c may not continue under next.
func (c *Config) checkResume(next *Config) error {
	if field, then, now := c.difference(next); field != "" {
		return fmt.Errorf("%w: %s is %v, but training began with %v; Fit starts from scratch", ErrConfig, field, now, then)
	}
	return nil
}

// difference returns the first field in which d differs from c, and both values, or no name. Rate,
// Seed, MaxEpochs and Workers may differ.
func (c *Config) difference(d *Config) (field string, of, other any) {
	switch {
	case c.Space != d.Space:
		return "Space", SpaceNames[c.Space], SpaceNames[d.Space]
	case c.Order != d.Order:
		return "Order", OrderNames[c.Order], OrderNames[d.Order]
	case c.Keep != d.Keep:
		return "Keep", KeepNames[c.Keep], KeepNames[d.Keep]
	case c.Rule != d.Rule:
		return "the rule", c.Rule, d.Rule
	case c.Bound() != d.Bound():
		return c.Rule.String(), c.Bound(), d.Bound()
	}
	return "", nil, nil
}

// plain reports whether an update changes the weights and nothing else, and θ is constant. Then
// package vec may make the updates, in one loop with the scores.
func (c *Config) plain() bool {
	return c.Keep == Last && (c.Rule == OnMistake || c.Rule == WithinTheta)
}

// satisfied reports whether an example needs no update: its margin m exceeds θ and is finite. m is
// y·score, or in Multiclass the score of the example's class less the best other score.
func satisfied(m, theta float64) bool { return m > theta && m <= math.MaxFloat64 }
