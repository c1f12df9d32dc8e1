package perceptron

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"math"
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

// TestSparseBits: sparse rows give every bit that the rows with their zeros give, in all models and in
// any mixture of calls, errors, loading and dense calls among them.
func TestSparseBits(t *testing.T) {
	for seed := range uint64(Share(4000)) {
		r := rand.New(rand.NewPCG(seed, 77))
		s := newSparseTwin(r)
		for range 1 + r.IntN(6) {
			if err := s.step(r); err != nil {
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
	good := Sparse{Index: []uint32{0, 3}, Value: []float64{1, 2}}
	for _, c := range []struct {
		x    Sparse
		want error
		text string
	}{
		{Sparse{Index: []uint32{0, 4}, Value: []float64{1, 1}}, ErrDimension, "index 4 at 1, want less than the width 4"},
		{Sparse{Index: []uint32{3, 1 << 31}, Value: []float64{1, 1}}, ErrDimension, "index 2147483648 at 1, want less than the width 4"},
		{Sparse{Index: []uint32{2, 2}, Value: []float64{1, 1}}, ErrDimension, "index 2 at 1 follows index 2, want indexes that ascend"},
		{Sparse{Index: []uint32{3, 1}, Value: []float64{1, 1}}, ErrDimension, "index 1 at 1 follows index 3, want indexes that ascend"},
		{Sparse{Index: []uint32{1}, Value: []float64{1, 1}}, ErrDimension, "1 indexes, but 2 values"},
		{Sparse{Index: []uint32{1, 2}, Value: []float64{1, math.NaN()}}, ErrNotFinite, "feature 2 is NaN"},
	} {
		for _, keep := range []Keep{Last, Average, Pocket} {
			m := &Online{Keep: keep}
			s := SparseModel{Model: m, Width: 4}
			if _, err := s.Fit([]Sparse{good, {}}, []int{1, -1}); err != nil {
				t.Fatal(err)
			}
			before, _ := m.MarshalBinary()
			X, y := []Sparse{good, c.x}, []int{-1, 1}
			_, fit := s.Fit(X, y)
			_, epochs := ranges(s.Epochs(X, y), 9)
			_, learn := s.Learn(sparseExamples(X[1:], y))
			_, update := s.Update(c.x, 1)
			_, predict := s.Predict(c.x)
			_, scores := s.Scores(nil, c.x)
			for k, err := range []error{fit, epochs, learn, update, predict, scores} {
				e, indexed := errors.AsType[*ExampleError](err)
				if !errors.Is(err, c.want) || !bytes.Contains([]byte(err.Error()), []byte(c.text)) || indexed != (k < 3) {
					t.Errorf("%v, call %d: %v, want %q", c.x, k, err, c.text)
				}
				if indexed && e.Index != []int{1, 1, 0}[k] {
					t.Errorf("%v, call %d: index %d", c.x, k, e.Index)
				}
			}
			if after, _ := m.MarshalBinary(); !bytes.Equal(before, after) {
				t.Errorf("%v: the errors changed the model", c.x)
			}
		}
	}
}

// TestSparseConfig: a SparseModel that cannot train or predict says why, and does not panic.
func TestSparseConfig(t *testing.T) {
	trained, empty := &Online{}, &OneVsRest{Binary: &Batch{}}
	if _, err := (SparseModel{Model: trained, Width: 4}).Update(Sparse{}, 1); err != nil {
		t.Fatal(err)
	}
	batches := &OneVsRest{Binary: &Batch{}}
	if _, err := batches.Fit([][]float64{{1}, {2}}, []int{1, 2}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		s           SparseModel
		train, read error
	}{
		{SparseModel{Width: 4}, ErrConfig, ErrConfig},
		{SparseModel{Model: (*Online)(nil), Width: 4}, ErrConfig, ErrConfig},
		{SparseModel{Model: &Batch{}, Width: 4}, ErrConfig, ErrConfig},
		{SparseModel{Model: empty, Width: 4}, ErrConfig, ErrUntrained},
		{SparseModel{Model: batches, Width: 1}, ErrConfig, ErrConfig},
		{SparseModel{Model: trained, Width: -1}, ErrConfig, ErrConfig},
		{SparseModel{Model: &Online{}}, ErrEmpty, ErrUntrained},
		{SparseModel{Model: &Online{}, Width: 4}, nil, ErrUntrained},
		{SparseModel{Model: trained, Width: 5}, ErrDimension, ErrDimension},
		{SparseModel{Model: trained}, nil, nil},
	} {
		x := Sparse{Index: []uint32{1}, Value: []float64{1}}
		_, predict := c.s.Predict(x)
		_, scores := c.s.Scores(nil, x)
		_, epochs := ranges(c.s.Epochs([]Sparse{x}, []int{1}), 1)
		_, learn := c.s.Learn(sparseExamples([]Sparse{x}, []int{1}))
		_, update := c.s.Update(x, 1)
		for k, err := range []error{predict, scores} {
			if !errors.Is(err, c.read) {
				t.Errorf("%+v: read %d: %v, want %v", c.s, k, err, c.read)
			}
		}
		for k, err := range []error{epochs, learn, update} {
			if !errors.Is(err, c.train) {
				t.Errorf("%+v: training call %d: %v, want %v", c.s, k, err, c.train)
			}
		}
	}
	if _, err := (SparseModel{Model: trained}).Learn(nil); !errors.Is(err, ErrEmpty) {
		t.Errorf("a nil iterator: %v", err)
	}
}

// TestSparseSampled: a row whose indexes do not ascend is an error also if no draw meets it.
func TestSparseSampled(t *testing.T) {
	X := []Sparse{{Index: []uint32{0}, Value: []float64{1}}, {Index: []uint32{0}, Value: []float64{1}}, {Index: []uint32{1, 1}, Value: []float64{1, 2}}}
	for seed := range uint64(40) {
		m := &Online{Order: Sampled, Seed: seed, MaxEpochs: 1}
		_, err := (SparseModel{Model: m, Width: 2}).Fit(X, []int{1, 1, 1})
		if e, ok := errors.AsType[*ExampleError](err); !ok || e.Index != 2 || !errors.Is(err, ErrDimension) {
			t.Fatalf("seed %d: %v", seed, err)
		}
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

// TestSparseAllocations: prediction, sorting and, after a row of the same length, Update allocate nothing.
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

// FuzzSparse: rows of any indexes and values change the model as their dense rows do, or change nothing.
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
		m, dense := Online{Keep: Keep(keep % 3)}, Online{Keep: Keep(keep % 3)}
		s := SparseModel{Model: &m, Width: d}
		s.Update(Sparse{Index: []uint32{2, 40}, Value: []float64{1, 3}}, 1)
		dense.Update(withZeros(Sparse{Index: []uint32{2, 40}, Value: []float64{1, 3}}, d), 1)
		valid := len(x.Index) == len(x.Value)
		for k, j := range x.Index {
			valid = valid && j < d && (k == 0 || x.Index[k-1] < j)
		}
		if _, err := s.Update(x, label); errors.Is(err, ErrDimension) == valid {
			t.Fatalf("%v: %v", x, err)
		}
		if valid {
			dense.Update(withZeros(x, d), label)
		}
		a, _ := m.MarshalBinary()
		b, _ := dense.MarshalBinary()
		if !bytes.Equal(a, b) {
			t.Fatalf("%v: the models differ", x)
		}
	})
}

// TestSparseBadFirst: a bad first row is refused before memory of the model's width is allocated.
func TestSparseBadFirst(t *testing.T) {
	for _, x := range []Sparse{{Index: []uint32{2, 1}, Value: []float64{1, 1}}, {Index: []uint32{1}, Value: []float64{math.NaN()}}} {
		s := SparseModel{Model: new(Online), Width: 1 << 24}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := s.Update(x, 1); err == nil {
			t.Errorf("%v is accepted", x)
		}
		if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > 1<<20 {
			t.Errorf("%v: %d bytes are allocated", x, after.TotalAlloc-before.TotalAlloc)
		}
	}
}

// TestSparsePocketRows: Pocket counts more sparse rows than a block has as it counts dense ones.
func TestSparsePocketRows(t *testing.T) {
	r := rand.New(rand.NewPCG(38, 64))
	X, S, y := make([][]float64, 200), make([]Sparse, 200), make([]int, 200)
	for i := range X {
		X[i], y[i] = []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}, 2*r.IntN(2)-1
		S[i] = Sparse{Index: []uint32{0, 1, 2}, Value: X[i]}
	}
	a, b := &Online{Keep: Pocket, MaxEpochs: 9}, &Online{Keep: Pocket, MaxEpochs: 9}
	_, dense := a.Fit(X, y)
	_, sparse := SparseModel{Model: b, Width: 3}.Fit(S, y)
	want, _ := a.MarshalBinary()
	if got, _ := b.MarshalBinary(); dense != nil || sparse != nil || !bytes.Equal(got, want) {
		t.Errorf("%v, %v: %v, want %v", dense, sparse, b.Hyperplane(), a.Hyperplane())
	}
}

// TestMixOrders: models that differ in Order alone can be mixed.
func TestMixOrders(t *testing.T) {
	a, b := new(Online), &Online{Order: Shuffled}
	must(a.Update([]float64{1}, 1))(t)
	must(b.Update([]float64{1}, 1))(t)
	must(Mix([]*Online{a, b}, nil))(t)
}
