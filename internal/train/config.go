package train

import "fmt"

// A Scheme says how the hyperplanes of a model learn.
type Scheme uint8

const (
	TwoClasses Scheme = iota // one hyperplane, for labels +1 and −1
	OneVsRest                // one for each class, and each learns on its own
	Kesler                   // one for each class, and all learn together: Multiclass
)

// A Config is a model's fields as a training call reads them: valid, and with their defaults.
// Start is apart, because only the beginning of training reads it. Two equal Configs train
// alike, so Update compares them with those of the last call.
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
		return changed("Space", SpaceNames[next.Space], SpaceNames[c.Space])
	case c.Order != next.Order:
		return changed("Order", OrderNames[next.Order], OrderNames[c.Order])
	case c.Keep != next.Keep:
		return changed("Keep", KeepNames[next.Keep], KeepNames[c.Keep])
	case c.Rule != next.Rule:
		return changed("the rule", next.Rule, c.Rule)
	case c.Bound() != next.Bound():
		return changed(c.Rule.String(), next.Bound(), c.Bound())
	}
	return nil
}

// plain reports whether an update does nothing but move weights, so that a loop in internal/vec may
// make it. Then θ is always the same.
func (c *Config) plain() bool {
	return c.Keep == Last && (c.Rule == OnMistake || c.Rule == WithinTheta)
}
