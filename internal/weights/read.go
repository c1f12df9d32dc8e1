package weights

import (
	"sync"

	"perceptron/internal/vec"
)

// Single returns the vector (w, b) that predicts, if there is one plane and nothing has to be computed.
// Else it returns nil. It is short enough to be inlined.
func (p *Planes) Single() []float64 {
	if p.Keep == Last && len(p.all) == 1 && p.places == nil {
		return p.all[0].w
	}
	return nil
}

// Predictor returns the whole vector (w, b) with which the i-th plane predicts: the last iterate, the
// mean or the best iterate. The caller must not change it. The next update may change it. If the
// vectors are held by places, the first call after training makes whole vectors of all planes.
//
// Predictor is short enough for the compiler to inline it into each prediction. predictor is not.
func (p *Planes) Predictor(i int) []float64 {
	if p.Keep == Last && p.places == nil {
		return p.all[i].w
	}
	return p.predictor(i)
}

// predictor is Predictor if something may have to be computed.
func (p *Planes) predictor(i int) []float64 {
	if p.places == nil && (p.Keep == Pocket || p.Keep == Average && !p.reads.outdated.Load()) {
		return p.all[i].kept // nearly always: a call fewer
	}
	return p.whole().predicting(i)
}

// whole returns p if it has no places, else a copy without places, which is kept until training drops
// it.
func (p *Planes) whole() *Planes {
	r := p.reads
	if p.places == nil {
		return p
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.whole == nil { // else another goroutine has made it
		r.count.Add(1)
		c := p.Clone()
		c.spread()
		r.whole = &c
	}
	return r.whole
}

// predicting returns the vector that predicts, in the layout of the planes. Under Average it first computes
// the means of all planes, in O(Kd), if training has outdated them.
func (p *Planes) predicting(i int) []float64 {
	q, r := p.all[i], p.reads
	switch p.Keep {
	case Last:
		return q.w
	case Pocket:
		return q.kept
	}
	if r.outdated.Load() {
		r.mutex.Lock()
		defer r.mutex.Unlock()
		if r.outdated.Load() { // else another goroutine has computed them while this one waited
			for _, q := range p.all {
				q.computeMean()
			}
			r.outdated.Store(false)
		}
	}
	return q.kept
}

// memory has memory for the places of a row that is read.
var memory = sync.Pool{New: func() any { return new([]uint32) }}

// Read sets scores to the scores of a sparse row by the vectors that predict, of the planes first,
// first+1, and so on. Under Average, it computes only the means that the row needs, unless all have been
// computed. If the vectors are side by side and too large for the second cache, Read requests their
// elements from memory before it reads them.
func (p *Planes) Read(scores []float64, first int, x *vec.Row) {
	if p.places != nil {
		at := memory.Get().(*[]uint32)
		defer memory.Put(at)
		*at, _ = p.places.locate(*at, x, false)
		x.Places = at
	}
	n := len(x.Index)
	if first > 0 {
		n = 0 // the call with first == 0 has counted the row's non-zeros
	}
	if m := p.ExpectReads(n); m != nil {
		at, ordered := x.Where()
		if first == 0 && len(m) > vec.SecondCache {
			vec.FetchSparse(at, x.Value)
			vec.FetchElements(m, len(p.all), at)
		}
		vec.SparseScores(scores, m, first, len(p.all), at, x.Value, ordered)
		return
	}
	means := p.Keep == Average && p.reads.outdated.Load()
	for i := range scores {
		if means {
			scores[i] = p.all[first+i].scoreMean(x)
		} else {
			scores[i] = x.Score(p.predicting(first + i))
		}
	}
}

// mostBeside is the largest number of elements that the vectors side by side may have: they take 512
// MiB. It is a variable for tests.
var mostBeside = 1 << 26

// ExpectReads adds n, the non-zeros of sparse reads, to the count since training. As soon as the count
// pays for it, ExpectReads computes all means, and copies the vectors that predict side by side. It
// returns that copy, or nil if there is none: there are fewer than leastBeside planes, or the copy would
// be too large.
func (p *Planes) ExpectReads(n int) []float64 {
	r := p.reads
	if b := r.beside.Load(); b != nil {
		return *b
	}
	k := len(p.all)
	copies, means := k >= leastBeside && p.length() <= mostBeside/k, p.Keep == Average && r.outdated.Load()
	if !copies && !means || r.count.Add(int64(n)) < int64(p.length()) {
		return nil
	}
	if !copies {
		p.predicting(0)
		return nil
	}
	var apart [][]float64
	for i := range p.all {
		apart = append(apart, p.predicting(i)) // before the lock, which predicting may take
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.beside.Load() == nil { // else another goroutine has made the copy while this one waited
		b := vec.Join(apart)
		r.beside.Store(&b)
	}
	return *r.beside.Load()
}
