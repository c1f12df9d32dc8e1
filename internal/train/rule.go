package train

import "math"

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

// satisfied reports whether an example needs no update, where m is y·score, or in Multiclass the
// score of its class less that of the best other. If so, m is finite.
func satisfied(m, theta float64) bool { return m > theta && m <= math.MaxFloat64 }
