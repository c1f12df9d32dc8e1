package vec

import "math"

// Learn shows the rows at the positions from pos to end to the vector w, whose last element is b. y
// is +1 for the label up, else −1. Learn stops at a row whose score is not finite, or behind whose
// update w is not. The scores ⟨w, x⟩ + b have the bits of [Dot], and the updates those of [Axpy].
// Learn takes O(d) for a row of d elements, and allocates nothing.
func (l *Lesson) Learn(w []float64, up, pos, end int, loss float64) Learned {
	d, r := len(w)-1, Learned{Next: pos, Loss: loss}
	if pos < end && learnKernel(&r, l, w, up, end) {
		return r
	}
	for ; r.Next < end; r.Next++ {
		i, y := r.Next, -1.0
		if l.Order != nil {
			i = l.Order[i]
		}
		if l.Y[i] == up {
			y = 1
		}
		r.Score = Dot(w[:d], l.X[i]) + w[d]
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
