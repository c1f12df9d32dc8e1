//go:build purego || !amd64

package vec

// FetchSparse may ask the processor for a sparse vector.
func FetchSparse(at []uint32, x []float64) {}

// Fetch may ask the processor for the value at p.
func Fetch[T any](p *T) {}

// Fetch may ask the processor for the elements of all vectors at some indexes.
func (m Matrix) Fetch(at []uint32) {}
