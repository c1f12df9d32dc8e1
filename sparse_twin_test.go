package perceptron

import (
	"fmt"
	"iter"
	"math"
	"math/bits"
	"math/rand/v2"
	"regexp"
	"runtime"
	"slices"
	"testing"

	"perceptron/internal/naive"
)

// A sparseTwin is a model that learns sparse rows, and one that learns dense rows. If at is nil, these
// are the rows with their zeros. In training they then have numbers whose sums are exact in any order.
// Else each row has elements at the indexes at and no others. The dense rows then have just these
// values.
type sparseTwin struct {
	at          []uint32
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

// newSparseTwin draws models of every kind, rule, Keep, Order and Space, and rows of any density. If
// exact is true, sums of these rows are exact.
func newSparseTwin(r *rand.Rand, exact bool) *sparseTwin {
	kinds := 5
	if exact {
		kinds = 3
	}
	d, n, k, many := 1+r.IntN(100+r.IntN(8)/7*300), 1+r.IntN(40), 2+r.IntN(6), r.IntN(2) == 0
	values := []func() float64{
		func() float64 { return 1 },
		func() float64 { return float64(r.IntN(9) - 4) }, // −0 and 0 too
		func() float64 { return math.Copysign(0, r.NormFloat64()) },
		func() float64 { return math.Ldexp(r.NormFloat64(), r.IntN(40)-20) },
		r.NormFloat64,
	}[r.IntN(kinds)]
	density := r.Float64() * r.Float64()
	s := &sparseTwin{epochs: 1 + r.IntN(12)}
	for i := range n {
		var x Sparse
		for j := range d {
			if r.Float64() < density {
				x.Index, x.Value = append(x.Index, uint32(j)), append(x.Value, values())
			}
		}
		s.X, s.D, s.y = append(s.X, x), append(s.D, withZeros(x, d)), append(s.y, labelOf(r, i, k, many))
	}
	var at []uint32
	for j := range d {
		at = append(at, uint32(j))
	}
	s.setModels(r, []float64{0, 0.5, 2}, at, d, many)
	return s
}

// labelOf draws the label of row i, of k classes if many is true.
func labelOf(r *rand.Rand, i, k int, many bool) int {
	if many {
		return min(i, r.IntN(k)) * 3
	}
	return 2*r.IntN(2) - 1
}

// setModels draws two equal models. Start has the weights at the indexes, or for the sparse model 0
// beside them. The norm under Gamma is that of all weights, in their order: a model has it only if the
// sums are exact, or if it has no other weights.
func (s *sparseTwin) setModels(r *rand.Rand, rates []float64, at []uint32, d int, many bool) {
	rules := []model{new(Online), new(Margin), &Margin{Threshold: 0.5}, &Margin{Gamma: 0.1}}
	if s.at != nil && len(at) < d {
		rules = rules[:3]
	}
	m := rules[r.IntN(len(rules))]
	kesler, start := many && r.IntN(2) == 0, Hyperplane{}
	if r.IntN(3) == 0 && !kesler {
		for range at {
			start.Weights = append(start.Weights, float64(r.IntN(9)-4)*math.Copysign(0.5, r.NormFloat64()))
		}
	}
	common := fields{
		"Rate": rates[r.IntN(3)], "Space": Space(r.IntN(2)), "Order": Order(r.IntN(3)),
		"Keep": Keep(r.IntN(3)), "MaxEpochs": s.epochs, "Seed": r.Uint64(),
	}
	workers := 1 + r.IntN(2)
	with := func(start Hyperplane) twinModel {
		m := fields{"Start": start}.some(common.some(clone(m)))
		if kesler {
			return &Multiclass{Binary: AsBinary(m)}
		} else if many {
			return &OneVsRest{Binary: AsBinary(m), Workers: workers}
		}
		return m.(twinModel)
	}
	s.dense = with(start)
	if start.Weights != nil {
		start.Weights = naive.Dense(d, at, start.Weights)
	}
	s.twin = with(start)
	s.sparse = SparseModel{Model: s.twin, Width: d}
}

// result prints what a call returned.
func result[T any](v T, err error) string { return fmt.Sprint(v, err) }

// numbers matches the differences between results of models of different widths: the feature that
// an error names, and the last digits of Upper, which is computed from all weights.
var numbers = regexp.MustCompile(`feature \d+|(\.\d{9})\d+`)

// differ reports whether the results of two calls differ.
func (s *sparseTwin) differ(sparse, dense string) bool {
	if s.at != nil {
		sparse, dense = numbers.ReplaceAllString(sparse, "$1"), numbers.ReplaceAllString(dense, "$1")
	}
	return sparse != dense
}

// compare reports a difference between the results of two calls, or between the models after them.
func (s *sparseTwin) compare(what, sparse, dense string) error {
	if s.differ(sparse, dense) {
		return fmt.Errorf("%s: %s, dense %s", what, sparse, dense)
	}
	a, b := snapshot(s.twin), snapshot(s.dense)
	if s.at != nil {
		all := &sparseTwin{at: make([]uint32, len(s.at))}
		for j := range all.at {
			all.at[j] = uint32(j)
		}
		a, b = s.compressed(s.twin), all.compressed(s.dense)
	}
	if a != b {
		return fmt.Errorf("%s: the models differ: %s, dense %s", what, a, b)
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
		if s.at != nil {
			return s.learn()
		}
		return s.compare("dense Learn", result(s.twin.Learn(Examples(s.D, s.y))), result(s.dense.Learn(Examples(s.D, s.y))))
	case 4:
		return s.fail(r)
	case 5:
		data, _ := s.twin.MarshalBinary()
		dense := data
		if s.at != nil {
			dense, _ = s.dense.MarshalBinary()
		}
		return s.compare("loading", fmt.Sprint(s.twin.UnmarshalBinary(data)), fmt.Sprint(s.dense.UnmarshalBinary(dense)))
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
		if s.differ(sparse, dense) {
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
	if want := result(dense.Update(s.D[0], s.y[0])); s.differ(sparse, want) {
		return fmt.Errorf("Update: %s, dense %s", sparse, want)
	}
	a, err := mixOf([]model{s.twin, other}, []float64{1, 3})
	b, errDense := mixOf([]model{s.dense, dense}, []float64{1, 3})
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
	if s.at != nil {
		sparse, dense := result(PredictAll(nil, s.sparse, s.X)), result(PredictAll(nil, s.dense, s.D))
		return s.compare("PredictAll", sparse, dense)
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
	if mine, dense := result(PredictAll(nil, s.twin, s.D)), result(PredictAll(nil, s.dense, s.D)); mine != dense {
		return fmt.Errorf("PredictAll: %s, dense %s", mine, dense)
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
	v, j := []float64{math.NaN(), math.Inf(1)}[r.IntN(2)], int(s.X[i].Index[k])
	if s.at != nil {
		v, j = []float64{v, math.MaxFloat64, -math.MaxFloat64}[r.IntN(3)], k
	}
	was := s.X[i].Value[k]
	s.X[i].Value[k], s.D[i][j] = v, v
	defer func() { s.X[i].Value[k], s.D[i][j] = was, was }()
	switch r.IntN(3) {
	case 0:
		return s.epochsOf(3)
	case 1:
		return s.learn()
	}
	return s.update(i)
}

// TestSparseMemory: under Average, training with sparse rows needs memory for at most four vectors
// a hyperplane, beside the rows and the model. This holds also while classes are side by side and
// one arrives late. A row has one of 1,023 features, so vectors as long as a row are short. The
// bound of 4.2 leaves room for them, for the rest of a page, and for one vector of all hyperplanes
// together.
func TestSparseMemory(t *testing.T) {
	if bits.UintSize == 32 || runtime.GOARCH == "wasm" {
		t.Skip("the sizes are those of a 64-bit machine")
	}
	const width, least, most = uint32(1<<16 - 1), 2.95, 4.2
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
