//go:build !purego

package vec

import "unsafe"

// dotSparse is DotSparse for at and x of equal length.
func dotSparse(w []float64, at []uint32, x []float64) float64 {
	if kernel == generic {
		return dotSparseGeneric(w, at, x)
	}
	return dotSparseAVX2(unsafe.SliceData(w), len(w), unsafe.SliceData(at), unsafe.SliceData(x), len(x))
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

// dotMeans is DotMeans for valid lengths, and indexes in any order. If a mean overflows in the kernel,
// the product is not finite, and is computed in Go.
func dotMeans(w, sum, low []float64, n float64, at []uint32, x []float64) float64 {
	if kernel != generic {
		s := dotMeansAVX2(unsafe.SliceData(w), len(w), unsafe.SliceData(at), unsafe.SliceData(x), len(x), unsafe.SliceData(sum), unsafe.SliceData(low), n)
		if IsFinite(s) {
			return s
		}
	}
	return dotMeansGeneric(w, sum, low, n, at, x)
}

// dotMeansAVX2 computes, without the check that the indexes ascend:
//
//	for k := range z {
//		window[k] = meanWithin(w[at[k]], sum[at[k]], low[at[k]], n)
//	}
//	return dotAVX2(window, x, z, nil)
//
//go:noescape
func dotMeansAVX2(w *float64, d int, at *uint32, x *float64, z int, sum, low *float64, n float64) float64

// sparseScores has a kernel for four vectors at a time. The last four are those of the last vectors, so
// some products may be computed again. If there are fewer than four vectors, the kernel reads on in the
// elements of the next index, and so never behind b.
func sparseScores(scores, m []float64, first, k, d int, at []uint32, x []float64) {
	if kernel == generic || k == 1 {
		sparseScoresGeneric(scores, m, first, k, d, at, x)
		return
	}
	b := m[d*k+first:][:len(scores)]
	for c := 0; c < len(scores); c += 4 {
		var four [4]float64
		from := max(0, min(first+c, k-4))
		productsAVX2(&four[0], &m[from], k, d, unsafe.SliceData(at), unsafe.SliceData(x), len(x))
		for i := range scores[c:min(c+4, len(scores))] {
			scores[c+i] = four[(first+c-from+i)&3] + b[c+i]
		}
	}
}

// productsAVX2 computes, for z indexes and the first four of k > 1 vectors of d elements side by side in
// m, which also has an element b of each:
//
//	for c := range 4 {
//		for t := range z {
//			if int(at[t]) >= d {
//				return // with products of NaN
//			}
//			window[t] = m[at[t]*k+c]
//		}
//		products[c] = dotAVX2(window, x, z, nil)
//	}
//
//go:noescape
func productsAVX2(products, m *float64, k, d int, at *uint32, x *float64, z int)

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
