package train

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"perceptron/internal/saved"
	"perceptron/internal/vec"
)

// A slots says where the vectors of wide planes have the features that sparse rows have had, so that
// the planes need no memory for the others. A vector has a slot for each such feature. The slot is
// that of the index modulo 32, because the order in which [vec.Dot] adds products depends on no more:
// see [vec.DotPlaces]. So a lane is the features with one remainder, and a rank is 32 slots, one of
// each lane. A lane takes the ranks as it meets features. Rank 0 belongs to no feature: there the
// weights are 0, as are those of the features that no row has had. After the ranks follow the last
// width mod 32 features, and the bias.
type slots struct {
	width int
	// most is the number of elements up to which a vector pays.
	most float64
	// ranks is the number of ranks that the vectors have. It doubles when a lane has no rank left.
	ranks int
	// next has the next rank of each lane.
	next [32]int
	// table is a hash table with open addressing: each element has an index in its upper half and the
	// slot in its lower half, or is 0. At most half of it is used.
	table []uint64
	used  int
	// odd is a random multiplier, so that nobody can choose indexes that collide.
	odd uint64
}

// These are variables for tests. LeastSlots is the least width of rows for which a model has slots: a
// narrower vector takes too little memory to save. SlotShare bounds what slots take: a vector with
// them has at most this part of the elements of one without. Else the slots are given up, because
// to find a slot takes time.
var (
	LeastSlots = 1 << 16
	SlotShare  = 0.25
)

// wideSingle is the least width for which one plane may have many slots. To find a slot takes about
// as long as to score a non-zero with two planes, unless the weights are far in memory.
const wideSingle = 1 << 22

// newSlots returns slots without features. single says that there is one plane.
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

// length returns the number of elements of a vector, with the bias.
func (s *slots) length() int { return 32*s.ranks + s.width - s.whole() + 1 }

// pay reports whether the slots save memory.
func (s *slots) pay() bool { return float64(s.length()) <= s.most }

// entry returns the element of the table that has an index, or that is free for it.
func (s *slots) entry(index uint32) *uint64 {
	i := uint64(index) * s.odd >> bits.LeadingZeros64(uint64(len(s.table)-1))
	for ; ; i++ {
		if e := &s.table[i&uint64(len(s.table)-1)]; *e == 0 || uint32(*e>>32) == index {
			return e
		}
	}
}

// find returns the slot of a feature. If no row has had it, it gets a slot if add is true, and else
// find returns a slot in rank 0.
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

// place makes at the places of a row's elements. A new feature gets a slot if add is true. If the row
// is not valid, there is one place too many, so that the score is NaN.
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

// ordered returns what the table has, and the same for the last features and the bias, with indexes
// that ascend.
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

// few returns those of the first n elements of a vector that are not zero. order is what ordered has
// returned.
func few(v []float64, order []uint64, n int) saved.Vector {
	p := saved.Vector{N: n, Index: []uint32{}, Value: []float64{}}
	for _, e := range order {
		if x := v[uint32(e)]; math.Float64bits(x) != 0 && e>>32 < uint64(n) {
			p.Index, p.Value = append(p.Index, uint32(e>>32)), append(p.Value, x)
		}
	}
	return p
}

// vector is the inverse of few.
func (s *slots) vector(p saved.Vector) []float64 {
	v := make([]float64, s.length())
	for k, j := range p.Index {
		v[s.find(j, false)] = p.Value[k]
	}
	return v
}

// widen returns a vector as long as the slots want it, with zeros in the new ranks.
func (s *slots) widen(v []float64) []float64 {
	w, last := make([]float64, s.length()), s.width-s.whole()+1
	copy(w, v[:len(v)-last])
	copy(w[len(w)-last:], v[len(v)-last:])
	return w
}

// dense returns a vector without slots. The vector may be shorter than s.length(): then the features
// of the new ranks are 0.
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
