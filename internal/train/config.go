package train

import (
	"cmp"
	"math"

	"perceptron/internal/vec"
	"perceptron/internal/weights"
)

// The numbers that stand for the constants of package perceptron's types Stop, Order, Keep and Space, where their
// meanings are documented. The saved form has their names instead.
const (
	Running, Converged, Cycled, EpochLimit = 0, 1, 2, 3
	Cyclic, Shuffled, Sampled              = 0, 1, 2
	Last, Average, Pocket                  = weights.Last, weights.Average, weights.Pocket
	Affine, Linear                         = 0, 1
)

// The names of the numbers: OrderNames[Cyclic] is "Cyclic".
var (
	OrderNames = []string{"Cyclic", "Shuffled", "Sampled"}
	KeepNames  = weights.KeepNames
	SpaceNames = []string{"Affine", "Linear"}
)

// A Rule is the algorithm of a model. The rules are in package perceptron, each in the file of its
// model. This package scores the examples, decides by θ which of them are right, asks the rule for
// the step of the others, and makes the updates.
type Rule struct {
	Name string // the kind of the models that use the rule; the saved form has this name
	With string // the field that selects the rule, or ""; errors and a model's String show it

	// Step returns the step of an example with y·score ≤ θ. The update adds step·x to w, and in
	// Affine space step to b. A step of 0 means no update.
	Step   func(x Example) (step float64)
	Square bool // Step reads Square
	// Constant says that Step returns ηy whenever y·score ≤ θ. Only for such a rule may package vec
	// make the updates without calling Step. Multiclass rejects a Binary whose rule is not Constant:
	// it takes only θ from the rule, and its step is always η.
	Constant bool

	// Theta returns θ. It is called again after each update, because θ may depend on the weights. A
	// nil Theta means θ = 0.
	Theta    func(u Progress) float64
	R2, Norm bool // Theta reads R2, or Norm
	Tally    bool // Theta reads Updates and Norm2

	// Descend makes the single update of an epoch of Batch. It is nil for the other rules. sum is
	// Σ step·(x, 1) over the mistakes of the epoch, with the steps for η = 1. The last element of
	// w is b. Descend reports whether the new w is finite.
	Descend func(w, sum []float64, eta float64) (finite bool)
}

// An Example is what a rule knows of an example: the model's fields, and these numbers.
type Example struct {
	*Config
	Y      float64 // +1 or −1
	Score  float64 // ⟨w, x⟩ + b
	Theta  float64 // θ
	Square float64 // ‖x‖², or ‖(x, 1)‖² in Affine space; 0 unless the rule has Square
}

// A Progress is what θ may depend on: the model's fields, and what a unit has learned.
type Progress struct {
	*Config
	R2    float64 // R²; 0 unless the rule has R2
	Norm  float64 // the norm of the unit's vectors (w, b); 0 unless the rule has Norm
	Tally         // zero unless the rule has Tally
}

// A Tally is how far a unit has come: the number k of its updates, and the square ‖w‖² of its vectors (w, b). ‖w‖²
// is not computed again from the vectors, but changes with each update by 2·step·score + step²·‖x‖². So an update by a
// sparse row takes O(non-zeros). For rows of d features, Norm2 differs from ‖w‖² by at most (k + 1)(d/4 + 128)·2⁻⁵³ of
// the largest ‖w‖² so far, W², unless a square underflows. The reasons: in Dot's order, the score and ‖x‖² err by at
// most d/32 + 11 units of 2⁻⁵³. ‖step·x‖ is at most 2W, so these errors count 4W² each. The other roundings, of
// products, of sums and of the elements of w, are below 30W² together. The 1 is for the start.
type Tally struct {
	Updates int64   `json:"updates"`
	Norm2   float64 `json:"norm2"`
}

// after returns what t becomes by an update. The row has the given square ‖x‖² and margin, and the
// rule the given step.
func (t Tally) after(step, margin, square float64) Tally {
	step = math.Abs(step)
	return Tally{min(t.Updates+1, weights.Countable), min(max(0, t.Norm2+float64(2*step*margin)+float64(step*step*square)), math.MaxFloat64)}
}

// String returns the kind of model, and the field that selects the rule, if there is one.
func (r *Rule) String() string {
	if r.With == "" {
		return r.Name
	}
	return r.Name + " with " + r.With
}

// A Rival is the rule by which the planes of one unit learn together. scores has the score of each
// class, all finite, and own is the index of the example's class. A Rival returns the index of the
// rival class and the step. The update adds step·(x, 1) to the vector of the example's class, and
// subtracts it from the rival's vector. A step of 0 means no update.
type Rival func(scores []float64, own int, theta, eta float64) (rival int, step float64)

// A Config holds a model's fields for a training call. They are valid. Start is not in a Config, because
// only a call that begins the training reads Start.
type Config struct {
	Rate               float64 // η; 0 means 1
	MaxEpochs          int     // 0 means 1000
	Workers            int     // 0 means GOMAXPROCS
	Window             int     // of Average, or 0
	Seed               uint64
	Space, Order, Keep uint8 // such as Affine, Cyclic and Last
	// A binary model has one hyperplane, for labels +1 and −1. A model of many classes has one
	// hyperplane for each class. Rest says that each hyperplane learns alone, its class against the
	// rest (OneVsRest). Rival is not nil if the hyperplanes learn together (Multiclass). Rival is a
	// pointer so that Configs can be compared with ==.
	Rest  bool
	Rival *Rival
	Rule  *Rule
	Parameters
}

// Parameters are the fields that belong to one rule. At most one is not 0, and selects its rule.
type Parameters struct {
	Gamma     float64 // γ′
	Threshold float64 // θ
	Share     float64 // s
}

// set returns the value of the field that is set.
func (p Parameters) set() float64 { return p.Gamma + p.Threshold + p.Share }

// Completed returns c with the defaults of Rate and MaxEpochs in place of 0.
func (c Config) Completed() Config {
	c.Rate, c.MaxEpochs = cmp.Or(c.Rate, 1), cmp.Or(c.MaxEpochs, 1000)
	return c
}

// Many reports whether the model has a hyperplane for each class. A binary model has only one.
func (c *Config) Many() bool { return c.Rest || c.Rival != nil }

// difference returns the first field in which d differs from c, and its value in c and in d. If
// there is none, field is "". Rate, Seed, MaxEpochs, Workers and Window may differ, so they are not compared.
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
	case c.Parameters != d.Parameters:
		return c.Rule.String(), c.set(), d.set()
	}
	return "", nil, nil
}

// plain reports whether updates add only ±ηx to weights and ±η to biases, and change nothing else.
// Then package vec may make them, in the loop that computes the scores. The result depends only on
// the rule and Keep.
func (c *Config) plain() bool {
	r := c.Rule
	return r.Constant && !r.R2 && !r.Norm && !r.Tally && r.Descend == nil && c.Keep == Last
}

// step asks the rule for the step of an example x that needs an update.
func (c *Config) step(y, score, theta float64, x *vec.Row) float64 {
	e := Example{Config: c, Y: y, Score: score, Theta: theta}
	if c.Rule.Square {
		e.Square = c.square(x)
	}
	return c.Rule.Step(e)
}

// square returns ‖x‖², or ‖(x, 1)‖² in Affine space.
func (c *Config) square(x *vec.Row) float64 {
	if c.Space == Affine {
		return x.Square() + 1
	}
	return x.Square()
}

// satisfied reports whether an example needs no update: its margin m = y·score exceeds θ and is
// finite. In Multiclass, the Rival decides instead.
func satisfied(m, theta float64) bool { return m > theta && m <= math.MaxFloat64 }
