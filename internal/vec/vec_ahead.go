package vec

import "unsafe"

// An Ahead holds where three of the next vectors begin. [DotFetch] requests them from memory.
type Ahead [3]*float64

// Set sets the i-th vector.
func (a *Ahead) Set(i int, v []float64) { a[i] = unsafe.SliceData(v) }

// MostAhead is the largest number in [Steps].
const MostAhead = 64

// SecondCache is the number of float64s that a processor's second cache holds.
const SecondCache = 1 << 17

// Steps returns how far ahead the vectors of an [Ahead] should be, in rows of n elements.
// Each row is requested three times, because a processor drops requests that it has no room
// for. The last request comes at least 4 KiB ahead, or 16 rows if they are shorter than
// that, so that the memory has time to answer. The first comes at most 1 MiB ahead, or one
// row, so that a second cache still holds the row when it is needed.
func Steps(n int) [3]int {
	k := min(511/n+1, MostAhead/4)
	most := max(1, SecondCache/n)
	return [3]int{k, min(2*k, most), min(4*k, most)}
}
