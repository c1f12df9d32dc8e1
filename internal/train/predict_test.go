package train

import (
	"sync"
	"testing"

	"perceptron/internal/naive"
	"perceptron/internal/vec"
)

// TestScoreMeans: under Average a sparse read computes means of its own, until a dense read has
// computed them all, and again after the next example. All have the same bits.
func TestScoreMeans(t *testing.T) {
	set := naive.Noisy(9, 30, 4)
	m := newModel(Config{Keep: Average})
	must(m.Fit(set.X, set.Y))(t)
	x := vec.Row{Index: []uint32{1, 3}, Value: []float64{0.3, -7}, Width: 4}
	score := func() float64 {
		var s [1]float64
		if err := m.Scores(s[:], 0, x.Index, x.Value); err != nil {
			t.Error(err)
		}
		return s[0]
	}
	for range 3 {
		want := score()
		if !m.now.means.outdated.Load() {
			t.Error("a sparse read has computed all means")
		}
		mean := m.Dense().Vector(0)
		if got := score(); got != want || m.now.means.outdated.Load() {
			t.Errorf("the score is %v after a dense read, want %v", got, want)
		}
		mean[4]++ // the bias
		if got := score(); got == want {
			t.Error("a sparse read does not use the means that a dense read has computed")
		}
		if c := m.Clone(); c.Dense().Vector(0)[4] != mean[4] {
			t.Error("a clone has other means")
		}
		must(m.Update(set.X[0], set.Y[0]))(t)
	}
}

// TestBeside: sparse reads make a table once they have read as many non-zeros as a plane has
// elements, and training removes it. All give the same bits, from several goroutines too.
func TestBeside(t *testing.T) {
	set := naive.Noisy(9, 60, 40)
	for i := range set.Y {
		set.Y[i] = i % 23
	}
	for _, keep := range []Keep{Last, Average, Pocket} {
		m := newModel(Config{Rival: &rivalRule, Keep: keep, MaxEpochs: 3})
		must(m.Fit(set.X, set.Y))(t)
		for turn := range 3 {
			var wg sync.WaitGroup
			for range 4 {
				naive.Go(&wg, func() {
					for i := range 40 {
						x := vec.Row{Index: []uint32{1, 33, uint32(34 + i%6)}, Value: []float64{0.3, -7, float64(i)}, Width: 40}
						var got [23]float64
						if err := m.Scores(got[:], 0, x.Index, x.Value); err != nil {
							t.Error(err)
						}
						for c, s := range got {
							if want := x.Score(m.Dense().Vector(c)); s != want {
								t.Errorf("keep %d, turn %d: score %d of row %d is %v, want %v", keep, turn, c, i, s, want)
							}
						}
					}
				})
			}
			wg.Wait()
			if m.now.means.beside.Load() == nil {
				t.Error("there is no table after many reads")
			}
			checkTable(t, m)
			must(m.Update(set.X[turn], (set.Y[turn]+1)%23))(t)
			if m.now.means.beside.Load() != nil {
				t.Error("there is a table after an update")
			}
		}
	}
}

// checkTable checks that reads from a table give the labels of dense reads, and the errors of bad rows,
// and allocate nothing.
func checkTable(t *testing.T, m *model) {
	t.Helper()
	width := m.now.width
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
		{[]uint32{3, 2}, []float64{1, 1}, ErrDimension, "dimension mismatch: index 2 at 1 follows index 3, want indexes that ascend"},
		{[]uint32{3}, nil, ErrDimension, "dimension mismatch: 1 indexes, but 0 values"},
		{[]uint32{3}, []float64{inf}, ErrNotFinite, "not finite: feature 3 is +Inf"},
	} {
		_, err := m.SparseLabel(bad.index, bad.value)
		refused(t, err, bad.kind, -1, bad.text)
		refused(t, m.Scores(make([]float64, m.Planes()), 0, bad.index, bad.value), bad.kind, -1, bad.text)
	}
}

// TestBesideLimit: a table of more elements than the limit is not made, and one of as many is.
func TestBesideLimit(t *testing.T) {
	defer func(most int) { mostBeside = most }(mostBeside)
	set := naive.Noisy(9, 60, 40)
	for i := range set.Y {
		set.Y[i] = i % 23
	}
	for _, keep := range []Keep{Last, Average, Pocket} {
		m := newModel(Config{Rival: &rivalRule, Keep: keep, MaxEpochs: 3})
		must(m.Fit(set.X, set.Y))(t)
		x := vec.Row{Index: []uint32{1, 33, 39}, Value: []float64{0.3, -7, 2}, Width: 40}
		for _, most := range []int{23*41 - 1, 23 * 41} {
			mostBeside = most
			for range 30 {
				must(0, m.Scores(make([]float64, 23), 0, x.Index, x.Value))(t)
			}
			if made := m.now.means.beside.Load() != nil; made != (most == 23*41) {
				t.Errorf("keep %d: with room for %d elements a table is made: %t", keep, most, made)
			}
		}
	}
}
