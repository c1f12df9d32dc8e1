// Package plain compares the library with plain loops: the rules as one writes them first. A plain
// loop has the product, the test of its sign and the update. It checks nothing, has no options, and
// counts only mistakes. All features are small integers, so each sum is exact, and the mistakes of
// both sides must be equal.
package plain

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"perceptron"
)

var predicted int // so that the compiler keeps the predictions

// must returns a function that returns v, or fails the benchmark if err is not nil.
func must[T any](v T, err error) func(*testing.B) T {
	return func(b *testing.B) T {
		b.Helper()
		if err != nil {
			b.Fatal(err)
		}
		return v
	}
}

// A set is labelled rows with a name.
type set struct {
	name string
	X    [][]float64
	y    []int
}

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
func clusters(n, d, K int, mixed bool) set {
	r := rand.New(rand.NewPCG(uint64(n), uint64(d*K)))
	centre := newPlain(K, d)
	for k, c := range centre {
		for j := range c {
			c[j] = math.Round(40 * r.NormFloat64())
		}
		c[0] += math.Round(100 * math.Cos(2*math.Pi*float64(k)/float64(K)))
		c[1] += math.Round(100 * math.Sin(2*math.Pi*float64(k)/float64(K)))
	}
	s := set{name: fmt.Sprintf("n=%d,d=%d,K=%d", n, d, K)}
	if mixed {
		s.name += ",mixed"
	}
	for range n {
		k, x := r.IntN(K), make([]float64, d)
		for j := range x {
			x[j] = centre[k][j] + float64(r.IntN(9)-4)
		}
		if mixed {
			k = r.IntN(K)
		}
		s.X, s.y = append(s.X, x), append(s.y, k)
	}
	return s
}

// open opens a gzipped file of the folder PERCEPTRON_DATA, or skips the benchmark.
func open(b *testing.B, name string) io.Reader {
	dir := os.Getenv("PERCEPTRON_DATA")
	if dir == "" {
		b.Skip("PERCEPTRON_DATA names no folder with " + name)
	}
	f := must(os.Open(filepath.Join(dir, name)))(b)
	b.Cleanup(func() { f.Close() })
	return must(gzip.NewReader(f))(b)
}

// letter is UCI's letter-recognition: 20,000 rows of 16 measures of a letter's image.
func letter(b *testing.B) set {
	s := set{name: "letter"}
	for lines := bufio.NewScanner(open(b, "letter.csv.gz")); lines.Scan(); {
		fields := strings.Split(lines.Text(), ",")
		x := make([]float64, 16)
		for j := range x {
			x[j] = must(strconv.ParseFloat(fields[j], 64))(b)
		}
		s.X, s.y = append(s.X, x), append(s.y, int(fields[16][0]-'A'))
	}
	return s
}

// digits is MNIST's 10,000 test digits, with pixels from 0 to 255.
func digits(b *testing.B) set {
	pixels := must(io.ReadAll(open(b, "mnist10k-images-idx3-ubyte.gz")))(b)[16:]
	s := set{name: "digits"}
	for i, label := range must(io.ReadAll(open(b, "mnist10k-labels-idx1-ubyte.gz")))(b)[8:] {
		x := make([]float64, 784)
		for j := range x {
			x[j] = float64(pixels[784*i+j])
		}
		s.X, s.y = append(s.X, x), append(s.y, int(label))
	}
	return s
}

// inTurns runs two functions alternately, and reports the ratio of their least times.
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

// sameMistakes runs two functions alternately, and fails if their mistakes differ. It returns them.
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
func versus(b *testing.B, name string, s set, m func(epochs int) perceptron.Learner, epoch plainEpoch) {
	limit, K := max(3, 2<<20/len(s.X)/len(s.X[0])), slices.Max(s.y)+1
	b.Run(name+"/"+s.name, func(b *testing.B) {
		epochs := 0
		mistakes := sameMistakes(b, func() (mistakes int) {
			epochs = 0
			for e, err := range m(limit).Epochs(s.X, s.y) {
				epochs++
				mistakes += must(e, err)(b).Mistakes
			}
			return mistakes
		}, func() (mistakes int) {
			w := newPlain(K, len(s.X[0]))
			for range epochs {
				mistakes += epoch(w, s.X, s.y)
			}
			return mistakes
		})
		b.ReportMetric(float64(mistakes)/float64(epochs*len(s.X)), "mistakes/row")
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
		plainSet(b, letter(b))
		plainSet(b, digits(b))
	})
}

// plainSet compares everything that learns the set. Two classes are +1 and −1.
func plainSet(b *testing.B, s set) {
	rows := set{name: s.name, X: s.X[:min(500, len(s.X))], y: s.y}
	if slices.Max(s.y) > 1 {
		versus(b, "OneVsRest", s, func(epochs int) perceptron.Learner {
			return &perceptron.OneVsRest{Binary: &perceptron.Online{MaxEpochs: epochs}, Workers: 1}
		}, plain.oneVsRest)
		versus(b, "Multiclass", s, func(epochs int) perceptron.Learner {
			return &perceptron.Multiclass{Binary: &perceptron.Online{MaxEpochs: epochs}}
		}, plain.multiclass)
		m, w := &perceptron.OneVsRest{Binary: &perceptron.Online{MaxEpochs: 2}}, newPlain(slices.Max(s.y)+1, len(s.X[0]))
		must(m.Fit(s.X, s.y))(b)
		w.oneVsRest(s.X, s.y)
		plainPredict(b, "Predict/"+s.name, func() error {
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
	for i, label := range s.y {
		s.y[i] = 2*label - 1
	}
	versus(b, "Online", s, func(epochs int) perceptron.Learner { return &perceptron.Online{MaxEpochs: epochs} }, plain.online)
	p, w := new(perceptron.Online), newPlain(1, len(s.X[0]))
	must(p.Fit(rows.X, rows.y[:len(rows.X)]))(b)
	w.online(rows.X, rows.y)
	plainPredict(b, "Online.Predict/"+s.name, func() error {
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
func plainUpdate(b *testing.B, s set) {
	const times = 20
	b.Run("Online.Update/"+s.name, func(b *testing.B) {
		sameMistakes(b, func() (mistakes int) {
			p := new(perceptron.Online)
			for range times {
				for i, x := range s.X {
					updated, err := p.Update(x, s.y[i])
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
			w := newPlain(1, len(s.X[0]))
			for range times {
				mistakes += w.online(s.X, s.y)
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
