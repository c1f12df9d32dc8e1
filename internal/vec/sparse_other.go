//go:build purego || !amd64

package vec

// These functions have assembly only on amd64.

func dotSparse(w []float64, at []uint32, x []float64) float64 {
	return dotSparseGeneric(w, at, x)
}

func dotMeans(w, sum, low []float64, n float64, at []uint32, x []float64) float64 {
	return dotMeansGeneric(w, sum, low, n, at, x)
}

func sparseScores(scores, m []float64, first, k, d int, at []uint32, x []float64) {
	sparseScoresGeneric(scores, m, first, k, d, at, x)
}

// FetchSparse does nothing here. On amd64 it asks the processor to load a sparse vector.
func FetchSparse(at []uint32, x []float64) {}

// Fetch does nothing here. On amd64 it asks the processor to load the value at p.
func Fetch[T any](p *T) {}

// FetchElements does nothing here. On amd64 it asks the processor to load the elements of k vectors
// side by side, at the given indexes.
func FetchElements(m []float64, k int, at []uint32) {}
