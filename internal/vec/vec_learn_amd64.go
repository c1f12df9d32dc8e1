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
