package vec

import (
	"math"
	"slices"
)

// Scan returns the first position from pos to end of a row that is not right, or end. A row is right
// if its class's score exceeds all others by more than l.Theta, which is not negative, and by a
// finite number. Of l it uses the rows, which have d elements and labels of c's classes, and Fetch.
// Scan takes O(k·d) for a row, and allocates nothing.
func (c *Classes) Scan(l *Lesson, pos, end int) int {
	if next, done := scanKernel(c, l, pos, end); done {
		return next
	}
	for ; pos < end; pos++ {
		i := l.at(pos)
		c.score(l.X[i])
		if own := slices.Index(c.classes, l.Y[i]); !Exceeds(c.Scores, own, l.Theta) {
			break
		}
	}
	return pos
}

// score sets the scores of a row.
func (c *Classes) score(x []float64) {
	if c.group > 1 {
		scoresKernel(c, x)
		return
	}
	for i := range c.scores {
		w := c.w[i*(c.d+1):][:c.d+1]
		c.scores[i] = Dot(w[:c.d], x) + w[c.d]
	}
}

// Exceeds reports whether the own-th score exceeds all others by more than theta, and is finite as
// these differences are.
func Exceeds(scores []float64, own int, theta float64) bool {
	for i, s := range scores {
		if m := scores[own] - s; i != own && !(m > theta && m <= math.MaxFloat64) {
			return false
		}
	}
	return IsFinite(scores[own])
}
