package perceptron

import (
	"math"

	"perceptron/internal/vec"
)

// Under Pocket, a challenger is counted on all rows. Few of them need a score. A row
// that an earlier iterate had right by more than the weights have moved since is right
// still. Of the others, those that are likely to be wrong come first, because most
// challengers lose, and a count ends when it cannot exceed that of the pocket.

// A ranking is what a full count of one unit found.
type ranking struct {
	valid bool      // the count was on the rows and labels of this epoch
	w     []float64 // the iterate that was counted
	keys  []float64 // y·score/‖(x, 1)‖ of each row under w, so that |key| ≤ ‖w‖
	rows  []int     // all rows, those with the smallest keys first
	spent int       // rows scored in later counts
	moved []float64 // the iterate now, less w
}

// A counter is what the counts of an epoch share. It belongs to one range.
type counter struct {
	lengths  []float64            // ‖(x, 1)‖ of each row; nil if a score might not be finite
	rankings map[*pocket]*ranking // of the units' pockets
}

// huge is the largest square of a length for which no score can overflow.
const huge = 1e300

// measure computes the lengths of rows of d features, or finds that a score might not be
// finite.
func (c *counter) measure(X [][]float64, d int) {
	lengths := c.lengths[:0]
	c.lengths = nil
	for i, x := range X {
		square := vec.DotFetch(x, x, X[min(i+1, len(X)-1)], X[min(i+2, len(X)-1)]) + 1
		if len(x) != d || !(square <= huge) {
			return
		}
		lengths = append(lengths, math.Sqrt(square))
	}
	c.lengths = lengths
}

// reach returns how large a key must be for the row to be right under w as well. By
// Cauchy and Schwarz a score moves by at most ‖w − r.w‖‖(x, 1)‖. To this the errors of
// rounding are added: of two scores and a key, less than 2(d + 4)·2⁻⁵² times the length
// of w or r.w together, and of numbers that underflow less than 10⁻²⁸⁰.
func (r *ranking) reach(w []float64) float64 {
	const eps = 0x1p-52
	n := float64(len(w)+4) * eps
	vec.Axpy(r.moved, w, -1, r.w)
	return vec.Norm(r.moved)*(1+4*n) + 4*n*(vec.Norm(w)+vec.Norm(r.w)) + 1e-280
}

// order sorts the rows by their keys, which are between low and high, into steps of equal
// height. Rows in one step stay in their order: it is only a guess at what comes first.
func (r *ranking) order(low, high float64) {
	const steps = 256
	var start [steps + 1]int
	scale := (steps - 1) / (high - low)
	step := func(key float64) int {
		if s := (key - low) * scale; s >= 0 && s < steps { // not if NaN
			return int(s)
		}
		return 0
	}
	for _, key := range r.keys {
		start[step(key)+1]++
	}
	for s := range steps {
		start[s+1] += start[s]
	}
	for i, key := range r.keys {
		s := step(key)
		r.rows[start[s]] = i
		start[s]++
	}
}
