package train

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"perceptron/internal/naive"
	"perceptron/internal/vec"
)

// TestOrder: Cyclic and Shuffled present each row once, and Sampled draws as many
// rows as there are. All agree with the naive reference, epoch by epoch.
func TestOrder(t *testing.T) {
	for _, kind := range []Order{Cyclic, Shuffled, Sampled} {
		for _, n := range []int{1, 2, 3, 10, 1000} {
			var o rowOrder
			gen := rand.NewPCG(9, 0)
			ref := rand.NewPCG(9, 0)
			for epoch := range 4 {
				o = o.draw(kind, n, gen)
				var got []int
				for pos := range n {
					got = append(got, (&vec.Lesson{X: make([][]float64, n), Order: o}).At(pos))
				}
				if want := naive.Order(int(kind), ref, n); !slices.Equal(got, want) {
					t.Fatalf("%v, %d rows, epoch %d: %v, want %v", kind, n, epoch, got, want)
				}
				if slices.Sort(got); kind != Sampled && (got[0] != 0 || got[n-1] != n-1 || len(slices.Compact(got)) != n) {
					t.Fatalf("%v of %d rows is no permutation", kind, n)
				}
			}
		}
	}
}

// TestUniform: every value is equally likely.
func TestUniform(t *testing.T) {
	for _, n := range []int{1, 2, 3, 7, 100} {
		gen, counts := rand.NewPCG(4, 0), make([]int, n)
		const draws = 20000
		for range draws {
			counts[uniform(gen, n)]++
		}
		chi2 := 0.0
		for _, c := range counts {
			e := float64(draws) / float64(n)
			chi2 += (float64(c) - e) * (float64(c) - e) / e
		}
		if chi2 > float64(n)+6*math.Sqrt(2*float64(n)) {
			t.Errorf("n = %d: χ² = %v", n, chi2)
		}
	}
}

// TestUniformRejects: for a bound near the largest int many words are drawn again,
// as in the naive reference.
func TestUniformRejects(t *testing.T) {
	const huge = int(^uint(0)>>2) + 1 + int(^uint(0)>>3) // 3/8 of the words
	gen := rand.NewPCG(5, 0)
	ref := rand.NewPCG(5, 0)
	for i := range 1000 {
		if got, want := uniform(gen, huge), naive.Below(ref, huge); got != want {
			t.Fatalf("draw %d: %d, want %d", i, got, want)
		}
	}
	words := rand.NewPCG(5, 0)
	for range 1000 {
		words.Uint64()
	}
	if ^uint(0)>>63 == 1 && words.Uint64() == gen.Uint64() {
		t.Error("no word was drawn again: the test shows nothing")
	}
	const power = 1 << (bits.UintSize - 3) // divides 2⁶⁴: no word is surplus
	gen, ref = rand.NewPCG(6, 0), rand.NewPCG(6, 0)
	for i := range 100 {
		if got, want := uniform(gen, power), naive.Below(ref, power); got != want {
			t.Fatalf("draw %d: %d, want %d", i, got, want)
		}
	}
}

// TestShuffledFair: every permutation of three rows is equally likely.
func TestShuffledFair(t *testing.T) {
	gen, counts := rand.NewPCG(6, 0), map[[3]int]int{}
	for range 6000 {
		counts[[3]int(permutation(nil, 3, gen))]++
	}
	for p, c := range counts {
		if c < 900 || c > 1100 {
			t.Errorf("%v came %d times of 6000", p, c)
		}
	}
	if len(counts) != 6 {
		t.Errorf("%d permutations, want 6", len(counts))
	}
}
