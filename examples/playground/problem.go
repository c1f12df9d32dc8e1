package main

import (
	"math"
	"slices"

	"perceptron"
)

// A problem has two classes: the two classes of the points, or one class against the
// rest.
type problem struct {
	fields
	class   int // labelled +1; the rest is −1
	y       []int
	sep     perceptron.Separation
	iterate follower // repeats the model's updates one by one, without Keep
	k       int      // counted as in Result.Mistakes
	missed  []int    // the rows of the last update

	plane, before perceptron.Hyperplane // after and before the last update
	lengths       history
}

// newProblems returns one problem for each class, or a single one for two classes.
func newProblems(f fields, X [][]float64, y []int) ([]*problem, error) {
	if !f.multiclass() {
		p, err := newProblem(f, +1, X, y)
		if err != nil {
			return nil, err
		}
		return []*problem{p}, nil
	}
	var problems []*problem
	for _, class := range slices.Compact(slices.Sorted(slices.Values(y))) {
		p, err := newProblem(f, class, X, against(class, y))
		if err != nil {
			return nil, err
		}
		problems = append(problems, p)
	}
	return problems, nil
}

// against returns +1 for the class, and −1 for all others.
func against(class int, y []int) []int {
	signs := make([]int, len(y))
	for i, label := range y {
		signs[i] = -1
		if label == class {
			signs[i] = +1
		}
	}
	return signs
}

func newProblem(f fields, class int, X [][]float64, y []int) (*problem, error) {
	p := &problem{fields: f, class: class, y: y}
	f.Model = f.rule()
	p.iterate = f.build(perceptron.Last).(follower)
	var err error
	if p.sep, err = perceptron.Separate(X, y, perceptron.Affine); err != nil {
		return nil, err
	}
	p.lengths.add(0, 0)
	return p, p.sep.Verify(X, y)
}

// follow records an update on the rows in missed, which may be empty.
func (p *problem) follow(missed []int) {
	p.missed, p.before = missed, p.plane
	if len(missed) > 0 {
		p.k += len(missed)
		p.plane = p.iterate.Hyperplane()
		p.lengths.add(p.k, p.length())
	}
}

// length returns ‖(w, b)‖ of the iterate.
func (p *problem) length() float64 {
	if p.k == 0 {
		return 0
	}
	return math.Hypot(math.Hypot(p.plane.Weights[0], p.plane.Weights[1]), p.plane.Bias)
}

// wrong returns the rows with y·score ≤ 0.
func (p *problem) wrong(X [][]float64) []int {
	var rows []int
	for i, x := range X {
		score, err := p.iterate.(interface {
			Score(x []float64) (float64, error)
		}).Score(x)
		if err != nil || float64(p.y[i])*score <= 0 { // an untrained model is wrong everywhere
			rows = append(rows, i)
		}
	}
	return rows
}

// bound returns the largest number of updates that the rule can make. It is +Inf if
// no line separates the points.
func (p *problem) bound() float64 {
	R, gamma := p.sep.Radius, p.sep.Lower
	switch {
	case p.rule() == "Batch":
		return perceptron.BatchBound(len(p.y), R, gamma)
	case p.rule() == "Margin" && p.Gamma > 0:
		return perceptron.MarginBound(R, gamma, p.Gamma)
	case p.rule() == "Margin":
		k, _ := perceptron.ThresholdBound(R, gamma, 1, R*R)
		return k
	}
	return p.sep.MistakeBound()
}

// rate returns η. A field of 0 means 1.
func (p *problem) rate() float64 {
	if p.Eta == 0 {
		return 1
	}
	return p.Eta
}

// low returns ηkγ, the lower bound on ‖w‖ after k updates.
func (p *problem) low(k float64) float64 { return p.rate() * k * max(0, p.sep.Lower) }

// high returns the upper bound on ‖w‖ after k updates. For Online it is η√k R.
func (p *problem) high(k float64) float64 {
	eta, R := p.rate(), p.sep.Radius
	switch {
	case p.rule() == "Batch":
		return eta * math.Sqrt(k*float64(len(p.y))) * R
	case p.rule() == "Margin" && p.Gamma > 0:
		return eta * (k*p.Gamma/2 + math.Sqrt(k)*R)
	case p.rule() == "Margin":
		return eta * math.Sqrt(3*k) * R
	}
	return eta * math.Sqrt(k) * R
}

// highName returns the formula of high.
func (p *problem) highName() string {
	switch {
	case p.rule() == "Batch":
		return "η√(nk) R"
	case p.rule() == "Margin" && p.Gamma > 0:
		return "η(kγ′/2 + √k R)"
	case p.rule() == "Margin":
		return "η√(3k) R"
	}
	return "η√k R"
}

// A history contains ‖w‖ after each update while there are few updates. Later it
// contains every second one, then every fourth, and so on.
type history struct {
	k       []int
	lengths []float64
	stride  int
}

// add records ‖w‖ after k updates. When the history is full, it drops every second
// entry.
func (h *history) add(k int, length float64) {
	const few = 257                                           // odd, so that the last entry stays
	if n := len(h.k); n > 1 && h.k[n-1] < h.k[n-2]+h.stride { // the last entry was kept only because it was the last
		h.k, h.lengths = h.k[:n-1], h.lengths[:n-1]
	}
	h.k, h.lengths = append(h.k, k), append(h.lengths, length)
	if len(h.k) < few {
		return
	}
	h.stride = max(2, 2*h.stride)
	j := 0
	for i := 0; i < len(h.k); i += 2 {
		h.k[j], h.lengths[j] = h.k[i], h.lengths[i]
		j++
	}
	h.k, h.lengths = h.k[:j], h.lengths[:j]
}
