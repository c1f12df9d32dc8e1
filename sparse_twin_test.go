package perceptron

import (
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"

	"perceptron/internal/naive"
)

// A sparseTwin is a model that learns sparse rows, and one that learns the rows with their zeros.
type sparseTwin struct {
	sparse      SparseModel
	twin, dense twinModel
	X           []Sparse
	D           [][]float64
	y           []int
	epochs      int
}

// A twinModel learns by example, and can be saved.
type twinModel interface {
	model
	coder
	streamer
	ranger
}

func sparseExamples(X []Sparse, y []int) iter.Seq2[Sparse, int] {
	return func(yield func(Sparse, int) bool) {
		for i := 0; i < len(X) && yield(X[i], y[i]); i++ {
		}
	}
}

// withZeros returns x with its zeros.
func withZeros(x Sparse, d int) []float64 {
	v := make([]float64, d)
	for k, j := range x.Index {
		v[j] = x.Value[k]
	}
	return v
}

// newSparseTwin draws models of every kind, rule, Keep, Order and Space, and rows of any density.
func newSparseTwin(r *rand.Rand) *sparseTwin {
	d, n, k, many := 1+r.IntN(100), 1+r.IntN(40), 2+r.IntN(6), r.IntN(2) == 0
	values := []func() float64{
		func() float64 { return 1 },
		func() float64 { return float64(r.IntN(9) - 4) }, // −0 and 0 too
		func() float64 { return math.Ldexp(r.NormFloat64(), r.IntN(40)-20) },
		func() float64 { return math.Copysign(0, r.NormFloat64()) },
		r.NormFloat64,
	}[r.IntN(5)]
	density := r.Float64() * r.Float64()
	s := &sparseTwin{epochs: 1 + r.IntN(12)}
	for i := range n {
		var x Sparse
		for j := range d {
			if r.Float64() < density {
				x.Index, x.Value = append(x.Index, uint32(j)), append(x.Value, values())
			}
		}
		label := 2*r.IntN(2) - 1
		if many {
			label = min(i, r.IntN(k)) * 3
		}
		s.X, s.D, s.y = append(s.X, x), append(s.D, withZeros(x, d)), append(s.y, label)
	}
	s.twin, s.dense = newLearnerPair(r, d, s.epochs, many)
	s.sparse = SparseModel{Model: s.twin, Width: d}
	return s
}

// newLearnerPair returns two equal models.
func newLearnerPair(r *rand.Rand, d, epochs int, many bool) (a, b twinModel) {
	var m model = []model{new(Online), new(Margin), &Margin{Gamma: 0.1}, &Margin{Threshold: 0.5}}[r.IntN(4)]
	kesler, start := many && r.IntN(2) == 0, Hyperplane{}
	if r.IntN(3) == 0 && !kesler {
		for range d {
			start.Weights = append(start.Weights, float64(r.IntN(9)-4)*math.Copysign(0.1, r.NormFloat64()))
		}
	}
	m = fields{
		"Rate": []float64{0, 0.1, 2}[r.IntN(3)], "Space": Space(r.IntN(2)), "Order": Order(r.IntN(3)),
		"Keep": Keep(r.IntN(3)), "MaxEpochs": epochs, "Seed": r.Uint64(), "Start": start,
	}.some(m)
	if kesler {
		m = &Multiclass{Binary: AsBinary(m)}
	} else if many {
		m = &OneVsRest{Binary: AsBinary(m), Workers: 1 + r.IntN(2)}
	}
	return clone(m).(twinModel), m.(twinModel)
}

// result prints what a call returned.
func result[T any](v T, err error) string { return fmt.Sprint(v, err) }

// compare reports a difference between the results of two calls, or between the models after them.
func (s *sparseTwin) compare(what, sparse, dense string) error {
	if sparse != dense {
		return fmt.Errorf("%s: %s, dense %s", what, sparse, dense)
	}
	if result(s.twin.MarshalBinary()) != result(s.dense.MarshalBinary()) {
		return fmt.Errorf("%s: the models differ", what)
	}
	return nil
}

// ranges returns at most stop epochs of a range, and its error.
func ranges(epochs iter.Seq2[Epoch, error], stop int) (list []Epoch, last error) {
	for e, err := range epochs {
		if list, last = append(list, e), err; len(list) == stop {
			break
		}
	}
	return list, last
}

func (s *sparseTwin) fit() error {
	return s.compare("Fit", result(s.sparse.Fit(s.X, s.y)), result(s.dense.Fit(s.D, s.y)))
}

func (s *sparseTwin) epochsOf(stop int) error {
	sparse, dense := result(ranges(s.sparse.Epochs(s.X, s.y), stop)), result(ranges(s.dense.Epochs(s.D, s.y), stop))
	return s.compare("Epochs", sparse, dense)
}

func (s *sparseTwin) learn() error {
	return s.compare("Learn", result(s.sparse.Learn(sparseExamples(s.X, s.y))), result(s.dense.Learn(Examples(s.D, s.y))))
}

// update updates on row i.
func (s *sparseTwin) update(i int) error {
	return s.compare("Update", result(s.sparse.Update(s.X[i], s.y[i])), result(s.dense.Update(s.D[i], s.y[i])))
}

// step makes one random call of both models.
func (s *sparseTwin) step(r *rand.Rand) error {
	switch r.IntN(7) {
	case 0:
		return s.fit()
	case 1:
		return s.epochsOf(1 + r.IntN(s.epochs))
	case 2:
		return s.learn()
	case 3: // a dense call between sparse ones
		return s.compare("dense Learn", result(s.twin.Learn(Examples(s.D, s.y))), result(s.dense.Learn(Examples(s.D, s.y))))
	case 4:
		return s.fail(r)
	case 5:
		data, _ := s.twin.MarshalBinary()
		return s.compare("loading", fmt.Sprint(s.twin.UnmarshalBinary(data)), fmt.Sprint(s.dense.UnmarshalBinary(data)))
	}
	for range 1 + r.IntN(60) {
		i := r.IntN(len(s.X))
		sparse, dense := "", ""
		for range 1 + r.IntN(8)/7 {
			sparse, dense = result(s.sparse.Update(s.X[i], s.y[i])), result(s.dense.Update(s.D[i], s.y[i]))
		}
		if r.IntN(9) == 0 {
			if err := s.predict(i); err != nil {
				return err
			}
		}
		if sparse != dense {
			return fmt.Errorf("Update: %s, dense %s", sparse, dense)
		}
	}
	return s.compare("Update", "", "")
}

// fail makes a call with a row that is not finite, or overflows, in the middle.
func (s *sparseTwin) fail(r *rand.Rand) error {
	i := r.IntN(len(s.X))
	if len(s.X[i].Index) == 0 {
		return nil
	}
	k := r.IntN(len(s.X[i].Index))
	v := []float64{math.NaN(), math.Inf(1), math.MaxFloat64, -math.MaxFloat64}[r.IntN(4)]
	was := s.X[i].Value[k]
	s.X[i].Value[k], s.D[i][s.X[i].Index[k]] = v, v
	defer func() { s.X[i].Value[k], s.D[i][s.X[i].Index[k]] = was, was }()
	switch r.IntN(3) {
	case 0:
		return s.epochsOf(3)
	case 1:
		return s.learn()
	}
	return s.update(i)
}

// predict compares the predictions and scores of a row.
func (s *sparseTwin) predict(i int) error {
	label, denseLabel := result(s.sparse.Predict(s.X[i])), result(s.dense.Predict(s.D[i]))
	var scores []float64
	var err error
	if m, many := s.dense.(manyModel); many {
		scores, err = m.Scores(nil, s.D[i])
	} else if score, bad := s.dense.(scorer).Score(s.D[i]); bad == nil {
		scores = []float64{score}
	} else {
		err = bad
	}
	got, errGot := s.sparse.Scores(nil, s.X[i])
	same := slices.EqualFunc(got, scores, naive.SameBits)
	if label != denseLabel || fmt.Sprint(errGot) != fmt.Sprint(err) || !same {
		return fmt.Errorf("row %d: Predict %s, dense %s; Scores %v %v, dense %v %v", i, label, denseLabel, got, errGot, scores, err)
	}
	return nil
}
