package perceptron_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"perceptron"
	"perceptron/internal/naive"
)

// The loops in this file are the rules as one writes them first: the product, the test of its sign
// and the update, without a check, a count of anything but mistakes, or a choice. All features are
// small integers, so each sum is exact, and the mistakes of both sides must be equal.

var predicted int // so that the compiler keeps the predictions

// A plain is the weights of each class, with the bias last.
type plain [][]float64

func newPlain(K, d int) plain {
	w := make(plain, K)
	for k := range w {
		w[k] = make([]float64, d+1)
	}
	return w
}

// score returns the score of the class k.
func (w plain) score(k int, x []float64) float64 {
	weights, s := w[k][:len(x)], 0.0
	for j, v := range x {
		s += weights[j] * v
	}
	return s + w[k][len(x)]
}

// move adds c·x and c to the weights and the bias of the class k.
func (w plain) move(k int, c float64, x []float64) {
	weights := w[k][:len(x)]
	for j, v := range x {
		weights[j] += c * v
	}
	w[k][len(x)] += c
}

// binary learns one example with the label y, +1 or −1, for the class k, and reports
// whether it was a mistake.
func (w plain) binary(k int, x []float64, y int) bool {
	c := float64(y)
	if c*w.score(k, x) > 0 {
		return false
	}
	w.move(k, c, x)
	return true
}

// online is an epoch of Online.
func (w plain) online(X [][]float64, y []int) (mistakes int) {
	for i, x := range X {
		if w.binary(0, x, y[i]) {
			mistakes++
		}
	}
	return mistakes
}

// oneVsRest is an epoch of OneVsRest.
func (w plain) oneVsRest(X [][]float64, y []int) (mistakes int) {
	for i, x := range X {
		for k := range w {
			sign := -1
			if k == y[i] {
				sign = +1
			}
			if w.binary(k, x, sign) {
				mistakes++
			}
		}
	}
	return mistakes
}

// multiclass is an epoch of Multiclass.
func (w plain) multiclass(X [][]float64, y []int) (mistakes int) {
	for i, x := range X {
		own, rival, high := 0.0, 0, math.Inf(-1)
		for k := range w {
			s := w.score(k, x)
			if k == y[i] {
				own = s
			} else if s > high {
				rival, high = k, s
			}
		}
		if own <= high {
			w.move(y[i], +1, x)
			w.move(rival, -1, x)
			mistakes++
		}
	}
	return mistakes
}

// predict returns the class with the highest score.
func (w plain) predict(x []float64) int {
	best, high := 0, math.Inf(-1)
	for k := range w {
		if s := w.score(k, x); s > high {
			best, high = k, s
		}
	}
	return best
}

// clusters returns n rows of d features, small integers, in K classes. Each class is a cluster;
// near ones are hard to tell from one another in few dimensions. If mixed, the labels are random.
func clusters(n, d, K int, mixed bool) naive.Set {
	r := rand.New(rand.NewPCG(uint64(n), uint64(d*K)))
	centre := newPlain(K, d)
	for k, c := range centre {
		for j := range c {
			c[j] = math.Round(40 * r.NormFloat64())
		}
		c[0] += math.Round(100 * math.Cos(2*math.Pi*float64(k)/float64(K)))
		c[1] += math.Round(100 * math.Sin(2*math.Pi*float64(k)/float64(K)))
	}
	set := naive.Set{Name: fmt.Sprintf("n=%d,d=%d,K=%d", n, d, K)}
	if mixed {
		set.Name += ",mixed"
	}
	for range n {
		k, x := r.IntN(K), make([]float64, d)
		for j := range x {
			x[j] = centre[k][j] + float64(r.IntN(9)-4)
		}
		if mixed {
			k = r.IntN(K)
		}
		set.X, set.Y = append(set.X, x), append(set.Y, k)
	}
	return set
}

// integral returns the set with features that are integers in [0, 255], and the classes 0, 1, 2, …
func integral(set naive.Set, scale float64) naive.Set {
	classes := slices.Compact(slices.Sorted(slices.Values(set.Y)))
	whole := naive.Set{Name: set.Name}
	for i, row := range set.X {
		x := make([]float64, len(row))
		for j, v := range row {
			x[j] = math.Round(scale * v)
		}
		whole.Add(x, slices.Index(classes, set.Y[i]))
	}
	return whole
}

// inTurns runs two functions in turns, and reports the ratio of their least times.
func inTurns(b *testing.B, ours, plain func()) {
	least := [2]time.Duration{math.MaxInt64, math.MaxInt64}
	for b.Loop() {
		for i, f := range []func(){ours, plain} {
			start := time.Now()
			f()
			least[i] = min(least[i], time.Since(start))
		}
	}
	b.ReportMetric(float64(least[0])/float64(least[1]), "ours/plain")
	b.ReportMetric(0, "ns/op")
}

// sameMistakes runs two functions in turns, and fails if their mistakes differ. It returns them.
func sameMistakes(b *testing.B, ours, plain func() int) int {
	var our, their int
	inTurns(b, func() { our = ours() }, func() { their = plain() })
	if our != their {
		b.Errorf("%d mistakes, the plain loop has %d", our, their)
	}
	return our
}

// A plainEpoch is an epoch of a plain loop. It returns the mistakes.
type plainEpoch func(w plain, X [][]float64, y []int) int

// versus compares a range over epochs of a new model with as many epochs of a plain loop.
func versus(b *testing.B, name string, set naive.Set, m func(epochs int) perceptron.Learner, epoch plainEpoch) {
	limit, K := max(3, 2<<20/len(set.X)/len(set.X[0])), slices.Max(set.Y)+1
	b.Run(name+"/"+set.Name, func(b *testing.B) {
		epochs := 0
		mistakes := sameMistakes(b, func() (mistakes int) {
			epochs = 0
			for e, err := range m(limit).Epochs(set.X, set.Y) {
				epochs++
				mistakes += must(e, err)(b).Mistakes
			}
			return mistakes
		}, func() (mistakes int) {
			w := newPlain(K, len(set.X[0]))
			for range epochs {
				mistakes += epoch(w, set.X, set.Y)
			}
			return mistakes
		})
		b.ReportMetric(float64(mistakes)/float64(epochs*len(set.X)), "mistakes/row")
	})
}

// BenchmarkPlain compares epochs, Predict and Update with plain loops. Each figure is the
// ratio of the least times of alternated runs: -benchtime 10x alternates ten times.
func BenchmarkPlain(b *testing.B) {
	for _, d := range []int{2, 4, 8, 16, 30, 64, 784} {
		for _, K := range []int{2, 3, 10, 26} {
			for _, mixed := range []bool{false, true} {
				plainSet(b, clusters(min(10000, 4<<20/d/K), d, K, mixed))
			}
		}
	}
	plainSet(b, clusters(150, 4, 3, false))
	plainSet(b, clusters(10000, 784, 2, false))
	b.Run("data", func(b *testing.B) {
		plainSet(b, integral(perceptron.Letter(b), 1))
		plainSet(b, integral(perceptron.Digits(b), 255))
	})
}

// plainSet compares everything that learns the set. Two classes are +1 and −1.
func plainSet(b *testing.B, set naive.Set) {
	rows := naive.Set{Name: set.Name, X: set.X[:min(500, len(set.X))], Y: set.Y}
	if slices.Max(set.Y) > 1 {
		for i, epoch := range []plainEpoch{plain.oneVsRest, plain.multiclass} {
			versus(b, []string{"OneVsRest", "Multiclass"}[i], set, func(epochs int) perceptron.Learner {
				return manyClasses(&perceptron.Online{MaxEpochs: epochs}, 1)[i]
			}, epoch)
		}
		m, w := &perceptron.OneVsRest{Binary: &perceptron.Online{MaxEpochs: 2}}, newPlain(slices.Max(set.Y)+1, len(set.X[0]))
		must(m.Fit(set.X, set.Y))(b)
		w.oneVsRest(set.X, set.Y)
		plainPredict(b, "Predict/"+set.Name, func() error {
			for _, x := range rows.X {
				label, err := m.Predict(x)
				if predicted += label; err != nil {
					return err
				}
			}
			return nil
		}, func() {
			for _, x := range rows.X {
				predicted += w.predict(x)
			}
		})
		return
	}
	for i, label := range set.Y {
		set.Y[i] = 2*label - 1
	}
	versus(b, "Online", set, func(epochs int) perceptron.Learner { return &perceptron.Online{MaxEpochs: epochs} }, plain.online)
	p, w := new(perceptron.Online), newPlain(1, len(set.X[0]))
	must(p.Fit(rows.X, rows.Y[:len(rows.X)]))(b)
	w.online(rows.X, rows.Y)
	plainPredict(b, "Online.Predict/"+set.Name, func() error {
		for _, x := range rows.X {
			label, err := p.Predict(x)
			if predicted += label; err != nil {
				return err
			}
		}
		return nil
	}, func() {
		for _, x := range rows.X {
			label := -1
			if w.score(0, x) >= 0 {
				label = +1
			}
			predicted += label
		}
	})
	plainUpdate(b, rows)
}

// plainUpdate compares Update of rows with the plain loop.
func plainUpdate(b *testing.B, set naive.Set) {
	const times = 20
	b.Run("Online.Update/"+set.Name, func(b *testing.B) {
		sameMistakes(b, func() (mistakes int) {
			p := new(perceptron.Online)
			for range times {
				for i, x := range set.X {
					updated, err := p.Update(x, set.Y[i])
					if err != nil {
						b.Fatal(err)
					}
					if updated {
						mistakes++
					}
				}
			}
			return mistakes
		}, func() (mistakes int) {
			w := newPlain(1, len(set.X[0]))
			for range times {
				mistakes += w.online(set.X, set.Y)
			}
			return mistakes
		})
	})
}

// plainPredict compares Predict of rows, of one kind of model, with a plain one. Both loop over the
// rows.
func plainPredict(b *testing.B, name string, ours func() error, plain func()) {
	b.Run(name, func(b *testing.B) {
		inTurns(b, func() {
			for range 20 {
				must(0, ours())(b)
			}
		}, func() {
			for range 20 {
				plain()
			}
		})
	})
}

// BenchmarkClassifier compares Predict with the model's own Predict and the scaling.
func BenchmarkClassifier(b *testing.B) {
	for _, d := range []int{4, 64, 784} {
		r := rand.New(rand.NewPCG(1, 0))
		var X [][]float64
		var labels []string
		var y []int
		for i := range 200 {
			x := make([]float64, d)
			for j := range x {
				x[j] = r.NormFloat64() + float64(i%10)
			}
			X, labels, y = append(X, x), append(labels, fmt.Sprint(i%10)), append(y, i%10)
		}
		var c dense
		must(c.Fit(X, labels))(b)
		m := &perceptron.Multiclass{Binary: &perceptron.Online{Keep: perceptron.Average}}
		must(m.Fit(X, y))(b)
		b.Run(fmt.Sprintf("Classifier/%d", d), func(b *testing.B) {
			for b.Loop() {
				c.Predict(X[0])
			}
		})
		b.Run(fmt.Sprintf("Multiclass/%d", d), func(b *testing.B) {
			for b.Loop() {
				m.Predict(X[0])
			}
		})
		b.Run(fmt.Sprintf("Scaling/%d", d), func(b *testing.B) {
			for z := make([]float64, 0, d); b.Loop(); {
				c.Scaling.Apply(z, X[0])
			}
		})
	}
}
