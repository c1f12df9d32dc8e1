package saved

import (
	"encoding/json"
	"math"
	"slices"
)

// A Vector is a vector of N elements in a saved form. If Index is not nil, only the elements that are
// not zero are stored: Value[k] is the element at Index[k], and Index ascends. If Index is nil, Value
// has all elements.
type Vector struct {
	N     int
	Index []uint32
	Value []float64

	// slice says that the Vector was made from a []float64, which has memory for all elements.
	slice bool
}

// Whole returns v as a Vector that has all elements. It shares v's memory.
func Whole(v []float64) Vector { return Vector{N: len(v), Value: v, slice: true} }

// leastPacked is the least number of elements for which Pack makes an Index. A shorter vector takes
// little memory anyway.
const leastPacked = 64

// Pack returns v as a Vector. The Vector has an Index if v has at least 64 elements, and at most a
// quarter of them are not zero. −0 counts as not zero.
func Pack(v []float64) Vector {
	n := 0
	for i := 0; i < len(v) && few(len(v), n); i++ {
		if math.Float64bits(v[i]) != 0 {
			n++
		}
	}
	if !few(len(v), n) {
		return Whole(v)
	}
	p := Vector{len(v), make([]uint32, 0, n), make([]float64, 0, n), true}
	for i, x := range v {
		if math.Float64bits(x) != 0 {
			p.Index, p.Value = append(p.Index, uint32(i)), append(p.Value, x)
		}
	}
	return p
}

// few reports whether Pack makes an Index for a vector of n elements, k of them not zero.
func few(n, k int) bool { return n >= leastPacked && uint64(n) <= 1<<32 && k <= n/4 }

// Packed returns what Pack would return for all elements of v. v has an Index.
func (v Vector) Packed() Vector {
	if few(v.N, len(v.Index)) {
		return v
	}
	return Whole(v.Dense())
}

// Dense returns a slice of all elements. It shares v's memory if v has no Index.
func (v Vector) Dense() []float64 {
	if v.Index == nil {
		return v.Value
	}
	w := make([]float64, v.N, v.N+1) // with room for the element that the method With appends
	for k, j := range v.Index {
		w[j] = v.Value[k]
	}
	return w
}

// With returns a slice of all elements and then last. It is the inverse of Cut. The slice shares v's
// memory if v has no Index and Value has capacity for one more element.
func (v Vector) With(last float64) []float64 {
	w := v.Dense()
	if cap(w) > v.N {
		return append(w, last)
	}
	return slices.Concat(w, []float64{last})
}

// Cut returns v without its last element, and that element, or 0 if there is none.
func (v Vector) Cut() (Vector, float64) {
	if v.N == 0 {
		return v, 0
	}
	k := len(v.Value) - 1
	switch v.N--; {
	case v.Index != nil && (k < 0 || int(v.Index[k]) < v.N): // the last element is zero
		return v, 0
	case v.Index != nil:
		v.Index = v.Index[:k]
	}
	last := v.Value[k]
	if v.Value = v.Value[:k]; v.N == 0 {
		v.Value = nil // as in a model that was never saved
	}
	return v, last
}

// check returns an error unless v is valid. v has an Index. N may be far larger than the number of
// elements stored.
func (v *Vector) check() error {
	if uint64(v.N) > 1<<32 { // also if it is negative
		return Errorf("%d elements, few of them not zero, want at most 2³²", v.N)
	}
	if len(v.Index) != len(v.Value) {
		return Errorf("index has length %d, but value has %d", len(v.Index), len(v.Value))
	}
	for k, j := range v.Index {
		if uint64(j) >= uint64(v.N) || k > 0 && j <= v.Index[k-1] {
			return Errorf("index %d at %d, want indexes below %d that ascend", j, k, v.N)
		}
		if math.Float64bits(v.Value[k]) == 0 {
			return Errorf("the value at %d is 0", k)
		}
	}
	return nil
}

// A pairs is the JSON of a Vector with an Index.
type pairs struct {
	Length int       `json:"length"`
	Index  []uint32  `json:"index"`
	Value  []float64 `json:"value"`
}

// MarshalJSON returns an array of all elements, or an object if v has an Index.
func (v Vector) MarshalJSON() ([]byte, error) {
	if v.Index != nil {
		return json.Marshal(pairs{v.N, v.Index, v.Value})
	}
	return json.Marshal(append([]float64{}, v.Value...))
}

// MostZeros limits the number of elements that the vectors with an Index of one form have in memory
// after loading. So a short file cannot take all memory: this many elements take 8 GiB, or 512 MiB on
// a 32-bit machine. A larger model is saved without indexes. MostZeros is a variable for tests.
var MostZeros uint64 = 1 << (26 + 4*(^uint(0)>>63))
