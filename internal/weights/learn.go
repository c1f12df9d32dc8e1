package weights

import (
	"math"

	"perceptron/internal/vec"
)

// A SparseLesson has labelled sparse rows, and the step by which a plane learns them. It is for sparse rows
// what [vec.Lesson] is for dense ones.
type SparseLesson struct {
	X        []vec.Sparse
	Y, Order []int      // the label of each row; the order of the rows, or nil
	Up       int        // y is +1 for a row with this label, else −1
	Theta    float64    // a row is right if y·score > Theta, and finite
	Rate     float64    // η: the step of a row that is not right is ηy
	Halt     bool       // Learn stops at a row that is not right, without an update
	Fetch    bool       // requests rows ahead of time, because they do not fit in the caches
	Updated  vec.RowSet // nil, or the rows with an update, which Learn adds
}

// At returns the index of the row at a position.
func (l *SparseLesson) At(pos int) int {
	if l.Order != nil {
		return l.Order[pos]
	}
	return pos
}

// Learn trains the i-th plane with the rows at the positions from pos on. It stops at a row whose score
// is not finite. It also stops at a row whose update makes the plane not finite: then the plane is
// useless. If l.Halt is true, it also stops at a row that is not right. r.Score is the score of the row
// where it stopped, and r.Next its position, or the number of rows. loss is the sum of the losses so
// far.
func (p *Planes) Learn(i int, l *SparseLesson, pos int, loss float64) vec.Learned {
	q, r := p.all[i], vec.Learned{Next: pos, Loss: loss}
	w := q.w()
	d := len(w) - 1
	distant := len(w) > vec.SecondCache
	for ; r.Next < len(l.Y); r.Next++ {
		i := l.At(r.Next)
		l.fetch(r.Next)
		if distant && r.Next+1 < len(l.Y) {
			vec.FetchElements(w, 1, l.X[l.At(r.Next+1)].Index)
		}
		at, x := l.X[i].Index, l.X[i].Value
		r.Score = vec.DotSparse(w[:d], at, x) + w[d]
		y := vec.Sign(l.Y[i] == l.Up)
		m := y * r.Score
		if m > l.Theta && m <= math.MaxFloat64 {
			continue
		}
		if l.Halt || !vec.IsFinite(m) {
			break
		}
		step, b := y*l.Rate, w[d]
		if !p.Linear {
			b += step
		}
		if w[d] = b; !vec.AddSparse(w, at, step, x) || !vec.IsFinite(b) {
			break
		}
		r.Mistakes++
		r.Loss += max(0, -m)
		l.Updated.Add(i)
	}
	return r
}

// fetch requests rows after the position pos from memory. Without it, the processor does not load them
// early if the order is random, and seldom if it is not, because rows of different lengths are in
// different places. fetch requests the elements of the row 4 positions ahead, which it finds by its
// slice headers. If the order is random, it requests the headers of the row 16 positions ahead. The
// distances 16 and 4 are by measurement.
func (l *SparseLesson) fetch(pos int) {
	if !l.Fetch {
		return
	}
	if l.Order != nil && pos+16 < len(l.Y) {
		i := l.Order[pos+16]
		vec.Fetch(&l.X[i])
		vec.Fetch(&l.Y[i])
	}
	if pos+4 < len(l.Y) {
		x := &l.X[l.At(pos+4)]
		vec.FetchSparse(x.Index, x.Value)
	}
}

// Ahead requests rows after the position pos from memory, and the weights of the next one that are side by
// side.
func (l *SparseLesson) Ahead(p *Planes, pos int) {
	if l.fetch(pos); pos+1 == len(l.Y) {
		return
	}
	at := l.X[l.At(pos+1)].Index
	for _, b := range p.blocks {
		if w := b.moving[iterate]; len(w) > vec.SecondCache {
			vec.FetchElements(w, b.lanes, at)
		}
	}
}
