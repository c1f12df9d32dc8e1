package weights

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"testing"

	"perceptron/internal/naive"
	"perceptron/internal/vec"
)

// randomRow returns a sparse row of at most n non-zeros.
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
		p.Count(i, 1, 0)
	}
	p.Outdate()
}

// trained returns k planes after updates by random sparse rows.
func trained(t *testing.T, shape Shape, width, k int) *Planes {
	r := rand.New(rand.NewPCG(67, uint64(width)))
	p := New(shape)
	p.SetWidth(width)
	p.LayOut(true)
	for i := range k {
		p.Insert(i, []float64{0}, 0)
	}
	for n := range 3 * k {
		learnRow(t, &p, n%k, randomRow(r, width, 6), r.NormFloat64())
		if p.Keep == Pocket && n%2 == 0 {
			p.Replace(n%k, Training)
		}
	}
	return &p
}

// TestReadMeans: under Average a sparse read computes means of its own, until a dense read has
// computed them all, and again after the next update. All have the same bits.
func TestReadMeans(t *testing.T) {
	p := trained(t, Shape{Keep: Average}, 40, 1)
	x := vec.Row{Index: []uint32{1, 3}, Value: []float64{0.3, -7}, Width: 40}
	score := func() float64 {
		return scoresOf(p, &x)[0]
	}
	for range 3 {
		want := score()
		if !p.reads.outdated.Load() {
			t.Error("a sparse read has computed all means")
		}
		mean := p.Predicting(0)
		if got := score(); got != want || p.reads.outdated.Load() {
			t.Errorf("the score is %v after a dense read, want %v", got, want)
		}
		mean[40]++ // the bias
		if got := score(); got == want {
			t.Error("a sparse read does not use the means that a dense read has computed")
		}
		if c := p.Clone(); c.Predicting(0)[40] != mean[40] {
			t.Error("a clone has other means")
		}
		learnRow(t, p, 0, vec.Row{Index: []uint32{3}, Value: []float64{1}, Width: 40}, 2)
	}
}

// TestReadBeside: sparse reads copy the vectors side by side once they have read as many non-zeros as a
// plane has elements, unless the copy would be too large. Training drops the copy. Under Last the
// vectors of planes that have learned sparse rows are side by side already.
func TestReadBeside(t *testing.T) {
	defer func(most int) { mostBeside = most }(mostBeside)
	for _, width := range []int{40, 1 << 12} {
		for keep := range vectorsSaved {
			for _, many := range []bool{false, true} {
				p := trained(t, Shape{Keep: uint8(keep), Many: many}, width, 23)
				if want := many && keep != Pocket; p.Apart() == want {
					t.Errorf("keep %d: the vectors are apart: %t", keep, p.Apart())
				}
				x := vec.Row{Index: []uint32{1, 33, 39}, Value: []float64{0.3, -7, 2}, Width: width}
				n, copies := width+1, p.Apart() || keep == Average
				for _, most := range []int{23*n - 1, 23 * n} {
					mostBeside = most
					before := scoresOf(p, &x)
					for range n / 3 {
						scoresOf(p, &x)
					}
					if made := p.reads.copies.Load() != nil; made != (copies && most == 23*n) {
						t.Errorf("width %d, keep %d: with room for %d elements a copy is made: %t", width, keep, most, made)
					}
					for i, s := range scoresOf(p, &x) {
						if s != before[i] || s != x.Score(p.Predicting(i)) {
							t.Errorf("width %d, keep %d: score %v, want %v and %v", width, keep, s, before[i], x.Score(p.Predicting(i)))
						}
					}
				}
				if learnRow(t, p, 4, vec.Row{Index: []uint32{3}, Value: []float64{1}, Width: width}, 1); p.reads.copies.Load() != nil {
					t.Error("there is a copy after an update")
				}
			}
		}
	}
}

// scoresOf returns the scores that Read computes.
func scoresOf(p *Planes, x *vec.Row) []float64 {
	scores := make([]float64, p.Len())
	p.Read(x, func(i int, s float64) { scores[i] = s })
	return scores
}

// TestLayOut: the vectors are the same side by side, apart again, and in a clone, whatever the order in which
// the planes came.
func TestLayOut(t *testing.T) {
	for _, keep := range []uint8{Last, Average} {
		p := trained(t, Shape{Keep: keep, Many: true}, 200, 19)
		for i := range 3 { // arrive late, and before others
			p.Insert(5*i, []float64{1, 2, -3, 4}, 7)
		}
		was := vectorsOf(p)
		if p.Apart() || fmt.Sprint(was[5][0][:5]) != "[1 2 -3 0 0]" || was[5][0][200] != 4 {
			t.Errorf("apart: %t; a plane that came late is %v", p.Apart(), was[5])
		}
		x, r := vec.Row{Index: []uint32{}, Width: 200}, rand.New(rand.NewPCG(77, 1))
		for turn := range 4 {
			c := p.Clone()
			p.LayOut(turn%2 == 0)
			if got := vectorsOf(p); !reflect.DeepEqual(got, was) || p.Apart() != (turn%2 == 1) {
				t.Fatalf("turn %d: %v, want %v", turn, got, was)
			}
			if got := vectorsOf(&c); !reflect.DeepEqual(got, was) {
				t.Fatalf("turn %d: a clone has %v, want %v", turn, got, was)
			}
			scores := map[int]float64{}
			p.Scores(&x, 3, 20, func(i int, s float64) { scores[i] = s })
			for i, s := range scores {
				if s != was[i][0][200] || len(scores) != 17 || i < 3 || i >= 20 {
					t.Errorf("turn %d: the score by plane %d of %d is %v, want the bias", turn, i, len(scores), s)
				}
			}
			learnRow(t, &c, 3, randomRow(r, 200, 9), 1)
			if got := vectorsOf(p); !reflect.DeepEqual(got, was) || reflect.DeepEqual(vectorsOf(&c), was) {
				t.Fatalf("turn %d: an update of a clone changes %v", turn, got)
			}
			for i := range p.Len() {
				if w := was[i][0]; p.ComputeNorm(i) != vec.Norm(w) || !p.Same(w, i) || !slices.Equal(p.Copy(nil, i), w) || p.Same(vectorsOf(&c)[3][0], 3) {
					t.Errorf("turn %d: plane %d: norm, Same or Copy", turn, i)
				}
			}
		}
	}
}

// vectorsOf returns copies of the vectors that updates change, for each plane.
func vectorsOf(p *Planes) (all [][][]float64) {
	for _, q := range p.all {
		var vectors [][]float64
		for _, v := range q.moving[:kinds(p.Keep)] {
			vectors = append(vectors, slices.Clone(p.whole(nil, v, q.stride)))
		}
		all = append(all, vectors)
	}
	return all
}

// TestMeanOnce: of many readers one computes the means, and the others wait for it.
func TestMeanOnce(t *testing.T) {
	p := trained(t, Shape{Keep: Average}, 1, 1)
	var readers sync.WaitGroup
	p.reads.mutex.Lock() // the test is the reader that computes
	for range 20 {
		naive.Go(&readers, func() {
			if got := p.Predicting(0)[0]; got != 7 {
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

// TestReadNarrow: a copy for reads does not outlive an update, even if rows without elements made it.
func TestReadNarrow(t *testing.T) {
	p := trained(t, Shape{Keep: Average, Many: true}, 1, 3)
	none, x := vec.Row{Index: []uint32{}, Width: 1}, vec.Row{Index: []uint32{0}, Value: []float64{1}, Width: 1}
	for range 9 {
		scoresOf(p, &none)
		learnRow(t, p, 1, x, 1)
		if got, want := scoresOf(p, &none)[1], p.Predicting(1)[1]; got != want {
			t.Fatalf("the score is %v after an update, want %v", got, want)
		}
	}
}

// TestReadCounts: a row that is read counts once.
func TestReadCounts(t *testing.T) {
	p, r := trained(t, Shape{Keep: Average}, 1<<17, 3), rand.New(rand.NewPCG(67, 3))
	x := randomRow(r, 1<<17, 6)
	scoresOf(p, &x)
	if n := p.reads.count.Load(); n != int64(len(x.Index)) {
		t.Errorf("%d non-zeros counted, want %d", n, len(x.Index))
	}
}
