package perceptron

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"perceptron/internal/naive"
)

// TestSparseBits: sparse rows give every bit that dense rows of the same window give. Where sums are
// exact, they give the bits of the rows with their zeros. This holds in all models and in any
// mixture of calls, with errors, loading and dense calls among them.
func TestSparseBits(t *testing.T) {
	for seed := range uint64(20_000) {
		if !full && seed%40 > 1 || os.Getenv("PERCEPTRON_DEEP") == "" && seed%8 > 1 || testing.Short() && seed%200 > 1 {
			continue
		}
		r := rand.New(rand.NewPCG(seed, 77))
		s := newSparseTwin(r, true)
		if seed%2 > 0 {
			s = newWindowTwin(r)
		}
		for range 1 + r.IntN(6) {
			if err := cmp.Or(s.step(r), s.reads(r)); err != nil {
				t.Fatalf("seed %d, %T: %v", seed, s.twin, err)
			}
			for i := range s.X {
				if err := s.predict(i); err != nil {
					t.Fatalf("seed %d, %T: %v", seed, s.twin, err)
				}
			}
		}
	}
}

// TestSparseErrors: each bad row and each bad SparseModel has its error, and changes nothing.
func TestSparseErrors(t *testing.T) {
	for _, width := range []int{4, 1 << 17} {
		checkSparseErrors(t, width)
	}
}

func checkSparseErrors(t *testing.T, width int) {
	t.Helper()
	beyond := func(j uint32) string { return fmt.Sprintf("index %d at 1, want less than the width %d", j, width) }
	good := Sparse{Index: []uint32{0, 3}, Value: []float64{1, 2}}
	for _, c := range []struct {
		x    Sparse
		want error
		text string
	}{
		{Sparse{Index: []uint32{0, uint32(width)}, Value: []float64{1, 1}}, ErrDimension, beyond(uint32(width))},
		{Sparse{Index: []uint32{3, 1 << 31}, Value: []float64{1, 1}}, ErrDimension, beyond(1 << 31)},
		{Sparse{Index: []uint32{2, 2}, Value: []float64{1, 1}}, ErrFormat, "index 2 at 1 follows index 2, want indexes that ascend; call Sort"},
		{Sparse{Index: []uint32{3, 1}, Value: []float64{1, 1}}, ErrFormat, "index 1 at 1 follows index 3, want indexes that ascend; call Sort"},
		{Sparse{Index: []uint32{1}, Value: []float64{1, 1}}, ErrDimension, "Index has length 1, but Value has 2"},
		{Sparse{Index: []uint32{1, 2}, Value: []float64{1, math.NaN()}}, ErrNotFinite, "feature 2 is NaN"},
	} {
		for _, keep := range keeps() {
			m := &Online{Keep: keep}
			s, y := SparseModel{Model: m, Width: width}, []int{1, -1}
			must(s.Fit([]Sparse{good, {}}, y))(t)
			before, X := snapshot(m), []Sparse{good, c.x}
			train, read := sparseErrors(s, X, y)
			for k, err := range slices.Concat([]error{only(s.Fit(X, y))}, train, read) {
				var e *ExampleError
				indexed := errors.As(err, &e)
				if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.text) || indexed != (k < 3) {
					t.Errorf("%v, call %d: %v, want %q", c.x, k, err, c.text)
				}
				if indexed && e.Index != []int{1, 1, 0}[k] {
					t.Errorf("%v, call %d: index %d", c.x, k, e.Index)
				}
			}
			if snapshot(m) != before {
				t.Errorf("%v: the errors changed the model", c.x)
			}
		}
	}
}

// sparseErrors returns the errors of Predict and Scores of the last row, and then those of Epochs
// on all rows, and of Learn and Update on the last one.
func sparseErrors(s SparseModel, X []Sparse, y []int) (train, read []error) {
	x, label := X[len(X)-1], y[len(X)-1]
	read = []error{only(s.Predict(x)), only(s.Scores(nil, x))}
	learn := only(s.Learn(sparseExamples([]Sparse{x}, []int{label})))
	return []error{only(ranges(s.Epochs(X, y), 9)), learn, only(s.Update(x, label))}, read
}

// TestSparseConfig: a SparseModel that cannot train or predict says why, and does not panic.
func TestSparseConfig(t *testing.T) {
	trained, empty, batches := &Online{}, &OneVsRest{Binary: &Batch{}}, &OneVsRest{Binary: &Batch{}}
	must(SparseModel{Model: trained, Width: 4}.Update(Sparse{}, 1))(t)
	must(batches.Fit([][]float64{{1}, {2}}, []int{1, 2}))(t)
	for _, c := range []struct {
		s           SparseModel
		train, read error
	}{
		{SparseModel{Width: 4}, ErrConfig, ErrConfig},
		{SparseModel{Model: &Batch{}, Width: 4}, ErrConfig, ErrConfig},
		{SparseModel{Model: empty, Width: 4}, ErrConfig, ErrUntrained},
		{SparseModel{Model: batches, Width: 1}, ErrConfig, ErrConfig},
		{SparseModel{Model: trained, Width: -1}, ErrConfig, ErrConfig},
		{SparseModel{Model: trained, Width: min(math.MaxInt/16, 1<<30)}, ErrDimension, ErrDimension},
		{SparseModel{Model: &Margin{Gamma: 1}, Width: min(math.MaxInt/16, 1<<30) + 1}, ErrConfig, ErrConfig},
		{SparseModel{Model: &Online{}, Width: min(math.MaxInt-1, math.MaxUint32)}, ErrConfig, ErrConfig},
		{SparseModel{Model: &Online{}}, ErrEmpty, ErrUntrained},
		{SparseModel{Model: &Online{}, Width: math.MaxInt}, ErrConfig, ErrConfig},
		{SparseModel{Model: &Online{}, Width: 4}, nil, ErrUntrained},
		{SparseModel{Model: trained, Width: 5}, ErrDimension, ErrDimension},
		{SparseModel{Model: trained}, nil, nil},
	} {
		train, read := sparseErrors(c.s, []Sparse{{Index: []uint32{1}, Value: []float64{1}}}, []int{1})
		for k, err := range append(train, read...) {
			want := c.train
			if k >= len(train) {
				want = c.read
			}
			if !errors.Is(err, want) {
				t.Errorf("%+v: call %d: %v, want %v", c.s, k, err, want)
			}
		}
	}
	if err := only(SparseModel{Model: trained}.Learn(nil)); !errors.Is(err, ErrEmpty) {
		t.Errorf("a nil iterator: %v", err)
	}
}

// TestSparseSampled: a row whose indexes do not ascend is an error, even if it is not drawn.
func TestSparseSampled(t *testing.T) {
	X := []Sparse{{Index: []uint32{0}, Value: []float64{1}}, {Index: []uint32{0}, Value: []float64{1}}, {Index: []uint32{1, 1}, Value: []float64{1, 2}}}
	for seed := range uint64(40) {
		m := &Online{Order: Sampled, Seed: seed, MaxEpochs: 1}
		w := want{ErrFormat, 2, "bad format: index 1 at 1 follows index 1, want indexes that ascend; call Sort"}
		w.check(t, only(SparseModel{Model: m, Width: 2}.Fit(X, []int{1, 1, 1})))
	}
}

// TestSparseSort compares Sort with sums by a map.
func TestSparseSort(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var x Sparse
		sums := map[uint32]float64{}
		for range r.IntN(30) {
			j, v := uint32(r.IntN(20)), r.NormFloat64()
			x.Index, x.Value = append(x.Index, j), append(x.Value, v)
			sums[j] += v
		}
		x.Sort()
		if !slices.IsSorted(x.Index) || len(x.Index) != len(sums) || len(x.Value) != len(sums) {
			t.Fatalf("%v", x)
		}
		for k, j := range x.Index {
			if x.Value[k] != sums[j] {
				t.Errorf("index %d has %v, want %v", j, x.Value[k], sums[j])
			}
		}
	}
	x := Sparse{Index: []uint32{3, 1}, Value: []float64{1}}
	if x.Sort(); !slices.Equal(x.Index, []uint32{3, 1}) {
		t.Errorf("Sort changed a row that is not one: %v", x)
	}
}

// TestSparseAllocations: prediction, sorting and, after a row of the same length, Update allocate
// nothing.
func TestSparseAllocations(t *testing.T) {
	x := Sparse{Index: []uint32{1, 5, 80}, Value: []float64{1, -1, 2}}
	for _, keep := range []Keep{Last, Average} {
		for _, m := range []Model{&Online{Keep: keep}, &Multiclass{Binary: &Online{Keep: keep}}} {
			s, label, dst := SparseModel{Model: m, Width: 1 << 12}, 1, make([]float64, 0, 2)
			calls := func() {
				label = -label
				s.Update(x, label)
				s.Predict(x)
				dst, _ = s.Scores(dst[:0], x)
				x.Index[0], x.Index[1], x.Value[0], x.Value[1] = x.Index[1], x.Index[0], x.Value[1], x.Value[0]
				x.Sort()
			}
			calls()
			calls()
			if n := testing.AllocsPerRun(50, calls); n != 0 {
				t.Errorf("%T, %v: %v allocations", m, keep, n)
			}
		}
	}
}

// FuzzSparse: rows of any indexes and values change the model as their dense rows do, or change
// nothing.
func FuzzSparse(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4}, []byte{1, 255, 0, 7}, uint8(0), true)
	f.Add([]byte{4, 4}, []byte{9, 9}, uint8(1), false)
	f.Add([]byte{63, 64}, []byte{1, 1}, uint8(2), true)
	f.Fuzz(func(t *testing.T, index, value []byte, keep uint8, up bool) {
		x, label := Sparse{}, -1
		for _, j := range index {
			x.Index = append(x.Index, uint32(j))
		}
		for _, v := range value {
			x.Value = append(x.Value, float64(int8(v)))
		}
		if up {
			label = 1
		}
		const d = 64
		m, dense := &Online{Keep: Keep(keep % 3)}, &Online{Keep: Keep(keep % 3)}
		s, first := SparseModel{Model: m, Width: d}, Sparse{Index: []uint32{2, 40}, Value: []float64{1, 3}}
		s.Update(first, 1)
		dense.Update(withZeros(first, d), 1)
		valid := len(x.Index) == len(x.Value)
		for k, j := range x.Index {
			valid = valid && j < d && (k == 0 || x.Index[k-1] < j)
		}
		if _, err := s.Update(x, label); (errors.Is(err, ErrDimension) || errors.Is(err, ErrFormat)) == valid {
			t.Fatalf("%v: %v", x, err)
		}
		if valid {
			dense.Update(withZeros(x, d), label)
		}
		if snapshot(m) != snapshot(dense) {
			t.Fatalf("%v: the models differ", x)
		}
	})
}

// TestSparseBadFirst: a bad first row is refused before memory of the model's width is allocated.
func TestSparseBadFirst(t *testing.T) {
	s := SparseModel{Model: new(Online), Width: 1 << 24}
	down, nan := Sparse{Index: []uint32{2, 1}, Value: []float64{1, 1}}, Sparse{Index: []uint32{1}, Value: []float64{math.NaN()}}
	for what, call := range map[string]func() error{
		"Update":          func() error { return only(s.Update(down, 1)) },
		"Update with NaN": func() error { return only(s.Update(nan, 1)) },
		"Fit":             func() error { return only(s.Fit([]Sparse{down}, []int{1})) },
		"Epochs":          func() error { return only(ranges(s.Epochs([]Sparse{down}, []int{1}), 9)) },
	} {
		var err error
		if bytes := Allocated(func() { err = call() }); err == nil || bytes > 1<<20 {
			t.Errorf("%s: %v, with %d bytes allocated", what, err, bytes)
		}
	}
}

// TestSparsePocketRows: Pocket counts more sparse rows than a block has as it counts dense ones.
func TestSparsePocketRows(t *testing.T) {
	r := rand.New(rand.NewPCG(38, 64))
	a, b := &Online{Keep: Pocket, MaxEpochs: 9}, &Online{Keep: Pocket, MaxEpochs: 9}
	s := &sparseTwin{sparse: SparseModel{Model: a, Width: 3}, twin: a, dense: b}
	for range 200 {
		x := naive.Gaussian(r, 3)
		s.X, s.D, s.y = append(s.X, Sparse{Index: []uint32{0, 1, 2}, Value: x}), append(s.D, x), append(s.y, 2*r.IntN(2)-1)
	}
	must(0, s.fit())(t)
}

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
	if len(state.Classes) > 0 {
		state.Width = len(s.at)
	}
	for i, all := range state.Vectors {
		some := []float64{}
		for j, x := range all[:len(all)-1] {
			if _, found := slices.BinarySearch(s.at, uint32(j)); found {
				some = append(some, x)
			} else if x != 0 {
				panic("a weight of a feature that no row has")
			}
		}
		state.Vectors[i] = append(some, all[len(all)-1])
	}
	data, err := json.Marshal(state)
	return fmt.Sprint(string(data), err)
}

// predict compares the predictions and scores of a row with those of the hyperplanes. Of these it uses
// only the elements that the row needs.
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
