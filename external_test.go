package perceptron_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"math"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"perceptron"
	"perceptron/internal/naive"
	"perceptron/internal/vec"
)

func must[T any](v T, err error) func(testing.TB) T { return naive.Must(v, err) }

// TestExamplesRunInPage: the documentation page can run every example, because no
// example needs anything of another file. Every example states its output.
func TestExamplesRunInPage(t *testing.T) {
	var files []*ast.File
	for _, name := range filesOf(t, "example_*_test.go") {
		files = append(files, must(parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments))(t))
	}
	for _, e := range doc.Examples(files...) {
		if e.Play == nil || e.Output == "" {
			t.Errorf("Example%s: runs in the page %v, output %q", e.Name, e.Play != nil, e.Output)
		}
	}
}

var inf = math.Inf(1)

// margin returns Lower of the rows' separation in Linear space. The bracket must be
// narrower than a part in 10¹².
func margin(t testing.TB, set naive.Set) float64 {
	t.Helper()
	sep := must(perceptron.Separate(set.X, set.Y, perceptron.Linear))(t)
	if err := sep.Verify(set.X, set.Y); err != nil {
		t.Fatal(err)
	}
	if !sep.Separable || sep.Upper-sep.Lower > 1e-12*sep.Upper {
		t.Fatalf("γ in [%v, %v]", sep.Lower, sep.Upper)
	}
	return sep.Lower
}

// TestSparseMemory: under Average, training with sparse rows needs memory for at most four vectors
// a hyperplane beside the rows and the model, also while classes are side by side and one arrives
// late. A row has 256 of 262,144 features, so vectors of a row's length and the rest of a page are
// little: the bound of 4.05 leaves room for them alone.
func TestSparseMemory(t *testing.T) {
	if bits.UintSize == 32 || runtime.GOARCH == "wasm" {
		t.Skip("the sizes are those of a 64-bit machine")
	}
	const width = 1 << 18
	x := perceptron.Sparse{}
	for j := uint32(0); j < width; j += 1024 {
		x.Index, x.Value = append(x.Index, j), append(x.Value, 1)
	}
	vectors := func(bytes uint64) float64 { return float64(bytes) / (8 * width) }
	heap := func() float64 {
		var s runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&s)
		return vectors(s.HeapAlloc)
	}
	check := func(what string, got float64, planes int) {
		t.Helper()
		if each := got / float64(planes); each < 2.95 || each > 4.05 {
			t.Errorf("%s: %.2f vectors a hyperplane, want 3 to 4", what, each)
		}
	}
	binary := &perceptron.Online{Keep: perceptron.Average, MaxEpochs: 3}
	for _, m := range []struct {
		name   string
		model  perceptron.Model
		planes int
		labels []int // the last one arrives late
	}{
		{"Online", binary.Clone(), 1, []int{-1, 1}},
		{"Multiclass", &perceptron.Multiclass{Binary: binary.Clone()}, 7, []int{1, 2, 3, 4, 5, 6, 7}},
		{"OneVsRest", &perceptron.OneVsRest{Binary: binary.Clone()}, 7, []int{1, 2, 3, 4, 5, 6, 7}},
	} {
		s, k := perceptron.SparseModel{Model: m.model, Width: width}, len(m.labels)
		for _, call := range []string{"the first Learn", "a later Learn"} {
			before, during := heap(), 0.
			must(s.Learn(func(yield func(perceptron.Sparse, int) bool) {
				for i := range 700 {
					if !yield(x, m.labels[i%(k-1)]) {
						return
					}
				}
				if yield(x, m.labels[k-1]) {
					during = heap()
				}
			}))(t)
			check(m.name+", "+call, during-before, m.planes)
		}
		X := slices.Repeat([]perceptron.Sparse{x}, k)
		check(m.name+", Fit", vectors(perceptron.Allocated(func() { must(s.Fit(X, m.labels))(t) })), m.planes)
	}
}

func fit(t testing.TB, set naive.Set, m perceptron.Model) perceptron.Result {
	t.Helper()
	return must(m.Fit(set.X, set.Y))(t)
}

func radiusOf(t testing.TB, set naive.Set, space perceptron.Space) float64 {
	t.Helper()
	return must(perceptron.Radius(set.X, space))(t)
}

func gammaOf(t testing.TB, set naive.Set, h perceptron.Hyperplane, space perceptron.Space) float64 {
	t.Helper()
	return must(perceptron.Gamma(h, set.X, set.Y, space))(t)
}

func deviationsOf(t testing.TB, set naive.Set, h perceptron.Hyperplane, space perceptron.Space, gamma float64) (D, L float64) {
	t.Helper()
	D, L, err := perceptron.Deviations(h, set.X, set.Y, space, gamma)
	if err != nil {
		t.Fatal(err)
	}
	return D, L
}

func norm(v []float64) float64 { return math.Sqrt(vec.Dot(v, v)) }

// planted draws rows with |⟨u, x⟩| ≥ gap for a random unit u, and returns a multiple of u too.
func planted(seed uint64, n, d int, gap float64) (naive.Set, perceptron.Hyperplane) {
	u := naive.Gaussian(rand.New(rand.NewPCG(seed, 1)), d) // the first that Separable draws
	return naive.Separable(seed, n, d, gap), perceptron.Hyperplane{Weights: u}
}
