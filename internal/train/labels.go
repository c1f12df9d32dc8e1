package train

import (
	"math"
	"slices"

	"perceptron/internal/vec"
	"perceptron/internal/weights"
)

// Labeler returns a function that sets labels to the model's predictions for the dense rows X, up to
// the first row that has no finite score. The function returns the index of that row, or the number
// of rows; for an untrained model it returns 0. It takes less time than separate predictions. Only
// one goroutine may use the function, and only until the model is trained again.
func (m *Engine) Labeler() func(labels []int, X [][]float64) int {
	var label func(labels []int, X [][]float64) int
	return func(labels []int, X [][]float64) int {
		if label == nil && len(X) > 0 {
			if _, err := m.Reader(len(X[0])); err != nil { // before the vectors are computed, which may be large
				return 0
			}
			vectors := make([][]float64, m.Planes())
			for i := range vectors {
				vectors[i] = m.Vector(i)
			}
			if label = Signs(vectors[0]); m.Many() {
				label = Highest(m.Classes(), vectors)
			}
		}
		if label == nil {
			return 0
		}
		return label(labels, X)
	}
}

// Signs is Labeler for a binary model with the vector (w, b): labels are +1 or −1.
func Signs(w []float64) func(labels []int, X [][]float64) int {
	return func(labels []int, X [][]float64) int {
		for i, x := range X {
			s := weights.Score(w, x)
			if !vec.IsFinite(s) {
				return i
			}
			labels[i] = int(vec.Sign(s >= 0))
		}
		return len(X)
	}
}

// Highest is Labeler for a model with a vector (w, b) for each class. l.Theta is +Inf, which no
// margin exceeds, so Scan scores each row and stops there.
func Highest(classes []int, vectors [][]float64) func(labels []int, X [][]float64) int {
	d := len(vectors[0]) - 1
	together := new(vec.Classes)
	together.Reset(classes, d)
	for k, w := range vectors {
		together.Set(k, w)
	}
	return func(labels []int, X [][]float64) int {
		if i := slices.IndexFunc(X, func(x []float64) bool { return len(x) != d }); i >= 0 {
			X = X[:i]
		}
		for i := range X {
			labels[i] = classes[0]
		}
		l := vec.Lesson{X: X, Y: labels, Theta: math.Inf(1), Halt: true, Fetch: len(X)*d > lastCache}
		for i := range X {
			if together.Scan(&l, i, i+1); !vec.Finite(together.Scores) {
				return i
			}
			labels[i] = classes[highest(together.Scores)]
		}
		return len(X)
	}
}

// SparseScores calls use with the index and the score of each plane, in any order, for a sparse row. It
// returns an error if a score is not finite.
func (m *Engine) SparseScores(index []uint32, value []float64, use func(i int, score float64)) error {
	x := vec.Sparse{Index: index, Value: value}.Row(m.now.planes.Width())
	if !m.now.planes.Read(&x, use) {
		return scoreError(&x, x.Width)
	}
	return nil
}

// SparseLabels sets labels to a trained model's predictions for the sparse rows X, up to the first
// row that has no finite score. It returns the index of that row, or the number of rows.
func (m *Engine) SparseLabels(labels []int, X []vec.Sparse) int {
	n := 0
	for i := range X {
		n += len(X[i].Index)
	}
	m.now.planes.ExpectReads(n) // counts all rows now, so that even the first row is read from the copies if they pay
	for i, x := range X {
		var err error
		if labels[i], err = m.SparseLabel(x.Index, x.Value); err != nil {
			return i
		}
	}
	return len(labels)
}

// SparseLabel returns the label that a trained model predicts for a sparse row. It allocates only
// what [Engine.SparseScores] allocates.
func (m *Engine) SparseLabel(index []uint32, value []float64) (int, error) {
	best, high := 0, math.Inf(-1)
	if err := m.SparseScores(index, value, func(i int, s float64) {
		if s > high || s == high && i < best {
			best, high = i, s
		}
	}); err != nil {
		return 0, err
	}
	if !m.Many() {
		return int(vec.Sign(high >= 0)), nil
	}
	return m.Classes()[best], nil
}

// highest returns the index of the highest score, and of equal scores the first.
func highest(scores []float64) (best int) {
	for i, s := range scores {
		if s > scores[best] {
			best = i
		}
	}
	return best
}
