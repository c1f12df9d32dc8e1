//go:build purego || !amd64

package vec

// These functions have assembly on amd64 alone.

// DotMeans returns [DotSparse] of a sparse vector and the vector whose elements are [Mean] of w,
// sum, low and n. It computes the elements at the indexes alone.
func DotMeans(w, sum, low []float64, n float64, at []uint32, x []float64) float64 {
	return dotMeansGeneric(w, sum, low, n, at, x)
}

func addRows(lanes, rows []float64, k int, at []uint32, x []float64, mask int) {
	addRowsGeneric(lanes, rows, k, at, x, mask)
}

// FetchSparse does nothing here. On amd64 it asks the processor for a sparse vector.
func FetchSparse(at []uint32, x []float64) {}

// Fetch does nothing here. On amd64 it asks the processor for the value at p.
func Fetch[T any](p *T) {}

// FetchElements does nothing here. On amd64 it asks the processor for the elements at some indexes
// of k vectors side by side.
func FetchElements(m []float64, k int, at []uint32) {}
