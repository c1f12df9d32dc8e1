package train

import (
	"fmt"
	"testing"
)

// TestBatchNaive compares Batch with its formula, exactly, for every number of
// workers.
func TestBatchNaive(t *testing.T) {
	manyWorkers(t)
	sets := []dataset{separable(1, 700, 5, 0.2), noisy(2, 1100, 70), whole(3, 300, 3), xor}
	for _, set := range sets {
		for _, space := range []Space{Affine, Linear} {
			for _, epochs := range []int{1, 2, 10} {
				b := &Batch{Space: space, MaxEpochs: epochs, Rate: 0.1, Workers: 1}
				b.Start.Weights = make([]float64, len(set.X[0]))
				b.Start.Weights[0] = 0.5
				res := must(b.Fit(set.X, set.y))(t)
				want, mistakes := naiveBatch(b, set.X, set.y, res.Epochs)
				if !samePlane(b.Hyperplane(), want) || res.Mistakes != mistakes {
					t.Fatalf("%s, %v, %d epochs: %+v\n%v, want %d mistakes\n%v", set.name, space, epochs, res, b.Hyperplane(), mistakes, want)
				}
				for workers := range 9 {
					c := &Batch{Space: space, MaxEpochs: epochs, Rate: 0.1, Workers: workers, Start: b.Start}
					if got := must(c.Fit(set.X, set.y))(t); got != res || !samePlane(c.Hyperplane(), b.Hyperplane()) {
						t.Fatalf("%s: %d workers differ from 1: %+v, want %+v", set.name, workers, got, res)
					}
				}
			}
		}
	}
}

// TestBatchEpochs compares the loss and the counts of each epoch with the
// perceptron criterion at the epoch's first weights.
func TestBatchEpochs(t *testing.T) {
	set := noisy(4, 600, 4)
	p := &Batch{MaxEpochs: 20}
	before, last := Hyperplane{Weights: make([]float64, 4)}, Epoch{}
	for e := range must2(t, p.Epochs(set.X, set.y)) {
		mistakes, loss := 0, 0.0
		for lo := 0; lo < len(set.X); lo += gradientRows {
			block := 0.0
			for i := lo; i < min(lo+gradientRows, len(set.X)); i++ {
				if m := float64(set.y[i]) * (naiveDot(before.Weights, set.X[i]) + before.Bias); m <= 0 {
					mistakes++
					block -= m
				}
			}
			loss += block
		}
		if e.Mistakes != mistakes || !sameBits(e.Loss, loss/600) {
			t.Fatalf("epoch %+v, want %d mistakes and loss %v", e, mistakes, loss/600)
		}
		before, last = p.Hyperplane(), e
	}
	if last.Stop == Running {
		t.Errorf("the range ended with %+v", last)
	}
}

// TestBatchBadRow: the error names the first bad row, whichever worker finds it.
func TestBatchBadRow(t *testing.T) {
	manyWorkers(t)
	set := noisy(5, 5000, 40)
	for _, i := range []int{4999, 2600, 2570, 700} {
		set.X[i][39] = inf
		for _, workers := range []int{1, 2, 7} {
			p := &Batch{Workers: workers}
			_, err := p.Fit(set.X, set.y)
			want := fmt.Sprintf("perceptron: example %d: not finite: feature 39 is +Inf", i)
			if err == nil || err.Error() != want {
				t.Fatalf("%d workers: %v, want %s", workers, err, want)
			}
		}
	}
}

// TestBatchFetch: fetching rows ahead, for data larger than the caches, changes no result.
func TestBatchFetch(t *testing.T) {
	set := noisy(12, 530, 2000)
	b := &Batch{MaxEpochs: 2}
	res := must(b.Fit(set.X, set.y))(t)
	want, mistakes := naiveBatch(b, set.X, set.y, res.Epochs)
	if !samePlane(b.Hyperplane(), want) || res.Mistakes != mistakes {
		t.Errorf("%d mistakes, want %d, or another hyperplane", res.Mistakes, mistakes)
	}
}

// TestBatchLastBlock: the last block of rows may have any size. From zero weights every row is
// a mistake.
func TestBatchLastBlock(t *testing.T) {
	manyWorkers(t)
	for _, n := range []int{1, gradientRows - 1, gradientRows, gradientRows + 1, 2*gradientRows + 1} {
		set := noisy(uint64(n), n, 3)
		for workers := 1; workers < 4; workers++ {
			res := must((&Batch{MaxEpochs: 1, Workers: workers}).Fit(set.X, set.y))(t)
			if res.Mistakes != n {
				t.Errorf("%d rows, %d workers: %d mistakes", n, workers, res.Mistakes)
			}
		}
	}
}
