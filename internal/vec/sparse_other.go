//go:build purego || !amd64

package vec

// These functions have assembly only on amd64.

// DotMeans returns the product of the sparse vector (at, x) and the vector of means. Element j of that
// vector is [Mean] of w[j], sum[j], low[j] and n. DotMeans computes only the means at the indexes. The
// product is as in [DotSparse], or as in [DotPlaces] if ordered is false.
func DotMeans(w, sum, low []float64, n float64, at []uint32, x []float64, ordered bool) float64 {
	return dotMeansGeneric(w, sum, low, n, at, x, ordered)
}

func addRows(lanes, rows []float64, n, k int, at []uint32, x []float64, mask int) {
	addRowsGeneric(lanes, rows, n, k, at, x, mask)
}

func foldRows(lanes, last []float64) { foldRowsGeneric(lanes, last) }

// FetchSparse does nothing here. On amd64 it asks the processor to load a sparse vector.
func FetchSparse(at []uint32, x []float64) {}

// Fetch does nothing here. On amd64 it asks the processor to load the value at p.
func Fetch[T any](p *T) {}

// FetchElements does nothing here. On amd64 it asks the processor to load the elements of k vectors
// side by side, at the given indexes.
func FetchElements(m []float64, k int, at []uint32) {}
