package train

import (
	"math/bits"
	"math/rand/v2"
	"runtime"
	"testing"
)

// below is Lemire's method: the high word of k times a random word, unless the low word is below
// 2⁶⁴ mod k.
func below(gen *rand.PCG, k int) int {
	for {
		if hi, lo := bits.Mul64(gen.Uint64(), uint64(k)); lo >= -uint64(k)%uint64(k) {
			return int(hi)
		}
	}
}

// TestUniformRejects: for a bound near the largest int many words are drawn again, and none for a
// power of two, which divides 2⁶⁴.
func TestUniformRejects(t *testing.T) {
	const huge = int(^uint(0)>>2) + 1 + int(^uint(0)>>3) // 3/8 of the words
	for _, k := range []int{huge, 1 << (bits.UintSize - 3)} {
		gen, ref, words := rand.NewPCG(5, 0), rand.NewPCG(5, 0), rand.NewPCG(5, 0)
		for i := range 1000 {
			words.Uint64()
			if got, want := uniform(gen, k), below(ref, k); got != want {
				t.Fatalf("draw %d: %d, want %d", i, got, want)
			}
		}
		if again := words.Uint64() != gen.Uint64(); again != (k == huge) && bits.UintSize == 64 {
			t.Errorf("bound %d: words are drawn again: %v", k, again)
		}
	}
}

// TestDrawMemory: the first order of n rows takes one index a row, and the next ones nothing.
func TestDrawMemory(t *testing.T) {
	const n, page = 1 << 20, 1 << 14
	for _, kind := range []uint8{Shuffled, Sampled} {
		var o rowOrder
		gen := rand.NewPCG(1, 0)
		for _, limit := range []uint64{n*bits.UintSize/8 + page, page} {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			o = o.draw(kind, n, gen)
			runtime.ReadMemStats(&after)
			if got := after.TotalAlloc - before.TotalAlloc; got > limit {
				t.Errorf("order %d: %d bytes, want at most %d", kind, got, limit)
			}
		}
	}
}
