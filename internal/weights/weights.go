// Package weights holds the vectors of a model, and is the only package that knows where their
// elements are. A model has one or several planes. Each plane is a hyperplane in training: its
// vector has d weights and then the bias. Package train knows a plane by its index.
//
// An iterate is the vector (w, b) after some updates. [Keep] says which iterate predicts, and so
// which other vectors a plane has: sums for the mean, or the best iterate so far.
//
// Each vector has memory of its own, or, while sparse rows are learned or read, element j of all planes is
// in one place of memory: see beside and reads. The layout changes no bit.
//
// A sparse row sees a vector through a window: the elements at the row's indexes, in their order.
//
// A file uses only files listed below it:
//
//	saved.go    the vectors in a saved form, and back
//	mix.go      the weighted mean of several models' vectors
//	read.go     reads: whole vectors, scores of sparse rows, and what they compute once
//	learn.go    an epoch of sparse rows for one plane
//	pocket.go   the iterates that Pocket compares
//	group.go    planes that score a row together, side by side if that saves time
//	weights.go  Planes: its planes and its layout; updates
//	plane.go    one plane: its vectors, the next iterate
package weights

import (
	"slices"
	"sync"
	"sync/atomic"

	"perceptron/internal/vec"
)

// A Shape says which vectors the planes have. It does not change after the first row.
type Shape struct {
	Keep   Keep
	Linear bool // the bias stays as it is
	Norms  bool // the norm ‖(w, b)‖ of each plane is kept, because θ depends on it
}

// Planes are the planes of a model. A copy of the struct is a snapshot: Insert makes new lists, and
// does not change the old ones. Each update changes vectors that the copies share.
type Planes struct {
	Shape
	// width is the number of features of a row, or 0 before the first row.
	width int
	all   []*plane
	// reads has what reads have computed since the last update.
	reads *reads
}

// A reads has what reads compute once after training: the means, and the vectors side by side. Any number of goroutines may read at once. One of them computes, and the others wait.
//
// The means are computed at the first read, because they take O(Kd), and a service may learn many
// examples between two reads. Sparse reads compute only the means that they need, until they have read
// as many non-zeros as a plane has elements. Then a read computes all means. With leastBeside planes
// or more it also copies the vectors that predict side by side, unless the copy would be too large.
// Later reads use the copy and are faster. Once they have read as many non-zeros again, they have saved
// the time that the copy took.
type reads struct {
	// outdated says whether the means must be computed.
	outdated atomic.Bool
	// mutex is held by the goroutine that computes the means or beside.
	mutex sync.Mutex
	// beside points to a copy of the vectors that predict, side by side. It is nil before a read has
	// made the copy.
	beside atomic.Pointer[[]float64]
	// count counts the non-zeros of sparse reads, until beside is set. As long as it is 0, beside is nil.
	count atomic.Int64
}

// outdate makes the next read compute the means again. No other goroutine may use the planes at the
// same time: the callers train them, or have just made them.
func (r *reads) outdate() {
	if !r.outdated.Load() || r.count.Load() != 0 { // a store takes far longer than a load
		r.outdated.Store(true)
		r.count.Store(0)
		r.beside.Store(nil)
	}
}

// Outdate makes the next read compute again what reads compute. Training calls it before a read may
// follow. It is short enough to be inlined.
func (p *Planes) Outdate() { p.reads.outdate() }

// New returns planes of the given shape. There is no plane yet.
func New(s Shape) Planes { return Planes{Shape: s, reads: new(reads)} }

// Len returns the number of planes.
func (p *Planes) Len() int { return len(p.all) }

// Width returns the number of features of a row, or 0 before the first row.
func (p *Planes) Width() int { return p.width }

// SetWidth makes d the width of the rows.
func (p *Planes) SetWidth(d int) { p.width = d }

// Widen gives the rows n features more. All vectors are 0 there, as if the rows so far had zeros there.
func (p *Planes) Widen(n int) {
	p.width += n
	for i, q := range p.all {
		q.apart()
		for _, v := range q.moving() {
			*v = slices.Insert(*v, len(*v)-1, make([]float64, n)...)
		}
		q.resize(len(q.w))
		p.measure(i)
	}
	p.Outdate()
}

// Since makes the means count only the iterates after those that a former copy counts, in O(Kd). A mistake after n
// examples has added n·(w′ − w) to u, and n is now less by the copy's count. There is no Window.
func (p *Planes) Since(former *Planes) {
	for i, q := range p.all {
		m, f := q.mean, former.all[i]
		for j, w := range q.w {
			u := (m.sum[j] - f.mean.sum[j]) + (m.low[j] - f.mean.low[j])
			m.sum[j], m.low[j] = u-float64(f.mean.seen*(w-f.w[j])), 0
		}
		m.seen -= f.mean.seen
	}
	p.Outdate()
}

// Insert adds a plane before the i-th. Its iterate has the given weights and bias, or weights that
// are 0 if w is nil. seen is the number of examples seen, for the mean. If dense is true, Insert also
// allocates what updates by dense rows need, so that they do not allocate it.
func (p *Planes) Insert(i int, w []float64, bias, seen float64, dense bool) {
	for _, q := range p.all {
		q.apart() // a Group has the vectors of a fixed number of planes
	}
	q := newPlane(p.Keep, p.width+1)
	for j, v := range w {
		q.w[j] = v + 0 // turns −0 into 0: no weight is ever −0
	}
	q.w[len(q.w)-1] = bias + 0
	copy(q.kept, q.w) // under Pocket; under Average there is none yet
	if q.mean != nil {
		q.mean.seen = seen
	}
	if dense {
		q.resize(len(q.w))
	}
	p.all = slices.Insert(slices.Clone(p.all), i, q)
	p.Outdate()
	p.measure(i)
}

// Prepare allocates what updates by dense rows need, so that they do not allocate it.
func (p *Planes) Prepare() {
	for _, q := range p.all {
		q.resize(len(q.w))
	}
}

// Clone returns a copy that shares no memory with p, in O(Kd). Several goroutines may call it at
// once, while another goroutine computes the means. So Clone copies the means only if they are
// complete. Otherwise the copy computes them from its sums, with the same bits. A loaded mean, which
// may have other bits than a computed mean, is complete.
func (p *Planes) Clone() Planes {
	c, complete := *p, !p.reads.outdated.Load()
	if c.reads = new(reads); !complete {
		c.reads.outdate()
	}
	c.all = make([]*plane, len(p.all))
	for i, q := range p.all {
		c.all[i] = q.clone(complete || p.Keep == Pocket)
	}
	return c
}

// Score returns ⟨w, x⟩ + b, where the last element of w is b. The score is not finite if a feature
// is not finite, or if x has the wrong width. So one check of the score checks all features.
func Score(w, x []float64) float64 { return vec.Dot(w[:len(w)-1], x) + w[len(w)-1] }

// Iterate returns the vector (w, b) that the i-th plane trains, for dense rows: the caller may train
// it in place, and the next update replaces it.
func (p *Planes) Iterate(i int) []float64 { return p.all[i].w }

// Propose computes the next iterate of the i-th plane, w + step·x and b + step, in O(d), or in
// O(non-zeros) for a sparse row. With Norms it also computes the norm of the next iterate, in O(d).
// Under Average it also computes the next sums; the plane has seen n examples more than See counted.
// Propose reports whether the next iterate and sums are finite. Nothing that predicts changes before
// Commit, so an update that overflows changes nothing.
func (p *Planes) Propose(i int, x *vec.Row, step float64, n int) bool {
	q, d := p.all[i], len(x.Value)
	if len(q.next) != d+1 {
		q.resize(d + 1)
	}
	w := q.w
	if x.Index != nil {
		w = q.window(&q.part, q.w, x)
	}
	ok := vec.Axpy(q.next[:d], w[:d], step, x.Value)
	b := w[d]
	if !p.Linear {
		b += step
	}
	if q.next[d] = b; p.Norms {
		q.nextNorm = q.normWith(x)
	}
	return ok && vec.IsFinite(b) && (p.Keep != Average || q.accumulate(x, w, float64(n)))
}

// Commit makes the update that Propose has computed for the i-th plane, in O(1) for a dense row.
func (p *Planes) Commit(i int, x *vec.Row) { p.all[i].move(x) }

// Add is Propose and Commit for a dense row, if only the weights and the bias of a plane change. If it
// overflows, or if Prepare was not called, Add changes nothing and returns false.
func (p *Planes) Add(i int, x []float64, step float64) bool {
	q, d := p.all[i], len(x)
	if len(q.next) != d+1 {
		return false
	}
	b := q.w[d]
	if !p.Linear {
		b += step
	}
	if q.next[d] = b; !vec.Axpy(q.next[:d], q.w[:d], step, x) || !vec.IsFinite(b) {
		return false
	}
	q.w, q.next = q.next, q.w
	return true
}

// See counts n examples more for the mean of the i-th plane. As soon as 2·window examples count, each counts
// half, unless window is 0.
func (p *Planes) See(i, n int, window float64) {
	m := p.all[i].mean
	if m == nil {
		return
	}
	m.seen = min(m.seen+float64(m.weight*float64(n)), Countable)
	for window > 0 && m.seen >= 2*window*m.weight {
		m.weight *= 2
	}
	if m.weight > 1 && (n > 1 || m.seen > Countable/2) {
		p.all[i].rescale()
	}
}

// Seen returns the number of examples counted for the mean of the i-th plane, or 0 unless Keep is
// Average.
func (p *Planes) Seen(i int) float64 {
	if m := p.all[i].mean; m != nil {
		return m.seen / m.weight
	}
	return 0
}

// Norm returns ‖(w, b)‖ of the i-th plane, if the shape has Norms. If next is true, it is that of the
// iterate that Propose has computed last.
func (p *Planes) Norm(i int, next bool) float64 {
	if next {
		return p.all[i].nextNorm
	}
	return p.all[i].norm
}

// measure computes the norm of the i-th plane, in O(d), if the shape has Norms.
func (p *Planes) measure(i int) {
	if p.Norms {
		p.all[i].norm = p.ComputeNorm(i)
	}
}

// ComputeNorm returns ‖(w, b)‖ of the i-th plane in O(d). The planes are apart.
func (p *Planes) ComputeNorm(i int) float64 { return vec.Norm(p.all[i].w) }

// Copy copies the iterate of the i-th plane to dst, which may be short, and returns the copy.
func (p *Planes) Copy(dst []float64, i int) []float64 { return append(dst[:0], p.all[i].w...) }

// Same reports whether the iterate of the i-th plane equals a vector that Copy returned.
func (p *Planes) Same(was []float64, i int) bool { return slices.Equal(p.all[i].w, was) }

// allZero reports whether all elements of v are 0.
func allZero(v []float64) bool {
	return !slices.ContainsFunc(v, func(a float64) bool { return a != 0 })
}
