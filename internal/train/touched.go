package train

import "iter"

// A touched says which parts of a plane's vectors may have other elements than zeros, as long as
// only sparse rows have trained the plane: bit i is for the elements from pageSize·i on. To read a
// vector only there takes far less time than to read memory that was never written, a page of which
// the operating system makes at the first access. If it is nil, any element may be not zero.
type touched []uint64

// pageSize is the number of elements in a page of memory.
const pageSize = 512

// untouched returns the marks for a plane whose d weights are all 0. It marks the part with the
// bias, which may have another value.
func untouched(d int) touched {
	t := make(touched, d/pageSize/64+1)
	t.add(uint32(d))
	return t
}

// add marks the elements with the given indexes.
func (t touched) add(at ...uint32) {
	if t != nil {
		for _, j := range at {
			t[j/pageSize/64] |= 1 << (j / pageSize % 64)
		}
	}
}

// parts yields the beginnings and ends of the parts of a vector of n elements that are marked.
func (t touched) parts(n int) iter.Seq2[int, int] {
	return func(yield func(i, end int) bool) {
		for i := 0; i < n; i += pageSize {
			switch page := i / pageSize; {
			case t != nil && t[page/64] == 0:
				i |= 63 * pageSize // none of 64 pages
			case t != nil && t[page/64]>>(page%64)&1 == 0:
			case !yield(i, min(i+pageSize, n)):
				return
			}
		}
	}
}

// clone returns a copy of a vector, and reads only the parts that are marked.
func (t touched) clone(v []float64) []float64 {
	if v == nil {
		return nil
	}
	w := make([]float64, len(v))
	for i, end := range t.parts(len(v)) {
		copy(w[i:end], v[i:end])
	}
	return w
}
