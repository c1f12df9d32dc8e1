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
		i, sign := l.at(r.Next), uint64(1<<63)
		if l.Y[i] == up {
			sign = 0
		}
		y := math.Float64frombits(math.Float64bits(1) | sign) // without a branch, which nothing could predict
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
	i := l.at(next + earlier)
	l.touched = len(l.X[i]) + l.Y[i]
	return DotFetch(w, x, l.X[l.at(next)])
}
