package vec

// ShortRow is the length of the longest row for which [Lesson.Learn] and [Classes] have kernels.
// Rows of up to this length have only the products of step 3 of Dot's order.
const ShortRow = 31

// A Lesson has labelled rows, and the step by which a perceptron learns them. The row at a position
// is X[Order[position]], or X[position] if Order is nil. Sparse rows are in Sparse, in place of X.
type Lesson struct {
	X        [][]float64 // the dense rows: at least one, all of equal length
	Y, Order []int       // the label of each row; the order of the rows, or nil
	Theta    float64     // a row is right if y·score > Theta, and finite
	Rate     float64     // η: an update adds ηyx to the vector
	Bias     float64     // an update adds Bias·y to b
	Halt     bool        // Learn stops at a row that is not right, without an update
	Fetch    bool        // requests rows ahead of time, because they do not fit in the caches
	Updated  RowSet      // nil, or the rows with an update, which Learn adds; then Order is nil
	Sparse   []Sparse    // nil, or the sparse rows: at least one; then X is nil
	touched  int         // what fetch has loaded: the compiler would remove loads that nothing uses
}

// A Sparse is what a caller gives as a sparse row: feature Index[k] is Value[k]. Index may be nil.
type Sparse struct {
	Index []uint32
	Value []float64
}

// A RowSet is a set of rows: row i is bit i%64 of element i/64. A nil RowSet ignores Add.
type RowSet []uint64

// Outcome is the result of [Lesson.Learn].
type Outcome struct {
	Next     int     // the position where Learn stopped
	Mistakes int     // the number of updates
	Loss     float64 // the argument loss, plus max(0, −y·score) for each row with an update
	Score    float64 // the score of the last row that was read
}

// Classes holds a vector (w, b) for each class, and scores a row with all of them at once. The zero
// value has no vectors.
//
// The vectors form groups. For short rows, a register (in NEON, a pair of registers) holds one element
// of each vector of a group. Eight of these hold the sums v[0] to v[7] of [Dot]'s order for all vectors
// of the group. For a single vector, for longer rows, and where there is no kernel, a group is one
// vector, and a block of rows is scored together.
type Classes struct {
	Scores      []float64 // ⟨w, x⟩ + b of the row where Scan stopped, with Dot's bits
	Thetas      []float64 // for Halt: θ of each vector, or nil
	d           int       // the elements of a vector, without b
	group       int       // the size of a group, a power of 2
	groups      int       // the number of groups
	minusRivals int       // −(k−1): minus the number of the other classes
	classes     []int     // the label of each vector; vectors that pad a group repeat the last label
	w           []float64 // for each group: d registers, one for each element, then one for b
	scores      []float64 // of one row with all vectors; of a block of rows if a group is one vector
	ahead       ahead
}

// An ahead scores a block of rows together, before their scores are needed. After a vector has moved,
// it scores the remaining rows of the block with that vector again. The products have the bits of
// [Dot].
type ahead struct {
	block       block
	vectors     [][]float64
	x, next     [blockRows][]float64 // the rows of the block, and of a later one to prefetch
	labels      [blockRows]int       // of the block's rows
	first, last int                  // the positions of the block's first row and the last row scored
	right       uint                 // bit j is 1 if all vectors have x[j] right
	moved       bool                 // whether a vector has moved since the block was multiplied
	stale       []bool               // for each vector: whether it has moved since then
}

// blockRows is the number of rows that a block multiplies together.
const blockRows = 4

// A block computes the dot products of four rows with many vectors. It loads a number once for
// several products, and reuses its memory. The zero value has no vectors.
type block struct {
	w     []*float64 // the first element of each vector
	k, n  int        // the number of vectors and their length
	sums  []float64  // the dot products
	lanes []float64  // the kernel's partial sums
}
