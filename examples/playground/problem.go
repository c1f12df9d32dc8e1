package main

import (
	"math"

	"perceptron"
)

// A problem has the points, the run of the model on them, and the numbers of its theorem.
type problem struct {
	theorem
	X       [][]float64
	y       []int
	space   perceptron.Space
	radius  float64 // R of the points
	sep     perceptron.Separation
	proved  bool    // exact arithmetic proves that no line separates the points
	iterate trainee // repeats the model's updates one by one, without Keep
	k       int     // number of updates so far
	missed  []int   // the row of the last update, if there was one

	plane, before perceptron.Hyperplane // after and before the last update
	entries       []entry               // one after each update, and one before them
}

func newProblem(f fields, X [][]float64, y []int) (*problem, error) {
	space := f.space()
	sep, err := perceptron.Separate(X, y, space)
	if err != nil {
		return nil, err
	}
	p := &problem{theorem: theorem{f, sep.Radius, sep.Lower}, X: X, y: y, space: space, radius: sep.Radius, sep: sep, iterate: f.build(perceptron.Last)}
	p.proved = !sep.Separable && (sep.Upper == 0 || contradict(signed(X, y, space), p.support()))
	p.entries = []entry{{}}
	if p.Model == byHand {
		p.plane = p.hand()
	}
	if err := perceptron.Verify(sep, X, y); err != nil {
		return nil, err
	}
	return p, nil
}

// support returns the rows with λ > 0.
func (p *problem) support() []int {
	var rows []int
	for i, lambda := range p.sep.Multipliers {
		if lambda > 0 {
			rows = append(rows, i)
		}
	}
	return rows
}

// update trains the iterate on point i. If there was an update, it records the update.
func (p *problem) update(i int) (updated bool, err error) {
	if updated, err = p.iterate.Update(p.X[i], p.y[i]); updated && err == nil {
		p.missed, p.before, p.plane = []int{i}, p.plane, p.iterate.Hyperplane()
		p.k++
		p.entries = append(p.entries, entry{p.k, length(p.plane), p.along(p.plane), p.across(p.plane), p.y[i], vec(p.plane.Weights[:2])})
	}
	return updated, err
}

// along returns ⟨u, w⟩ for the weights w of h, where u is the unit vector with the greatest γ. It
// returns 0 if no separating line is known.
func (p *problem) along(h perceptron.Hyperplane) float64 {
	if !p.sep.Separable || len(h.Weights) == 0 {
		return 0
	}
	return dot(p.sep.Hyperplane, h) / length(p.sep.Hyperplane)
}

// across returns ⟨v, w⟩, where v is u turned to the right by 90°. It returns 0 unless lines go
// through the origin.
func (p *problem) across(h perceptron.Hyperplane) float64 {
	u := p.sep.Hyperplane
	if !p.sep.Separable || p.space != perceptron.Linear {
		return 0
	}
	size := length(u)
	return h.Weights[0]*(u.Weights[1]/size) - h.Weights[1]*(u.Weights[0]/size)
}

// dot returns the scalar product of two hyperplanes as vectors.
func dot(g, h perceptron.Hyperplane) float64 {
	sum := g.Bias * h.Bias
	for j, v := range g.Weights {
		sum += v * h.Weights[j]
	}
	return sum
}

// length returns ‖(w, b)‖.
func length(h perceptron.Hyperplane) float64 {
	size := math.Abs(h.Bias)
	for _, w := range h.Weights {
		size = math.Hypot(size, w)
	}
	return size
}

// margin returns the margin that the line of the run has on the points.
func (p *problem) margin() (gamma float64, ok bool) { return p.marginOf(p.plane) }

// marginOf returns the margin of h, which is negative if a point is on the wrong side. If all weights
// are 0, or Gamma returns an error, ok is false.
func (p *problem) marginOf(h perceptron.Hyperplane) (gamma float64, ok bool) {
	if length(h) == 0 {
		return 0, false
	}
	gamma, err := perceptron.Gamma(h, p.X, p.y, p.space)
	return gamma, err == nil
}

// chain returns the partial sums of λyx over the points with λ > 0, with the view as the unit. The
// last sum is 0 up to rounding. If no proof shows that the points are inseparable, chain is empty.
func (p *problem) chain(view float64) []vec {
	sums, at := []vec{}, vec{}
	if !p.proved {
		return sums
	}
	for _, i := range p.support() {
		scale := p.sep.Multipliers[i] * float64(p.y[i]) / view
		at = vec{at[0] + scale*p.X[i][0], at[1] + scale*p.X[i][1]}
		sums = append(sums, at)
	}
	return sums
}

// trail returns w = (w₁, w₂) after each update, divided by the greatest ‖(w₁, w₂)‖.
func (p *problem) trail() []vec {
	tips, long, all := []vec{}, 0.0, thin(p.entries)
	for _, e := range all {
		long = max(long, math.Hypot(e.w[0], e.w[1]))
	}
	for _, e := range all {
		tips = append(tips, vec{share(e.w[0], long), share(e.w[1], long)})
	}
	return tips
}

// An entry describes w after k updates: its length, ⟨u, w⟩ (along) and, if there is no bias, the
// component at a right angle to u (across). The class is the label of the last update's point.
type entry struct {
	k                     int
	length, along, across float64
	class                 int
	w                     vec // (w₁, w₂)
}

// thin returns the entries of a run or, of a long run, about 256 of them with the last.
func thin(all []entry) []entry {
	some, step := []entry{}, 1+(len(all)-1)/256
	for i := 0; i < len(all); i += step {
		some = append(some, all[i])
	}
	if last := len(all) - 1; last%step > 0 {
		some = append(some, all[last])
	}
	return some
}
