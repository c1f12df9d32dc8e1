package perceptron

import (
	"fmt"
	"iter"
	"math"
	"reflect"
)

var _ Model = (*OneVsRest)(nil)

// OneVsRest learns any number of classes with one perceptron for each. To that
// perceptron the examples of its class are +1 and all others −1. OneVsRest predicts
// the class with the highest score, and the lowest of several such classes.
//
// In an epoch each worker reads a row once for all its classes, except where Pocket
// or Sampled checks all rows again. Each class computes what its separate perceptron
// would, bit for bit. A class that arrives late begins from Start, with its first
// example. It has not seen the earlier examples; consider another pass.
//
// The zero value is ready. With K classes, predicting and learning take O(Kd) an
// example. Training uses O(Kd) memory beside the data, and one index per row under
// Shuffled. Pocket uses O(Kn) more: see [Online].
//
// Any number of goroutines may read a model at once (Predict, Scores, Classes,
// Hyperplanes, Clone). Training requires exclusive use. Do not copy a trained model
// by value; Clone copies it.
type OneVsRest struct {
	// Binary is a *Online, *Batch or *Margin whose fields configure each class's
	// perceptron; nil means &Online{}. Its fields are read whenever its own training
	// call would read them. What it has learned is ignored, and it is never written.
	// With a *Batch, only Fit and Epochs are available, and its own Workers is
	// ignored.
	Binary Model
	// Workers is the number of goroutines that share the classes; 0 means
	// GOMAXPROCS. It never changes a bit of the result.
	Workers int

	core
}

// defaultBinary is what a nil Binary means. It is only read.
var defaultBinary = new(Online)

// binary returns Binary, or what nil means.
func (m *OneVsRest) binary() (model, error) {
	switch m.Binary.(type) {
	case nil:
		return defaultBinary, nil
	case *Online, *Batch, *Margin:
		if reflect.ValueOf(m.Binary).IsNil() {
			return nil, fmt.Errorf("%w: Binary is a nil %T; use a non-nil model, or leave Binary nil", ErrConfig, m.Binary)
		}
		return m.Binary.(model), nil
	}
	return nil, fmt.Errorf("%w: Binary is a %T, want a *perceptron.Online, *perceptron.Batch or *perceptron.Margin", ErrConfig, m.Binary)
}

func (m *OneVsRest) config() config {
	b, err := m.binary()
	if err != nil {
		return config{err: err}
	}
	c := b.config()
	c.scheme, c.workers = oneVsRest, m.Workers // Batch's own Workers is ignored
	return c
}

// streamConfig is the config of the methods that learn by example.
func (m *OneVsRest) streamConfig() config {
	c := m.config()
	if c.err == nil && c.rule == onGradient {
		c.err = fmt.Errorf("%w: Binary is a *perceptron.Batch, which has only Fit and Epochs", ErrConfig)
	}
	return c
}

// Fit trains from scratch on rows of at least two classes. Each class's perceptron
// trains until it has converged or cycled, and is then frozen, so the hyperplanes
// equal those of K separate fits. In the Result, Epochs is the maximum over the
// classes and Mistakes the sum. Stop is EpochLimit if any class has it, else Cycled
// if any class has it, else Converged.
//
// The errors are those of [Online.Fit], except that any label is valid. Fit returns
// ErrLabel if there is only one class.
func (m *OneVsRest) Fit(X [][]float64, y []int) (Result, error) {
	return m.fit(m.config(), m.start(), X, y)
}

// Epochs continues the training so far, as [Online.Epochs] does, and adds new
// classes. Every class trains in every epoch. The range ends when each class has
// converged or cycled, or at the limit.
func (m *OneVsRest) Epochs(X [][]float64, y []int) iter.Seq2[Epoch, error] {
	return func(yield func(Epoch, error) bool) { m.epochs(m.config(), m.start(), X, y, yield) }
}

// Learn makes one pass over a stream of examples, as [Online.Learn] does. A new
// class may arrive at any time.
func (m *OneVsRest) Learn(examples iter.Seq2[[]float64, int]) (Epoch, error) {
	return m.learn(m.streamConfig(), m.start(), examples)
}

// Update learns one example, whose class may be new. It reports whether any class's
// perceptron made a mistake on it; Predict may still have been right. It takes O(Kd),
// and allocates only for a new class. Its errors are those of Learn.
func (m *OneVsRest) Update(x []float64, y int) (updated bool, err error) {
	c := m.streamConfig()
	return m.update(&c, m.start(), x, y)
}

// Classes returns the classes seen, ascending.
func (m *OneVsRest) Classes() []int {
	t, err := m.trained()
	if err != nil {
		return nil
	}
	return t.classes()
}

// Hyperplanes returns a copy of each class's hyperplane, in the order of Classes.
func (m *OneVsRest) Hyperplanes() []Hyperplane {
	t, err := m.trained()
	if err != nil {
		return nil
	}
	planes := make([]Hyperplane, len(t.planes))
	for i := range planes {
		planes[i] = t.hyperplane(i)
	}
	return planes
}

// Scores appends each class's ⟨w, x⟩ + b to dst, in the order of Classes, and
// returns the extended slice. It takes O(Kd), and allocates only if dst is too
// small. The errors are those of [Online.Score]; dst is then returned unchanged.
func (m *OneVsRest) Scores(dst, x []float64) ([]float64, error) {
	t, err := m.trained()
	if err != nil {
		return dst, err
	}
	scores := dst
	for i := range t.planes {
		s, err := t.scoreOf(i, x)
		if err != nil {
			return dst, err
		}
		scores = append(scores, s)
	}
	return scores, nil
}

// Predict returns the class with the highest score, and the lowest of several such
// classes. It takes O(Kd) without allocating. Its errors are those of Scores.
func (m *OneVsRest) Predict(x []float64) (int, error) {
	t, err := m.trained()
	if err != nil {
		return 0, err
	}
	best, high := 0, math.Inf(-1)
	for i := range t.planes {
		s, err := t.scoreOf(i, x)
		if err != nil {
			return 0, err
		}
		if s > high {
			best, high = i, s
		}
	}
	return t.planes[best].class, nil
}

// Clone returns an independent copy: training one of the two never changes the other.
// Its Binary is a copy of the fields of m's Binary.
func (m *OneVsRest) Clone() *OneVsRest {
	c := m.copyFields()
	c.copyFrom(&m.core)
	return c
}

// String returns the model's kind, and its state in a few words.
func (m OneVsRest) String() string { return m.describe("OneVsRest") }

func (m *OneVsRest) start() *Hyperplane {
	if b, err := m.binary(); err == nil {
		return b.start()
	}
	return new(Hyperplane)
}

func (m *OneVsRest) fields() model { return m.copyFields() }

func (m *OneVsRest) copyFields() *OneVsRest {
	c := &OneVsRest{Binary: m.Binary, Workers: m.Workers}
	if b, err := m.binary(); err == nil && m.Binary != nil {
		c.Binary = b.fields()
	}
	return c
}
