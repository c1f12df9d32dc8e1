package perceptron

import (
	"fmt"
	"iter"
	"math"
	"testing"
)

// binaryModel is what Online and Margin share beyond Model.
type binaryModel interface {
	model
	Epochs(X [][]float64, y []int) iter.Seq2[Epoch, error]
	Learn(examples iter.Seq2[[]float64, int]) (Epoch, error)
	Update(x []float64, y int) (bool, error)
	Score(x []float64) (float64, error)
	Hyperplane() Hyperplane
}

// onlineGrid yields the example-by-example models in every rule, Order, Keep and
// Space, with a rate that is no power of two and a start that is not zero.
func onlineGrid(d, epochs int) iter.Seq2[string, binaryModel] {
	start := Hyperplane{Weights: make([]float64, d)}
	for j := range start.Weights {
		start.Weights[j] = float64(j%3) - 1.25
	}
	return func(yield func(string, binaryModel) bool) {
		for _, order := range []Order{Cyclic, Shuffled, Sampled} {
			for _, keep := range []Keep{Last, Average, Pocket} {
				for _, space := range []Space{Affine, Linear} {
					start.Bias = 0
					if space == Affine {
						start.Bias = 0.75
					}
					o := Online{Space: space, Order: order, Keep: keep, Seed: 7, MaxEpochs: epochs}
					m := Margin{Space: space, Order: order, Keep: keep, Seed: 8, MaxEpochs: epochs}
					from := func(m Margin) *Margin { m.Start = start; m.Rate = 0.1; return &m }
					theta, gamma := m, m
					theta.Threshold = 0.7
					gamma.Gamma = 0.3
					online := o
					online.Start, online.Rate = start, 0.1
					for i, p := range []binaryModel{&o, &online, &m, from(m), &theta, from(theta), &gamma, from(gamma)} {
						if !yield(fmt.Sprintf("%v/%v/%v/%d", order, keep, space, i), p) {
							return
						}
					}
				}
			}
		}
	}
}

// TestNaive holds every model that learns by example against the formulas, in
// weights, decisions, mistakes and loss, exactly; the average exactly where
// every sum is exact, and to the last digit elsewhere.
func TestNaive(t *testing.T) {
	sets := []dataset{separable(1, 60, 5, 0.1), noisy(2, 50, 3), noisy(3, 40, 39), whole(4, 50, 6)}
	for _, set := range sets {
		for _, epochs := range []int{1, 2, 10} {
			for name, p := range onlineGrid(len(set.X[0]), epochs) {
				t.Run(fmt.Sprintf("%s%d/%d/%s", set.name, len(set.X[0]), epochs, name), func(t *testing.T) {
					compareNaive(t, p, set)
				})
			}
		}
	}
}

func compareNaive(t *testing.T, p binaryModel, set dataset) {
	n := naiveOf(p, len(set.X[0]))
	n.right = n.count(n.pocket, set.X, set.y)
	naiveStop := Running
	for e := range must2(t, p.Epochs(set.X, set.y)) {
		mistakes, converged := n.epoch(set.X, set.y)
		if e.N != n.ran || e.Examples != len(set.X) || e.Mistakes != mistakes {
			t.Fatalf("epoch %+v, want N %d, %d examples, %d mistakes", e, n.ran, len(set.X), mistakes)
		}
		if !sameBits(e.Loss, n.loss) {
			t.Fatalf("epoch %d: loss %v, want %v", e.N, e.Loss, n.loss)
		}
		if converged != (e.Stop == Converged) {
			t.Fatalf("epoch %d: Stop %v, but converged = %v", e.N, e.Stop, converged)
		}
		naiveStop = e.Stop
		comparePredictor(t, p, n, set)
	}
	if naiveStop == Running || naiveStop == EpochLimit && n.ran != n.config.maxEpochs {
		t.Fatalf("ended with %v after %d epochs of %d", naiveStop, n.ran, n.config.maxEpochs)
	}
	res := must(p.Fit(set.X, set.y))(t)
	if res.Epochs != n.ran || res.Mistakes != n.wrongs || res.Stop != naiveStop {
		t.Fatalf("Fit: %+v, want %d epochs, %d mistakes, %v", res, n.ran, n.wrongs, naiveStop)
	}
	comparePredictor(t, p, n, set)
	compareUpper(t, res, n)
}

// comparePredictor compares what predicts, and then its decisions.
func comparePredictor(t *testing.T, p binaryModel, n *naive, set dataset) {
	t.Helper()
	got, want := p.Hyperplane(), n.predictor()
	if n.keep != Average && !samePlane(got, want) || !nearPlane(got, want, n.slack(set)) {
		t.Fatalf("after %d epochs: hyperplane\n%v, want\n%v", n.ran, got, want)
	}
	for _, x := range set.X {
		s := naiveDot(got.Weights, x) + got.Bias
		if v := must(p.Score(x))(t); !sameBits(v, s) {
			t.Fatalf("Score = %v, want %v", v, s)
		}
		want := -1
		if s >= 0 {
			want = +1
		}
		if label := must(p.Predict(x))(t); label != want {
			t.Fatalf("Predict = %d for score %v", label, s)
		}
	}
}

func compareUpper(t *testing.T, res Result, n *naive) {
	t.Helper()
	want := math.Inf(1)
	if n.start.Weights == nil && n.wrongs > 0 {
		want = math.Sqrt(naiveDot(n.w, n.w)+n.b*n.b) / (n.rate * float64(n.wrongs))
	}
	if !(math.Abs(res.Upper-want) <= 1e-14*want) && res.Upper != want {
		t.Fatalf("Upper = %v, want %v", res.Upper, want)
	}
}

// must2 ranges over epochs and fails the test on an error.
func must2(t testing.TB, epochs iter.Seq2[Epoch, error]) iter.Seq[Epoch] {
	return func(yield func(Epoch) bool) {
		for e, err := range epochs {
			if err != nil {
				t.Fatal(err)
			}
			if !yield(e) {
				return
			}
		}
	}
}

// TestStreamNaive does the same for Update and for Learn, which are the same
// training.
func TestStreamNaive(t *testing.T) {
	for _, set := range []dataset{separable(5, 60, 5, 0.1), whole(6, 60, 4)} {
		for name, p := range onlineGrid(len(set.X[0]), 0) {
			t.Run(set.name+"/"+name, func(t *testing.T) {
				n := naiveOf(p, len(set.X[0]))
				q := p.fields().(binaryModel)
				for pass := range 3 {
					n.loss = 0
					mistakes := 0
					for i, x := range set.X {
						want := n.see(x, set.y[i], nil, nil)
						if want {
							mistakes++
						}
						if got := must(p.Update(x, set.y[i]))(t); got != want {
							t.Fatalf("Update %d = %v, want %v", i, got, want)
						}
						comparePredictor(t, p, n, dataset{set.name, set.X[:1], set.y[:1]})
					}
					e := must(q.Learn(stream(set)))(t)
					want := Epoch{N: pass + 1, Examples: len(set.X), Mistakes: mistakes, Loss: n.loss / float64(len(set.X))}
					if e != want {
						t.Fatalf("Learn = %+v, want %+v", e, want)
					}
					if !samePlane(p.Hyperplane(), q.Hyperplane()) {
						t.Fatal("Learn and Update differ")
					}
				}
			})
		}
	}
}

// stream yields a dataset's examples through one buffer, overwritten each time.
func stream(set dataset) iter.Seq2[[]float64, int] {
	return func(yield func([]float64, int) bool) {
		buffer := make([]float64, len(set.X[0]))
		for i, x := range set.X {
			copy(buffer, x)
			if !yield(buffer, set.y[i]) {
				return
			}
			for j := range buffer {
				buffer[j] = math.NaN()
			}
		}
	}
}

// TestStreamLabels: no label but +1 and −1 is learned, however right its sign is and
// whatever its square overflows to.
func TestStreamLabels(t *testing.T) {
	for _, m := range []model{new(Online), new(Margin), &Margin{Gamma: 0.1}, &Online{Keep: Average}} {
		accept.of(t, m, [][]float64{{1, 2}}, []int{1}, "Learn")
		for _, label := range []int{0, 2, -2, 3, -3, math.MaxInt, -math.MaxInt, math.MinInt, 1 << 16, 1<<16 + 1, math.MaxInt / 2} {
			for _, sign := range []float64{1, -1} {
				x := [][]float64{{9 * sign, 9 * sign}}
				w := want{ErrLabel, -1, fmt.Sprintf("bad label: %d, want +1 or -1", label)}
				w.of(t, m, x, []int{label}, "Update")
				w.index = 0
				w.of(t, m, x, []int{label}, "Learn")
			}
		}
	}
}
