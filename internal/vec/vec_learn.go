package vec

import (
	"math"
	"slices"
)

// Learn shows the rows at the positions from pos to end to the vector w, whose last element is b. y
// is +1 for the label up, else −1. Learn stops at a row whose score is not finite, and at one whose
// update makes w not finite. The scores ⟨w, x⟩ + b have the bits of [Dot], and the updates those of [Axpy].
// Learn takes O(d) for a row of d elements, and allocates nothing.
func (l *Lesson) Learn(w []float64, up, pos, end int, loss float64) Learned {
	d, r := len(w)-1, Learned{Next: pos, Loss: loss}
	if pos < end && learnKernel(&r, l, w, up, end) {
		return r
	}
	for ; r.Next < end; r.Next++ {
		i := l.At(r.Next)
		y := Sign(l.Y[i] == up)
		if r.Score = w[d]; l.Fetch {
			r.Score += l.fetch(w[:d], l.X[i], r.Next)
		} else {
			r.Score += Dot(w[:d], l.X[i])
		}
		m := y * r.Score
		if m > l.Theta && m <= math.MaxFloat64 {
			continue
		}
		if l.Scan || !IsFinite(m) {
			break
		}
		r.Mistakes++
		r.Loss += max(0, -m)
		w[d] += y * l.Bias
		if !Axpy(w[:d], w[:d], y*l.Step, l.X[i]) || !IsFinite(w[d]) {
			break
		}
	}
	return r
}

// fetch returns the product of w and x, the row at pos, and fetches a later one. In a random order
// the slices and labels are in no cache either, so they are loaded earlier still.
func (l *Lesson) fetch(w, x []float64, pos int) float64 {
	const earlier = 12
	next := pos + Ahead(len(w))
	i := l.At(next + earlier)
	l.touched = len(l.X[i]) + l.Y[i]
	return DotFetch(w, x, l.X[l.At(next)])
}

// Scan returns the first position from pos to end of a row that may be wrong, or end, and sets Scores
// there. If c.Thetas is nil, the classes compete: a row is right if its class's score exceeds all
// others by more than l.Theta, which is not negative, and by a finite number. Else each vector labels
// the row for itself: y is +1 for its class, else −1, and the k-th has a row right if y·score exceeds
// Thetas[k], and is finite. Scan stops at a row that a vector has wrong.
//
// Of l it uses the rows, which have d elements and labels of c's classes, and Fetch; l.Scan is set.
// Scan takes O(k·d) for a row, and allocates nothing.
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
		if c.Thetas != nil || !Exceeds(c.Scores, slices.Index(c.classes, l.Y[l.At(pos)]), l.Theta) {
			break
		}
	}
	return pos
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
