package perceptron

import (
	"fmt"
	"iter"
	"math"
)

// OneVsRest learns any number of classes with a perceptron for each, to which
// the examples of its class are +1 and all others −1. It predicts the class
// with the highest score, the lowest of those that share it.
//
// Binary says which perceptron: a *Online, *Batch or *Margin, nil for &Online{}.
// Its fields configure each class's perceptron: all are read at Fit and at the
// first training, and again at later calls as its own would be, where Rate and
// MaxEpochs may have changed. What it has learned is ignored, and it is never
// written. With a *Batch there are Fit and Epochs only, and its
// own Workers is ignored.
//
// In an epoch each worker reads a row once for all its classes, and computes for
// each what the separate perceptron would, bit for bit. A class that arrives late
// begins from Start, with its first example: its weights, average and pocket know
// nothing of the examples before, so another pass over them is worth its while.
//
// The zero value is ready. With K classes a look at an example takes O(Kd);
// training holds O(Kd) memory beside the data, and an index a row under
// Shuffled.
//
// Any number of goroutines may read a model at once (Predict, Scores, Classes,
// Hyperplanes, Clone); training needs the model alone. A trained model must not
// be copied by value: Clone copies.
type OneVsRest struct {
	Binary  Model // *Online, *Batch or *Margin; nil means &Online{}
	Workers int   // goroutines that share out the classes; 0 means GOMAXPROCS; the count never changes a bit

	learned learned
}

// twoClass is what the models that OneVsRest can multiply have in common.
type twoClass interface {
	trainable
	settings() (settings, error)
}

// binary returns Binary, or what nil means.
func (m *OneVsRest) binary() (twoClass, error) {
	switch b := m.Binary.(type) {
	case nil:
		return new(Online), nil
	case *Online:
		if b != nil {
			return b, nil
		}
	case *Batch:
		if b != nil {
			return b, nil
		}
	case *Margin:
		if b != nil {
			return b, nil
		}
	default:
		return nil, fmt.Errorf("%w: Binary is a %T, want a *perceptron.Online, *perceptron.Batch or *perceptron.Margin", ErrConfig, b)
	}
	return nil, fmt.Errorf("%w: Binary is a nil %T, want one that is not nil, or plain nil", ErrConfig, m.Binary)
}

func (m *OneVsRest) settings() (settings, error) {
	b, err := m.binary()
	if err != nil {
		return settings{}, err
	}
	if p, ok := b.(*Batch); ok { // whose own Workers is ignored
		p = p.fields().(*Batch)
		p.Workers = 0
		b = p
	}
	s, err := b.settings()
	if err != nil {
		return s, err
	}
	s.multiclass = true
	s.workers = m.Workers
	return s, s.check()
}

// stream is settings for the methods that learn by example.
func (m *OneVsRest) stream() (settings, error) {
	s, err := m.settings()
	if err == nil && s.rule == onGradient {
		return s, fmt.Errorf("%w: Binary is a *perceptron.Batch, which learns by Fit and Epochs only", ErrConfig)
	}
	return s, err
}

// Fit trains afresh on rows of at least two classes. Each class's perceptron
// trains until it has converged or cycled, and then stays as it is: the
// hyperplanes equal those of K separate fits. The Result has the most epochs
// of any class, the sum of their mistakes, and the Stop EpochLimit if any class
// has it, else Cycled if any has, else Converged.
//
// Errors are those of [Online.Fit], but that any label is good; ErrLabel tells
// that there is one class only.
func (m *OneVsRest) Fit(X [][]float64, y []int) (Result, error) {
	s, err := m.settings()
	if err != nil {
		return Result{}, err
	}
	return m.learned.fit(s, X, y)
}

// Epochs trains on from where the model stands, as [Online.Epochs] does, with
// new classes added. Every class trains in every epoch; the range ends when
// each has converged or cycled, or at the limit.
func (m *OneVsRest) Epochs(X [][]float64, y []int) iter.Seq2[Epoch, error] {
	return m.learned.epochs(m.settings, X, y)
}

// Learn makes one pass over a stream of examples, as [Online.Learn] does. A
// class never seen may arrive at any time.
func (m *OneVsRest) Learn(examples iter.Seq2[[]float64, int]) (Epoch, error) {
	s, err := m.stream()
	if err != nil {
		return Epoch{}, err
	}
	return m.learned.learn(s, examples)
}

// Update learns one example, whose class may be new, and tells whether it was a
// mistake of any class's perceptron, which is not to say that Predict was wrong.
// It takes O(Kd) and allocates nothing but for a new class.
func (m *OneVsRest) Update(x []float64, y int) (updated bool, err error) {
	s, err := m.stream()
	if err != nil {
		return false, err
	}
	return m.learned.update(&s, x, y)
}

// Classes returns the classes seen, ascending.
func (m *OneVsRest) Classes() []int {
	t, err := m.learned.trained()
	if err != nil {
		return nil
	}
	return t.classes()
}

// Hyperplanes returns a copy of each class's hyperplane, in Classes' order.
func (m *OneVsRest) Hyperplanes() []Hyperplane {
	t, err := m.learned.trained()
	if err != nil {
		return nil
	}
	planes := make([]Hyperplane, len(t.learners))
	for i := range planes {
		planes[i] = t.hyperplane(i)
	}
	return planes
}

// Scores appends each class's ⟨w, x⟩ + b to dst, in Classes' order, and returns
// the extended slice; in O(Kd), allocating only if dst is too small. Errors are
// those of [Online.Score]; dst is then returned as it was.
func (m *OneVsRest) Scores(dst, x []float64) ([]float64, error) {
	t, err := m.learned.trained()
	if err != nil {
		return dst, err
	}
	scores := dst
	for i := range t.learners {
		s, err := t.score(i, x)
		if err != nil {
			return dst, err
		}
		scores = append(scores, s)
	}
	return scores, nil
}

// Predict returns the class with the highest score, the lowest of those that
// share it, in O(Kd) without allocating; errors as of Scores.
func (m *OneVsRest) Predict(x []float64) (int, error) {
	t, err := m.learned.trained()
	if err != nil {
		return 0, err
	}
	best, high := 0, math.Inf(-1)
	for i := range t.learners {
		s, err := t.score(i, x)
		if err != nil {
			return 0, err
		}
		if s > high {
			best, high = i, s
		}
	}
	return t.learners[best].class, nil
}

// Clone returns a copy that is trained on its own. It has a Binary of its own,
// with the same fields.
func (m *OneVsRest) Clone() *OneVsRest {
	c := m.fields().(*OneVsRest)
	c.learned.clone(&m.learned)
	return c
}

func (m *OneVsRest) state() *learned { return &m.learned }

func (m *OneVsRest) fields() Model {
	c := &OneVsRest{Binary: m.Binary, Workers: m.Workers}
	if b, err := m.binary(); err == nil && m.Binary != nil {
		c.Binary = b.fields()
	}
	return c
}
