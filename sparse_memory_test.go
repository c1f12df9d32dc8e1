package perceptron_test

import (
	"math/bits"
	"runtime"
	"testing"

	"perceptron"
)

// TestSparseMemory: under Average, training with sparse rows needs memory for at most four vectors a
// hyperplane beside the rows and the model, also while classes are side by side and one arrives late.
// The bound of 4.25 leaves room for vectors of a row's length, and for whole pages.
func TestSparseMemory(t *testing.T) {
	if bits.UintSize == 32 || runtime.GOARCH == "wasm" {
		t.Skip("the sizes are those of a 64-bit machine")
	}
	const width = 1 << 16
	x := perceptron.Sparse{}
	for j := uint32(0); j < width; j += 64 {
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
		if each := got / float64(planes); each < 2.9 || each > 4.25 {
			t.Errorf("%s: %.2f vectors a hyperplane, want 3 to 4", what, each)
		}
	}
	binary := &perceptron.Online{Keep: perceptron.Average, MaxEpochs: 3}
	for _, m := range []struct {
		name   string
		model  perceptron.Model
		labels []int // the last one arrives late
	}{
		{"Online", binary.Clone(), []int{-1, 1}},
		{"Multiclass", &perceptron.Multiclass{Binary: binary.Clone()}, []int{1, 2, 3, 4, 5, 6, 7}},
		{"OneVsRest", &perceptron.OneVsRest{Binary: binary.Clone()}, []int{1, 2, 3, 4, 5, 6, 7}},
	} {
		s, k := perceptron.SparseModel{Model: m.model, Width: width}, len(m.labels)
		planes := k
		if k == 2 {
			planes = 1
		}
		for _, call := range []string{"the first Learn", "a later Learn"} {
			before, during := heap(), 0.
			if _, err := s.Learn(func(yield func(perceptron.Sparse, int) bool) {
				for i := range 700 {
					if !yield(x, m.labels[i%(k-1)]) {
						return
					}
				}
				if yield(x, m.labels[k-1]) {
					during = heap()
				}
			}); err != nil {
				t.Fatal(err)
			}
			check(m.name+", "+call, during-before, planes)
		}
		var before, after runtime.MemStats
		X := make([]perceptron.Sparse, k)
		for i := range X {
			X[i] = x
		}
		runtime.ReadMemStats(&before)
		if _, err := s.Fit(X, m.labels); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		check(m.name+", Fit", vectors(after.TotalAlloc-before.TotalAlloc), planes)
	}
}
