package vec

// A Lesson has labelled rows, and how a perceptron learns them. The row at a position is
// X[Order[position]], or X[position] if Order is nil.
type Lesson struct {
	X        [][]float64 // rows of as many elements, one or more
	Y, Order []int       // a label for each; the order of the rows, or nil
	Theta    float64     // a row is right if y·score > Theta, and finite
	Step     float64     // η: a row that is not right adds ηyx to the vector
	Bias     float64     // and Bias·y to b
	Scan     bool        // to stop at such a row instead
	Fetch    bool        // the rows exceed the caches, so fetching them ahead pays
	touched  int         // so that the compiler keeps the loads of score
}

// A Learned is what Learn did.
type Learned struct {
	Next     int     // the position where it stopped
	Mistakes int     // the rows learned
	Loss     float64 // the loss before, and their shortfalls max(0, −y·score)
	Score    float64 // the last score
}

// at returns the index of the row at a position, or the last one's.
func (l *Lesson) at(pos int) int {
	if pos = min(pos, len(l.X)-1); l.Order != nil {
		return l.Order[pos]
	}
	return pos
}
