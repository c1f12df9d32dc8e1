package perceptron

import (
	"errors"
	"fmt"
	"iter"
	"math"

	"perceptron/internal/train"
	"perceptron/internal/vec"
)

// This file has what the models share: their calls into internal/train, and prediction. The
// types of that package become those of this one here.

// fit is Fit of every model.
func fit(m model, X [][]float64, y []int) (Result, error) {
	c, err := begin(m, true)
	if err != nil {
		return Result{}, err
	}
	r, err := m.learned().Fit(c, origin(m), X, y)
	return Result{r.Epochs, r.Mistakes, Stop(r.Stop), r.Upper}, indexed(err)
}

// epochs is Epochs of every model.
func runEpochs(m model, X [][]float64, y []int) iter.Seq2[Epoch, error] {
	return func(yield func(Epoch, error) bool) {
		c, err := begin(m, false)
		if err != nil {
			yield(Epoch{}, err)
			return
		}
		m.learned().Epochs(c, origin(m), X, y, func(e train.Epoch, err error) bool { return yield(epochOf(e), indexed(err)) })
	}
}

// learn is Learn of every model that has it.
func learn(m model, examples iter.Seq2[[]float64, int]) (Epoch, error) {
	c, err := begin(m, false)
	if err != nil {
		return Epoch{}, err
	}
	e, err := m.learned().Learn(c, origin(m), examples)
	return epochOf(e), indexed(err)
}

// update is Update of every model that has it, where the fields may differ from those of the
// last call.
func update(m model, x []float64, y int) (updated bool, err error) {
	c, err := begin(m, false)
	if err != nil {
		return false, err
	}
	return m.learned().UpdateUnder(&c, origin(m), x, y)
}

// clone is Clone of every model.
func clone[M model](m M) M {
	c := m.fields().(M)
	m.learned().Clone(c.learned())
	return c
}

func origin(m model) *train.Hyperplane { return (*train.Hyperplane)(m.start()) }

func epochOf(e train.Epoch) Epoch {
	return Epoch{e.N, e.Examples, e.Mistakes, e.Loss, Stop(e.Stop)}
}

// indexed returns err with the ExampleError of this package.
func indexed(err error) error {
	if e, ok := errors.AsType[*train.ExampleError](err); ok {
		return &ExampleError{e.Index, e.Err}
	}
	return err
}

// checkRows checks in O(n) that there are rows of the width d, or of the first row's if d is
// 0, and a label for each.
func checkRows(X [][]float64, y []int, d int) error { return indexed(train.CheckRows(X, y, d)) }

// checkSigns checks that every label is +1 or −1.
func checkSigns(y []int) error { return indexed(train.CheckSigns(y)) }

// describe returns a model's String: its kind, its classes and width, Space, Keep,
// and the passes finished.
func describe(m *train.Engine, kind string) string {
	if m.Trained() != nil {
		return kind + ": untrained"
	}
	c, width, passes := m.Fields()
	classes := "2 classes"
	if c.Scheme != train.TwoClasses {
		kind += " of " + c.Rule.String()
		classes = fmt.Sprintf("%d classes", m.Planes())
	}
	return fmt.Sprintf("%s: %s, width %d, %v, %v, passes: %d", kind, classes, width, c.Space, c.Keep, passes)
}

// A twoClass is the engine of the models of two classes, and has the methods that
// they share.
type twoClass struct{ engine train.Engine }

func (m *twoClass) learned() *train.Engine { return &m.engine }

// Score returns ⟨w, x⟩ + b in O(d) without allocating. w and b are those that
// Hyperplane returns.
//
// It returns ErrUntrained if the model has seen no example, ErrEmpty if x is empty,
// ErrDimension if x has another width, and ErrNotFinite if the score is NaN or
// infinite. Any NaN or ±Inf in x has this effect.
func (m *twoClass) Score(x []float64) (float64, error) {
	if err := m.engine.Trained(); err != nil {
		return 0, err
	}
	return scoreOf(m.engine.Vector(0), x)
}

// Predict returns +1 if the score is at least 0, else −1. Its errors are those of
// Score.
func (m *twoClass) Predict(x []float64) (int, error) {
	// Score and sign take as long as the sum of a few features, so Last has a short way.
	if w := m.engine.Only(); w != nil {
		switch s := train.Score(w, x); {
		case s >= 0 && s <= math.MaxFloat64:
			return +1, nil
		case s < 0 && s >= -math.MaxFloat64:
			return -1, nil
		}
	}
	return m.predict(x)
}

// predict is Predict without the short way.
func (m *twoClass) predict(x []float64) (int, error) {
	s, err := m.Score(x)
	return sign(s, err)
}

// Hyperplane returns a copy of the hyperplane that Predict uses. It is the zero
// Hyperplane if the model has seen no example.
func (m *twoClass) Hyperplane() Hyperplane {
	if m.engine.Trained() != nil {
		return Hyperplane{}
	}
	return hyperplaneOf(m.engine.Vector(0))
}

// A manyClass is the engine of the models of many classes, and has the methods that
// they share.
type manyClass struct{ engine train.Engine }

func (m *manyClass) learned() *train.Engine { return &m.engine }

// Classes returns the classes seen, ascending.
func (m *manyClass) Classes() []int {
	if m.engine.Trained() != nil {
		return nil
	}
	classes := make([]int, m.engine.Planes())
	for i := range classes {
		classes[i] = m.engine.Class(i)
	}
	return classes
}

// Hyperplanes returns a copy of each class's hyperplane, in the order of Classes.
func (m *manyClass) Hyperplanes() []Hyperplane {
	if m.engine.Trained() != nil {
		return nil
	}
	planes := make([]Hyperplane, m.engine.Planes())
	for i := range planes {
		planes[i] = hyperplaneOf(m.engine.Vector(i))
	}
	return planes
}

// Scores appends each class's ⟨w, x⟩ + b to dst, in the order of Classes, and
// returns the extended slice. It takes O(Kd), and allocates only if dst is too
// small. The errors are those of [Online.Score]; dst is then returned unchanged.
func (m *manyClass) Scores(dst, x []float64) ([]float64, error) {
	if err := m.engine.Trained(); err != nil {
		return dst, err
	}
	scores := dst
	for i := range m.engine.Planes() {
		s, err := scoreOf(m.engine.Vector(i), x)
		if err != nil {
			return dst, err
		}
		scores = append(scores, s)
	}
	return scores, nil
}

// Predict returns the class with the highest score, and the lowest of several such
// classes. It takes O(Kd) without allocating. Its errors are those of Scores.
func (m *manyClass) Predict(x []float64) (int, error) {
	if err := m.engine.Trained(); err != nil {
		return 0, err
	}
	best, high := 0, math.Inf(-1)
	for i := range m.engine.Planes() {
		s, err := scoreOf(m.engine.Vector(i), x)
		if err != nil {
			return 0, err
		}
		if s > high {
			best, high = i, s
		}
	}
	return m.engine.Class(best), nil
}

// scoreOf returns ⟨w, x⟩ + b, where w holds the bias last, or the reason why it is not a
// finite number.
func scoreOf(w, x []float64) (float64, error) {
	s := train.Score(w, x)
	if !vec.IsFinite(s) {
		return 0, train.ScoreError(len(w)-1, x)
	}
	return s, nil
}

// hyperplaneOf returns a copy of w, which holds the bias last.
func hyperplaneOf(w []float64) Hyperplane {
	d := len(w) - 1
	return Hyperplane{Weights: w[:d], Bias: w[d]}.clone()
}
