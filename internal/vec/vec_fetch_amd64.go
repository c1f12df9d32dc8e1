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
