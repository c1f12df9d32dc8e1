package train

import (
	"math/bits"
	"math/rand/v2"
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

// TestUniformRejects: for a bound near the largest int many words are drawn again.
func TestUniformRejects(t *testing.T) {
	const huge = int(^uint(0)>>2) + 1 + int(^uint(0)>>3) // 3/8 of the words
	gen := rand.NewPCG(5, 0)
	ref := rand.NewPCG(5, 0)
	for i := range 1000 {
		if got, want := uniform(gen, huge), below(ref, huge); got != want {
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
		if got, want := uniform(gen, power), below(ref, power); got != want {
			t.Fatalf("draw %d: %d, want %d", i, got, want)
		}
	}
}
