package perceptron

// A Separation is a stand-in for the one of separate.go.
type Separation struct {
	Space        Space
	Separable    bool       // a hyperplane with Lower > 0 was found
	Hyperplane   Hyperplane // the best found; non-zero where such a hyperplane exists
	Lower, Upper float64    // Lower ≤ γ ≤ Upper, rounding accounted for; Lower is finite
	Radius       float64
	Multipliers  []float64 // λ ≥ 0, one a row: ‖Σ λᵢyᵢxᵢ‖/Σλᵢ ≤ Upper; the proof of Upper
}
