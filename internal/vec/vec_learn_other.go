//go:build !amd64 || purego

package vec

func learnKernel(*Learned, *Lesson, []float64, int, int) bool { return false }
