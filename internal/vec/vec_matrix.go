package vec

import "math"

// A Matrix holds vectors of one length side by side: element j of the c-th vector is
// Elements[j·Stride + c]. One vector is a Matrix of Stride 1.
type Matrix struct {
	Elements []float64
	Stride   int
}

// Gather appends the elements of the c-th vector at these indexes to dst, and its last element.
func (m Matrix) Gather(dst []float64, c int, at []uint32) []float64 {
	for _, j := range at {
		dst = append(dst, m.Elements[int(j)*m.Stride+c])
	}
	return append(dst, m.Elements[len(m.Elements)-m.Stride+c])
}

// Scatter sets the elements of the c-th vector at these indexes, and its last element, to those
// of from.
func (m Matrix) Scatter(c int, at []uint32, from []float64) {
	for k, v := range from[:len(at)] {
		m.Elements[int(at[k])*m.Stride+c] = v
	}
	m.Elements[len(m.Elements)-m.Stride+c] = from[len(at)]
}

// Join makes the vectors columns of m, from column c on. Stride leaves room for them.
func (m Matrix) Join(c int, vectors [][]float64) {
	for j, at := 0, c; at < len(m.Elements); j, at = j+1, at+m.Stride {
		row := m.Elements[at:][:len(vectors)]
		for k, v := range vectors {
			row[k] = v[j]
		}
	}
}

// Split sets the vectors to the first columns of m.
func (m Matrix) Split(vectors [][]float64) {
	for j, at := 0, 0; at < len(m.Elements); j, at = j+1, at+m.Stride {
		row := m.Elements[at:][:len(vectors)]
		for k, v := range vectors {
			v[j] = row[k]
		}
	}
}

// Widen returns m with a larger stride. It has n elements a vector, also if m has none.
func (m Matrix) Widen(stride, n int) Matrix {
	wide := Matrix{make([]float64, n*stride), stride}
	for j := 0; j*m.Stride < len(m.Elements); j++ {
		copy(wide.Elements[j*stride:], m.Elements[j*m.Stride:][:m.Stride])
	}
	return wide
}

// Dots returns the dot products of a sparse vector with all vectors, without their last elements. Each
// has the bits of [DotSparse]. The result is valid until the next call with this scratch, which is
// replaced where it is too short. Dots takes O(len(x)·Stride).
func (m Matrix) Dots(scratch *[]float64, at []uint32, x []float64) []float64 {
	k, n := m.Stride, len(m.Elements)/m.Stride-1
	if len(*scratch) < 40*k {
		*scratch = make([]float64, 40*k)
	}
	lanes, last := (*scratch)[:32*k], (*scratch)[32*k:40*k]
	whole, ok := split(n, at, x)
	if !ok {
		for c := range k {
			last[c] = math.NaN()
		}
		return last[:k]
	}
	clear(lanes)
	addRows(lanes, m.Elements, k, at[:whole], x, 31) // step 1 of Dot's order
	for q := range last {                            // step 2
		last[q] = (lanes[q] + lanes[q+8*k]) + (lanes[q+16*k] + lanes[q+24*k])
	}
	addRows(last, m.Elements, k, at[whole:], x[whole:], 7) // step 3
	for c := range k {                                     // step 4
		v := last[c:]
		v[0] = ((v[0] + v[4*k]) + (v[2*k] + v[6*k])) + ((v[k] + v[5*k]) + (v[3*k] + v[7*k]))
	}
	return last[:k]
}

// split returns how many elements of a sparse vector of n elements belong to step 1 of Dot's order,
// and whether the vector is valid.
func split(n int, at []uint32, x []float64) (whole int, ok bool) {
	next := uint64(0)
	for _, j := range at {
		if uint64(j) < next {
			return 0, false
		}
		if next = uint64(j) + 1; next <= uint64(n)&^31 {
			whole++
		}
	}
	return whole, len(at) == len(x) && next <= uint64(n)
}
