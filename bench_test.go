package perceptron

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"os"
	"sync"
	"testing"
	"unsafe"

	"perceptron/internal/naive"
	"perceptron/internal/vec"
)

// docs/benchmarks.md describes how to run these, and their results.

var (
	sink      float64
	sinkCount int
)

// block returns n rows of d features, and the one slice in which they follow one another.
func block(n, d int, value func(i, j int) float64) (X [][]float64, all []float64) {
	all = make([]float64, n*d)
	X = make([][]float64, n)
	for i := range X {
		X[i] = all[i*d : (i+1)*d : (i+1)*d]
		for j := range X[i] {
			X[i][j] = value(i, j)
		}
	}
	return X, all
}

// pixels returns n rows of d values in [0, 1), multiples of 1/64, in K classes.
// Four of five values are 0, as in MNIST's digits; which ones depends on the class.
func pixels(n, d, K int) naive.Set {
	r := rand.New(rand.NewPCG(uint64(n), uint64(d)))
	ink := make([][]bool, K)
	for k := range ink {
		ink[k] = make([]bool, d)
		for j := range ink[k] {
			ink[k][j] = r.IntN(5) == 0
		}
	}
	y := make([]int, n)
	X, _ := block(n, d, func(i, j int) float64 {
		if j == 0 {
			y[i] = r.IntN(K)
		}
		if !ink[y[i]][j] && r.IntN(20) != 0 {
			return 0
		}
		return float64(r.IntN(64)) / 64
	})
	return naive.Set{Name: fmt.Sprintf("%d×%d", n, d), X: X, Y: y}
}

// signs makes the even classes +1 and the odd ones −1.
func signs(y []int) []int {
	s := make([]int, len(y))
	for i, label := range y {
		s[i] = 1 - 2*(label&1)
	}
	return s
}

// measure calls f, which reads the rows once, in a loop.
func measure(b *testing.B, set naive.Set, f func() error) {
	b.SetBytes(int64(8 * len(set.X) * len(set.X[0])))
	for b.Loop() {
		if err := f(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N*len(set.X))/b.Elapsed().Seconds(), "rows/s")
}

// epochs measures epochs of m after five others, when there are few mistakes.
func epochs(b *testing.B, m ranger, set naive.Set) {
	epoch := func() error {
		for _, err := range m.Epochs(set.X, set.Y) {
			return err
		}
		return nil
	}
	for range 5 {
		must(0, epoch())(b)
	}
	measure(b, set, epoch)
}

// scans reads a part of the rows in each of some goroutines, and does almost nothing else: it
// counts a byte, for which the standard library has assembly. It cannot stop early.
func scans(set naive.Set, parts int) {
	found, n := make([]int, parts), len(set.X)
	var all sync.WaitGroup
	for g := range parts {
		naive.Go(&all, func() {
			for _, x := range set.X[g*n/parts : (g+1)*n/parts] {
				memory := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), 8*len(x))
				found[g] += bytes.Count(memory, []byte{0xfe})
			}
		})
	}
	all.Wait()
	sinkCount += found[0]
}

// BenchmarkEpoch measures an epoch of each model.
func BenchmarkEpoch(b *testing.B) {
	sets := []naive.Set{pixels(10000, 784, 10)}
	if os.Getenv("PERCEPTRON_DATA") != "" {
		sets = append(sets, Digits(b), Letter(b))
	}
	for _, set := range sets {
		b.Run(set.Name+"/scan", func(b *testing.B) { measure(b, set, func() error { scans(set, 1); return nil }) })
		b.Run(set.Name+"/scan,2", func(b *testing.B) { measure(b, set, func() error { scans(set, 2); return nil }) })
		for _, c := range []struct {
			name string
			m    ranger
		}{
			{"OneVsRest,1", &OneVsRest{Workers: 1}},
			{"OneVsRest,2", &OneVsRest{Workers: 2}},
			{"OneVsRest,Average", &OneVsRest{Binary: &Online{Keep: Average}, Workers: 1}},
			{"OneVsRest,Pocket", &OneVsRest{Binary: &Online{Keep: Pocket}, Workers: 1}},
			{"Multiclass", new(Multiclass)},
			{"Multiclass,Average", &Multiclass{Binary: &Online{Keep: Average}}},
			{"Multiclass,Pocket", &Multiclass{Binary: &Online{Keep: Pocket}}},
			{"Online", &Online{}},
			{"Online,Shuffled", &Online{Order: Shuffled}},
			{"Online,Average", &Online{Keep: Average}},
			{"Margin", &Margin{}},
			{"Batch,1", &Batch{Workers: 1}},
			{"Batch,2", &Batch{Workers: 2}},
		} {
			if c.name == "Online" { // the models of two classes follow
				set.Y = signs(set.Y)
			}
			b.Run(set.Name+"/"+c.name, func(b *testing.B) { epochs(b, c.m, set) })
		}
		b.Run(set.Name+"/Online.Learn", func(b *testing.B) {
			p := new(Online)
			measure(b, set, func() error { return only(p.Learn(Examples(set.X, set.Y))) })
		})
	}
}

// BenchmarkRow measures the calls of a service, for a row in the cache.
func BenchmarkRow(b *testing.B) {
	for _, d := range []int{4, 30, 64, 784} {
		set := pixels(100, d, 10)
		x, y := set.X[0], 1
		p, avg, one := new(Online), &Online{Keep: Average}, new(OneVsRest)
		must(p.Update(x, y))(b)
		must(avg.Update(x, y))(b)
		must(one.Fit(set.X, set.Y))(b)
		w, scores := p.Hyperplane().Weights, make([]float64, 0, 10)
		for _, c := range []struct {
			name string
			f    func() error
		}{
			{"dot", func() error { sink += vec.Dot(w, x); return nil }},
			{"Predict", func() error { return only(p.Predict(x)) }},
			{"Score", func() error { return only(p.Score(x)) }},
			{"Hyperplane.Predict", func() error { return only(Hyperplane{Weights: w}.Predict(x)) }},
			{"Update", func() error { return only(p.Update(x, y)) }},
			{"Update,Average", func() error { return only(avg.Update(x, y)) }},
			{"OneVsRest.Predict", func() error { return only(one.Predict(x)) }},
			{"OneVsRest.Scores", func() error { return only(one.Scores(scores, x)) }},
		} {
			b.Run(fmt.Sprintf("%s/d=%d", c.name, d), func(b *testing.B) {
				b.ReportAllocs()
				measure(b, naive.Set{X: set.X[:1]}, c.f)
			})
		}
	}
}

// BenchmarkGrid measures an epoch of OneVsRest on rows of many shapes, in and beyond the
// caches, and one of Online.
func BenchmarkGrid(b *testing.B) {
	for _, c := range []struct{ n, d, K int }{
		{150, 4, 3}, {1000, 4, 2}, {1000, 30, 2}, {1797, 64, 10}, {10000, 64, 10},
		{1000, 100, 4}, {400, 784, 10}, {10000, 784, 3}, {10000, 784, 5}, {10000, 784, 6}, {10000, 784, 7},
		{10000, 1024, 4}, {10000, 1024, 8}, {10000, 2048, 4}, {10000, 2048, 8}, {20000, 1024, 4},
	} {
		set := pixels(c.n, c.d, c.K)
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("OneVsRest,%d/n=%d,d=%d,K=%d", workers, c.n, c.d, c.K), func(b *testing.B) {
				epochs(b, &OneVsRest{Workers: workers}, set)
			})
		}
		set.Y = signs(set.Y)
		b.Run(fmt.Sprintf("Online/n=%d,d=%d", c.n, c.d), func(b *testing.B) { epochs(b, new(Online), set) })
	}
}

// BenchmarkFit measures a whole training on Fisher's 150 irises.
func BenchmarkFit(b *testing.B) {
	set := Iris(b)
	for _, binary := range []Binary{&Online{MaxEpochs: 100}, &Margin{MaxEpochs: 100}} {
		b.Run(fmt.Sprintf("iris/%T", binary), func(b *testing.B) {
			b.ReportAllocs()
			m := &OneVsRest{Binary: binary}
			measure(b, set, func() error { return only(m.Fit(set.X, set.Y)) })
		})
	}
}

// BenchmarkFew measures an epoch on rows of a few features, beside a plain loop that scores them.
func BenchmarkFew(b *testing.B) {
	for _, d := range []int{4, 30} {
		set := naive.Separable(1, 500, d, 0.05)
		p := new(Online)
		b.Run(fmt.Sprintf("Online/d=%d", d), func(b *testing.B) { epochs(b, p, set) })
		must(p.Fit(set.X, set.Y))(b)
		h := p.Hyperplane()
		b.Run(fmt.Sprintf("plain/d=%d", d), func(b *testing.B) {
			measure(b, set, func() error {
				for i, x := range set.X {
					s := h.Bias
					for j, v := range x {
						s += v * h.Weights[j]
					}
					if s*float64(set.Y[i]) <= 0 {
						sinkCount++
					}
				}
				return nil
			})
		})
	}
}

// The data sets of package naive, by short names.
var (
	XOR, FourPoints  = naive.XOR, naive.FourPoints
	Against, Uniform = naive.Against, naive.Uniform
	Iris, Mushroom   = naive.Iris, naive.Mushroom
	Letter, Digits   = naive.Letter, naive.Digits
)

// stream yields the rows through one buffer, overwritten each time.
func stream(s naive.Set) iter.Seq2[[]float64, int] {
	return func(yield func([]float64, int) bool) {
		buffer := make([]float64, len(s.X[0]))
		for i, x := range s.X {
			copy(buffer, x)
			if !yield(buffer, s.Y[i]) {
				return
			}
			for j := range buffer {
				buffer[j] = math.NaN()
			}
		}
	}
}

// Sonar returns the echoes of testdata, of 97 rocks and 111 mines, in standardized features.
func Sonar(t testing.TB) naive.Set {
	text := must(gzip.NewReader(bytes.NewReader(must(os.ReadFile("testdata/sonar.svm.gz"))(t))))(t)
	set := naive.LIBSVMRows(t, "sonar", text, 60)
	set.X = must(must(Standardize(set.X))(t).ApplyAll(set.X))(t)
	return set
}
