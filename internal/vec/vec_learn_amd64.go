//go:build !purego

package vec

import "unsafe"

// learnKernel is Learn, if it has a kernel for the rows.
func learnKernel(r *Learned, l *Lesson, w []float64, up, end int) bool {
	d := len(w) - 1
	if kernel == generic || d > ShortRow || d == 0 {
		return false
	}
	learnAVX2(r, l, unsafe.SliceData(w), d, up, end)
	return true
}

// learnAVX2 is Learn for rows of 1 to 31 elements, from the position r.Next on. It keeps w in
// registers.
//
//go:noescape
func learnAVX2(r *Learned, l *Lesson, w *float64, d, up, end int)

// scanKernel is Scan, if there is a kernel for it.
func scanKernel(c *Classes, l *Lesson, pos, end int) (next int, done bool) {
	switch {
	case c.group == 1 || pos >= end:
		return pos, false
	case c.group == 8:
		return classesAVX512(c, l, pos, end), true
	}
	return classesAVX2(c, l, pos, end), true
}

func scoresKernel(*Classes, []float64) {} // for no group

// classesAVX512 is Scan in groups of eight. Element j of the vectors of a group is the j-th register
// of the group in c.w, and b is the d-th.
//
//go:noescape
func classesAVX512(c *Classes, l *Lesson, pos, end int) (next int)

// classesAVX2 is classesAVX512 in AVX2's instructions, in groups of four.
//
//go:noescape
func classesAVX2(c *Classes, l *Lesson, pos, end int) (next int)
