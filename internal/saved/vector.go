package saved

import (
	"encoding/json"
	"iter"
	"math"
	"slices"
)

// A Vector is a vector of a saved form. Where most of its N elements are zero, it has only the
// others: Value[k] is at Index[k], and Index, which ascends, is not nil. Else Value has all.
type Vector struct {
	N     int
	Index []uint32
	Value []float64
}

// Whole returns v as a Vector that has all elements. It shares v's memory.
func Whole(v []float64) Vector { return Vector{N: len(v), Value: v} }

// leastPacked is the least number of elements of a Vector with an Index. The zeros of a shorter one
// take no memory that counts.
const leastPacked = 64

// Pack returns v as a Vector, with an Index if v has at least 64 elements, and at most a quarter of
// them are not zero. −0 is not zero. parts yields the beginnings and ends of the parts of v outside
// which all elements are zero: Pack does not read the others, because to read memory that was never
// written takes long.
func Pack(v []float64, parts iter.Seq2[int, int]) Vector {
	most := len(v) / 4
	if len(v) < leastPacked || uint64(len(v)) > 1<<32 {
		return Whole(v)
	}
	n := 0
	for i, end := range parts {
		for _, x := range v[i:end] {
			if math.Float64bits(x) != 0 {
				n++
			}
		}
		if n > most {
			return Whole(v)
		}
	}
	p := Vector{len(v), make([]uint32, 0, n), make([]float64, 0, n)}
	for i, end := range parts {
		for j, x := range v[i:end] {
			if math.Float64bits(x) != 0 {
				p.Index, p.Value = append(p.Index, uint32(i+j)), append(p.Value, x)
			}
		}
	}
	return p
}

// All yields all n elements of a vector, in parts, for a call of Pack that has to read every
// element. After each part Pack may find too many that are not zero, and stop.
func All(n int) iter.Seq2[int, int] {
	return func(yield func(i, end int) bool) {
		const part = 4096
		for i := 0; i < n && yield(i, min(i+part, n)); i += part {
		}
	}
}

// Dense returns all elements. They share v's memory if v has them all.
func (v Vector) Dense() []float64 {
	if v.Index == nil {
		return v.Value
	}
	w := make([]float64, v.N, v.N+1) // With may append to it
	for k, j := range v.Index {
		w[j] = v.Value[k]
	}
	return w
}

// With returns all elements, and last after them: it is the inverse of Cut. They share v's memory if
// v has all, and room for one more.
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
		v.Value = nil // as in what was never saved
	}
	return v, last
}

// check returns an error unless v is valid.
func (v *Vector) check() error {
	if len(v.Index) != len(v.Value) {
		return Errorf("%d indexes, but %d values", len(v.Index), len(v.Value))
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

// MostZeros is the largest number of elements that all vectors of a form with an Index may have: 8
// GiB, and 512 MiB on a machine of 32 bits. So a short file cannot take all memory. A form that
// would need more has vectors of all elements. It is a variable for tests.
var MostZeros uint64 = 1 << (26 + 4*(^uint(0)>>63))

// A budget counts the elements of a form's vectors with an Index.
type budget struct{ used uint64 }

// take returns an error if n elements more are too many.
func (b *budget) take(n uint64) error {
	if n > MostZeros-b.used {
		return Errorf("%d elements, few of them not zero, after %d such, want at most %d in all", n, b.used, MostZeros)
	}
	b.used += n
	return nil
}
