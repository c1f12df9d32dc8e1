package train

import (
	"fmt"
	"math"

	"perceptron/internal/vec"
)

// A Rule is the algorithm of a model. The rules are in package perceptron, each in the file of its
// model. This package scores the examples, decides by θ which of them are right, asks the rule for
// the step of the others, and makes the updates.
type Rule struct {
	Name string // the kind of model that has it, as the saved form writes it
	With string // the field that sets θ, or "" if none does; errors and a model's String name it

	// Step returns the step of an example with y·score ≤ θ: step·x is added to w, and step to b. 0
	// means no update. y is +1 or −1, and score is ⟨w, x⟩ + b. A rule that reads ‖x‖², or ‖(x, 1)‖²
	// in Affine space, has StepBySquare instead. For other rules it is not computed.
	Step         func(y, score, theta, eta float64) (step float64)
	StepBySquare func(y, score, theta, eta, square float64) (step float64)
	// Constant says that Step returns ηy wherever y·score ≤ θ. Only for such a rule may package vec
	// make updates by itself. Multiclass rejects a Binary with another rule, because it takes only
	// θ from the rule: its own step is η.
	Constant bool

	// Theta returns θ for the weights after an update: from R² if the rule has R2, and from ‖W‖ if
	// it has Norm. nil means θ = 0.
	Theta    func(c *Config, r2, norm float64) float64
	R2, Norm bool

	// Descend makes the one update of an epoch, if the rule is Batch's: sum is the sum of the
	// epoch's step·(x, 1), with η = 1. The last element of w is b.
	Descend func(w, sum []float64, eta float64) (finite bool)
}

// String returns the kind of model, and the field that gives θ.
func (r *Rule) String() string {
	if r.With == "" {
		return r.Name
	}
	return r.Name + " with " + r.With
}

// A Rival is the rule by which the planes of one unit learn together. It returns the rival's index
// and the step: step·(x, 1) is added to the vector of class own, and subtracted from the rival's. A
// step of 0 means no update. The scores are finite.
type Rival func(scores []float64, own int, theta, eta float64) (rival int, step float64)

// A Config holds a model's fields as a training call reads them: valid, with 0 replaced by the
// default. The field Start is not in it, because only the first training call reads Start.
type Config struct {
	Rate      float64 // η
	Gamma     float64 // γ′, or 0
	Threshold float64 // θ, or 0
	MaxEpochs int
	Workers   int // 0 means GOMAXPROCS
	Seed      uint64
	Space     Space
	Order     Order
	Keep      Keep
	// A model of two classes has one hyperplane, for labels +1 and −1. One of many classes has one
	// for each. Rest says that each learns alone, its class against the rest. Rival is not nil if
	// they learn together; it is a pointer because a func cannot be compared.
	Rest  bool
	Rival *Rival
	Rule  *Rule
}

// Many reports whether the model has a hyperplane for each class. A binary model has a single one.
func (c *Config) Many() bool { return c.Rest || c.Rival != nil }

// averages reports whether the mean of the iterates predicts.
func (c *Config) averages() bool { return c.Keep == Average }

// checkResume returns an error if training that began under c may not continue under next.
func (c *Config) checkResume(next *Config) error {
	if field, then, now := c.difference(next); field != "" {
		return fmt.Errorf("%w: %s is %v, but training began with %v; Fit starts from scratch", ErrConfig, field, now, then)
	}
	return nil
}

// difference returns the first field in which d differs from c, and its value in c and in d. If
// there is none, field is "". Rate, Seed, MaxEpochs and Workers may differ, so they are not compared.
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
	case c.Gamma != d.Gamma || c.Threshold != d.Threshold: // one of the two is 0
		return c.Rule.String(), c.Gamma + c.Threshold, d.Gamma + d.Threshold
	}
	return "", nil, nil
}

// plain reports whether an update adds ηyx to the weights and changes nothing else, so that package
// vec may make it, in one loop with the scores. It follows from the rule and Keep alone.
func (c *Config) plain() bool {
	r := c.Rule
	return r.Constant && !r.R2 && !r.Norm && r.Descend == nil && c.Keep == Last
}

// step asks the rule for the step of an example that needs an update.
func (c *Config) step(y, score, theta float64, x *vec.Row) float64 {
	if c.Rule.Step != nil {
		return c.Rule.Step(y, score, theta, c.Rate)
	}
	return c.Rule.StepBySquare(y, score, theta, c.Rate, c.square(x))
}

// square returns ‖x‖², or ‖(x, 1)‖² in Affine space.
func (c *Config) square(x *vec.Row) float64 {
	if c.Space == Affine {
		return x.Square() + 1
	}
	return x.Square()
}

// satisfied reports whether an example needs no update: its margin m exceeds θ and is finite. m is
// y·score, or in Multiclass the score of the example's class less the best other score.
func satisfied(m, theta float64) bool { return m > theta && m <= math.MaxFloat64 }
