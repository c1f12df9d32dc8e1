package vec

import (
	"math"
	"slices"
)

// Scan returns the first position from pos to end of a row that may be wrong, or end. It sets
// Scores to those of that row.
//
// If c.Thetas is nil, the classes compete: a row is right if its class's score exceeds each other
// one by more than l.Theta, which is not negative, and by a finite number. Else each vector
// answers for itself: y is +1 for its class, else −1, and the k-th vector has a row right if
// y·score exceeds Thetas[k], and is finite. Then a row is right if all vectors have it right.
//
// The rows of l have d elements, and l.Scan is true. If the classes compete, each label is a class
// of c. Scan takes O(k·d) for a row, and allocates nothing.
func (c *Classes) Scan(l *Lesson, pos, end int) int {
	if next, done := scanKernel(c, l, pos, end); done {
		return next
	}
	if len(c.Thetas) == 1 {
		l.Theta = c.Thetas[0]
		r := l.Learn(c.column(0), c.classes[0], pos, end, 0)
		c.Scores[0] = r.Score
		return r.Next
	}
	for ; pos < end; pos++ {
		if c.group > 1 {
			scoresKernel(c, l.X[l.At(pos)])
		} else if c.ahead.score(c, l, pos) {
			continue
		}
		if c.Thetas != nil || !exceeds(c.Scores, slices.Index(c.classes, l.Y[l.At(pos)]), l.Theta) {
			break
		}
	}
	return pos
}

// exceeds reports whether the own-th score is finite, and exceeds each other one by more than theta
// and by a finite number.
func exceeds(scores []float64, own int, theta float64) bool {
	for i, s := range scores {
		if m := scores[own] - s; i != own && !(m > theta && m <= math.MaxFloat64) {
			return false
		}
	}
	return IsFinite(scores[own])
}
