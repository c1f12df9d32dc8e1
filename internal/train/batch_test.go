package train

import "testing"

// TestBatchNaive compares Batch with its formula, exactly, for every number of workers.
func TestBatchNaive(t *testing.T) {
	manyWorkers(t)
	sets := []dataset{separable(1, 700, 5, 0.2), noisy(2, 1100, 70), whole(3, 300, 3), xor}
	for _, set := range sets {
		for _, space := range []Space{Affine, Linear} {
			for _, epochs := range []int{1, 2, 10} {
				b := newModel(Config{Rule: OnGradient, Space: space, MaxEpochs: epochs, Rate: 0.1, Workers: 1})
				b.Start.Weights = make([]float64, len(set.X[0]))
				b.Start.Weights[0] = 0.5
				res := must(b.Fit(set.X, set.y))(t)
				want, mistakes, _ := naiveBatch(b, set.X, set.y, res.Epochs)
				if !samePlane(b.plane(), want) || res.Mistakes != mistakes {
					t.Fatalf("%s, %v, %d epochs: %+v\n%v, want %d mistakes\n%v", set.name, space, epochs, res, b.plane(), mistakes, want)
				}
				for workers := range 9 {
					c := b.fresh()
					c.Workers = workers
					if got := must(c.Fit(set.X, set.y))(t); got != res || !samePlane(c.plane(), b.plane()) {
						t.Fatalf("%s: %d workers differ from 1: %+v, want %+v", set.name, workers, got, res)
					}
				}
			}
		}
	}
}

// TestBatchEpochs compares the loss and the counts of each epoch with the perceptron
// criterion at the epoch's first weights.
func TestBatchEpochs(t *testing.T) {
	set := noisy(4, 600, 4)
	p := newModel(Config{Rule: OnGradient, MaxEpochs: 20})
	last, before := Epoch{}, 0
	for e := range must2(t, p.Epochs(set.X, set.y)) {
		_, mistakes, loss := naiveBatch(p, set.X, set.y, e.N)
		if e.Mistakes != mistakes-before || !sameBits(e.Loss, loss) {
			t.Fatalf("epoch %+v, want %d mistakes and loss %v", e, mistakes-before, loss)
		}
		last, before = e, mistakes
	}
	if last.Stop == Running {
		t.Errorf("the range ended with %+v", last)
	}
}

// TestBatchClasses: the workers share the classes of OneVsRest, and each class is what its
// separate fit gives.
func TestBatchClasses(t *testing.T) {
	manyWorkers(t)
	set := multi(6, 600, 5, 4)
	for workers := range 6 {
		m := newModel(Config{Scheme: OneVsRest, Rule: OnGradient, MaxEpochs: 9, Workers: workers})
		compareSeparate(t, m, set)
	}
}

// TestBatchBadRow: the error names the first bad row, whichever worker finds it, and
// whichever class.
func TestBatchBadRow(t *testing.T) {
	manyWorkers(t)
	set := noisy(5, 5000, 40)
	for _, i := range []int{4999, 2600, 2570, 700} {
		set.X[i][39] = inf
		for _, workers := range []int{1, 2, 7} {
			for _, scheme := range []Scheme{TwoClasses, OneVsRest} {
				_, err := newModel(Config{Scheme: scheme, Rule: OnGradient, Workers: workers}).Fit(set.X, set.y)
				refused(t, err, ErrNotFinite, i, "not finite: feature 39 is +Inf")
			}
		}
	}
}

// TestBatchOverflows: a step that overflows is an error, and undone.
func TestBatchOverflows(t *testing.T) {
	p := newModel(Config{Rule: OnGradient, Rate: 1e308, Space: Linear})
	_, err := p.Fit([][]float64{{2}, {3}}, []int{1, 1})
	if refused(t, err, ErrNotFinite, -1, "not finite: the update overflows, though every feature is finite"); p.now != nil {
		t.Error("the step was not undone")
	}
}

// TestBatchFetch: fetching rows ahead, for data larger than the caches, changes no result.
func TestBatchFetch(t *testing.T) {
	set := noisy(12, 530, 2000)
	b := newModel(Config{Rule: OnGradient, MaxEpochs: 2})
	res := must(b.Fit(set.X, set.y))(t)
	want, mistakes, _ := naiveBatch(b, set.X, set.y, res.Epochs)
	if !samePlane(b.plane(), want) || res.Mistakes != mistakes {
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
			res := must(newModel(Config{Rule: OnGradient, MaxEpochs: 1, Workers: workers}).Fit(set.X, set.y))(t)
			if res.Mistakes != n {
				t.Errorf("%d rows, %d workers: %d mistakes", n, workers, res.Mistakes)
			}
		}
	}
}
