package perceptron

import (
	"bytes"
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
	return copyOf(m).(twinModel), m.(twinModel)
}

// compare reports a difference between what two calls returned, or between the models after them.
func (s *sparseTwin) compare(what string, a any, errA error, b any, errB error) error {
	if fmt.Sprint(a, errA) != fmt.Sprint(b, errB) {
		return fmt.Errorf("%s: %v %v, dense %v %v", what, a, errA, b, errB)
	}
	p, errP := s.twin.MarshalBinary()
	q, errQ := s.dense.MarshalBinary()
	if !bytes.Equal(p, q) || fmt.Sprint(errP) != fmt.Sprint(errQ) {
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

func (s *sparseTwin) epochsOf(stop int) error {
	a, errA := ranges(s.sparse.Epochs(s.X, s.y), stop)
	b, errB := ranges(s.dense.Epochs(s.D, s.y), stop)
	return s.compare("Epochs", a, errA, b, errB)
}

func (s *sparseTwin) learn() error {
	a, errA := s.sparse.Learn(sparseExamples(s.X, s.y))
	b, errB := s.dense.Learn(Examples(s.D, s.y))
	return s.compare("Learn", a, errA, b, errB)
}

// step makes one random call of both models.
func (s *sparseTwin) step(r *rand.Rand) error {
	switch r.IntN(7) {
	case 0:
		a, errA := s.sparse.Fit(s.X, s.y)
		b, errB := s.dense.Fit(s.D, s.y)
		return s.compare("Fit", a, errA, b, errB)
	case 1:
		return s.epochsOf(1 + r.IntN(s.epochs))
	case 2:
		return s.learn()
	case 3: // a dense call between sparse ones
		a, errA := s.twin.Learn(Examples(s.D, s.y))
		b, errB := s.dense.Learn(Examples(s.D, s.y))
		return s.compare("dense Learn", a, errA, b, errB)
	case 4:
		return s.fail(r)
	case 5:
		data, _ := s.twin.MarshalBinary()
		return s.compare("loading", nil, s.twin.UnmarshalBinary(data), nil, s.dense.UnmarshalBinary(data))
	}
	for range 1 + r.IntN(60) {
		i := r.IntN(len(s.X))
		a, errA := s.sparse.Update(s.X[i], s.y[i])
		if r.IntN(8) == 0 {
			a, errA = s.sparse.Update(s.X[i], s.y[i])
			s.dense.Update(s.D[i], s.y[i])
		}
		b, errB := s.dense.Update(s.D[i], s.y[i])
		if r.IntN(9) == 0 {
			if err := s.predict(i); err != nil {
				return err
			}
		}
		if a != b || fmt.Sprint(errA) != fmt.Sprint(errB) {
			return fmt.Errorf("Update: %v %v, dense %v %v", a, errA, b, errB)
		}
	}
	return s.compare("Update", nil, nil, nil, nil)
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
	a, errA := s.sparse.Update(s.X[i], s.y[i])
	b, errB := s.dense.Update(s.D[i], s.y[i])
	return s.compare("bad Update", a, errA, b, errB)
}

// predict compares the predictions and scores of a row.
func (s *sparseTwin) predict(i int) error {
	a, errA := s.sparse.Predict(s.X[i])
	b, errB := s.dense.Predict(s.D[i])
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
	if a != b || fmt.Sprint(errA, errGot) != fmt.Sprint(errB, err) || !same {
		return fmt.Errorf("row %d: Predict %v %v, dense %v %v; Scores %v %v, dense %v %v", i, a, errA, b, errB, got, errGot, scores, err)
	}
	return nil
}
