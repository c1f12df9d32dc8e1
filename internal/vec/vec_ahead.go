package vec

import "unsafe"

// An Ahead has the beginnings of three of the vectors that come next, for [DotFetch] to
// request.
type Ahead [3]*float64

// Set sets the i-th vector.
func (a *Ahead) Set(i int, v []float64) { a[i] = unsafe.SliceData(v) }

// MostAhead is the largest number in [Steps].
const MostAhead = 64

// Steps returns how far ahead the vectors of an [Ahead] should be, in rows of n elements.
// Each row is requested three times, because a processor drops requests that it has no room
// for. The last request comes 4 KiB ahead, so that the memory has time to answer, and the
// first no more than 1 MiB, so that a second cache holds what has come.
func Steps(n int) [3]int {
	k := min(511/n+1, MostAhead/4)
	most := max(1, 1<<17/n)
	return [3]int{k, min(2*k, most), min(4*k, most)}
}

// Follow sets the vectors to those that are the steps behind the i-th row, or to the last
// row.
func (a *Ahead) Follow(rows [][]float64, i int, steps [3]int) *Ahead {
	for j, s := range steps {
		a.Set(j, rows[min(i+s, len(rows)-1)])
	}
	return a
}
