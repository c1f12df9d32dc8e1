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

// Scan returns the first position from pos to end of a row that is not right, or end. A row is right
// if its class's score exceeds all others by more than l.Theta, which is not negative, and by a
// finite number. Of l it uses the rows, which have d elements and labels of c's classes, and Fetch.
// Scan takes O(k·d) for a row, and allocates nothing.
func (c *Classes) Scan(l *Lesson, pos, end int) int {
	if next, done := scanKernel(c, l, pos, end); done {
		return next
	}
	for ; pos < end; pos++ {
		c.score(l, pos)
		if own := slices.Index(c.classes, l.Y[l.At(pos)]); !Exceeds(c.Scores, own, l.Theta) {
			break
		}
	}
	return pos
}

// score sets Scores to those of the row at a position. It may score rows after it too, for the calls
// after this one, so that Reset comes before another Lesson.
func (c *Classes) score(l *Lesson, pos int) {
	if c.group > 1 {
		scoresKernel(c, l, pos)
		return
	}
	c.ahead.enter(c, l, pos)
	c.ahead.score(c, l, pos)
}

// ScanEach returns the first position from pos to end of a row that a vector may have wrong, or end,
// and sets Scores. The k-th vector has a row right if y·score > Thetas[k], and finite. It is for one
// vector, and l.Scan, or for longer rows than ShortRow.
func (c *Classes) ScanEach(l *Lesson, pos, end int) int {
	if len(c.Thetas) == 1 {
		l.Theta = c.Thetas[0]
		r := l.Learn(c.column(0), c.classes[0], pos, end, 0)
		c.Scores[0] = r.Score
		return r.Next
	}
	a := &c.ahead
	for ; pos < end; pos++ {
		a.enter(c, l, pos)
		if a.right>>(pos-a.first)&1 == 0 {
			a.score(c, l, pos)
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
