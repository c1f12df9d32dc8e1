//go:build (!amd64 && !arm64) || purego

package vec

func scanKernel(_ *Classes, _ *Lesson, pos, _ int) (next int, done bool) { return pos, false }

// scoresKernel is not used here: each group is one vector.
func scoresKernel(*Classes, []float64) {}

func learnKernel(*Learned, *Lesson, []float64, int, int) bool { return false }
