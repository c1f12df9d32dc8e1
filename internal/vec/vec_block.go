package vec

import "unsafe"

// blockRows is the number of rows that a block multiplies together.
const blockRows = 4

// A block computes the dot products of four rows with many vectors. It loads each number once for
// several products, and holds the memory for that. The zero value has no vectors.
type block struct {
	w     []*float64 // where the vectors begin
	k, n  int        // their number and length
	sums  []float64  // the results
	lanes []float64  // the kernel's partial sums
}

// load sets the vectors that dots multiplies, one or more. It keeps the memory of their elements,
// but not w. It panics if the lengths differ. It takes O(len(w)), and allocates only if len(w)
// exceeds that of earlier calls.
func (b *block) load(w [][]float64) {
	b.k, b.n = len(w), len(w[0])
	if k := max(b.k, leastVectors); len(b.sums) <= blockRows*k {
		b.sums = make([]float64, blockRows*(k+1)) // for one more, because NEON's groups are pairs
		b.w = make([]*float64, k+sparePointers)
		b.lanes = aligned(lanesPerGroup * ((k + leastVectors - 1) / leastVectors))
	}
	for k, v := range w {
		if len(v) != b.n {
			panic("vec: vectors of different lengths")
		}
		b.w[k] = unsafe.SliceData(v)
	}
	for k := len(w); k < leastVectors; k++ {
		b.w[k] = b.w[0]
	}
}

// The memory that the kernels need. They multiply groups of vectors.
const (
	leastVectors  = 3   // in a group; if there are fewer, the first is multiplied again
	sparePointers = 4   // after those of the vectors: a kernel loads them, but does not use them
	lanesPerGroup = 320 // the partial sums of a group, at most
)

// aligned returns n float64s. The first is at the beginning of a cache line.
func aligned(n int) []float64 {
	v := make([]float64, n+7)
	skip := -int(uintptr(unsafe.Pointer(&v[0]))/8) & 7
	return v[skip : skip+n]
}
