package vec

// ShortRow is the length of the longest row for which [Lesson.Learn] and [Classes] have kernels.
// Rows of up to this length have only the products of step 3 of Dot's order.
const ShortRow = 31

// SecondCache is the number of float64s that a processor's second cache holds.
const SecondCache = 1 << 17

// rowsAhead returns how many rows ahead a row of n elements should be requested. That is 16 KiB
// or more, so that the memory has time to answer, and at least four rows. But it is at most
// 1 MiB, or one row, so that a second cache still holds the row when it is needed.
func rowsAhead(n int) int { return max(1, min(4*(511/n+1), SecondCache/n)) }

// A Lesson is labelled rows and the rule by which a perceptron learns them. The row at a position
// is X[Order[position]], or X[position] if Order is nil.
type Lesson struct {
	X        [][]float64 // rows of as many elements, one or more
	Y, Order []int       // a label for each; the order of the rows, or nil
	Theta    float64     // a row is right if y·score > Theta, and finite
	Step     float64     // η: a row that is not right adds ηyx to the vector
	Bias     float64     // and Bias·y to b
	Scan     bool        // Learn stops at such a row, and does not update
	Fetch    bool        // rows are fetched ahead, because they exceed the caches
	touched  int         // what fetch has loaded, so that the compiler does not remove the loads
}

// Learned is the result of [Lesson.Learn].
type Learned struct {
	Next     int     // the position where it stopped
	Mistakes int     // the rows learned
	Loss     float64 // the loss before, and their shortfalls max(0, −y·score)
	Score    float64 // the last score
}

// At returns the index of the row at a position. After the last position it returns the last row's.
func (l *Lesson) At(pos int) int {
	if pos = min(pos, len(l.X)-1); l.Order != nil {
		return l.Order[pos]
	}
	return pos
}
