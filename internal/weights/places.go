package weights

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"perceptron/internal/saved"
	"perceptron/internal/vec"
)

// A places maps features to elements of the vectors of wide planes. The element of a feature is
// called its place. Only the features that have occurred have a place. The others need no memory:
// their weights are 0. A sparse row sees a vector through its window, so a feature may have any
// place: the features get them in the order in which they occur, and keep them. Place 0 belongs to no
// feature, and its element is 0: it is read for features without a place. The last element of a
// vector is the bias.
type places struct {
	width int
	// most is the largest number of elements that a vector may have: with more, places do not pay.
	most float64
	// room is the number of places in a vector, and used those that are given. room doubles when used
	// exceeds it.
	room, used int
	// hash is a hash table with open addressing. An element is 0, or has the index of a feature in
	// its upper half and the feature's place in its lower half. At most half of the elements are used.
	hash []uint64
	// odd is the random multiplier of the hash function, so that nobody can choose indexes that
	// collide.
	odd uint64
}

// PlacedShare is the largest share of the elements of a whole vector that a vector by places may have.
// With more, the places are given up, because finding a place takes time. It is a variable for tests.
var PlacedShare = 0.25

// wideSingle is the least width for which PlacedShare holds for a single plane. A narrower plane may
// have only a quarter of that share: finding a place takes about as long as scoring a non-zero with
// two planes, unless the weights are too many for the caches.
const wideSingle = 1 << 22

// newPlaces returns places without features. single says that there is only one plane.
func newPlaces(width int, single bool) *places {
	s := &places{width: width, room: 64, used: 1, hash: make([]uint64, 128), odd: rand.Uint64() | 1, most: PlacedShare * float64(width)}
	if single && width < wideSingle {
		s.most /= 4
	}
	return s
}

// clone returns a copy that shares no memory with s.
func (s *places) clone() *places {
	c := *s
	c.hash = slices.Clone(s.hash)
	return &c
}

// length returns the number of elements of a vector, including the bias.
func (s *places) length() int { return s.room + 1 }

// saves reports whether the places save enough memory to be kept.
func (s *places) saves() bool { return float64(s.length()) <= s.most }

// entry returns a pointer to the element of the hash table that has an index, or else to a free
// element for that index.
func (s *places) entry(index uint32) *uint64 {
	i := uint64(index) * s.odd >> bits.LeadingZeros64(uint64(len(s.hash)-1))
	for ; ; i++ {
		if e := &s.hash[i&uint64(len(s.hash)-1)]; *e == 0 || uint32(*e>>32) == index {
			return e
		}
	}
}

// find returns the place of a feature. If the feature has none, it gets one if add is true. Else find
// returns 0.
func (s *places) find(index uint32, add bool) uint32 {
	e := s.entry(index)
	if *e != 0 || !add {
		return uint32(*e)
	}
	at := uint32(s.used)
	*e = uint64(index)<<32 | uint64(at)
	if s.used++; s.used > s.room {
		s.room *= 2
	}
	if 2*s.used > len(s.hash) {
		old := s.hash
		s.hash = make([]uint64, 2*len(old))
		for _, e := range old {
			if e != 0 {
				*s.entry(uint32(e >> 32)) = e
			}
		}
	}
	return at
}

// locate returns the places of a row's non-zeros, in memory, and whether a feature has none. If the
// row is not valid, there is one place too many, so that the row's score is NaN.
func (s *places) locate(memory []uint32, x *vec.Row, add bool) (at []uint32, lacks bool) {
	at, last := memory[:0], int64(-1)
	for _, j := range x.Index {
		if int64(j) <= last || int64(j) >= int64(x.Width) {
			break
		}
		place := s.find(j, add)
		at, last, lacks = append(at, place), int64(j), lacks || place == 0
	}
	if n := len(x.Value); len(at) != n || len(x.Index) != n {
		return slices.Grow(at[:0], n+1)[:n+1], false
	}
	return at, lacks
}

// ordered returns a pair for each feature that has a place. A pair has the index in its upper half and
// the place in its lower half, as in the hash table. The indexes ascend.
func (s *places) ordered() []uint64 {
	order := slices.DeleteFunc(slices.Clone(s.hash), func(e uint64) bool { return e == 0 })
	slices.Sort(order)
	return order
}

// nonZeros returns the elements of (w, b) that are not 0, from a vector v by places. order is the result of
// ordered. If bias is false, the vector ends before b.
func (s *places) nonZeros(v []float64, order []uint64, bias bool) saved.Vector {
	p := saved.Vector{N: s.width, Index: []uint32{}, Value: []float64{}}
	add := func(index uint32, x float64) {
		if math.Float64bits(x) != 0 {
			p.Index, p.Value = append(p.Index, index), append(p.Value, x)
		}
	}
	for _, e := range order {
		add(uint32(e>>32), v[uint32(e)])
	}
	if bias {
		p.N++
		add(uint32(s.width), v[len(v)-1])
	}
	return p
}

// vector is the inverse of nonZeros: it returns p as a vector by places.
func (s *places) vector(p saved.Vector) []float64 {
	v := make([]float64, s.length())
	for k, j := range p.Index {
		if int(j) == s.width {
			v[s.room] = p.Value[k]
		} else {
			v[s.find(j, false)] = p.Value[k]
		}
	}
	return v
}

// widen returns a copy of v of the present length of vectors, with zeros in the new places.
func (s *places) widen(v []float64) []float64 {
	w, last := make([]float64, s.length()), len(v)-1
	copy(w, v[:last])
	w[s.room] = v[last]
	return w
}

// dense returns v as a whole vector: feature j has element j. v may be shorter than s.length(): then
// the features in the missing places are 0.
func (s *places) dense(v []float64) []float64 {
	w, last := make([]float64, s.width+1), len(v)-1
	for _, e := range s.hash {
		if i := int(uint32(e)); i > 0 && i < last {
			w[e>>32] = v[i]
		}
	}
	w[s.width] = v[last]
	return w
}

// forNorm returns a vector whose norm has the bits of the norm of the whole vector v: the order of
// [vec.Dot] has 32 lanes, and adds zeros to a lane without changing it. So forNorm leaves out each run
// of 32 elements, at a multiple of 32, that are all 0.
func (s *places) forNorm(v []float64) []float64 {
	const run = 32
	var w []float64
	begin, end := -1, s.width+1 // the run that w ends with; the length of the whole vector
	put := func(j int, x float64) {
		if j/run != begin {
			begin = j / run
			w = append(w, make([]float64, min(run, end-begin*run))...)
		}
		w[len(w)-min(run, end-begin*run)+j%run] = x
	}
	for _, e := range s.ordered() {
		if x := v[uint32(e)]; x != 0 {
			put(int(e>>32), x)
		}
	}
	put(s.width, v[len(v)-1])
	return w
}
