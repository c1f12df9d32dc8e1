package main

import (
	"math"
	"slices"

	"perceptron"
)

// longest is the largest number of mistakes in a cycle that is drawn.
const longest = 4000

// cycle returns w after each mistake of one round, once a run of Online has returned to earlier
// weights. The first and the last w are the same. If the run does not cycle, or its cycle is longer
// than longest, cycle returns nil.
func (t *training) cycle() []vec {
	if t.last.Stop != perceptron.Cycled || t.Model != "Online" || t.Order != perceptron.Cyclic {
		return nil
	}
	w := t.problem.plane
	again, start, path := &perceptron.Online{Rate: t.Eta, Space: t.space(), Start: w}, w, []vec{vec(w.Weights)}
	for len(path) <= longest {
		for i, x := range t.X {
			if updated, err := again.Update(x, t.y[i]); err != nil {
				return nil
			} else if updated {
				w = again.Hyperplane()
				path = append(path, vec(w.Weights))
			}
		}
		if w.Bias == start.Bias && slices.Equal(w.Weights, start.Weights) {
			return path
		}
	}
	return nil
}

// loop returns a cycle in the unit of the picture. A cycle that would leave the plane is made smaller.
func loop(cycle []vec, view float64) []vec {
	far, all := 0.9*view, []vec{}
	for _, w := range cycle {
		far = max(far, math.Abs(w[0]), math.Abs(w[1]))
	}
	for _, w := range cycle {
		all = append(all, vec{0.9 * w[0] / far, 0.9 * w[1] / far})
	}
	return all
}
