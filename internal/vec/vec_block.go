package vec

import "unsafe"

// BlockRows is the number of rows that a [Block] multiplies together.
const BlockRows = 4

// A Block computes the dot products of four rows with many vectors, and loads each
// number once for several of them. It holds the memory for that. The zero value is
// ready, and has no vectors. A Block must not be used by two goroutines at once.
type Block struct {
	w     []*float64 // where the vectors begin
	k, n  int        // their number and length
	sums  []float64  // the results
	lanes []float64  // the kernel's partial sums
}

// Load sets the vectors that Dots multiplies. It keeps the memory of w's elements, but not
// w. Load of no vectors forgets those of earlier calls. Load panics if the lengths differ. It
// takes O(len(w)), and allocates only where len(w) exceeds that of earlier calls.
func (b *Block) Load(w [][]float64) {
	b.k, b.n = len(w), 0
	if len(w) == 0 {
		clear(b.w)
		return
	}
	b.n = len(w[0])
	b.grow()
	for k, v := range w {
		if len(v) != b.n {
			panic("vec: Load of different lengths")
		}
		b.w[k] = unsafe.SliceData(v)
	}
	for k := len(w); k < least; k++ {
		b.w[k] = b.w[0]
	}
}

// least is the least number of vectors that a kernel takes. Where there are fewer, the first
// is multiplied again.
const least = 3

// grow makes room for the vectors. A kernel takes at least three, or one more. It may load,
// without using them, four more pointers than there are vectors. Its partial sums are at
// most 320 for every three vectors.
func (b *Block) grow() {
	k := max(b.k, least)
	if len(b.sums) > BlockRows*k {
		return
	}
	k = max(k, len(b.sums)/2) // twice as many as before
	b.sums = make([]float64, BlockRows*(k+1))
	b.w = make([]*float64, k+4)
	b.lanes = aligned(320 * ((k + 2) / 3))
}

// aligned returns n float64s that begin with a cache line.
func aligned(n int) []float64 {
	v := make([]float64, n+7)
	skip := -int(uintptr(unsafe.Pointer(&v[0]))/8) & 7
	return v[skip : skip+n]
}
