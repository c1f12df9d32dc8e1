package train

import (
	"fmt"

	"perceptron/internal/vec"
)

// Any number of goroutines may call these methods at once. They change nothing, but for the means
// under Average, which the first call after training computes.

// errNoExample is the error for a read of an untrained model.
var errNoExample = fmt.Errorf("%w: it has seen no example", ErrUntrained)

// Trained returns nil if the model has seen an example, else ErrUntrained. The other methods need a
// trained model.
func (m *Engine) Trained() error {
	if m.now == nil || m.now.width == 0 {
		return errNoExample
	}
	return nil
}

// Vector returns the vector (w, b) with which the i-th hyperplane predicts. Under Average, the
// first call after training computes the means of all planes, in O(Kd). The caller must not change
// the vector. Training may change it.
func (m *Engine) Vector(i int) []float64 { return m.now.predictor(i) }

// SingleVector returns Vector(0) of a trained model that has one hyperplane and Keep Last, else
// nil: the case in which nothing has to be computed first. It is short enough to be inlined.
func (m *Engine) SingleVector() []float64 {
	if t := m.now; t != nil && t.Keep == Last && len(t.planes) == 1 {
		return t.planes[0].w
	}
	return nil
}

// Planes returns the number of hyperplanes: one, or one for each class.
func (m *Engine) Planes() int { return len(m.now.planes) }

// Classes returns the classes of the hyperplanes, ascending. The caller must not change them.
func (m *Engine) Classes() []int { return m.now.classes }

// Score returns the score of a sparse row by the i-th hyperplane, or why it is not finite. Under
// Average, it computes only those elements of the mean that the row needs, unless the whole mean
// has been computed since training.
func (m *Engine) Score(i int, index []uint32, value []float64) (s float64, err error) {
	t, x := m.now, Row{index, value, m.now.width}
	if t.Keep == Average && t.means.outdated.Load() {
		s = t.planes[i].scoreMean(&x, t.unitOf(i).seen)
	} else {
		s = x.Score(t.predictor(i))
	}
	if !vec.IsFinite(s) {
		return 0, x.ScoreError(t.width)
	}
	return s, nil
}

// scoreMean returns the score of a sparse row by the mean of the iterates after n examples. It
// computes the mean of each non-zero's weight, in O(non-zeros), with the bits that kept gives.
func (q *plane) scoreMean(x *Row, n float64) float64 {
	a, d := &q.average, len(q.w)-1
	return vec.DotMeans(q.w[:d], a.sum, a.low, n, x.Index, x.Value) + vec.Mean(q.w[d], a.sum[d], a.low[d], n)
}

// TwoClasses reports whether the model has one hyperplane for two classes.
func (m *Engine) TwoClasses() bool { return m.now.Scheme == TwoClasses }

// Summary returns the fields of the last training call, the features of a row, the number of
// examples seen, and the number of passes finished. All are zero for an untrained model. The caller
// must not change the fields.
func (m *Engine) Summary() (c *Config, width int, seen int64, passes int) {
	if t := m.now; t != nil {
		return &t.Config, t.width, t.seen, t.passes
	}
	return &Config{}, 0, 0, 0
}
