package vec

import "math"

// Classes holds many vectors (w, b) of few elements so that all of them score a row at once:
// the same element of several vectors is one register. Their number is a group. A kernel adds
// for each vector as [Dot] does, so its sums v[0] to v[7] are eight registers for a group, and
// no register is folded in itself.
//
// The zero value has no vectors. Any number of goroutines may call Scores at once, while none
// calls Reset or Set.
type Classes struct {
	k, d  int       // the number of vectors, and of elements beside b
	group int       // the size of a group
	w     []float64 // group by group: d registers of elements, and one of b
}

// Reset makes c hold k vectors of d elements and b, all zero. It takes O(k·d), and allocates
// only where c was smaller before.
func (c *Classes) Reset(k, d int) {
	c.k, c.d, c.group = k, d, groupOf(k)
	if n := (k + c.group - 1) / c.group * c.group * (d + 1); n <= cap(c.w) {
		c.w = c.w[:n]
		clear(c.w)
	} else {
		c.w = aligned(n)
	}
}

// Set sets the i-th vector to w, whose last element is b. It takes O(d).
func (c *Classes) Set(i int, w []float64) {
	if i >= c.k || len(w) != c.d+1 {
		panic("vec: Set of a vector that Reset made no room for")
	}
	column := c.w[i/c.group*c.group*(c.d+1)+i%c.group:]
	for j, v := range w {
		column[c.group*j] = v
	}
}

// Scores sets dst[i] to ⟨w, x⟩ + b of the i-th vector, with the bits of Dot(w, x) + b. It
// panics if dst does not have an element for each vector. All scores are NaN if x has another
// length. It takes O(k·d) and allocates nothing.
func (c *Classes) Scores(dst, x []float64) {
	if len(dst) != c.k {
		panic("vec: Scores for another number of vectors")
	}
	if len(x) != c.d {
		for i := range dst {
			dst[i] = math.NaN()
		}
		return
	}
	if c.k > 0 {
		classesKernel(c, dst, x)
	}
}

// classesGeneric is Scores in Go.
func classesGeneric(c *Classes, dst, x []float64) {
	q := len(x) &^ 31
	for i := range dst {
		w := c.w[i/c.group*c.group*(c.d+1)+i%c.group:]
		var l [32]float64
		for j, a := range x[:q] {
			l[j%32] += float64(a * w[c.group*j])
		}
		var v [8]float64
		for j := range v {
			v[j] = (l[j] + l[j+8]) + (l[j+16] + l[j+24])
		}
		for j, a := range x[q:] {
			v[j%8] += float64(a * w[c.group*(q+j)])
		}
		dot := ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]))
		dst[i] = dot + w[c.group*c.d]
	}
}
