package saved

import (
	"math"
	"slices"
)

// A Form is a pointer to a struct of a saved form. Exchange calls f with each vector of the struct,
// in the order of the fields, and replaces the vector by the result of f. last is the bias that
// belongs to the vector, if the struct has the bias in a field of its own. Then the last element of
// the result is the new bias. A frame stores the bias as the last element of the vector, and its head
// has 0 in the field of the bias.
type Form interface {
	Exchange(f func(v Vector, last ...float64) Vector)
}

// A part is a vector of a form, including the bias that Exchange passes as last. If the vector has no
// Index, last has the bias, and Value has the elements before the bias. If it has an Index, last is
// nil, and Index and Value include the bias unless it is zero.
type part struct {
	Vector
	last []float64
}

// take removes the vectors from a form, and returns them. They share the form's memory.
func take(form Form) (parts []part) {
	form.Exchange(func(v Vector, last ...float64) Vector {
		p := part{v, last}
		if p.N += len(last); v.Index != nil {
			if p.last = nil; len(last) > 0 && math.Float64bits(last[0]) != 0 {
				p.Index, p.Value = append(slices.Clone(v.Index), uint32(v.N)), append(slices.Clone(v.Value), last...)
			}
		}
		parts = append(parts, p)
		return Vector{Value: []float64{}} // JSON has an empty array
	})
	return parts
}

// Take removes the vectors from a form, and returns them with all elements, in new memory.
func Take(form Form) (vectors [][]float64) {
	for _, p := range take(form) {
		vectors = append(vectors, slices.Concat(p.Dense(), p.last))
	}
	return vectors
}

// Put is the inverse of Take: it puts vectors in a form that has none. It returns an error if the
// form has another number of vectors, or numbers in them, and if the vectors would take too much
// memory: see MostZeros.
func Put(form Form, vectors []Vector) error {
	n, empty, zeros := 0, true, uint64(0)
	form.Exchange(func(v Vector, last ...float64) (w Vector) {
		if empty = empty && v.N == 0 && (len(last) == 0 || last[0] == 0); n < len(vectors) && vectors[n].N > 0 {
			w = vectors[n] // an empty vector stays nil, as in a model that was never saved
		}
		if n++; v.slice && w.Index != nil {
			if zeros += uint64(w.N); zeros > MostZeros {
				return Vector{}
			}
		}
		return w
	})
	switch {
	case zeros > MostZeros:
		return Errorf("%d elements, few of them not zero, want at most %d", zeros, MostZeros)
	case !empty:
		return Errorf("numbers in the head, want empty vectors")
	case len(vectors) != n:
		return Errorf("%s, want %d", Count(len(vectors), "vector", "vectors"), n)
	}
	return nil
}
