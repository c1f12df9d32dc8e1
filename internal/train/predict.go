package train

import "fmt"

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

// Summary returns the fields of the last call of a trained model, its width, the examples that
// it has seen, and the passes that it has finished.
func (m *Engine) Summary() (c Config, width int, seen int64, passes int) {
	return m.now.Config, m.now.width, m.now.seen, m.now.passes
}
