package perceptron

import (
	"iter"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"perceptron/internal/naive"
	"perceptron/internal/train"
	"perceptron/internal/vec"
)

// A naiveModel is a model that learns by example, written straight from the documentation: a model
// of two classes, or Kesler's construction. A model of two classes has one hyperplane, that of +1.
type naiveModel struct {
	train.Config
	sparse bool // rows are sparse: their features that are 0 are left out
	start  Hyperplane

	gen *rand.PCG
	d   int
	w   iterate
	R2  float64 // WithinR: R_t², the largest ‖(x, 1)‖² updated on
	// k counts the updates, and norm2 is ‖W‖², as they change it.
	k, norm2 float64
	ran      int // passes

	updated map[int]bool // the indexes of the rows updated on, by epochs

	steps    float64   // the sum of |step|
	iterates []iterate // after each example, for Average
	counts   []float64 // what each counts: under Window half as much as soon as 2·Window examples count
	// n is what the examples before this pass count, and passed the examples since. Their sum is rounded, as
	// the library's count is, a float64. counts has the differences of these sums, which are exact.
	n, passed float64
	pocket    iterate
	beat      int     // what a challenger of the pocket must exceed
	run       int     // of the iterate in training
	longest   int     // run of this epoch
	ofLong    iterate // its iterate
}

// An iterate has the hyperplane of each class. A class that has no entry stands at 0.
type iterate map[int]Hyperplane

// naiveOf returns the reference of a model that is untrained.
func naiveOf(m model) *naiveModel {
	c := configured(m)
	length := vec.Norm(vector(*startOf(m)))
	return &naiveModel{Config: c, start: *startOf(m), norm2: length * length, gen: rand.NewPCG(c.Seed, 0), w: iterate{}, pocket: iterate{}, updated: map[int]bool{}}
}

func norm(v []float64) float64 { return math.Sqrt(vec.Dot(v, v)) }

// many reports whether the model has many classes.
func (n *naiveModel) many() bool { return n.Rival != nil }

// classes returns the classes that have a hyperplane, ascending.
func (n *naiveModel) classes() []int { return slices.Sorted(maps.Keys(n.w)) }

// admit adds the class at its start if it is new.
func (n *naiveModel) admit(x []float64, y int) {
	if n.d = len(x); !n.many() {
		y = 1
	}
	if _, known := n.w[y]; !known {
		h := Hyperplane{make([]float64, n.d), n.start.Bias}
		copy(h.Weights, n.start.Weights)
		n.w[y], n.pocket[y] = h, h
	}
}

// length returns ‖(w, b)‖, or of many classes the norm of their norms.
func (n *naiveModel) length() float64 {
	if !n.many() {
		return norm(vector(n.w[1]))
	}
	var norms []float64
	for _, c := range n.classes() {
		norms = append(norms, norm(vector(n.w[c])))
	}
	return norm(norms)
}

// A naiveRule has the formulas of a rule for two classes: θ, and the step of an example whose margin is
// at most θ. square is ‖(x, 1)‖², or ‖x‖² in Linear space.
type naiveRule struct {
	theta func(n *naiveModel) float64
	step  func(n *naiveModel, y, score, square float64) float64
}

func rosenblattStep(n *naiveModel, y, _, _ float64) float64 { return n.Rate * y }

// naiveRules has every rule of the package. TestRegistered finds one that is missing here.
var naiveRules = map[string]struct {
	*train.Rule
	naiveRule
}{
	"onlineRule":    {onlineRule, naiveRule{func(*naiveModel) float64 { return 0 }, rosenblattStep}},
	"thresholdRule": {thresholdRule, naiveRule{func(n *naiveModel) float64 { return n.Threshold }, rosenblattStep}},
	"gammaRule":     {gammaRule, naiveRule{func(n *naiveModel) float64 { return n.Gamma / 2 * n.length() }, rosenblattStep}},
	"marginRule": {marginRule, naiveRule{func(n *naiveModel) float64 {
		if n.many() {
			return 2 * n.Rate * n.R2 // ‖z‖² = 2‖x‖² in Kesler's construction
		}
		return n.Rate * n.R2
	}, rosenblattStep}},
	"shareRule": {shareRule, naiveRule{func(n *naiveModel) float64 {
		if n.k == 0 {
			return 0
		}
		return n.Share * n.norm2 / (n.Rate * n.k)
	}, rosenblattStep}},
	"batchRule": {batchRule, naiveRule{}}, // learns no single example: see TestBatchNaive
}

// naiveKeeps has what each Keep predicts for a class. TestRegistered finds one that is missing here.
var naiveKeeps = map[uint8]func(n *naiveModel, c int) Hyperplane{
	train.Last:    func(n *naiveModel, c int) Hyperplane { return n.w[c].clone() },
	train.Average: func(n *naiveModel, c int) Hyperplane { return n.mean(c) },
	train.Pocket:  func(n *naiveModel, c int) Hyperplane { return n.pocket[c] },
}

// formulas returns the formulas of the model's rule.
func (n *naiveModel) formulas() naiveRule {
	for _, r := range naiveRules {
		if r.Rule == n.Rule {
			return r.naiveRule
		}
	}
	panic("a rule without formulas")
}

// theta returns θ: an example is right if its margin exceeds it.
func (n *naiveModel) theta() float64 { return n.formulas().theta(n) }

// dot returns ⟨v, x⟩. For a sparse row, it multiplies the features that are not 0 with their window.
func (n *naiveModel) dot(v, x []float64) float64 {
	if !n.sparse {
		return vec.Dot(v, x)
	}
	var window, values []float64
	for j, a := range x {
		if a != 0 {
			window, values = append(window, v[j]), append(values, a)
		}
	}
	return vec.Dot(window, values)
}

// score returns the score of a class, 0 for one without weights.
func (n *naiveModel) score(w iterate, c int, x []float64) float64 {
	if w[c].Weights == nil {
		return 0
	}
	return n.dot(w[c].Weights, x) + w[c].Bias
}

// margin returns y·score. Of many classes it returns s_y − s_r and the rival r; the margin is +Inf
// if there is no rival.
func (n *naiveModel) margin(w iterate, x []float64, y int) (m float64, r int) {
	if !n.many() {
		return float64(y) * n.score(w, 1, x), 0
	}
	high := math.Inf(-1)
	for _, c := range n.classes() {
		if s := n.score(w, c, x); c != y && s > high {
			r, high = c, s
		}
	}
	return n.score(w, y, x) - high, r
}

// move adds step·x to a class.
func (n *naiveModel) move(c int, step float64, x []float64) {
	h := n.w[c].clone()
	for j, v := range x {
		h.Weights[j] += float64(step * v)
	}
	if n.Space == train.Affine {
		h.Bias += step
	}
	n.w[c] = h
}

// see learns one example and returns its loss.
func (n *naiveModel) see(x []float64, y int) (updated bool, loss float64) {
	n.admit(x, y)
	m, r := n.margin(n.w, x, y)
	n.run++
	if updated = m <= n.theta(); updated {
		n.run, loss, n.k = 0, max(0, -m), n.k+1
		moved := 1.0 // planes
		if n.many() {
			moved = 2
		}
		n.norm2 = max(0, n.norm2+float64(2*n.Rate*m)+float64(n.Rate*n.Rate*(moved*n.square(x)))) // ‖w + ηyx‖²
		if n.many() {
			n.move(y, n.Rate, x)
			n.move(r, -n.Rate, x)
		} else if step := n.formulas().step(n, float64(y), n.score(n.w, 1, x), n.square(x)); step != 0 {
			n.move(1, step, x)
			n.steps += math.Abs(step)
		} else {
			updated = false
		}
		if n.Rule == marginRule {
			n.R2 = max(n.R2, n.square(x))
		}
	}
	if n.Keep != train.Last && n.Keep != train.Pocket {
		before := n.n + n.passed
		n.passed++
		n.iterates, n.counts = append(n.iterates, maps.Clone(n.w)), append(n.counts, n.n+n.passed-before)
	}
	if n.run > n.longest {
		n.longest, n.ofLong = n.run, maps.Clone(n.w)
	}
	return updated, loss
}

// stream learns one example of a stream, where a run alone decides about the pocket.
func (n *naiveModel) stream(x []float64, y int) (updated bool, loss float64) {
	updated, loss = n.see(x, y)
	if n.forget(); n.run > n.beat {
		n.pocket, n.beat = maps.Clone(n.w), n.run
	}
	return updated, loss
}

// learn is Learn, and Update for one example.
func (n *naiveModel) learn(X [][]float64, y []int) Epoch {
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

// begin begins a range, which knows all labels and counts the pocket on its own rows.
func (n *naiveModel) begin(X [][]float64, y []int) {
	for i, x := range X {
		n.admit(x, y[i])
	}
	n.beat = n.right(n.pocket, X, y)
	if n.many() && len(n.w) == 1 {
		n.beat = 0 // a pocket that is all zero has none right, even without a rival
	}
}

// epochs is Epochs.
func (n *naiveModel) epochs(X [][]float64, y []int) iter.Seq[Epoch] {
	return func(yield func(Epoch) bool) {
		n.begin(X, y)
		ended := n.brent()
		for left := n.MaxEpochs; ; left-- {
			e := n.epoch(X, y)
			switch {
			case e.Mistakes == 0 && n.satisfied(X, y):
				e.Stop = Converged
			case e.Mistakes > 0 && n.Order == train.Cyclic && n.Rule != shareRule && ended(): // its θ depends on k
				e.Stop = Cycled
			case left == 1:
				e.Stop = EpochLimit
			}
			if !yield(e) || e.Stop != Running {
				return
			}
		}
	}
}

// epoch learns the rows once. Then the iterate of the longest run, and after it the last one,
// challenge the pocket.
func (n *naiveModel) epoch(X [][]float64, y []int) Epoch {
	n.ran++
	e := Epoch{N: n.ran, Examples: len(X)}
	n.run, n.longest = 0, 0
	for _, i := range naiveOrder(n.Order, n.gen, len(X)) {
		updated, loss := n.see(X[i], y[i])
		if e.Loss += loss; updated {
			e.Mistakes++
			n.updated[i] = true
		}
	}
	n.forget()
	all := []iterate{n.w}
	if n.longest > 0 {
		all = []iterate{n.ofLong, n.w}
	}
	for _, w := range all {
		if right := n.right(w, X, y); right > n.beat {
			n.pocket, n.beat = maps.Clone(w), right
		}
	}
	e.Loss /= float64(len(X))
	return e
}

// right returns the rows that w predicts right, and whose score is no tie.
func (n *naiveModel) right(w iterate, X [][]float64, y []int) (right int) {
	for i, x := range X {
		if m, _ := n.margin(w, x, y[i]); m > 0 {
			right++
		}
	}
	return right
}

// satisfied reports whether no row needs an update.
func (n *naiveModel) satisfied(X [][]float64, y []int) bool {
	for i, x := range X {
		if m, _ := n.margin(n.w, x, y[i]); m <= n.theta() {
			return false
		}
	}
	return true
}

// brent returns a function that reports whether the weights and R_t equal those kept,
// and keeps them after 1, 2, 4, … calls more.
func (n *naiveModel) brent() func() bool {
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
func (n *naiveModel) result(all []Epoch) Result {
	res := Result{Epochs: len(all), Stop: all[len(all)-1].Stop, Upper: inf}
	if n.Order == train.Cyclic && n.Rule == onlineRule {
		res.Rows = len(n.updated)
	}
	for _, e := range all {
		res.Mistakes += e.Mistakes
	}
	if res.Mistakes > 0 && n.start.isZero() {
		if res.Upper = n.length() / n.Rate / float64(res.Mistakes); !n.Rule.Constant {
			res.Upper = n.length() / n.steps
		}
	}
	return res
}

// hyperplanes returns what Keep selects, by ascending class. For Average that is the
// exact mean over all examples seen, rounded once.
func (n *naiveModel) hyperplanes() (planes []Hyperplane) {
	for _, c := range n.classes() {
		if of := naiveKeeps[n.Keep]; of != nil { // else TestRegistered fails
			planes = append(planes, of(n, c))
		}
	}
	return planes
}

// compare compares what m has learned with the reference, and its scores and predictions with the
// hyperplanes that it has.
func (n *naiveModel) compare(t *testing.T, m model, set naive.Set) {
	t.Helper()
	classes, w := n.classes(), iterate{}
	if many, ok := m.(manyModel); ok {
		Diff(t, "classes", many.Classes(), classes)
	}
	exact := n.Keep != train.Average || set.Name == "whole" && n.Rate == 1 && n.Rule.Constant && n.Window == 0
	for i, want := range n.hyperplanes() {
		v := m.learned().Vector(i)
		got := Hyperplane{v[:n.d], v[n.d]}
		var last Hyperplane
		if w[classes[i]] = got; n.Window > 0 {
			last = n.w[classes[i]]
		}
		if !nearPlane(got, want, last, exact) {
			t.Fatalf("after %d epochs, class %d: %v, want\n%v", n.ran, classes[i], got, want)
		}
	}
	for _, x := range set.X {
		var scores, want []float64
		best := classes[0]
		for _, c := range classes {
			if want = append(want, n.score(w, c, x)); n.score(w, c, x) > n.score(w, best, x) {
				best = c
			}
		}
		if !n.many() && !(want[0] >= 0) {
			best = -1
		}
		got := 0
		switch one := m.(type) {
		case manyModel:
			scores, got = must(one.Scores(nil, x))(t), must(m.Predict(x))(t)
		case binaryModel:
			scores, got = []float64{must(one.Score(x))(t)}, must(m.Predict(x))(t)
		}
		if n.sparse {
			s, row := SparseModel{Model: m}, sparse([][]float64{x})[0]
			scores, got = must(s.Scores(nil, row))(t), must(s.Predict(row))(t)
		}
		if got != best || !slices.EqualFunc(scores, want, naive.SameBits) {
			t.Fatalf("scores %v and the class %d, want %v and %d", scores, got, want, best)
		}
	}
}
