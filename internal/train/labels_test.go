package train

import (
	"math"
	"slices"
	"sync"
	"testing"

	"perceptron/internal/naive"
	"perceptron/internal/saved"
	"perceptron/internal/vec"
)

// TestAverageDeferred: Update leaves the mean to the next read. Many goroutines read at once, and
// one of them computes the mean. All get the bits of a model that is read after every example.
func TestAverageDeferred(t *testing.T) {
	set := naive.Multi(5, 61, 40, 3)
	m := newModel(Config{Rest: true, Keep: Average})
	often := m.fresh()
	must(m.Fit(set.X, set.Y))(t)
	must(often.Fit(set.X, set.Y))(t)
	reads := []func() [][]float64{
		m.vectors,
		func() [][]float64 { return m.Clone().vectors() },
		func() [][]float64 { m.Vector(2); return m.vectors() },
		func() [][]float64 {
			c, start, s := m.State()
			for i, v := range s.Vectors { // Restore alone would share the memory of m
				s.Vectors[i] = slices.Clone(v)
			}
			loaded := &model{Config: c, Start: start}
			if err := loaded.Restore(c, start, s); err != nil {
				t.Error(err)
			}
			return loaded.vectors()
		},
		func() [][]float64 {
			mixed := m.fresh()
			if err := mixed.Mix([]*Engine{&m.Engine}, []float64{1}); err != nil {
				t.Error(err)
			}
			return mixed.vectors()
		},
	}
	m.vectors()
	for i := range set.X {
		for j := range 7 { // odd, so that some calls make no update
			x, y := set.X[(i+j)%61], set.Y[(i*j)%61]
			must(m.Update(x, y))(t)
			must(often.Update(x, y))(t)
			often.vectors()
		}
		want := often.vectors()
		got := make([][][]float64, len(reads))
		var wg sync.WaitGroup
		for r := range reads {
			read := func() { got[r] = reads[(r+i)%len(reads)]() }
			if i%2 == 0 { // each read is the first once, and once one of many
				read()
			} else {
				naive.Go(&wg, read)
			}
		}
		wg.Wait()
		for r, vectors := range got {
			if !sameVectors(vectors, want) {
				t.Fatalf("after %d examples, read %d: %v, want %v", 7*i+7, (r+i)%len(reads), vectors, want)
			}
		}
		if _, err := m.Update([]float64{math.NaN()}, 1); err == nil || snapshot(m) != snapshot(often) {
			t.Fatalf("after an error (%v) the model differs", err)
		}
	}
}

// TestSparseReads: sparse reads have the bits of the whole vectors on the row's window. This holds
// before and after there are enough reads to copy the vectors side by side, and from several goroutines.
func TestSparseReads(t *testing.T) {
	set := naive.Noisy(9, 60, 40)
	for i := range set.Y {
		set.Y[i] = i % 23
	}
	for keep := range KeepNames {
		m := newModel(Config{Rival: &rivalRule, Keep: uint8(keep), MaxEpochs: 3})
		must(m.Fit(set.X, set.Y))(t)
		for turn := range 3 {
			var wg sync.WaitGroup
			for range 4 {
				naive.Go(&wg, func() {
					for i := range 40 {
						x := vec.Row{Index: []uint32{1, 33, uint32(34 + i%6)}, Value: []float64{0.3, -7, float64(i)}, Width: 40}
						var got [23]float64
						if err := m.SparseScores(x.Index, x.Value, func(i int, s float64) { got[i] = s }); err != nil {
							t.Error(err)
						}
						for c, s := range got {
							if want := x.Score(m.Vector(c)); s != want {
								t.Errorf("keep %d, turn %d: score %d of row %d is %v, want %v", keep, turn, c, i, s, want)
							}
						}
					}
				})
			}
			wg.Wait()
			checkReads(t, m)
			must(m.Update(set.X[turn], (set.Y[turn]+1)%23))(t)
		}
	}
}

// checkReads checks that sparse reads give the labels of dense reads, and the errors of bad rows,
// and allocate nothing.
func checkReads(t *testing.T, m *model) {
	t.Helper()
	width := m.now.planes.Width()
	for i := range 40 {
		index, value := []uint32{1, uint32(2 + i%38)}, []float64{1 - float64(i)/7, 3}
		x, want := [][]float64{naive.Dense(width, index, value)}, []int{0}
		m.Labeler()(want, x)
		if got := must(m.SparseLabel(index, value))(t); got != want[0] {
			t.Errorf("the label of row %d is %d, want %d", i, got, want[0])
		}
		if n := testing.AllocsPerRun(5, func() { _, _ = m.SparseLabel(index, value) }); n != 0 {
			t.Errorf("SparseLabel allocates %v times", n)
		}
	}
	for _, bad := range []struct {
		index []uint32
		value []float64
		kind  error
		text  string
	}{
		{[]uint32{40}, []float64{1}, ErrDimension, "dimension mismatch: index 40 at 0, want less than the width 40"},
		{[]uint32{3, 2}, []float64{1, 1}, saved.ErrFormat, "bad format: index 2 at 1 follows index 3, want indexes that ascend; call Sort"},
		{[]uint32{3}, nil, ErrDimension, "dimension mismatch: Index has length 1, but Value has 0"},
		{[]uint32{3}, []float64{inf}, ErrNotFinite, "not finite: feature 3 is +Inf"},
	} {
		_, err := m.SparseLabel(bad.index, bad.value)
		refused(t, err, bad.kind, -1, bad.text)
		refused(t, m.SparseScores(bad.index, bad.value, func(int, float64) {}), bad.kind, -1, bad.text)
	}
}
