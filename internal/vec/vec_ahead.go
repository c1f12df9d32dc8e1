package vec

// SecondCache is the number of float64s that a processor's second cache holds.
const SecondCache = 1 << 17

// Ahead returns how many rows ahead a row of n elements should be requested. That is 16 KiB
// or more, so that the memory has time to answer, and at least four rows. But it is at most
// 1 MiB, or one row, so that a second cache still holds the row when it is needed.
func Ahead(n int) int { return max(1, min(4*(511/n+1), SecondCache/n)) }
