package weights

import "perceptron/internal/vec"

// Single returns the vector (w, b) that predicts, if there is one plane and nothing has to be computed.
// Else it returns nil. It is short enough to be inlined.
func (p *Planes) Single() []float64 {
	if p.Keep == Last && len(p.all) == 1 {
		return p.all[0].w
	}
	return nil
}

// Predictor returns the vector (w, b) with which the i-th plane predicts: the last iterate, the mean or
// the best iterate. The caller must not change it. The next update may change it. It is short enough for
// the compiler to inline it into each prediction. predicting is not.
func (p *Planes) Predictor(i int) []float64 {
	if p.Keep == Last {
		return p.all[i].w
	}
	return p.predicting(i)
}

// predicting is Predictor for Average and Pocket. Under Average it first computes the means of all planes, in
// O(Kd), if training has outdated them.
func (p *Planes) predicting(i int) []float64 {
	if r := p.reads; p.Keep == Average && r.outdated.Load() {
		r.mutex.Lock()
		defer r.mutex.Unlock()
		if r.outdated.Load() { // else another goroutine has computed them while this one waited
			for _, q := range p.all {
				q.computeMean()
			}
			r.outdated.Store(false)
		}
	}
	return p.all[i].kept
}

// Read sets scores to the scores of a sparse row by the vectors that predict, of the planes first,
// first+1, and so on. Under Average, it computes only the means that the row needs, unless all have been
// computed. If the vectors are side by side and too large for the second cache, Read requests their
// elements from memory before it reads them.
func (p *Planes) Read(scores []float64, first int, x *vec.Row) {
	n := len(x.Index)
	if first > 0 {
		n = 0 // the call with first == 0 has counted the row's non-zeros
	}
	if m := p.ExpectReads(n); m != nil {
		if first == 0 && len(m) > vec.SecondCache {
			vec.FetchSparse(x.Index, x.Value)
			vec.FetchElements(m, len(p.all), x.Index)
		}
		vec.SparseScores(scores, m, first, len(p.all), x.Index, x.Value)
		return
	}
	means := p.Keep == Average && p.reads.outdated.Load()
	for i := range scores {
		if means {
			scores[i] = p.all[first+i].scoreMean(x)
		} else {
			scores[i] = x.Score(p.Predictor(first + i))
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
	copies, means := k >= leastBeside && (p.width+1) <= mostBeside/k, p.Keep == Average && r.outdated.Load()
	if !copies && !means || r.count.Add(int64(n)) < int64((p.width+1)) {
		return nil
	}
	if !copies {
		p.Predictor(0)
		return nil
	}
	var apart [][]float64
	for i := range p.all {
		apart = append(apart, p.Predictor(i)) // before the lock, which predicting may take
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.beside.Load() == nil { // else another goroutine has made the copy while this one waited
		b := vec.Join(apart)
		r.beside.Store(&b)
	}
	return *r.beside.Load()
}
