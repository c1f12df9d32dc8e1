//go:build (!amd64 && !arm64) || purego

package vec

import "math"

// The kernels in Go are the only ones here.

func dotKernel(a, b []float64, _ *float64) float64 {
	if len(a) != len(b) {
		return math.NaN()
	}
	return dotGeneric(a, b)
}

func axpyKernel(dst, w []float64, c float64, x []float64) bool { return axpyGeneric(dst, w, c, x) }

func accumulateKernel(dst, dstLow, sum, low []float64, c float64, v, w []float64) bool {
	return accumulateGeneric(dst, dstLow, sum, low, c, v, w)
}

func blockKernel(b *block, x, _ *[blockRows][]float64) { blockGeneric(b, x) }

// groupOf returns 1: each vector is a group.
func groupOf(_, _ int) int { return 1 }

// scoresKernel is not used here: each group is one vector.
func scoresKernel(*Classes, []float64) {}

// learnKernel and scanKernel report that here no kernel does the whole loop of Learn or Scan.

func learnKernel(*Outcome, *Lesson, []float64, int, int) bool { return false }

func scanKernel(_ *Classes, _ *Lesson, pos, _ int) (next int, done bool) { return pos, false }
