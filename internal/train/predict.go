package train

import (
	"fmt"

	"perceptron/internal/vec"
)

// This file reads what an Engine has learned. Reads never write, except that one of them
// computes the means under Average.

// errNoExample is for reads of an untrained model.
var errNoExample = fmt.Errorf("%w: it has seen no example", ErrUntrained)

// Trained returns nil if the model has seen an example, and so can predict.
func (m *Engine) Trained() error {
	if m.now == nil || m.now.width == 0 {
		return errNoExample
	}
	return nil
}

// Vector returns the vector (w, b) by which the i-th hyperplane of a trained model predicts.
// It is the model's own memory.
func (m *Engine) Vector(i int) []float64 { return m.now.predictor(i) }

// SingleVector returns Vector(0) of a trained model of two classes under Last, else nil.
func (m *Engine) SingleVector() []float64 {
	if t := m.now; t != nil && t.Keep == Last && len(t.planes) == 1 {
		return t.planes[0].w
	}
	return nil
}

// Planes returns the number of hyperplanes of a trained model: one, or one for each class.
func (m *Engine) Planes() int { return len(m.now.planes) }

// Classes returns the classes of the hyperplanes of a trained model, ascending.
func (m *Engine) Classes() []int { return m.now.classes() }

// Class returns the class of the i-th hyperplane.
func (m *Engine) Class(i int) int { return m.now.planes[i].class }

// Score returns the score of a sparse row by the i-th hyperplane of a trained model, or the reason
// why it is not a finite number. It computes no other means than those of the row's non-zeros.
func (m *Engine) Score(i int, x *Row) (s float64, err error) {
	t := m.now
	if t.Keep == Average && t.means.outdated {
		if err := x.checkIndexes(); err != nil {
			return 0, err
		}
		s = t.planes[i].scoreMean(x, t.units[min(i, len(t.units)-1)].seen)
	} else {
		s = x.Score(t.predictor(i))
	}
	if !vec.IsFinite(s) {
		return 0, x.ScoreError(t.width)
	}
	return s, nil
}

// scoreMean returns the score of a sparse row by the mean of the n iterates.
func (q *plane) scoreMean(x *Row, n float64) float64 {
	mean := func(j int) float64 { return meanOf(q.w[j], q.average.sum[j], q.average.low[j], n) }
	sum := vec.SparseSum{N: x.Width}
	var means [64]float64 // so that nothing is allocated
	for k := 0; k < len(x.Index); k += len(means) {
		at := x.Index[k:min(k+len(means), len(x.Index))]
		for m, j := range at {
			means[m] = mean(int(j))
		}
		sum.Add(at, means[:], x.Value[k:])
	}
	return sum.Sum() + mean(x.Width)
}

// TwoClasses reports whether a trained model has two classes.
func (m *Engine) TwoClasses() bool { return m.now.Scheme == TwoClasses }

// Width returns the number of features of a row, or 0 if the model is untrained.
func (m *Engine) Width() int {
	if m.now == nil {
		return 0
	}
	return m.now.width
}

// Summary returns the fields of the last call of a trained model, its width, the examples that
// it has seen, and the passes that it has finished.
func (m *Engine) Summary() (c Config, width int, seen int64, passes int) {
	return m.now.Config, m.now.width, m.now.seen, m.now.passes
}
