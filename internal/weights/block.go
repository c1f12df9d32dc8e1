package weights

import (
	"math/bits"
	"sync/atomic"

	"perceptron/internal/vec"
)

// mostLanes is the largest number of planes whose vectors are side by side in a block: eight numbers fill a
// cache line.
const mostLanes = 8

// A block has the vectors of some planes side by side, feature by feature: element j of each of them is in
// one place of memory, where a sparse row reads it faster. A vector of such a plane is a part of the block:
// its consecutive elements are lanes apart.
type block struct {
	// lanes is the number of planes for which there is room.
	lanes int
	// members has the index of the plane in each lane that is in use.
	members []int
	// vectors are the iterates, and under Average the sums and their rounding errors.
	vectors [3][]float64
}

// view makes the l-th lane of b the vectors of q. The last element of each is the bias.
func (b *block) view(q *plane, l int) {
	q.stride = b.lanes
	for k, v := range q.moving() {
		*v = b.vectors[k][l : len(b.vectors[k])-b.lanes+l+1]
	}
}

// scoreBlocks calls use with the index of each plane, and its score of x by the first vectors of blocks.
func scoreBlocks(blocks []*block, x *vec.Row, use func(i int, score float64)) {
	var scores [mostLanes]float64
	for _, b := range blocks {
		vec.SparseScores(scores[:len(b.members)], b.vectors[0], 0, b.lanes, x.Index, x.Value)
		for l, i := range b.members {
			use(i, scores[l])
		}
	}
}

// features is a set of features, and always has the bias, as feature d. Several goroutines may add to it.
// Where a feature is not in it, all vectors of blocks are 0. Those who read whole vectors skip them.
type features []atomic.Uint64

func newFeatures(d int) features {
	s := make(features, d/64+1)
	s.add(d)
	return s
}

// add adds feature j.
func (s features) add(j int) {
	word, bit := &s[j/64], uint64(1)<<(j%64)
	if word.Load()&bit == 0 { // a load takes less time
		word.Or(bit)
	}
}

// all yields the features, ascending.
func (s features) all(yield func(j int) bool) {
	for i := range s {
		for word := s[i].Load(); word != 0; word &= word - 1 {
			if !yield(i*64 + bits.TrailingZeros64(word)) {
				return
			}
		}
	}
}
