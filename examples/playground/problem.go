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
	history       history
}

func newProblem(f fields, X [][]float64, y []int) (*problem, error) {
	space := f.space()
	sep, err := perceptron.Separate(X, y, space)
	if err != nil {
		return nil, err
	}
	p := &problem{theorem: theorem{f, sep.Radius, sep.Lower}, X: X, y: y, space: space, radius: sep.Radius, sep: sep, iterate: f.build(perceptron.Last)}
	p.proved = !sep.Separable && (sep.Upper == 0 || contradict(signed(X, y, space), p.support()))
	p.history.add(entry{})
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
		p.history.add(entry{p.k, length(p.plane), p.along(p.plane), p.across(p.plane), p.y[i], vec(p.plane.Weights[:2])})
	}
	return updated, err
}

// along returns ⟨u, w⟩ for the weights w of h, where u is the unit vector with the greatest γ. It
// returns 0 if no separating line is known.
func (p *problem) along(h perceptron.Hyperplane) float64 {
	if !p.sep.Separable || len(h.Weights) == 0 {
		return 0
	}
	u := p.sep.Hyperplane
	size := length(u)
	unit := perceptron.Hyperplane{Bias: u.Bias / size}
	for _, v := range u.Weights {
		unit.Weights = append(unit.Weights, v/size)
	}
	return dot(unit, h)
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

// squared returns ‖(w, b)‖². Unlike the square of length, it is exact for numbers with few digits.
func squared(h perceptron.Hyperplane) float64 {
	sum := h.Bias * h.Bias
	for _, w := range h.Weights {
		sum += w * w
	}
	return sum
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

// trail returns w = (w₁, w₂) after each update in the history, divided by the greatest ‖(w₁, w₂)‖.
func (p *problem) trail() []vec {
	tips, long := []vec{}, 0.0
	for _, e := range p.history.entries {
		long = max(long, math.Hypot(e.w[0], e.w[1]))
	}
	for _, e := range p.history.entries {
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

// A history contains an entry for each update while there are few updates. Later it
// contains every second update, then every fourth, and so on; and always the last update.
type history struct {
	entries []entry
	stride  int
}

// add records an entry. When the history is full, it drops every second entry.
func (h *history) add(e entry) {
	const few = 257                                                                 // odd, so that halving keeps the last entry
	if n := len(h.entries); n > 1 && h.entries[n-1].k < h.entries[n-2].k+h.stride { // the last entry does not fit the stride
		h.entries = h.entries[:n-1]
	}
	if h.entries = append(h.entries, e); len(h.entries) < few {
		return
	}
	h.stride = max(2, 2*h.stride)
	half := h.entries[:0]
	for i := 0; i < len(h.entries); i += 2 {
		half = append(half, h.entries[i])
	}
	h.entries = half
}
