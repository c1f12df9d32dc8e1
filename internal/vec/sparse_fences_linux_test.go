package vec

import (
	"math"
	"slices"
	"sync/atomic"
	"testing"
	"unsafe"
)

// fencedIndexes returns n indexes that end, or begin, at an inaccessible page. n is even.
func fencedIndexes(t *testing.T, n int, end bool) []uint32 {
	return unsafe.Slice((*uint32)(unsafe.Pointer(&fenced(t, n/2, end)[0])), n)
}

// sparseFences has vectors of n elements, k of them side by side, and a sparse vector, all at fences.
type sparseFences struct {
	w, sum, low, x, m, scores []float64
	at                        []uint32
	k                         int
}

// newSparseFences returns memory for up to most elements and k vectors.
func newSparseFences(t *testing.T, most, k int, end bool) *sparseFences {
	f := &sparseFences{k: k, at: fencedIndexes(t, most, end)}
	for _, v := range []*[]float64{&f.w, &f.sum, &f.low, &f.x} {
		*v = fenced(t, most, end)
	}
	f.m, f.scores = fenced(t, k*(most+1), end), fenced(t, k, end)
	return f
}

// of returns the part of f for n elements, with values in it, and n valid indexes in order.
func (f *sparseFences) of(n int, end bool) *sparseFences {
	p := &sparseFences{
		w: part(f.w, n, end), sum: part(f.sum, n, end), low: part(f.low, n, end), x: part(f.x, n, end),
		m: part(f.m, f.k*(n+1), end), scores: f.scores, at: part(f.at, n, end), k: f.k,
	}
	for j := range n {
		p.w[j], p.sum[j], p.low[j] = float64(j%7), float64(j%11), 0
		p.x[j], p.at[j] = float64(1+j%5), uint32(j)
	}
	for i := range p.m {
		p.m[i] = float64(i / p.k % 7)
	}
	return p
}

// products returns the results of all reads: scores of all vectors, product, and product with means. The
// last score is computed again, alone.
func (f *sparseFences) products() []float64 {
	SparseScores(f.scores, f.m, 0, f.k, f.at, f.x)
	SparseScores(f.scores[f.k-1:], f.m, f.k-1, f.k, f.at, f.x)
	return append(slices.Clone(f.scores), DotSparse(f.w, f.at, f.x), DotMeans(f.w, f.sum, f.low, 1, 1, f.at, f.x))
}

// TestSparseFences: products with sparse vectors touch no memory around their slices. They check
// each index before they read at it.
func TestSparseFences(t *testing.T) {
	eachVersion(t, func(t *testing.T) {
		const most = 80
		for k := 1; k <= 9; k++ {
			for _, end := range []bool{false, true} {
				whole := newSparseFences(t, most, k, end)
				for n := range most + 1 {
					f := whole.of(n, end)
					want := slices.Repeat([]float64{naiveDot(f.w, f.x)}, k+2)
					for c := range k {
						want[c] += f.m[k*n+c]
					}
					means := make([]float64, n)
					for j := range means {
						means[j] = f.w[j] - f.sum[j]
					}
					want[k+1] = naiveDot(means, f.x)
					if got := f.products(); !slices.Equal(got, want) {
						t.Fatalf("n = %d: %v, want %v", n, got, want)
					}
					f.refuses(t, n)
				}
			}
		}
	})
}

// refuses fails unless every product is NaN with a bad index at any position.
func (f *sparseFences) refuses(t *testing.T, n int) {
	isNumber := func(v float64) bool { return !math.IsNaN(v) }
	for i := range f.at {
		for _, bad := range []uint32{uint32(n), 1 << 31, math.MaxUint32, uint32(i - 1)} {
			f.at[i] = bad
			if got := f.products(); slices.ContainsFunc(got, isNumber) {
				t.Fatalf("n = %d: %v with index %d at %d, want NaN", n, got, bad, i)
			}
		}
		f.at[i] = uint32(i)
	}
}

// TestSparseWrites: AddSparse and Scatter write nothing outside their vectors. An index beyond a vector
// makes them panic before they write there.
func TestSparseWrites(t *testing.T) {
	for _, end := range []bool{false, true} {
		f := newSparseFences(t, 40, 3, end).of(40, end)
		from := make([]float64, 41)
		for i := range f.at {
			for _, bad := range []uint32{40 + 1, 1 << 31, math.MaxUint32} {
				f.at[i] = bad
				panics(t, f.at, func() { AddSparse(f.w, f.at, 1, f.x) })
				panics(t, f.at, func() { Scatter(f.w, 1, f.at, from) })
				panics(t, f.at, func() { Gather(from[:0], f.w, 1, f.at) })
			}
			f.at[i] = uint32(i)
		}
	}
}

// TestSparseRaces: indexes that another goroutine changes during a call lead to no access outside the
// vectors. The race detector rightly forbids this, so it does not run with it.
func TestSparseRaces(t *testing.T) {
	if raceDetector {
		t.Skip("the test has a race on purpose")
	}
	eachVersion(t, func(t *testing.T) {
		const n = 70
		f := newSparseFences(t, n, 5, true).of(n, true)
		var stop atomic.Bool
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			for i := 0; !stop.Load(); i++ {
				atomic.StoreUint32(&f.at[i%n], []uint32{1 << 30, math.MaxUint32, n, uint32(i % n)}[i/n%4])
			}
		}()
		for range 3000 {
			f.products()
			func() {
				defer func() { _ = recover() }() // a bad index panics, but writes nothing
				AddSparse(f.w, f.at, 1, f.x)
			}()
		}
		stop.Store(true)
		<-ended
	})
}
