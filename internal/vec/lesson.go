package vec

import "math"

// SecondCache is the number of float64s that a second-level cache is assumed to hold: 1 MiB.
const SecondCache = 1 << 17

// rowsAhead returns how many rows before its use a row of n elements should be requested. The rows
// between are at least four, and at least 16 KiB, so that the memory has time to answer. But they are
// at most 1 MiB, or a single row, so that the row is still in the second-level cache when it is needed.
func rowsAhead(n int) int { return max(1, min(4*(511/n+1), SecondCache/n)) }

// At returns the index of the row at a position. For a position after the last one, it returns the
// index of the row at the last position.
func (l *Lesson) At(pos int) int {
	if pos = min(pos, len(l.X)+len(l.Sparse)-1); l.Order != nil {
		return l.Order[pos]
	}
	return pos
}

// Learn trains the vector w with the rows at the positions from pos to end−1. The last element of w
// is b. y is +1 for a row whose label equals up, else −1. Learn stops at a row whose score is not
// finite, and at a row whose update makes w not finite. If l.Halt is true, it also stops at a row that
// is not right. The products ⟨w, x⟩ have the bits of [Dot], and the updates those of [Axpy], or those of
// [DotSparse] and [AddSparse] for sparse rows. loss is the sum of the losses so far. Learn takes O(d) for a
// row of d elements, or O(non-zeros), and allocates nothing.
func (l *Lesson) Learn(w []float64, up, pos, end int, loss float64) Outcome {
	r := Outcome{Next: pos, Loss: loss}
	if l.Sparse != nil || pos >= end || !learnKernel(&r, l, w, up, end) {
		l.learn(&r, w, up, end)
	}
	return r
}

// learn is Learn in Go. It begins with the row at r.Next.
func (l *Lesson) learn(r *Outcome, w []float64, up, end int) {
	for d := len(w) - 1; r.Next < end; r.Next++ {
		i := l.At(r.Next)
		y := Sign(l.Y[i] == up)
		switch r.Score = w[d]; {
		case l.Sparse != nil:
			r.Score += l.dotSparse(w[:d], l.Sparse[i], r.Next)
		case l.Fetch:
			r.Score += l.fetch(w[:d], l.X[i], r.Next)
		default:
			r.Score += Dot(w[:d], l.X[i])
		}
		m := y * r.Score
		if m > l.Theta && m <= math.MaxFloat64 {
			continue
		}
		if l.Halt || !IsFinite(m) {
			break
		}
		r.Mistakes++
		l.Updated.Add(i)
		r.Loss += max(0, -m)
		w[d] += y * l.Bias
		if !l.add(w[:d], i, y*l.Rate) || !IsFinite(w[d]) {
			break
		}
	}
}

// Add adds row i to s. If s is nil, Add does nothing.
func (s RowSet) Add(i int) {
	if s != nil {
		s[i/64] |= 1 << (i % 64)
	}
}

// fetch returns ⟨w, x⟩, where x is the row at pos, and requests the elements of a later row. If the
// order is random, the rows' slice headers and labels may not be in a cache yet. So fetch also loads
// the header and the label of the row 12 positions after the later row.
func (l *Lesson) fetch(w, x []float64, pos int) float64 {
	next := pos + rowsAhead(len(w))
	i := l.At(next + 12)
	l.touched = len(l.X[i]) + l.Y[i]
	return dotFetch(w, x, l.X[l.At(next)])
}

// add adds c·x to w, where x is row i, and reports whether every sum is finite.
func (l *Lesson) add(w []float64, i int, c float64) bool {
	if l.Sparse != nil {
		return AddSparse(w, l.Sparse[i].Index, c, l.Sparse[i].Value)
	}
	return axpyKernel(w, w, c, l.X[i])
}

// dotSparse returns ⟨w, x⟩, where x is the sparse row at pos. It requests later rows, and the elements of w
// that the next row reads, unless w fits in the second cache.
func (l *Lesson) dotSparse(w []float64, x Sparse, pos int) float64 {
	if l.Ahead(pos); len(w) >= SecondCache {
		FetchElements(w, 1, l.Sparse[l.At(pos+1)].Index)
	}
	return DotSparse(w, x.Index, x.Value)
}

// Ahead requests sparse rows after the position pos from memory, if l.Fetch is true. Without it, the
// processor does not load them early if the order is random, and seldom if it is not, because rows of
// different lengths are in different places. Ahead requests the elements of the row 4 positions ahead, which
// it finds by its slice headers. If the order is random, it requests the headers of the row 16 positions
// ahead. The distances 16 and 4 are by measurement.
func (l *Lesson) Ahead(pos int) {
	if !l.Fetch {
		return
	}
	if l.Order != nil {
		i := l.At(pos + 16)
		Fetch(&l.Sparse[i])
		Fetch(&l.Y[i])
	}
	x := &l.Sparse[l.At(pos+4)]
	FetchSparse(x.Index, x.Value)
}
