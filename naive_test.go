package perceptron

import (
	"cmp"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"perceptron/internal/naive"
	"perceptron/internal/train"
)

// naiveOf returns the configuration of the reference of m.
func naiveOf(m model) naive.Config {
	c := configured(m)
	return naive.Config{
		Rule: int(c.Rule), Order: int(c.Order), Keep: int(c.Keep), Rate: c.Rate, Gamma: c.Gamma, Threshold: c.Threshold,
		Linear: c.Space == train.Linear, Seed: c.Seed, Start: naive.Plane(*startOf(m)),
	}
}

// naiveMulticlass is Kesler's construction, example by example, written straight from
// Multiclass's documentation. A class that has no entry in an iterate stands at 0.
type naiveMulticlass struct {
	naive.Config
	maxEpochs int

	gen *rand.PCG
	d   int
	w   iterate
	R2  float64 // WithinR: R_t², the largest ‖(x, 1)‖² updated on
	ran int     // passes

	iterates []iterate // Average: after each example
	pocket   iterate
	beat     int     // what a challenger of the pocket must exceed
	run      int     // of the iterate in training
	longest  int     // run of this epoch
	ofLong   iterate // its iterate
}

// An iterate has the hyperplane of each class.
type iterate map[int]Hyperplane

// naiveMulticlassOf returns the reference of a model that is untrained.
func naiveMulticlassOf(m *Multiclass) *naiveMulticlass {
	n := &naiveMulticlass{Config: naiveOf(m), maxEpochs: configured(m).MaxEpochs, w: iterate{}, pocket: iterate{}}
	n.gen = rand.NewPCG(n.Seed, 0)
	return n
}

func norm(v []float64) float64 { return math.Sqrt(naive.Dot(v, v)) }

// classes returns the classes seen, ascending.
func (n *naiveMulticlass) classes() []int { return slices.Sorted(maps.Keys(n.w)) }

// admit adds the class at 0 if it is new.
func (n *naiveMulticlass) admit(x []float64, y int) {
	n.d = len(x)
	if _, known := n.w[y]; !known {
		n.w[y] = Hyperplane{Weights: make([]float64, n.d)}
	}
}

// normW returns ‖W‖, the norm of the norms of the classes.
func (n *naiveMulticlass) normW() float64 {
	var norms []float64
	for _, c := range n.classes() {
		norms = append(norms, norm(append(slices.Clone(n.w[c].Weights), n.w[c].Bias)))
	}
	return norm(norms)
}

func (n *naiveMulticlass) theta() float64 {
	switch {
	case n.Rule == naive.WithinGamma:
		return n.Gamma / 2 * n.normW()
	case n.Rule == naive.WithinR:
		return 2 * n.Rate * n.R2
	}
	return n.Threshold
}

// score returns the score of a class, 0 for one without weights.
func (w iterate) score(c int, x []float64) float64 {
	if w[c].Weights == nil {
		return 0
	}
	return naive.Dot(w[c].Weights, x) + w[c].Bias
}

// margin returns s_y − s_r and the rival r. It is +Inf if there is no rival.
func (n *naiveMulticlass) margin(w iterate, x []float64, y int) (m float64, r int) {
	high := math.Inf(-1)
	for _, c := range n.classes() {
		if s := w.score(c, x); c != y && s > high {
			r, high = c, s
		}
	}
	return w.score(y, x) - high, r
}

// move adds step·x to a class.
func (n *naiveMulticlass) move(c int, step float64, x []float64) {
	h := n.w[c].clone()
	for j, v := range x {
		h.Weights[j] += float64(step * v)
	}
	if !n.Linear {
		h.Bias += step
	}
	n.w[c] = h
}

// see learns one example and returns its loss.
func (n *naiveMulticlass) see(x []float64, y int) (updated bool, loss float64) {
	n.admit(x, y)
	m, r := n.margin(n.w, x, y)
	if updated = m <= n.theta(); updated {
		loss = max(0, -m)
		n.move(y, n.Rate, x)
		n.move(r, -n.Rate, x)
		if n.Rule == naive.WithinR {
			n.R2 = max(n.R2, n.square(x))
		}
		n.run = 0
	} else {
		n.run++
	}
	if n.Keep == naive.Average {
		n.iterates = append(n.iterates, maps.Clone(n.w))
	}
	if n.run > n.longest {
		n.longest, n.ofLong = n.run, maps.Clone(n.w)
	}
	return updated, loss
}

// stream learns one example of a stream, where a run alone decides about the pocket.
func (n *naiveMulticlass) stream(x []float64, y int) (updated bool, loss float64) {
	updated, loss = n.see(x, y)
	if n.run > n.beat {
		n.pocket, n.beat = maps.Clone(n.w), n.run
	}
	return updated, loss
}

// challenge lets iterates challenge the pocket at the end of an epoch.
func (n *naiveMulticlass) challenge(X [][]float64, y []int) {
	all := []iterate{n.w}
	if n.longest > 0 {
		all = []iterate{n.ofLong, n.w}
	}
	for _, w := range all {
		if right := n.count(w, X, y); right > n.beat {
			n.pocket, n.beat = maps.Clone(w), right
		}
	}
}

// square returns ‖(x, 1)‖², or ‖x‖² in Linear space.
func (n *naiveMulticlass) square(x []float64) float64 {
	if n.Linear {
		return naive.Dot(x, x)
	}
	return naive.Dot(x, x) + 1
}

// count returns the rows that w predicts right, and no other class ties.
func (n *naiveMulticlass) count(w iterate, X [][]float64, y []int) (right int) {
	for i, x := range X {
		if m, _ := n.margin(w, x, y[i]); m > 0 {
			right++
		}
	}
	return right
}

// learn is Learn, and Update for one example.
func (n *naiveMulticlass) learn(X [][]float64, y []int) Epoch {
	n.ran++
	e := Epoch{N: n.ran, Examples: len(X)}
	for i, x := range X {
		updated, loss := n.stream(x, y[i])
		if e.Loss += loss; updated {
			e.Mistakes++
		}
	}
	e.Loss /= float64(max(len(X), 1))
	return e
}

// epochs is Epochs: it knows all labels first, and counts the rows of the pocket again.
func (n *naiveMulticlass) epochs(X [][]float64, y []int) (all []Epoch) {
	for i, x := range X {
		n.admit(x, y[i])
	}
	n.beat = n.count(n.pocket, X, y)
	if len(n.w) == 1 {
		n.beat = 0 // a pocket that is all zero has none right, even without a rival
	}
	ended := n.brent()
	for {
		e := n.epoch(X, y)
		switch {
		case e.Mistakes == 0 && n.satisfied(X, y):
			e.Stop = Converged
		case e.Mistakes > 0 && n.Order == 0 && ended():
			e.Stop = Cycled
		case len(all)+1 >= n.maxEpochs:
			e.Stop = EpochLimit
		}
		if all = append(all, e); e.Stop != Running {
			return all
		}
	}
}

func (n *naiveMulticlass) epoch(X [][]float64, y []int) Epoch {
	n.ran++
	e := Epoch{N: n.ran, Examples: len(X)}
	n.run, n.longest = 0, 0
	for _, i := range naive.Order(n.Order, n.gen, len(X)) {
		updated, loss := n.see(X[i], y[i])
		if e.Loss += loss; updated {
			e.Mistakes++
		}
	}
	n.challenge(X, y)
	e.Loss /= float64(len(X))
	return e
}

// satisfied reports whether no row needs an update.
func (n *naiveMulticlass) satisfied(X [][]float64, y []int) bool {
	for i, x := range X {
		if m, _ := n.margin(n.w, x, y[i]); m <= n.theta() {
			return false
		}
	}
	return true
}

// brent returns a function that reports whether the weights and R_t equal those kept,
// and keeps them after 1, 2, 4, … calls more.
func (n *naiveMulticlass) brent() func() bool {
	kept, R2, power, steps := maps.Clone(n.w), n.R2, 1, 0
	return func() bool {
		if R2 == n.R2 && maps.EqualFunc(kept, n.w, samePlane) {
			return true
		}
		if steps++; steps == power {
			kept, R2, power, steps = maps.Clone(n.w), n.R2, 2*power, 0
		}
		return false
	}
}

// result is what Fit returns if the reference was untrained before these epochs.
func (n *naiveMulticlass) result(all []Epoch) Result {
	res := Result{Epochs: len(all), Stop: all[len(all)-1].Stop}
	for _, e := range all {
		res.Mistakes += e.Mistakes
	}
	res.Upper = n.normW() / n.Rate / float64(res.Mistakes)
	return res
}

// hyperplanes returns what Keep selects, by ascending class. For Average that is the
// exact mean over all examples seen, rounded once.
func (n *naiveMulticlass) hyperplanes() (planes []Hyperplane) {
	for _, c := range n.classes() {
		h := n.w[c].clone()
		switch {
		case n.Keep == naive.Pocket:
			h = Hyperplane{Weights: make([]float64, n.d), Bias: n.pocket[c].Bias}
			copy(h.Weights, n.pocket[c].Weights)
		case n.Keep == naive.Average:
			past := n.past(c)
			for j := range h.Weights {
				h.Weights[j] = naive.Mean(past, func(h naive.Plane) float64 { return h.Weights[j] })
			}
			h.Bias = naive.Mean(past, func(h naive.Plane) float64 { return h.Bias })
		}
		planes = append(planes, h)
	}
	return planes
}

// past returns the hyperplanes of a class after each example, 0 before the first of it.
func (n *naiveMulticlass) past(c int) (planes []naive.Plane) {
	for _, w := range n.iterates {
		h := w[c]
		if h.Weights == nil {
			h.Weights = make([]float64, n.d)
		}
		planes = append(planes, naive.Plane(h))
	}
	return planes
}

// predict returns the class with the highest score, the lowest of several.
func (n *naiveMulticlass) predict(x []float64) int {
	w := iterate{}
	for i, h := range n.hyperplanes() {
		w[n.classes()[i]] = h
	}
	return slices.MaxFunc(n.classes(), func(a, b int) int { return cmp.Compare(w.score(a, x), w.score(b, x)) })
}
