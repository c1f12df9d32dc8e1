//go:build purego || !amd64

package vec

// These functions have assembly only on amd64.

// DotMeans returns the product, as [DotSparse] does, of the sparse vector (at, x) and the vector of
// means, whose element j is [Mean] of w[j], sum[j], low[j] and n. It computes only the means at the
// indexes. If ordered is false, the product is as in [DotPlaces].
func DotMeans(w, sum, low []float64, n float64, at []uint32, x []float64, ordered bool) float64 {
	return dotMeansGeneric(w, sum, low, n, at, x, ordered)
}

func addRows(lanes, rows []float64, n, k int, at []uint32, x []float64, mask int) {
	addRowsGeneric(lanes, rows, n, k, at, x, mask)
}

func foldRows(lanes, last []float64) { foldRowsGeneric(lanes, last) }

// FetchSparse does nothing here. On amd64 it asks the processor for a sparse vector.
func FetchSparse(at []uint32, x []float64) {}

// Fetch does nothing here. On amd64 it asks the processor for the value at p.
func Fetch[T any](p *T) {}

// FetchElements does nothing here. On amd64 it asks the processor for the elements at some indexes
// of k vectors side by side.
func FetchElements(m []float64, k int, at []uint32) {}
