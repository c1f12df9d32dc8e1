//go:build !purego

package vec

import "unsafe"

// DotMeans returns the product of the sparse vector (at, x) and the vector of means. Element j of that
// vector is [Mean] of w[j], sum[j], low[j] and n. DotMeans computes only the means at the indexes. The
// product is as in [DotSparse], or as in [DotPlaces] if ordered is false.
func DotMeans(w, sum, low []float64, n float64, at []uint32, x []float64, ordered bool) float64 {
	sum, low = sum[:len(w)], low[:len(w)]
	if ordered && kernel != generic && len(at) == len(x) {
		s := dotMeansAVX2(unsafe.SliceData(w), unsafe.SliceData(sum), unsafe.SliceData(low), n, len(w), unsafe.SliceData(at), unsafe.SliceData(x), len(at))
		if IsFinite(s) { // so no mean overflowed
			return s
		}
	}
	return dotMeansGeneric(w, sum, low, n, at, x, ordered)
}

// dotMeansAVX2 computes, for z indexes and vectors of d elements:
//
//	return sumSparse(d, at, x, true, func(_ int, j uint32) float64 {
//		return meanWithin(w[j], sum[j], low[j], n)
//	})
//
// If n·w[j] − sum[j] − low[j] overflows for an index j, the result is not finite. DotMeans then
// computes the product in Go.
//
//go:noescape
func dotMeansAVX2(w, sum, low *float64, n float64, d int, at *uint32, x *float64, z int) float64

func addRows(lanes, rows []float64, n, k int, at []uint32, x []float64, mask int) {
	if kernel == generic || len(at) == 0 {
		addRowsGeneric(lanes, rows, n, k, at, x, mask)
		return
	}
	addRowsAVX2(unsafe.SliceData(lanes), unsafe.SliceData(rows), n, k, unsafe.SliceData(at), unsafe.SliceData(x), len(at), mask)
}

// addRowsAVX2 computes, for z > 0 indexes and n of k vectors:
//
//	for t := range z {
//		for c := range n {
//			lanes[(at[t]&mask)*n+c] += float64(x[t] * rows[at[t]*k+c])
//		}
//	}
//
//go:noescape
func addRowsAVX2(lanes, rows *float64, n, k int, at *uint32, x *float64, z, mask int)

func foldRows(lanes, last []float64) {
	if kernel == generic {
		foldRowsGeneric(lanes, last)
		return
	}
	foldRowsAVX2(unsafe.SliceData(lanes), unsafe.SliceData(last), len(last))
}

// foldRowsAVX2 computes, for n that is a multiple of 8:
//
//	for q := range n {
//		last[q] = (lanes[q] + lanes[n+q]) + (lanes[2*n+q] + lanes[3*n+q])
//	}
//
//go:noescape
func foldRowsAVX2(lanes, last *float64, n int)

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
