package perceptron

import (
	"bytes"
	"fmt"
	"iter"
	"math"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

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
func withZeros(x Sparse, d int) []float64 { return naive.Dense(d, x.Index, x.Value) }

// newSparseTwin draws models of every kind, rule, Keep, Order and Space, and rows of any density.
func newSparseTwin(r *rand.Rand) *sparseTwin {
	d, n, k, many := 1+r.IntN(100+r.IntN(8)/7*300), 1+r.IntN(40), 2+r.IntN(6), r.IntN(2) == 0
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
	switch r.IntN(10) {
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
	case 6:
		return s.changing(r.Uint64())
	case 7:
		return s.mix()
	case 8:
		s.twin = clone(s.twin)
		s.sparse.Model = s.twin
		return s.compare("Clone", "", "")
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

// changing changes rows in the body of a range over Epochs.
func (s *sparseTwin) changing(seed uint64) error {
	change := func(r *rand.Rand) {
		i, k := r.IntN(len(s.X)), r.IntN(len(s.X))
		s.X[i], s.D[i] = s.X[k], s.D[k]
		s.y[i] = s.y[k]
	}
	X, D, y := slices.Clone(s.X), slices.Clone(s.D), slices.Clone(s.y)
	list := func(epochs iter.Seq2[Epoch, error]) (list string) {
		r := rand.New(rand.NewPCG(seed, 1))
		s.X, s.D, s.y = slices.Clone(X), slices.Clone(D), slices.Clone(y)
		s.X[0].Index, s.X[0].Value, s.D[0] = nil, nil, make([]float64, len(D[0])) // its features are new later
		for e, err := range epochs {
			s.X[0], s.D[0] = X[0], D[0]
			change(r)
			list += result(e, err)
		}
		return list
	}
	sparse := list(func(yield func(Epoch, error) bool) { s.sparse.Epochs(s.X, s.y)(yield) })
	dense := list(func(yield func(Epoch, error) bool) { s.dense.Epochs(s.D, s.y)(yield) })
	return s.compare("Epochs of rows that change", sparse, dense)
}

// mix mixes each model with a copy that has learned one row more.
func (s *sparseTwin) mix() error {
	other, dense := clone(s.twin), clone(s.dense)
	sparse := result(SparseModel{other, s.sparse.Width}.Update(s.X[0], s.y[0]))
	if want := result(dense.Update(s.D[0], s.y[0])); sparse != want {
		return fmt.Errorf("Update: %s, dense %s", sparse, want)
	}
	a, err := mixOf([]model{s.twin, other}, []float64{1, 2})
	b, errDense := mixOf([]model{s.dense, dense}, []float64{1, 2})
	if err == nil {
		s.twin, s.dense, s.sparse.Model = a.(twinModel), b.(twinModel), a
	}
	return s.compare("Mix", fmt.Sprint(err), fmt.Sprint(errDense))
}

// reads compares what the models return together: hyperplanes, labels of many rows, JSON.
func (s *sparseTwin) reads(r *rand.Rand) error {
	if r.IntN(3) > 0 {
		return nil
	}
	planes := func(m model) any {
		if m, many := m.(manyModel); many {
			return m.Hyperplanes()
		}
		return m.(interface{ Hyperplane() Hyperplane }).Hyperplane()
	}
	if a, b := fmt.Sprint(planes(s.twin)), fmt.Sprint(planes(s.dense)); a != b {
		return fmt.Errorf("hyperplanes %s, dense %s", a, b)
	}
	sparse, dense := result(PredictAll(nil, s.sparse, s.X)), result(PredictAll(nil, s.dense, s.D))
	if mine := result(PredictAll(nil, s.twin, s.D)); sparse != dense || mine != dense {
		return fmt.Errorf("PredictAll: %s and %s, dense %s", sparse, mine, dense)
	}
	return s.compare("JSON", result(s.twin.MarshalJSON()), result(s.dense.MarshalJSON()))
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

// TestSparseMemory: under Average, training with sparse rows needs memory for at most four vectors
// a hyperplane beside the rows and the model, also while classes are side by side and one arrives
// late. A row has one of 1,023 features, so vectors of a row's length and the rest of a page are
// little: the bound of 4.05 leaves room for them alone. Rows of 65,536 features or more need
// memory only for those that occur: of 262,144 features less than a third of a vector.
func TestSparseMemory(t *testing.T) {
	if bits.UintSize == 32 || runtime.GOARCH == "wasm" {
		t.Skip("the sizes are those of a 64-bit machine")
	}
	sparseMemory(t, 1<<16-1, 2.95, 4.05)
	sparseMemory(t, 1<<18, 0, 0.3)
}

// sparseMemory trains models on rows of a width, and checks that each hyperplane takes the memory of
// as many vectors as least and most say.
func sparseMemory(t *testing.T, width uint32, least, most float64) {
	x := Sparse{}
	for j := uint32(0); j < width; j += 1023 { // odd, so that they have all remainders modulo 32
		x.Index, x.Value = append(x.Index, j), append(x.Value, 1)
	}
	vectors := func(bytes uint64) float64 { return float64(bytes) / float64(8*width) }
	heap := func() float64 {
		var s runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&s)
		return vectors(s.HeapAlloc)
	}
	check := func(what string, got float64, planes int) {
		t.Helper()
		if each := got / float64(planes); each < least || each > most {
			t.Errorf("width %d, %s: %.2f vectors a hyperplane, want %v to %v", width, what, each, least, most)
		}
	}
	binary := &Online{Keep: Average, MaxEpochs: 3}
	for _, m := range []struct {
		name   string
		model  Model
		planes int
		labels []int // the last one arrives late
	}{
		{"Online", binary.Clone(), 1, []int{-1, 1}},
		{"Multiclass", &Multiclass{Binary: binary.Clone()}, 7, []int{1, 2, 3, 4, 5, 6, 7}},
		{"OneVsRest", &OneVsRest{Binary: binary.Clone()}, 7, []int{1, 2, 3, 4, 5, 6, 7}},
	} {
		s, k := SparseModel{Model: m.model, Width: int(width)}, len(m.labels)
		for _, call := range []string{"the first Learn", "a later Learn"} {
			before, during := heap(), 0.
			must(s.Learn(func(yield func(Sparse, int) bool) {
				for i := range 700 {
					if !yield(x, m.labels[i%(k-1)]) {
						return
					}
				}
				if yield(x, m.labels[k-1]) {
					during = heap()
				}
			}))(t)
			check(m.name+", "+call, during-before, m.planes)
		}
		X := slices.Repeat([]Sparse{x}, k)
		check(m.name+", Fit", vectors(Allocated(func() { must(s.Fit(X, m.labels))(t) })), m.planes)
	}
}
