package train

import "math"

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

// satisfied reports whether an example needs no update: its margin m exceeds θ and is finite.
// m is y·score, or in Multiclass the score of the example's class less the best other score.
func satisfied(m, theta float64) bool { return m > theta && m <= math.MaxFloat64 }
