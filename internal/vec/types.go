package vec

// ShortRow is the length of the longest row for which [Lesson.Learn] and [Classes] have kernels.
// Rows of up to this length have only the products of step 3 of Dot's order.
const ShortRow = 31

// A Rule returns the step of an example: step·x is added to w.
type Rule = func(y, score, theta, eta float64) (step float64)

// A Lesson is labelled rows and the rule by which a perceptron learns them. The row at a position
// is X[Order[position]], or X[position] if Order is nil.
type Lesson struct {
	X        [][]float64 // rows of equal length, at least 1
	Y, Order []int       // the label of each row; the order of the rows, or nil
	Theta    float64     // a row is right if y·score > Theta, and finite
	Step     float64     // η: a row that is not right adds ηyx to the vector
	Bias     float64     // a row that is not right adds Bias·y to b
	Rule     Rule        // of rows that are not right; a kernel follows Rosenblatt's by itself
	Scan     bool        // Learn stops at a row that is not right, without an update
	Fetch    bool        // Learn requests rows ahead of time, as they do not fit in the caches
	Updated  RowSet      // Learn adds the rows that it learns, unless it is nil; with it, Order is nil
	touched  int         // what fetch has loaded: the compiler would remove loads that nothing uses
}

// A RowSet is a set of rows: row i is bit i%64 of element i/64. A nil RowSet ignores Add.
type RowSet []uint64

// Learned is the result of [Lesson.Learn].
type Learned struct {
	Next     int     // the position where it stopped
	Mistakes int     // the number of rows that it updated w on
	Loss     float64 // the argument loss, plus max(0, −y·score) for each of these rows
	Score    float64 // the score of the last row that was read
}

// Classes holds a vector (w, b) for each class, and scores a row with all of them at once. The zero
// value has no vectors.
//
// The vectors form groups. For short rows, a register holds one element of each vector of a group,
// and eight registers hold the sums v[0] to v[7] of [Dot]'s order for all of them. For longer rows,
// and where there is no kernel, a group is one vector, and a block of rows is scored together.
type Classes struct {
	Scores      []float64 // ⟨w, x⟩ + b of the row where Scan stopped, with Dot's bits
	Thetas      []float64 // for Scan: θ of each vector, or nil
	d           int       // the elements of a vector, without b
	group       int       // the size of a group, a power of 2
	groups      int       // the number of groups
	minusRivals int       // −(k−1): minus the number of the other classes
	classes     []int     // the labels; the last one again for vectors that only fill a group
	w           []float64 // for each group: a register for each of the d elements, then one for b
	scores      []float64 // of one row by all vectors; of a block of rows if a group is one vector
	ahead       ahead
}

// An ahead scores a block of rows together, before they are needed. After a vector has moved, it
// scores the later rows of the block with that vector again. All scores have the bits of [Dot].
type ahead struct {
	block       block
	vectors     [][]float64
	x, next     [blockRows][]float64 // the block, and rows to request
	labels      [blockRows]int       // of the block's rows
	first, last int                  // the positions of the block's first row, and of the row scored last
	right       uint                 // bit j is 1 if all vectors have x[j] right
	moved       bool                 // whether a vector has moved since the block was multiplied
	stale       []bool               // which vectors have moved since
}

// blockRows is the number of rows that a block multiplies together.
const blockRows = 4

// A block computes the dot products of four rows with many vectors. It loads each number once for
// several products, and keeps the memory that this needs. The zero value has no vectors.
type block struct {
	w     []*float64 // where the vectors begin
	k, n  int        // their number and length
	sums  []float64  // the results
	lanes []float64  // the kernel's partial sums
}
