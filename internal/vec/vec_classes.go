package vec

import "slices"

// ShortRow is the most elements of a row that [Classes] have kernels for. All of them are the
// last products of Dot's order.
const ShortRow = 31

// Classes holds many vectors (w, b) of few elements so that all of them score a row at once:
// the same element of several vectors is one register. Their number is a group. A kernel adds
// for each vector as [Dot] does, so its sums v[0] to v[7] are eight registers for a group, and
// no register is folded in itself. Where there is no kernel, a group is one vector.
//
// The zero value has no vectors.
type Classes struct {
	k, d  int       // the number of vectors, and of elements beside b
	group int       // the size of a group, a power of 2
	w     []float64 // group by group: d registers of elements, and one of b
}

// Reset makes c hold k vectors of d elements and b, all zero. It takes O(k·d), and allocates
// only where c was smaller before.
func (c *Classes) Reset(k, d int) {
	if c.k, c.d, c.group = k, d, 1; d <= ShortRow {
		c.group = groupOf(k)
	}
	n := (k + c.group - 1) / c.group * c.group * (d + 1)
	c.w = slices.Grow(c.w[:0], n)[:n]
	clear(c.w)
}

// Set sets the i-th vector to w, of d+1 elements: the last is b. It takes O(d).
func (c *Classes) Set(i int, w []float64) {
	column, g := c.w[i&-c.group*(c.d+1)+i&(c.group-1):], c.group
	for j, v := range w {
		column[g*j] = v
	}
}

// Scores sets dst[i] to ⟨w, x⟩ + b of the i-th vector, with the bits of Dot(w, x) + b. It
// panics unless dst has an element for each vector, and x has d. It takes O(k·d), and
// allocates nothing.
func (c *Classes) Scores(dst, x []float64) {
	if len(dst) != c.k || len(x) != c.d {
		panic("vec: Scores of different lengths")
	}
	if c.group > 1 {
		classesKernel(dst, c.w, x, c.group)
		return
	}
	for i := range dst {
		w := c.w[i*(c.d+1):][:c.d+1]
		dst[i] = Dot(w[:c.d], x) + w[c.d]
	}
}
