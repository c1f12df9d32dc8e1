package perceptron

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
)

// TestSparseBits: sparse rows give every bit that the rows with their zeros give, in all models and
// in any mixture of calls, errors, loading and dense calls among them.
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
		{SparseModel{Model: trained, Width: min(math.MaxInt/16, 1<<32)}, ErrDimension, ErrDimension},
		{SparseModel{Model: trained, Width: min(math.MaxInt/16, 1<<32) + 1}, ErrConfig, ErrConfig},
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
	s := SparseModel{Model: new(Online), Width: 1 << 24}
	down, nan := Sparse{Index: []uint32{2, 1}, Value: []float64{1, 1}}, Sparse{Index: []uint32{1}, Value: []float64{math.NaN()}}
	refuse := func(what string, call func() error) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := call(); err == nil {
			t.Errorf("%s: the row is accepted", what)
		}
		if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > 1<<20 {
			t.Errorf("%s: %d bytes are allocated", what, after.TotalAlloc-before.TotalAlloc)
		}
	}
	refuse("Update", func() error { _, err := s.Update(down, 1); return err })
	refuse("Update with NaN", func() error { _, err := s.Update(nan, 1); return err })
	refuse("Fit", func() error { _, err := s.Fit([]Sparse{down}, []int{1}); return err })
	refuse("Epochs", func() (err error) {
		for _, err = range s.Epochs([]Sparse{down}, []int{1}) {
		}
		return err
	})
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
