package train

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"perceptron/internal/saved"
	"perceptron/internal/vec"
)

// A slots maps features to elements of the vectors of wide planes. The element of a feature is called
// its slot. Apart from the last width mod 32 features, only the features that have occurred in a
// sparse row have a slot. The other features need no memory: their weights are 0.
//
// The elements of a vector form ranks of 32 slots. A feature with index j is in lane j mod 32: its
// slot is the (j mod 32)-th of some rank. The order in which [vec.Dot] adds products depends on
// j mod 32 alone, so a score has the same bits with slots: see [vec.DotPlaces]. The first feature
// of a lane gets its slot in rank 1, the second in rank 2, and so on. Rank 0 belongs to no feature,
// and its elements are 0: they are read for features without a slot. After the ranks come the last
// width mod 32 features, and then the bias.
type slots struct {
	width int
	// most is the largest number of elements that a vector may have: with more, slots do not pay.
	most float64
	// ranks is the number of ranks in a vector, rank 0 included. It doubles when a lane needs more.
	ranks int
	// next has, for each lane, the rank in which its next new feature gets a slot.
	next [32]int
	// table is a hash table with open addressing. An element is 0, or has the index of a feature in
	// its upper half and the feature's slot in its lower half. At most half of the elements are used.
	table []uint64
	used  int
	// odd is the random multiplier of the hash function, so that nobody can choose indexes that
	// collide.
	odd uint64
}

// These are variables for tests. LeastSlots is the least width of rows for which a model has slots:
// for narrower rows, slots would save little memory. A vector with slots may have at most the share
// SlotShare of the elements of a vector without slots. If it needs more, the slots are given up,
// because finding a slot takes time.
var (
	LeastSlots = 1 << 16
	SlotShare  = 0.25
)

// wideSingle is the least width for which SlotShare holds for a single plane. A narrower plane may
// have only a quarter of that share: finding a slot takes about as long as scoring a non-zero with
// two planes, unless the weights are too many for the caches.
const wideSingle = 1 << 22

// newSlots returns slots without features. single says that there is only one plane.
func newSlots(width int, single bool) *slots {
	s := &slots{width: width, ranks: 2, table: make([]uint64, 64), odd: rand.Uint64() | 1, most: SlotShare * float64(width)}
	if single && width < wideSingle {
		s.most /= 4
	}
	for lane := range s.next {
		s.next[lane] = 1
	}
	return s
}

// whole returns the number of features that are not among the last width mod 32.
func (s *slots) whole() int { return s.width &^ 31 }

// length returns the number of elements of a vector, including the bias.
func (s *slots) length() int { return 32*s.ranks + s.width - s.whole() + 1 }

// pay reports whether the slots save enough memory to be kept.
func (s *slots) pay() bool { return float64(s.length()) <= s.most }

// entry returns a pointer to the element of the table that has an index, or else to a free element
// for that index.
func (s *slots) entry(index uint32) *uint64 {
	i := uint64(index) * s.odd >> bits.LeadingZeros64(uint64(len(s.table)-1))
	for ; ; i++ {
		if e := &s.table[i&uint64(len(s.table)-1)]; *e == 0 || uint32(*e>>32) == index {
			return e
		}
	}
}

// find returns the slot of a feature. If the feature has no slot, it gets one if add is true. Else
// find returns the element of its lane in rank 0.
func (s *slots) find(index uint32, add bool) uint32 {
	if i := int(index) - s.whole(); i >= 0 {
		return uint32(32*s.ranks + i)
	}
	e, lane := s.entry(index), index%32
	switch {
	case *e != 0:
		return uint32(*e)
	case !add:
		return lane
	}
	at := uint32(32*s.next[lane]) + lane
	*e = uint64(index)<<32 | uint64(at)
	if s.next[lane]++; s.next[lane] > s.ranks {
		s.ranks *= 2
	}
	if s.used++; 2*s.used > len(s.table) {
		old := s.table
		s.table = make([]uint64, 2*len(old))
		for _, e := range old {
			if e != 0 {
				*s.entry(uint32(e >> 32)) = e
			}
		}
	}
	return at
}

// place sets *at to the places of a row's non-zeros, and x.Places to at. The place of a non-zero is
// what find returns for its feature. If the row is not valid, there is one place too many, so that
// the row's score is NaN.
func (s *slots) place(at *[]uint32, x *vec.Row, add bool) {
	memory, last := (*at)[:0], int64(-1)
	for _, j := range x.Index {
		if int64(j) <= last || int64(j) >= int64(x.Width) {
			break
		}
		memory, last = append(memory, s.find(j, add)), int64(j)
	}
	if n := len(x.Value); len(memory) != n || len(x.Index) != n {
		memory = slices.Grow(memory[:0], n+1)[:n+1]
	}
	*at, x.Places = memory, at
}

// ordered returns a pair for each feature that has a slot, and for the bias, whose index is the
// width. A pair has the index in its upper half and the slot in its lower half, as in the table.
// The indexes ascend.
func (s *slots) ordered() []uint64 {
	if s == nil {
		return nil
	}
	order := slices.DeleteFunc(slices.Clone(s.table), func(e uint64) bool { return e == 0 })
	slices.Sort(order)
	for j := s.whole(); j <= s.width; j++ {
		order = append(order, uint64(j)<<32|uint64(32*s.ranks+j-s.whole()))
	}
	return order
}

// few returns the first n elements of (w, b) from a vector v with slots, without the zeros. n is the
// width, or the width plus 1 for the bias too. order is the result of ordered.
func few(v []float64, order []uint64, n int) saved.Vector {
	p := saved.Vector{N: n, Index: []uint32{}, Value: []float64{}}
	for _, e := range order {
		if x := v[uint32(e)]; math.Float64bits(x) != 0 && e>>32 < uint64(n) {
			p.Index, p.Value = append(p.Index, uint32(e>>32)), append(p.Value, x)
		}
	}
	return p
}

// vector is the inverse of few: it returns p as a vector with slots.
func (s *slots) vector(p saved.Vector) []float64 {
	v := make([]float64, s.length())
	for k, j := range p.Index {
		v[s.find(j, false)] = p.Value[k]
	}
	return v
}

// widen returns a copy of v of the present length of vectors, with zeros in the new ranks.
func (s *slots) widen(v []float64) []float64 {
	w, last := make([]float64, s.length()), s.width-s.whole()+1
	copy(w, v[:len(v)-last])
	copy(w[len(w)-last:], v[len(v)-last:])
	return w
}

// dense returns v as a vector without slots: feature j has element j. v may be shorter than
// s.length(): then the features in the missing ranks are 0.
func (s *slots) dense(v []float64) []float64 {
	w, last := make([]float64, s.width+1), s.width-s.whole()+1
	for _, e := range s.table {
		if i := int(uint32(e)); i > 0 && i < len(v)-last {
			w[e>>32] = v[i]
		}
	}
	copy(w[s.whole():], v[len(v)-last:])
	return w
}
