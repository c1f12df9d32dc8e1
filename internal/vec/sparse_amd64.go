//go:build !purego

package vec

import "unsafe"

// dotSparse is DotSparse for at and x of equal length.
func dotSparse(w []float64, at []uint32, x []float64, ordered bool) float64 {
	if kernel == generic {
		return dotSparseGeneric(w, at, x, ordered)
	}
	if ordered {
		return dotSparseAVX2(unsafe.SliceData(w), len(w), unsafe.SliceData(at), unsafe.SliceData(x), len(x))
	}
	return dotPlacesAVX2(unsafe.SliceData(w), len(w), unsafe.SliceData(at), unsafe.SliceData(x), len(x))
}

// dotSparseAVX2 computes, for a vector of d elements and z indexes:
//
//	last := -1
//	for k := range z {
//		if int(at[k]) <= last || int(at[k]) >= d {
//			return NaN
//		}
//		window[k], last = w[at[k]], int(at[k])
//	}
//	return dotAVX2(window, x, z, nil)
//
//go:noescape
func dotSparseAVX2(w *float64, d int, at *uint32, x *float64, z int) float64

// dotPlacesAVX2 is dotSparseAVX2 for indexes in any order.
//
//go:noescape
func dotPlacesAVX2(w *float64, d int, at *uint32, x *float64, z int) float64

// meansSparse is Means for slices of matching lengths. A mean that is not finite wants the scaling of Mean.
func meansSparse(dst, w, sum, low []float64, n float64, at []uint32, ordered bool) bool {
	if kernel == generic {
		return meansGeneric(dst, w, sum, low, n, at, ordered)
	}
	valid, finite := meansAVX2(unsafe.SliceData(dst), unsafe.SliceData(w), unsafe.SliceData(sum), unsafe.SliceData(low), len(w), n, unsafe.SliceData(at), len(at), ordered)
	if valid && !finite {
		return meansGeneric(dst, w, sum, low, n, at, ordered)
	}
	return valid
}

// meansAVX2 computes, for vectors of d elements and z indexes:
//
//	last := -1
//	for k := range z {
//		if ordered && int(at[k]) <= last || int(at[k]) >= d {
//			return false, false
//		}
//		j := int(at[k])
//		dst[k], last = meanWithin(w[j], sum[j], low[j], n), j
//	}
//	return true, Finite(dst)
//
//go:noescape
func meansAVX2(dst, w, sum, low *float64, d int, n float64, at *uint32, z int, ordered bool) (valid, finite bool)

// sparseScores has a kernel for four vectors at a time. The last four overlap those before them.
func sparseScores(scores, m []float64, k, d int, at []uint32, x []float64) {
	n := len(scores)
	if kernel == generic || n < 4 {
		sparseScoresGeneric(scores, m, k, d, at, x)
		return
	}
	for c := 0; c < n; c += 4 {
		c := min(c, n-4)
		scoresAVX2(&scores[c], &m[c], k, d, unsafe.SliceData(at), unsafe.SliceData(x), len(x))
	}
}

// scoresAVX2 computes, for z indexes and the first four of k vectors side by side in m:
//
//	for c := range 4 {
//		for t := range z {
//			window[t] = m[at[t]*k+c]
//		}
//		scores[c] = dotAVX2(window, x, z, nil) + m[d*k+c]
//	}
//
//go:noescape
func scoresAVX2(scores, m *float64, k, d int, at *uint32, x *float64, z int)

// FetchSparse asks the processor to load a sparse vector, its indexes and elements, into its cache.
func FetchSparse(at []uint32, x []float64) {
	fetchSparse(unsafe.SliceData(at), unsafe.SliceData(x), len(x))
}

// fetchSparse asks for the cache lines of n indexes and elements:
//
//	fetchLines(at, 4*n)
//	fetchLines(x, 8*n)
//
//go:noescape
func fetchSparse(at *uint32, x *float64, n int)

// Fetch asks the processor to load the value at p into its cache.
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

// FetchElements asks the processor to load the elements of k vectors side by side in m, at the given
// indexes. An index need not be valid, because a prefetch never faults.
func FetchElements(m []float64, k int, at []uint32) {
	fetchEach(unsafe.Pointer(unsafe.SliceData(m)), unsafe.SliceData(at), len(at), 8*k)
}

// fetchEach asks for the cache lines of the size bytes at p + at[k]·size, for each of n indexes:
//
//	for k := range n {
//		fetchLines(p + at[k]*size, size)
//	}
//
//go:noescape
func fetchEach(p unsafe.Pointer, at *uint32, n, size int)
