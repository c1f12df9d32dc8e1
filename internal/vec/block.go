package vec

import "unsafe"

// load sets the vectors that dots multiplies rows with. There is at least one vector, and load panics
// if the vectors differ in length. It keeps pointers to their elements, but not the slice w. load takes
// O(len(w)), and allocates only if w has more vectors than every earlier w.
func (b *block) load(w [][]float64) {
	b.k, b.n = len(w), len(w[0])
	if k := max(b.k, leastVectors); len(b.sums) <= blockRows*k {
		b.sums = make([]float64, blockRows*(k+1)) // one vector more: NEON multiplies vectors in pairs
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

// dots returns the dot products of the four rows x with the vectors. Element blockRows·k + j is the
// product of x[j] and the k-th vector, with the bits of [Dot]. The result is valid until the next
// call. While it computes, dots may prefetch the rows in next into the second-level cache. These rows
// have the same length as x's. next may be nil.
//
// dots panics if a row has another length than the vectors. It takes O(n·k) for k vectors of n
// elements.
func (b *block) dots(x, next *[blockRows][]float64) []float64 {
	for _, row := range x {
		if len(row) != b.n {
			panic("vec: rows of other lengths than the vectors")
		}
	}
	blockKernel(b, x, next)
	return b.sums[:blockRows*b.k]
}

// A kernel multiplies several vectors together: a group. These constants size the memory of a block.
const (
	leastVectors  = 3   // a kernel loads at least three vectors: the first one replaces missing ones
	sparePointers = 4   // a kernel loads four pointers after the last vector's, and ignores them
	lanesPerGroup = 320 // a group has at most this many partial sums
)

// aligned returns n float64s. The first is at the beginning of a cache line.
func aligned(n int) []float64 {
	v := make([]float64, n+7)
	skip := -int(uintptr(unsafe.Pointer(&v[0]))/8) & 7
	return v[skip : skip+n]
}
