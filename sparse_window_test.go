package perceptron

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"perceptron/internal/naive"
	"perceptron/internal/saved"
)

// What a sparse row sees of a model, in tests.

// newWindowTwin draws models and rows that have elements at the same indexes.
func newWindowTwin(r *rand.Rand) *sparseTwin {
	d, k, many, density := 1+r.IntN(400), 2+r.IntN(6), r.IntN(2) == 0, max(0, r.Float64()*1.2-0.1)
	s := &sparseTwin{epochs: 1 + r.IntN(12), at: []uint32{}}
	for j := range d {
		if r.Float64() < density || j == d-1 {
			s.at = append(s.at, uint32(j))
		}
	}
	for i := range 1 + r.IntN(40) {
		x := Sparse{s.at, naive.Gaussian(r, len(s.at))}
		s.X, s.D, s.y = append(s.X, x), append(s.D, slices.Clone(x.Value)), append(s.y, labelOf(r, i, k, many))
	}
	s.setModels(r, []float64{0, 0.1, 2}, s.at, d, many)
	return s
}

// compressed returns what m has learned, with only the elements of its vectors at the indexes at.
func (s *sparseTwin) compressed(m model) string {
	_, _, state := m.learned().State()
	if state == nil {
		return "nothing"
	}
	if len(state.Hyperplanes) > 0 {
		state.Width = len(s.at)
	}
	state.Exchange(func(v saved.Vector, last ...float64) saved.Vector {
		all, some := append(v.Dense(), last...), []float64{}
		for j, x := range all[:len(all)-1] {
			if _, found := slices.BinarySearch(s.at, uint32(j)); found {
				some = append(some, x)
			} else if x != 0 {
				panic("a weight of a feature that no row has")
			}
		}
		return saved.Pack(append(some, all[len(all)-1]))
	})
	data, err := json.Marshal(state)
	return fmt.Sprint(string(data), err)
}

// predict compares the predictions and scores of a row with those of the hyperplanes, of which the row
// has the elements that it needs.
func (s *sparseTwin) predict(i int) error {
	var dense model = s.dense
	x := s.D[i]
	if s.at == nil && dense.learned().Trained() == nil {
		window := func(h Hyperplane) Hyperplane {
			w := []float64{0} // a row of no features is not legal
			for _, j := range s.X[i].Index {
				w = append(w, h.Weights[j])
			}
			return Hyperplane{w[min(1, len(w)-1):], h.Bias}
		}
		if x = s.X[i].Value; len(x) == 0 {
			x = []float64{0}
		}
		h := Hyperplanes{}
		if m, many := dense.(manyModel); many {
			h = m.Hyperplanes()
			for k, plane := range h.Planes {
				h.Planes[k] = window(plane)
			}
			return s.predicts(i, result(h.Predict(x)), result(h.Scores(nil, x)))
		}
		plane := window(dense.(interface{ Hyperplane() Hyperplane }).Hyperplane())
		score, err := plane.Score(x)
		return s.predicts(i, result(plane.Predict(x)), result([]float64{score}, err))
	}
	if m, many := dense.(manyModel); many {
		return s.predicts(i, result(dense.Predict(x)), result(m.Scores(nil, x)))
	}
	score, err := dense.(scorer).Score(x)
	return s.predicts(i, result(dense.Predict(x)), result([]float64{score}, err))
}

// predicts compares the predictions and scores of a row with others.
func (s *sparseTwin) predicts(i int, label, scores string) error {
	got, err := s.sparse.Scores(nil, s.X[i])
	if err != nil && scores[:2] != "[]" {
		got = []float64{0} // what a binary model returns
	}
	if sparse := result(s.sparse.Predict(s.X[i])); s.differ(sparse, label) || s.differ(result(got, err), scores) {
		return fmt.Errorf("row %d: Predict %s, dense %s; Scores %s, dense %s", i, sparse, label, result(got, err), scores)
	}
	return nil
}

// TestSparseNaive compares training on sparse rows with the formulas, of which each product is that of
// a row's features that are not 0 and their window.
func TestSparseNaive(t *testing.T) {
	t.Parallel()
	set := naive.Noisy(5, 40, 70)
	r := rand.New(rand.NewPCG(5, 5))
	for _, x := range set.X {
		for j := range x {
			if r.IntN(10) < 4 {
				x[j] = 0
			}
		}
	}
	many := naive.Set{Name: "many", X: set.X, Y: slices.Clone(set.Y)}
	for i := range many.Y {
		many.Y[i] = i * i % 7
	}
	for name, m := range wholeGrid(70, 5) {
		sparseNaive(t, name, m, set)
		if len(startOf(m).Weights) == 0 {
			sparseNaive(t, name, &Multiclass{Binary: m}, many)
		}
	}
}

// sparseNaive compares Learn, Epochs and Fit on sparse rows with the reference.
func sparseNaive(t *testing.T, name string, m model, set naive.Set) {
	t.Run(fmt.Sprintf("%s/%T", name, m), func(t *testing.T) {
		n, twin, rows := naiveOf(m), cloneOf(m), sparse(set.X)
		n.sparse = true
		s := SparseModel{m, len(set.X[0])}
		Diff(t, "Learn", must(s.Learn(sparseExamples(rows, set.Y)))(t), n.learn(set.X, set.Y))
		n.compare(t, m, set)
		want := slices.Collect(n.epochs(set.X, set.Y))
		for e := range naive.Epochs(t, s.Epochs(rows, set.Y)) {
			Diff(t, "the epoch", e, want[0])
			want = want[1:]
		}
		n.compare(t, m, set)
		fit := naiveOf(twin)
		fit.sparse = true
		all := slices.Collect(fit.epochs(set.X, set.Y))
		Diff(t, "Fit", must(SparseModel{twin, s.Width}.Fit(rows, set.Y))(t), fit.result(all))
		fit.compare(t, twin, set)
	})
}

// TestSparseLarge: rows and weights that no cache holds are requested from memory ahead of time, and
// nothing after the last row or non-zero is.
func TestSparseLarge(t *testing.T) {
	t.Parallel()
	const d, n, classes = 150_000, 40, 5
	r := rand.New(rand.NewPCG(57, 5))
	var X []Sparse
	var D [][]float64
	for i := range n {
		var x Sparse
		for j := uint32(i % classes); j < d; j += classes {
			x.Index, x.Value = append(x.Index, j), append(x.Value, r.NormFloat64())
		}
		X, D = append(X, x), append(D, withZeros(x, d))
	}
	for _, m := range []twinModel{
		&Online{MaxEpochs: 2}, &Online{Keep: Average, Order: Shuffled, MaxEpochs: 2}, &OneVsRest{Binary: &Online{Order: Shuffled, MaxEpochs: 2}},
	} {
		y := make([]int, n)
		for i := range y {
			if y[i] = 2*r.IntN(2) - 1; isMany(m) {
				y[i] = r.IntN(classes)
			}
		}
		dense := clone(m)
		Diff(t, "Fit", must(SparseModel{m, d}.Fit(X, y))(t), must(dense.Fit(D, y))(t))
		if !bytes.Equal(must(m.MarshalBinary())(t), must(dense.MarshalBinary())(t)) {
			t.Error("the models differ")
		}
		Diff(t, "labels", must(PredictAll(nil, SparseModel{m, d}, X))(t), must(PredictAll(nil, dense, D))(t))
	}
}
