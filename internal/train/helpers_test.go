package train

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"testing"

	"perceptron/internal/naive"
	"perceptron/internal/vec"
)

var inf = math.Inf(1)

// A model is an engine with the fields of its calls, as each model of package perceptron is.
type model struct {
	Engine
	Config
	Start []float64 // (w, b)
}

// An exampleError is what package perceptron has as ExampleError.
type exampleError struct {
	error
	index int
}

func init() { ErrorAt = func(index int, err error) error { return &exampleError{err, index} } }

// An Epoch has the arguments of a Report.
type Epoch struct {
	N, Examples, Mistakes int
	Loss                  float64
	Stop                  uint8
}

// A Result sums the epochs of a Fit.
type Result struct {
	Epochs, Mistakes int
	Stop             uint8
	Upper            float64
	Rows             int
}

// newModel returns a model with the fields c and the defaults of package perceptron.
func newModel(c Config) *model {
	c.Rate, c.MaxEpochs = cmp.Or(c.Rate, 1), cmp.Or(c.MaxEpochs, 1000)
	return &model{Config: ruled(c), Start: []float64{0}}
}

// The rules, written from package perceptron's documentation.
var (
	OnMistake   = &Rule{Name: "Online", Step: rosenblatt, Constant: true}
	WithinR     = &Rule{Name: "Margin", Step: rosenblatt, Constant: true, R2: true, Theta: func(u Progress) float64 { return u.Rate * u.R2 }}
	WithinGamma = &Rule{Name: "Margin", With: "Gamma", Step: rosenblatt, Constant: true, Norm: true, Theta: func(u Progress) float64 { return u.Gamma / 2 * u.Norm }}
	WithinTheta = &Rule{Name: "Margin", With: "Threshold", Step: rosenblatt, Constant: true, Theta: func(u Progress) float64 { return u.Threshold }}
	OnGradient  = &Rule{Name: "Batch", Step: rosenblatt, Constant: true, Descend: func(w, sum []float64, eta float64) bool { return vec.Axpy(w, w, eta, sum) }}

	rivalRule Rival = func(scores []float64, own int, theta, eta float64) (int, float64) {
		rest := slices.Clone(scores)
		rest[own] = -inf
		high := slices.Max(rest)
		if scores[own]-high > theta {
			return -1, 0
		}
		return slices.Index(rest, high), eta
	}
)

func rosenblatt(e Example) float64 {
	if e.Y*e.Score > e.Theta {
		return 0
	}
	return e.Y * e.Rate
}

// ruled returns c with its rules: OnMistake unless it has another.
func ruled(c Config) Config {
	c.Rule = cmp.Or(c.Rule, OnMistake)
	return c
}

func (m *model) Fit(X [][]float64, y []int) (r Result, err error) {
	if _, err := m.ReadsStart(true); err != nil {
		return r, err
	}
	r.Rows, r.Upper, err = m.Engine.Fit(m.Config, m.Start, Rows{X: X}, y, func(n, examples, mistakes int, loss float64, stop uint8) bool {
		r.Epochs, r.Mistakes, r.Stop = r.Epochs+1, r.Mistakes+mistakes, stop
		return false
	})
	return r, err
}

func (m *model) Epochs(X [][]float64, y []int) iter.Seq2[Epoch, error] {
	return func(yield func(Epoch, error) bool) {
		_, err := m.ReadsStart(false)
		if err == nil {
			err = m.Engine.Epochs(m.Config, m.Start, Rows{X: X}, y, func(n, examples, mistakes int, loss float64, stop uint8) bool {
				return yield(Epoch{n, examples, mistakes, loss, stop}, nil)
			})
		}
		if err != nil {
			yield(Epoch{}, err)
		}
	}
}

func (m *model) Learn(X [][]float64, y []int) (e Epoch, err error) {
	if _, err := m.ReadsStart(false); err != nil {
		return e, err
	}
	err = m.Engine.Learn(m.Config, m.Start, func(yield func([]float64, int) bool) {
		for i := 0; i < len(X) && yield(X[i], y[i]); i++ {
		}
	}, func(n, examples, mistakes int, loss float64, stop uint8) bool {
		e = Epoch{n, examples, mistakes, loss, stop}
		return false
	})
	return e, err
}

// reads reports whether Update learns under the fields c without checking them again.
func (m *model) reads(c Config) bool { return m.Current() != nil && *m.Current() == c }

func (m *model) Update(x []float64, y int) (bool, error) {
	if m.reads(m.Config) {
		return m.Continue(x, y)
	}
	if _, err := m.ReadsStart(false); err != nil {
		return false, err
	}
	return m.Engine.Update(&m.Config, m.Start, &vec.Row{Value: x}, y)
}

func (m *model) Clone() *model {
	c := &model{Config: m.Config, Start: slices.Clone(m.Start)}
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

// snapshot prints exactly everything that prediction and further training depend on.
func snapshot(m *model) string {
	t := m.now
	if t == nil {
		return "nothing"
	}
	gen, _ := t.gen.MarshalBinary()
	s := fmt.Sprintln(t.fields.Rate, t.planes.Width(), t.passes, t.seen, gen, t.fields.Space, t.fields.Order, t.fields.Keep, t.fields.Rule, t.fields.Parameters, t.start)
	for i, class := range t.classes {
		u := t.units[min(i, len(t.units)-1)]
		s += fmt.Sprintf("class %d of %b: R² %b, θ %b: %d %d\n", class, t.planes.Counted(i), u.r2, u.theta, u.pocket.beat, u.pocket.streak)
	}
	return s + fmt.Sprintf("%b", t.planes.Save())
}

// grid yields models with the Rest and Rival of kind, every rule that learns by example, every Keep and Space.
// Half of them have a rate that is no power of two. These have a start that is not zero, if they may have one.
func grid(kind Config, order uint8, d int) iter.Seq2[string, *model] {
	rules := []Config{{Rule: OnMistake}, {Rule: WithinR}, {Rule: WithinTheta, Parameters: Parameters{Threshold: 0.7}}, {Rule: WithinGamma, Parameters: Parameters{Gamma: 0.3}}}
	return func(yield func(string, *model) bool) {
		for i := range len(KeepNames) * 2 * 8 {
			c := rules[i%4]
			c.Rest, c.Rival, c.Order, c.Keep, c.Space, c.Seed = kind.Rest, kind.Rival, order, uint8(i/16), uint8(i/8%2), 7
			m := newModel(c)
			if i/4%2 == 1 {
				m.Rate = 0.1
				if kind.Rival == nil {
					m.Start = append(naive.Noisy(1, 1, d).X[0], 0)
				}
			}
			if !yield(fmt.Sprintf("%v/%v/%v/%v/%v", c.Rule, c.Keep, c.Space, c.Order, m.Rate), m) {
				return
			}
		}
	}
}

// planesFor returns a state with a plane for each class, before the first example.
func planesFor(c *Config, start []float64, d int, classes ...int) *state {
	t := newState(c, start)
	t.planes.SetWidth(d)
	for _, class := range classes {
		t.addClass(class)
	}
	return t
}

func must[T any](v T, err error) func(testing.TB) T { return naive.Must(v, err) }

// refused checks that err is of the kind, has the text after its prefix, and names the example with
// the index. If index is −1, it must name no example.
func refused(t testing.TB, err, kind error, index int, text string) {
	t.Helper()
	var e *exampleError
	named := errors.As(err, &e)
	of := err
	if named {
		of = e.error
	}
	if err == nil || err.Error() != "perceptron: "+text || !errors.Is(of, kind) || named != (index >= 0) || named && e.index != index {
		t.Errorf("error %v, want %q of kind %q and the index %d", err, text, kind, index)
	}
}

// sameVectors compares the vectors bit for bit.
func sameVectors(a, b [][]float64) bool {
	return slices.EqualFunc(a, b, func(v, w []float64) bool { return slices.EqualFunc(v, w, naive.SameBits) })
}
