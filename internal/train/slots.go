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
// its slot. Only the features that have occurred in a sparse row have a slot. The others need no
// memory: their weights are 0. A row sees a vector through its window, so a feature may have any slot:
// the features get them in the order in which they occur. Slot 0 belongs to no feature, and its
// element is 0: it is read for features without a slot. The last element of a vector is the bias.
type slots struct {
	width int
	// most is the largest number of elements that a vector may have: with more, slots do not pay.
	most float64
	// room is the number of slots in a vector, and used those that are given. room doubles when used
	// exceeds it.
	room, used int
	// table is a hash table with open addressing. An element is 0, or has the index of a feature in
	// its upper half and the feature's slot in its lower half. At most half of the elements are used.
	table []uint64
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
	s := &slots{width: width, room: 64, used: 1, table: make([]uint64, 128), odd: rand.Uint64() | 1, most: SlotShare * float64(width)}
	if single && width < wideSingle {
		s.most /= 4
	}
	return s
}

// length returns the number of elements of a vector, including the bias.
func (s *slots) length() int { return s.room + 1 }

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

// find returns the slot of a feature, or the place of the bias for the width. If the feature has no
// slot, it gets one if add is true. Else find returns 0.
func (s *slots) find(index uint32, add bool) uint32 {
	if int(index) == s.width {
		return uint32(s.room)
	}
	e := s.entry(index)
	if *e != 0 || !add {
		return uint32(*e)
	}
	at := uint32(s.used)
	*e = uint64(index)<<32 | uint64(at)
	if s.used++; s.used > s.room {
		s.room *= 2
	}
	if 2*s.used > len(s.table) {
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
	return append(order, uint64(s.width)<<32|uint64(s.room))
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

// widen returns a copy of v of the present length of vectors, with zeros in the new slots.
func (s *slots) widen(v []float64) []float64 {
	w, last := make([]float64, s.length()), len(v)-1
	copy(w, v[:last])
	w[s.room] = v[last]
	return w
}

// dense returns v as a vector without slots: feature j has element j. v may be shorter than
// s.length(): then the features in the missing slots are 0.
func (s *slots) dense(v []float64) []float64 {
	w, last := make([]float64, s.width+1), len(v)-1
	for _, e := range s.table {
		if i := int(uint32(e)); i > 0 && i < last {
			w[e>>32] = v[i]
		}
	}
	w[s.width] = v[last]
	return w
}
