package weights

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"

	"perceptron/internal/naive"
	"perceptron/internal/vec"
)

// randomRow returns a sparse row of n non-zeros or fewer.
func randomRow(r *rand.Rand, width, n int) vec.Row {
	x := vec.Row{Index: []uint32{}, Width: width}
	for range n {
		x.Index = append(x.Index, uint32(r.IntN(width)))
	}
	slices.Sort(x.Index)
	x.Index = slices.Compact(x.Index)
	for range x.Index {
		x.Value = append(x.Value, r.NormFloat64())
	}
	return x
}

// learnRow makes the update of one row by one plane.
func learnRow(t *testing.T, p *Planes, i int, x vec.Row, step float64) {
	t.Helper()
	if !p.Propose(i, &x, step, 0) {
		t.Fatal("an update overflows")
	}
	p.Commit(i, &x)
	for i := range p.Len() {
		p.See(i, 1, 0)
	}
	p.Outdate()
}

// trained returns k planes after updates by random sparse rows.
func trained(t *testing.T, keep Keep, width, k int) *Planes {
	r := rand.New(rand.NewPCG(67, uint64(width)))
	p := New(Shape{Keep: keep})
	p.SetWidth(width)
	for i := range k {
		p.Insert(i, nil, 0, 0, false)
	}
	for n := range 3 * k {
		learnRow(t, &p, n%k, randomRow(r, width, 6), r.NormFloat64())
		if keep == Pocket && n%2 == 0 {
			p.Replace(n%k, Training)
		}
	}
	return &p
}

// TestReadMeans: under Average a sparse read computes means of its own, until a dense read has
// computed them all, and again after the next update. All have the same bits.
func TestReadMeans(t *testing.T) {
	p := trained(t, Average, 40, 1)
	x := vec.Row{Index: []uint32{1, 3}, Value: []float64{0.3, -7}, Width: 40}
	score := func() float64 {
		var s [1]float64
		p.Read(s[:], 0, &vec.Row{Index: x.Index, Value: x.Value, Width: 40})
		return s[0]
	}
	for range 3 {
		want := score()
		if !p.reads.outdated.Load() {
			t.Error("a sparse read has computed all means")
		}
		mean := p.Predictor(0)
		if got := score(); got != want || p.reads.outdated.Load() {
			t.Errorf("the score is %v after a dense read, want %v", got, want)
		}
		mean[40]++ // the bias
		if got := score(); got == want {
			t.Error("a sparse read does not use the means that a dense read has computed")
		}
		if c := p.Clone(); c.Predictor(0)[40] != mean[40] {
			t.Error("a clone has other means")
		}
		learnRow(t, p, 0, vec.Row{Index: []uint32{3}, Value: []float64{1}, Width: 40}, 2)
	}
}

// TestReadBeside: sparse reads copy the vectors side by side once they have read as many non-zeros as a
// plane has elements, unless the copy would be too large, and training drops the copy.
func TestReadBeside(t *testing.T) {
	defer func(most int) { mostBeside = most }(mostBeside)
	for _, width := range []int{40, 1 << 12} {
		for keep := range KeepNames {
			p := trained(t, Keep(keep), width, 23)
			x := vec.Row{Index: []uint32{1, 33, 39}, Value: []float64{0.3, -7, 2}, Width: width}
			n := width + 1
			for _, most := range []int{23*n - 1, 23 * n} {
				mostBeside = most
				var before, after [23]float64
				p.Read(before[:], 0, &vec.Row{Index: x.Index, Value: x.Value, Width: width})
				for range n / 3 {
					p.Read(after[:], 0, &vec.Row{Index: x.Index, Value: x.Value, Width: width})
				}
				if made := p.reads.beside.Load() != nil; made != (most == 23*n) || before != after {
					t.Errorf("width %d, keep %d: with room for %d elements a copy is made: %t; scores %v, want %v", width, keep, most, made, after, before)
				}
			}
			if learnRow(t, p, 4, vec.Row{Index: []uint32{3}, Value: []float64{1}, Width: width}, 1); p.reads.beside.Load() != nil {
				t.Error("there is a copy after an update")
			}
		}
	}
}

// TestMeanOnce: of many readers one computes the means, and the others wait for it.
func TestMeanOnce(t *testing.T) {
	p := trained(t, Average, 1, 1)
	var readers sync.WaitGroup
	p.reads.mutex.Lock() // the test is the reader that computes
	for range 20 {
		naive.Go(&readers, func() {
			if got := p.Predictor(0)[0]; got != 7 {
				t.Errorf("a second reader computes the mean: %v", got)
			}
		})
	}
	for range 1000 {
		runtime.Gosched() // to let the readers wait for the lock
	}
	p.all[0].kept = []float64{7, 7}
	p.reads.outdated.Store(false)
	p.reads.mutex.Unlock()
	readers.Wait()
}

// TestReadCounts: a row that is read in several calls counts once.
func TestReadCounts(t *testing.T) {
	p, r := trained(t, Average, 1<<17, 3), rand.New(rand.NewPCG(67, 3))
	x, scores := randomRow(r, 1<<17, 6), make([]float64, 3)
	for first := range scores {
		p.Read(scores[first:first+1], first, &x)
	}
	if n := p.reads.count.Load(); n != int64(len(x.Index)) {
		t.Errorf("%d non-zeros counted, want %d", n, len(x.Index))
	}
}
