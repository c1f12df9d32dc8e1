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
	for k := len(w); k < leastVectors; k++ {
		b.w[k] = b.w[0]
	}
}

// The memory that the kernels need. They multiply groups of vectors.
const (
	leastVectors  = 3   // in a group; where there are fewer, the first is multiplied again
	sparePointers = 4   // behind those of the vectors: a kernel loads them, but does not use them
	lanesPerGroup = 320 // the partial sums of a group, at most
)

// grow makes room for the vectors, and for one more, because NEON's groups are pairs.
func (b *Block) grow() {
	k := max(b.k, leastVectors)
	if len(b.sums) > BlockRows*k {
		return
	}
	k = max(k, len(b.sums)/2) // twice as many as before
	b.sums = make([]float64, BlockRows*(k+1))
	b.w = make([]*float64, k+sparePointers)
	b.lanes = aligned(lanesPerGroup * ((k + leastVectors - 1) / leastVectors))
}

// aligned returns n float64s that begin with a cache line.
func aligned(n int) []float64 {
	v := make([]float64, n+7)
	skip := -int(uintptr(unsafe.Pointer(&v[0]))/8) & 7
	return v[skip : skip+n]
}
