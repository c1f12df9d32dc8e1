package train

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

var inf = math.Inf(1)

// A model is an engine with the fields of its calls, as each model of package perceptron is.
type model struct {
	Engine
	Config
	Start Hyperplane
}

// newModel returns a model with the fields c and the defaults of package perceptron.
func newModel(c Config) *model {
	if c.Rate == 0 {
		c.Rate = 1
	}
	if c.MaxEpochs == 0 {
		c.MaxEpochs = 1000
	}
	return &model{Config: c}
}

func (m *model) Fit(X [][]float64, y []int) (Result, error) {
	if _, err := m.Begin(true); err != nil {
		return Result{}, err
	}
	return m.Engine.Fit(m.Config, &m.Start, Rows{X: X}, y)
}

func (m *model) Epochs(X [][]float64, y []int) iter.Seq2[Epoch, error] {
	return func(yield func(Epoch, error) bool) {
		if _, err := m.Begin(false); err != nil {
			yield(Epoch{}, err)
			return
		}
		if err := m.Engine.Epochs(m.Config, &m.Start, Rows{X: X}, y, func(e Epoch) bool { return yield(e, nil) }); err != nil {
			yield(Epoch{}, err)
		}
	}
}

func (m *model) Learn(examples iter.Seq2[[]float64, int]) (Epoch, error) {
	if _, err := m.Begin(false); err != nil {
		return Epoch{}, err
	}
	return m.Engine.Learn(m.Config, &m.Start, examples)
}

// reads reports whether Update learns under the fields c without more ado.
func (m *model) reads(c Config) bool { return m.Current() != nil && *m.Current() == c }

func (m *model) Update(x []float64, y int) (bool, error) {
	if m.reads(m.Config) {
		return m.Continue(x, y)
	}
	if _, err := m.Begin(false); err != nil {
		return false, err
	}
	return m.Engine.Update(&m.Config, &m.Start, &Row{Value: x}, y)
}

func (m *model) Clone() *model {
	c := &model{Config: m.Config, Start: m.Start.clone()}
	m.Engine.Clone(&c.Engine)
	return c
}

// fresh returns an untrained model with the fields of m.
func (m *model) fresh() *model { return &model{Config: m.Config, Start: m.Start} }

// vectors returns a copy of the vectors (w, b) that predict.
func (m *model) vectors() [][]float64 {
	v := make([][]float64, m.Planes())
	for i := range v {
		v[i] = slices.Clone(m.Vector(i))
	}
	return v
}

// plane returns the hyperplane by which a model of two classes predicts.
func (m *model) plane() Hyperplane {
	w := m.vectors()[0]
	return Hyperplane{w[:len(w)-1], w[len(w)-1]}
}

// accuracy returns the share of rows that a model has right.
func (m *model) accuracy(X [][]float64, y []int) float64 {
	right := 0
	for i, x := range X {
		scores := make([]float64, m.Planes())
		for k := range scores {
			scores[k] = Score(m.Vector(k), x)
		}
		class := m.Classes()[slices.Index(scores, slices.Max(scores))]
		if m.Scheme == TwoClasses {
			if class = -1; scores[0] >= 0 {
				class = +1
			}
		}
		if class == y[i] {
			right++
		}
	}
	return float64(right) / float64(len(X))
}

// snapshot prints exactly everything that prediction and further training depend on.
func snapshot(m *model) string {
	t := m.now
	if t == nil {
		return "nothing"
	}
	t.refresh()
	gen, _ := t.gen.MarshalBinary()
	s := fmt.Sprintln(t.Rate, t.width, t.passes, t.seen, gen, t.Space, t.Order, t.Keep, t.Rule, t.Bound(), t.start)
	for i, q := range t.planes {
		u, a := t.units[min(i, len(t.units)-1)], q.average
		k, seen := u.pocket, u.seen
		if t.Keep != Average {
			seen = 0
		}
		s += fmt.Sprintf("class %d: w %b, R² %b, θ %b\naverage %b %b of %b: %b\npocket %b: %d %d\n",
			q.class, q.w, u.r2, u.theta, a.sum, a.low, seen, a.mean, q.pocket, k.beat, k.run)
	}
	return s
}

// grid yields models of the scheme with every rule that learns by example, every Keep and
// Space. Half of them have a rate that is no power of two, and if they may, a start that is
// not zero.
func grid(scheme Scheme, order Order, d int) iter.Seq2[string, *model] {
	rules := []Config{{Rule: OnMistake}, {Rule: WithinR}, {Rule: WithinTheta, Threshold: 0.7}, {Rule: WithinGamma, Gamma: 0.3}}
	return func(yield func(string, *model) bool) {
		for i := range 3 * 2 * 8 {
			c := rules[i%4]
			c.Scheme, c.Order, c.Keep, c.Space, c.Seed = scheme, order, Keep(i/16), Space(i/8%2), 7
			m := newModel(c)
			if i/4%2 == 1 {
				m.Rate = 0.1
				if scheme != Kesler {
					m.Start.Weights = gaussianRows(1, 1, d)[0]
				}
			}
			if !yield(fmt.Sprintf("%v/%v/%v/%v/%v", c.Rule, c.Keep, c.Space, c.Order, m.Rate), m) {
				return
			}
		}
	}
}

// lone returns a unit of one plane.
func lone(c *Config, start Hyperplane, d, class int) (*unit, *plane) {
	q := newPlane(c, start, d, class)
	return newUnit(c, []*plane{q}), q
}

func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// must2 ranges over epochs and fails the test on an error.
func must2(t testing.TB, epochs iter.Seq2[Epoch, error]) iter.Seq[Epoch] {
	return func(yield func(Epoch) bool) {
		for e, err := range epochs {
			if err != nil {
				t.Fatal(err)
			}
			if !yield(e) {
				return
			}
		}
	}
}

// refused checks that err is of the kind and has the text after its prefix, and names the
// example with the index; no example if that is −1.
func refused(t testing.TB, err, kind error, index int, text string) {
	t.Helper()
	e, named := errors.AsType[*ExampleError](err)
	of := err
	if named {
		of = e.Err
	}
	if err == nil || err.Error() != "perceptron: "+text || !errors.Is(of, kind) || named != (index >= 0) || named && e.Index != index {
		t.Errorf("error %v, want %q of kind %q and the index %d", err, text, kind, index)
	}
}

func sameBits(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }

func samePlane(a, b Hyperplane) bool {
	return slices.EqualFunc(a.Weights, b.Weights, sameBits) && sameBits(a.Bias, b.Bias)
}

// sameVectors compares the vectors bit for bit.
func sameVectors(a, b [][]float64) bool {
	return slices.EqualFunc(a, b, func(v, w []float64) bool { return slices.EqualFunc(v, w, sameBits) })
}

// dataset is labelled rows with a name.
type dataset struct {
	name string
	X    [][]float64
	y    []int
}

// pairs yields the rows of a dataset.
func (s dataset) pairs() iter.Seq2[[]float64, int] {
	return func(yield func([]float64, int) bool) {
		for i := 0; i < len(s.X) && yield(s.X[i], s.y[i]); i++ {
		}
	}
}

// xor has no separating hyperplane.
var xor = dataset{"xor", [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}}, []int{-1, +1, +1, -1}}

func gaussian(r *rand.Rand, d int) []float64 {
	x := make([]float64, d)
	for j := range x {
		x[j] = r.NormFloat64()
	}
	return x
}

func gaussianRows(seed uint64, n, d int) (X [][]float64) {
	r := rand.New(rand.NewPCG(seed, 0))
	for range n {
		X = append(X, gaussian(r, d))
	}
	return X
}

// noisy draws rows whose labels are random.
func noisy(seed uint64, n, d int) dataset {
	s, r := dataset{"noisy", gaussianRows(seed, n, d), nil}, rand.New(rand.NewPCG(seed, 2))
	for range n {
		s.y = append(s.y, 1-2*r.IntN(2))
	}
	return s
}

// separable draws rows with |⟨u, x⟩| ≥ gap for a random unit u, which labels them.
func separable(seed uint64, n, d int, gap float64) dataset {
	r, s := rand.New(rand.NewPCG(seed, 1)), dataset{name: "separable"}
	u := gaussian(r, d)
	length := math.Sqrt(naiveDot(u, u))
	for len(s.X) < n {
		x := gaussian(r, d)
		if z := naiveDot(u, x) / length; math.Abs(z) >= gap {
			s.X, s.y = append(s.X, x), append(s.y, 1-2*int(math.Float64bits(z)>>63))
		}
	}
	return s
}

// whole draws rows of small integers, on which every sum is exact.
func whole(seed uint64, n, d int) dataset {
	s, r := noisy(seed, n, d), rand.New(rand.NewPCG(seed, 3))
	s.name = "whole"
	for _, x := range s.X {
		for j := range x {
			x[j] = float64(r.IntN(9) - 4)
		}
	}
	return s
}

// multi draws rows of k classes, whose labels are any ints.
func multi(seed uint64, n, d, k int) dataset {
	labels := []int{7, -300, 0, 1 << 30, 12, -1, 5, 99, 8, 3}[:k]
	centres, s := gaussianRows(seed, k, d), dataset{"multi", gaussianRows(seed+1000, n, d), nil}
	for i, x := range s.X {
		for j := range x {
			x[j] = 0.4*x[j] + 2*centres[i%k][j]
		}
		s.y = append(s.y, labels[i%k])
	}
	return s
}

// against returns +1 for the class and −1 for the rest.
func against(y []int, class int) []int {
	z := make([]int, len(y))
	for i, label := range y {
		if z[i] = -1; label == class {
			z[i] = +1
		}
	}
	return z
}
