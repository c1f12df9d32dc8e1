//go:build !purego

package vec

import "unsafe"

// FetchSparse asks the processor for a sparse vector.
func FetchSparse(at []uint32, x []float64) {
	fetchLines(unsafe.Pointer(unsafe.SliceData(at)), 4*len(at))
	fetchLines(unsafe.Pointer(unsafe.SliceData(x)), 8*len(x))
}

// Fetch asks the processor for the value at p.
func Fetch[T any](p *T) { fetchLines(unsafe.Pointer(p), int(unsafe.Sizeof(*p))) }

// fetchLines asks for the cache lines of the n bytes at p:
//
//	for i := 0; i < n; i += 64 {
//		prefetch(p + i)
//	}
//	prefetch(p + n - 1)
//
//go:noescape
func fetchLines(p unsafe.Pointer, n int)

// Fetch asks the processor for the elements of all vectors at some indexes, which need not be valid.
func (m Matrix) Fetch(at []uint32) {
	fetchEach(unsafe.Pointer(unsafe.SliceData(m.Elements)), unsafe.SliceData(at), len(at), 8*m.Stride)
}

// fetchEach asks for the cache lines of size bytes at p + at[k]·size, for each of n indexes:
//
//	for k := range n {
//		fetchLines(p + at[k]*size, size)
//	}
//
//go:noescape
func fetchEach(p unsafe.Pointer, at *uint32, n, size int)
