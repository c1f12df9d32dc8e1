package perceptron

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"perceptron/internal/naive"
	"perceptron/internal/weights"
)

// TestSparseBits: sparse rows give every bit that dense rows of the same window give, and those that
// the rows with their zeros give where sums are exact, in all models and in any mixture of calls,
// errors, loading and dense calls among them.
func TestSparseBits(t *testing.T) {
	defer func(least int, share float64) { weights.LeastPlaced, weights.PlacedShare = least, share }(weights.LeastPlaced, weights.PlacedShare)
	for seed := range uint64(20_000) {
		if !full && seed%40 > 1 {
			continue
		}
		r := rand.New(rand.NewPCG(seed, 77))
		s := newSparseTwin(r, true)
		if seed%2 > 0 {
			s = newWindowTwin(r)
		}
		// Some models have no slots, some give them up early, and some never.
		weights.LeastPlaced, weights.PlacedShare = []int{1, 1, 1, 1 << 16}[r.IntN(4)], []float64{1.5, 1.5, 1e9}[r.IntN(3)]
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
			s, y := SparseModel{Model: m, Width: 4}, []int{1, -1}
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
		{SparseModel{Model: (*Online)(nil), Width: 4}, ErrConfig, ErrConfig},
		{SparseModel{Model: &Batch{}, Width: 4}, ErrConfig, ErrConfig},
		{SparseModel{Model: empty, Width: 4}, ErrConfig, ErrUntrained},
		{SparseModel{Model: batches, Width: 1}, ErrConfig, ErrConfig},
		{SparseModel{Model: trained, Width: -1}, ErrConfig, ErrConfig},
		{SparseModel{Model: trained, Width: min(math.MaxInt/16, 1<<30)}, ErrDimension, ErrDimension},
		{SparseModel{Model: &Margin{Gamma: 1}, Width: min(math.MaxInt/16, 1<<30) + 1}, ErrConfig, ErrUntrained},
		{SparseModel{Model: &Online{}, Width: min(math.MaxInt-1, math.MaxUint32)}, nil, ErrUntrained},
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

// TestSparseSampled: a row whose indexes do not ascend is an error also if no draw meets it.
func TestSparseSampled(t *testing.T) {
	X := []Sparse{{Index: []uint32{0}, Value: []float64{1}}, {Index: []uint32{0}, Value: []float64{1}}, {Index: []uint32{1, 1}, Value: []float64{1, 2}}}
	for seed := range uint64(40) {
		m := &Online{Order: Sampled, Seed: seed, MaxEpochs: 1}
		w := want{ErrDimension, 2, "dimension mismatch: index 1 at 1 follows index 1, want indexes that ascend"}
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
		if _, err := s.Update(x, label); errors.Is(err, ErrDimension) == valid {
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

// TestReadLIBSVM: rows, whose memory is their own, and errors with a position.
func TestReadLIBSVM(t *testing.T) {
	t.Parallel()
	X, y, err := ReadLIBSVM(strings.NewReader("\ufeff+1 2:0.5 5:1 # text\n\n-1\n 7.0 1:3\r\n"))
	Diff(t, "rows", X, []Sparse{{[]uint32{1, 4}, []float64{0.5, 1}}, {[]uint32{}, []float64{}}, {[]uint32{0}, []float64{3}}})
	Diff(t, "labels", y, []int{1, -1, 7})
	Diff(t, "error", err, nil)
	for text, want := range map[string]string{
		"1 1:1\n1 1:x":         `line 2, column 5: value "x", want a finite number`,
		"1 1:1\n\n # a\n1 0:1": `line 4, column 3: index "0", want a positive integer`,
		"a 1:1":                `line 1, column 1: label "a", want an integer`,
		"1\ufeff":              "line 1, column 1: label \"1\\ufeff\", want an integer",
		"1\n\ufeff1":           "line 2, column 1: label \"\\ufeff1\", want an integer",
		"1 134217729:1":        "line 1, column 3: index 134217729, want at most 134217728",
	} {
		X, y, err := ReadLIBSVM(strings.NewReader(text))
		if X != nil || y != nil || !errors.Is(err, ErrFormat) || err.Error() != "perceptron: bad format: "+want {
			t.Errorf("%q: %v, %v, %v, want %s", text, X, y, err, want)
		}
	}
	X, y, err = ReadLIBSVM(strings.NewReader("# nothing\n"))
	Diff(t, "nothing", [3]any{X, y, err}, [3]any{[]Sparse(nil), []int(nil), nil})
	_, _, err = ReadLIBSVM(io.MultiReader(strings.NewReader("1 1:1\n"), iotest.ErrReader(io.ErrUnexpectedEOF)))
	if !errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, ErrFormat) || err.Error() != "line 2, column 1: unexpected EOF" {
		t.Errorf("the reader's error: %v", err)
	}
	if _, _, err := ReadLIBSVM(endless('1')); !errors.Is(err, ErrFormat) {
		t.Errorf("an endless line: %v", err)
	}
}

// endless is a text of one repeated byte.
type endless byte

func (e endless) Read(b []byte) (n int, err error) {
	for i := range b {
		b[i] = byte(e)
	}
	return len(b), nil
}

// TestLIBSVM: a stream stops, continues, ends, and stays at its error.
func TestLIBSVM(t *testing.T) {
	in := LIBSVM{R: strings.NewReader("1 1:1\n2 2:2\n3 3:3\n4 4:4\n"), Width: 3}
	var labels []int
	for range 3 {
		for x, label := range in.All() {
			if labels = append(labels, label); x.Index[0] != uint32(label-1) || x.Value[0] != float64(label) {
				t.Errorf("%d: %v", label, x)
			}
			if label == 2 {
				Diff(t, "error in the middle", in.Err(), nil)
				break
			}
		}
	}
	Diff(t, "labels", labels, []int{1, 2, 3})
	if err := in.Err(); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "line 4, column 3: index 4, want at most 3") {
		t.Error(err)
	}
	wide := uint64(1) << 32
	bad := []LIBSVM{{}, {R: endless('1'), Width: -1}}
	if bits.UintSize == 64 { // a smaller int cannot be too large
		bad = append(bad, LIBSVM{R: endless('1'), Width: int(wide + 1)})
		in = LIBSVM{R: strings.NewReader("1 4294967296:1"), Width: int(wide)}
		for x := range in.All() {
			Diff(t, "the highest index", x.Index, []uint32{1<<32 - 1})
		}
		Diff(t, "error", in.Err(), nil)
	}
	for _, in := range bad {
		for range in.All() {
			t.Fatalf("a row with Width %d", in.Width)
		}
		if err := in.Err(); !errors.Is(err, ErrConfig) {
			t.Errorf("Width %d: %v", in.Width, err)
		}
	}
}

// TestLIBSVMLearn: a model learns a stream in memory that does not grow with it.
func TestLIBSVMLearn(t *testing.T) {
	const rows = 100_000
	m := SparseModel{Model: new(Multiclass), Width: 9}
	in := LIBSVM{R: strings.NewReader(strings.Repeat("1 1:1 9:1\n2 2:1 9:1\n", rows/2))}
	var e Epoch
	n := Allocated(func() { e = must(m.Learn(in.All()))(t) })
	Diff(t, "error", in.Err(), nil)
	Diff(t, "examples", e.Examples, rows)
	if n > 64*rows {
		t.Errorf("%d bytes for %d rows", n, rows)
	}
}

// TestReadLIBSVMBlocks: rows that share blocks, or are longer than one, do not touch each other.
func TestReadLIBSVMBlocks(t *testing.T) {
	var text strings.Builder
	for i := range 2000 {
		text.WriteString("1")
		for j := range i % 600 {
			fmt.Fprintf(&text, " %d:%d", j+1, i+j)
		}
		text.WriteString("\n")
	}
	X, _, _ := ReadLIBSVM(strings.NewReader(text.String()))
	for i, x := range X {
		_, _ = append(x.Index, 7), append(x.Value, 7)
		for j, v := range x.Value {
			if len(x.Value) != i%600 || x.Index[j] != uint32(j) || v != float64(i+j) {
				t.Fatalf("row %d: %v", i, x)
			}
		}
	}
}
