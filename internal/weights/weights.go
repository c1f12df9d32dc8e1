// Package weights holds the vectors of a model, and is the only package that knows where their
// elements are. A model has one or several planes. Each plane is a hyperplane in training: its
// vector has d weights and then the bias. Package train knows a plane by its index.
//
// An iterate is the vector (w, b) after some updates. Shape.Keep says which iterate predicts, and so
// which other vectors a plane has: sums for the mean, or the best iterate so far.
//
// There are two layouts. The vectors of planes that learn dense rows are apart. Those of planes that learn
// sparse rows are side by side, in bundles, so that the elements of one feature are in one place of memory.
// The layout changes no bit.
//
// A sparse row sees a vector through a window: the elements at the row's indexes, in their order.
//
// A file uses only files listed below it:
//
//	saved_vectors.go    the vectors in a saved form, and back
//	mixed_vectors.go    the weighted mean of several models' vectors
//	read.go             reads: whole vectors, scores of sparse rows, and what they compute once
//	iterates.go         one iterate of a plane: the one in training, and those that Pocket compares
//	weights.go          updates of planes, and copies
//	layout.go           Planes: its planes, and where their vectors are
//	plane.go            one plane: its vectors, the next iterate
package weights

import (
	"slices"

	"perceptron/internal/vec"
)

// Widen gives the rows n features more. All vectors are 0 there, as if the rows so far had zeros there. The planes are
// apart.
func (p *Planes) Widen(n int) {
	p.width += n
	for i, q := range p.all {
		for k := range kinds(p.Keep) {
			v := q.moving[k]
			q.moving[k] = slices.Insert(v, len(v)-1, make([]float64, n)...)
		}
		q.resize(p.width + 1)
		p.measure(i)
	}
	p.Outdate()
}

// Since makes the means count only the iterates after those that a former copy counts, in O(Kd). A mistake after n
// examples has added n·(w′ − w) to u, and n is now less by the copy's count. There is no Window. The planes are apart.
func (p *Planes) Since(former *Planes) {
	for i, q := range p.all {
		f, u, rest := former.all[i], q.moving[sums], q.moving[rests]
		for j, w := range q.w() {
			more := (u[j] - f.moving[sums][j]) + (rest[j] - f.moving[rests][j])
			u[j], rest[j] = more-float64(f.counted*(w-f.w()[j])), 0
		}
		q.counted -= f.counted
	}
	p.Outdate()
}

// Insert adds a plane before the i-th. Its iterate is start, a vector (w, b), or weights that are 0 and b if start has
// b alone. counted is the number of examples that its mean counts.
func (p *Planes) Insert(i int, start []float64, counted float64) {
	q, d := p.add(i), len(start)-1
	for j, v := range start[:d] {
		q.w()[j*q.stride] = v + 0 // turns −0 into 0: no weight is ever −0
		p.occurred.add(j)
	}
	q.w()[len(q.w())-1] = start[d] + 0
	copy(q.kept, q.w()) // under Pocket; under Average there is none yet
	q.counted = counted
	p.Outdate()
	p.measure(i)
}

// Clone returns a copy that shares no memory with p, in O(Kd). Several goroutines may call it at
// once, while another goroutine computes the means. So Clone copies the means only if they are
// complete. Otherwise the copy computes them from its sums, with the same bits. A loaded mean, which
// may have other bits than a computed mean, is complete.
func (p *Planes) Clone() Planes {
	c := p.laid(p.beside)
	complete := !p.reads.outdated.Load()
	c.reads.outdated.Store(!complete)
	for i, q := range p.all {
		if complete || p.Keep == Pocket {
			c.all[i].kept = slices.Clone(q.kept)
		}
	}
	return c
}

// Score returns ⟨w, x⟩ + b, where the last element of w is b. The score is not finite if a feature
// is not finite, or if x has the wrong width. So one check of the score checks all features.
func Score(w, x []float64) float64 { return vec.Dot(w[:len(w)-1], x) + w[len(w)-1] }

// InTraining returns the vector (w, b) that the i-th plane trains, for dense rows: the caller may train
// it in place, and the next update replaces it.
func (p *Planes) InTraining(i int) []float64 { return p.all[i].w() }

// Propose computes the next iterate of the i-th plane, w + step·x and b + step, in O(d), or in
// O(non-zeros) for a sparse row. With Norms it also computes the norm of the next iterate, in O(d).
// Under Average it also computes the next sums; the plane has seen n examples more than Count counted.
// Propose reports whether the next iterate and sums are finite. Nothing that predicts changes before
// Commit, so an update that overflows changes nothing.
func (p *Planes) Propose(i int, x *vec.Row, step float64, n int) bool {
	q, d := p.all[i], len(x.Value)
	if q.next == nil || len(q.next.moving[iterate]) != d+1 {
		q.resize(d + 1)
	}
	w := q.w()
	if x.Index != nil {
		w = q.window(x)
	}
	next, b := q.next.moving[iterate], w[d]
	ok := vec.Axpy(next[:d], w[:d], step, x.Value)
	if !p.Linear {
		b += step
	}
	if next[d] = b; p.Norms {
		q.nextNorm = q.normWith(x)
	}
	return ok && vec.IsFinite(b) && (p.Keep != Average || q.accumulate(x, w, q.counted+float64(q.weight*float64(n))))
}

// Commit makes the update that Propose has computed for the i-th plane, in O(1) for a dense row.
func (p *Planes) Commit(i int, x *vec.Row) {
	if p.all[i].move(x); p.beside {
		for _, j := range x.Index {
			p.occurred.add(int(j))
		}
	}
}

// Add is Propose and Commit for a dense row, if only the weights and the bias of a plane change. If it
// overflows, or if the next iterate has not the length of a dense row, Add changes nothing and returns false.
func (p *Planes) Add(i int, x []float64, step float64) bool {
	q, d := p.all[i], len(x)
	if q.next == nil || len(q.next.moving[iterate]) != d+1 {
		return false
	}
	w, next := q.w(), q.next.moving[iterate]
	b := w[d]
	if !p.Linear {
		b += step
	}
	if next[d] = b; !vec.Axpy(next[:d], w[:d], step, x) || !vec.IsFinite(b) {
		return false
	}
	q.moving[iterate], q.next.moving[iterate] = next, w
	return true
}

// Count counts n examples more for the mean of the i-th plane. Whenever 2·window examples count, each of them
// counts half from then on, unless window is 0.
func (p *Planes) Count(i, n int, window float64) {
	q := p.all[i]
	if p.Keep != Average {
		return
	}
	q.counted = min(q.counted+float64(q.weight*float64(n)), Countable)
	for window > 0 && q.counted >= 2*window*q.weight {
		q.weight *= 2
	}
	if q.weight > 1 && (n > 1 || q.counted > Countable/2) {
		q.rescale()
	}
}

// Counted returns the number of examples counted for the mean of the i-th plane, or 0 unless Keep is
// Average.
func (p *Planes) Counted(i int) float64 { return p.all[i].counted / p.all[i].weight }

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

// ComputeNorm returns ‖(w, b)‖ of the i-th plane in O(d).
func (p *Planes) ComputeNorm(i int) float64 {
	w := p.whole(p.scratch, p.all[i].w(), p.all[i].stride)
	if p.beside {
		p.scratch = w
	}
	return vec.Norm(w)
}

// Copy copies the iterate of the i-th plane to dst, and returns the copy. dst is nil, or a vector that
// Copy returned for this plane.
func (p *Planes) Copy(dst []float64, i int) []float64 {
	if q := p.all[i]; q.stride > 1 {
		return p.whole(dst, q.w(), q.stride)
	}
	return append(dst[:0], p.all[i].w()...)
}

// Same reports whether the iterate of the i-th plane equals a vector that Copy returned.
func (p *Planes) Same(was []float64, i int) bool {
	w, stride := p.all[i].w(), p.all[i].stride
	for j := range p.each {
		if w[j*stride] != was[j] {
			return false
		}
	}
	return true
}
