package main

import "perceptron"

// longest is the largest number of mistakes in a cycle that is drawn.
const longest = 4000

// cycle returns w after each mistake of one round, once a run of Online has returned to earlier
// weights. The first and the last w are the same. If the run does not cycle, or its cycle is longer
// than longest, cycle returns nil.
func (t *training) cycle() []vec {
	if t.last.Stop != perceptron.Cycled || t.Model != "Online" || t.Order != perceptron.Cyclic {
		return nil
	}
	start := t.problem.plane
	again := &perceptron.Online{Rate: t.Eta, Space: t.space(), Start: start}
	path, from, w := []vec{vec(start.Weights)}, start, start
	for len(path) <= longest {
		for i, x := range t.X {
			updated, err := again.Update(x, t.y[i])
			if err != nil {
				return nil
			}
			if updated {
				w = again.Hyperplane()
				path = append(path, vec(w.Weights))
			}
		}
		if same(w, from) {
			return path
		}
	}
	return nil
}

// same reports whether two hyperplanes have the same numbers.
func same(g, h perceptron.Hyperplane) bool {
	return g.Bias == h.Bias && g.Weights[0] == h.Weights[0] && g.Weights[1] == h.Weights[1]
}

// loop returns a cycle in the unit of the picture. A cycle that would leave the plane is made smaller.
func loop(cycle []vec, view float64) []vec {
	const edge = 0.9
	far := 0.0
	for _, w := range cycle {
		far = max(far, w[0], -w[0], w[1], -w[1])
	}
	scale := 1 / view
	if far > edge*view {
		scale = edge / far
	}
	all := []vec{}
	for _, w := range cycle {
		all = append(all, vec{w[0] * scale, w[1] * scale})
	}
	return all
}
