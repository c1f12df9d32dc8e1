package vec

import "unsafe"

// MostAhead is the largest result of [Ahead].
const MostAhead = 64

// SecondCache is the number of float64s that a processor's second cache holds.
const SecondCache = 1 << 17

// Ahead returns how far ahead of a row of n elements [DotFetch] should fetch another, in rows:
// 16 KiB, so that the memory has time to answer, but at least a row, and at most MostAhead rows,
// or what a second cache holds.
func Ahead(n int) int {
	k := min(511/n+1, MostAhead/4) // 4 KiB
	return min(4*k, max(1, SecondCache/n))
}

// InOrder reports whether y begins behind x in memory, by at most n elements. If vectors in
// between do so too, the processor itself fetches them in time.
func InOrder(x, y []float64, n int) bool {
	distance := uintptr(unsafe.Pointer(unsafe.SliceData(y))) - uintptr(unsafe.Pointer(unsafe.SliceData(x)))
	return distance-1 < 8*uintptr(n)
}
