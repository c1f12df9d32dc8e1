//go:build !purego

package vec

import "unsafe"

// learnKernel is Learn for the rows that have a kernel. It reports whether these have one.
func learnKernel(r *Learned, l *Lesson, w []float64, up, end int) bool {
	d := len(w) - 1
	if kernel == generic || d > ShortRow || d == 0 {
		return false
	}
	learnAVX2(r, l, unsafe.SliceData(w), d, up, end)
	return true
}

// learnAVX2 is Learn for rows of 1 to 31 elements, from the position r.Next on. It keeps w, of d+1
// elements, in registers:
//
//	for ; r.Next < end; r.Next++ {
//		i := l.At(r.Next)
//		y := Sign(l.Y[i] == up)
//		r.Score = dotAVX2(w, l.X[i], d, nil) + w[d]
//		m := y * r.Score
//		if m > l.Theta && m <= math.MaxFloat64 {
//			continue
//		}
//		if l.Scan || !IsFinite(m) {
//			break
//		}
//		r.Mistakes++
//		r.Loss += max(0, -m)
//		w[d] += y * l.Bias
//		if !axpyAVX2(w, w, y*l.Step, l.X[i], d) || !IsFinite(w[d]) {
//			break
//		}
//	}
//
//go:noescape
func learnAVX2(r *Learned, l *Lesson, w *float64, d, up, end int)

// scanKernel is Scan in assembly. done is false if the groups are of one vector, which have no
// kernel, and if there are no rows.
func scanKernel(c *Classes, l *Lesson, pos, end int) (next int, done bool) {
	switch {
	case c.group == 1 || pos >= end:
		return pos, false
	case c.group == 8:
		return scanAVX512(c, l, pos, end), true
	}
	return scanAVX2(c, l, pos, end), true
}

// scoresKernel is not used here: scanKernel serves all groups.
func scoresKernel(*Classes, []float64) {}

// scanAVX512 is Scan in groups of eight, of classes that compete. Element j of the vectors of a
// group is the j-th register of the group in c.w, and b is the d-th:
//
//	for ; pos < end; pos++ {
//		i := l.At(pos)
//		for k := range c.scores {
//			c.scores[k] = dotAVX512(w[k], l.X[i], d, nil) + b[k]
//		}
//		own := c.scores[slices.Index(c.classes, l.Y[i])]
//		exceeded := c.minusRivals
//		for _, s := range c.scores {
//			if m := own - s; m > l.Theta && m <= math.MaxFloat64 {
//				exceeded++
//			}
//		}
//		if exceeded != 0 {
//			break
//		}
//	}
//	return pos
//
//go:noescape
func scanAVX512(c *Classes, l *Lesson, pos, end int) (next int)

// scanAVX2 is scanAVX512 in AVX2's instructions, in groups of four.
//
//go:noescape
func scanAVX2(c *Classes, l *Lesson, pos, end int) (next int)
