package train

import (
	"testing"

	"perceptron/internal/naive"
)

// TestBatchNaive compares Batch with its formula, exactly, for every number of workers.
func TestBatchNaive(t *testing.T) {
	manyWorkers(t)
	sets := []naive.Set{naive.Separable(1, 700, 5, 0.2), naive.Noisy(2, 1100, 70), naive.Whole(3, 300, 3), naive.XOR}
	for _, set := range sets {
		for _, space := range []Space{Affine, Linear} {
			for _, epochs := range []int{1, 2, 10} {
				b := newModel(Config{Rule: OnGradient, Space: space, MaxEpochs: epochs, Rate: 0.1, Workers: 1})
				b.Start.Weights = make([]float64, len(set.X[0]))
				b.Start.Weights[0] = 0.5
				res := must(b.Fit(set.X, set.Y))(t)
				want, mistakes, _ := naive.Batch(b.naive(), set.X, set.Y, res.Epochs)
				if !samePlane(b.plane(), Hyperplane(want)) || res.Mistakes != mistakes {
					t.Fatalf("%s, %v, %d epochs: %+v\n%v, want %d mistakes\n%v", set.Name, space, epochs, res, b.plane(), mistakes, want)
				}
				for workers := range 9 {
					c := b.fresh()
					c.Workers = workers
					if got := must(c.Fit(set.X, set.Y))(t); got != res || !samePlane(c.plane(), b.plane()) {
						t.Fatalf("%s: %d workers differ from 1: %+v, want %+v", set.Name, workers, got, res)
					}
				}
			}
		}
	}
}

// TestBatchEpochs compares the loss and the counts of each epoch with the perceptron
// criterion at the epoch's first weights.
func TestBatchEpochs(t *testing.T) {
	set := naive.Noisy(4, 600, 4)
	p := newModel(Config{Rule: OnGradient, MaxEpochs: 20})
	last, before := Epoch{}, 0
	for e := range must2(t, p.Epochs(set.X, set.Y)) {
		_, mistakes, loss := naive.Batch(p.naive(), set.X, set.Y, e.N)
		if e.Mistakes != mistakes-before || !naive.SameBits(e.Loss, loss) {
			t.Fatalf("epoch %+v, want %d mistakes and loss %v", e, mistakes-before, loss)
		}
		last, before = e, mistakes
	}
	if last.Stop == Running {
		t.Errorf("the range ended with %+v", last)
	}
}

// TestBatchBadRow: the error names the first bad row, whichever worker finds it, and
// whichever class.
func TestBatchBadRow(t *testing.T) {
	manyWorkers(t)
	set := naive.Noisy(5, 5000, 40)
	for _, i := range []int{4999, 2600, 2570, 700} {
		set.X[i][39] = inf
		for _, workers := range []int{1, 2, 7} {
			for _, scheme := range []Scheme{TwoClasses, OneVsRest} {
				_, err := newModel(Config{Scheme: scheme, Rule: OnGradient, Workers: workers}).Fit(set.X, set.Y)
				refused(t, err, ErrNotFinite, i, "not finite: feature 39 is +Inf")
			}
		}
	}
}

// TestBatchFetch: fetching rows ahead, for data larger than the caches, changes no result.
func TestBatchFetch(t *testing.T) {
	set := naive.Noisy(12, 530, 2000)
	b := newModel(Config{Rule: OnGradient, MaxEpochs: 2})
	res := must(b.Fit(set.X, set.Y))(t)
	want, mistakes, _ := naive.Batch(b.naive(), set.X, set.Y, res.Epochs)
	if !samePlane(b.plane(), Hyperplane(want)) || res.Mistakes != mistakes {
		t.Errorf("%d mistakes, want %d, or another hyperplane", res.Mistakes, mistakes)
	}
}

// TestBatchLastBlock: the last block of rows may have any size. From zero weights every row is
// a mistake.
func TestBatchLastBlock(t *testing.T) {
	manyWorkers(t)
	for _, n := range []int{1, gradientRows - 1, gradientRows, gradientRows + 1, 2*gradientRows + 1} {
		set := naive.Noisy(uint64(n), n, 3)
		for workers := 1; workers < 4; workers++ {
			res := must(newModel(Config{Rule: OnGradient, MaxEpochs: 1, Workers: workers}).Fit(set.X, set.Y))(t)
			if res.Mistakes != n {
				t.Errorf("%d rows, %d workers: %d mistakes", n, workers, res.Mistakes)
			}
		}
	}
}
