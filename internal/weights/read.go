package weights

import "perceptron/internal/vec"

// Single returns the vector (w, b) that predicts, if there is one plane and nothing has to be computed.
// Else it returns nil. It is short enough to be inlined.
func (p *Planes) Single() []float64 {
	if p.Keep == Last && len(p.all) == 1 && !p.beside {
		return p.all[0].w()
	}
	return nil
}

// Predicting returns the vector (w, b) with which the i-th plane predicts: the last iterate, the mean or
// the best iterate. The caller must not change it. The next update may change it. It is short enough for
// the compiler to inline it into each prediction. keptVector is not.
func (p *Planes) Predicting(i int) []float64 {
	if p.Keep == Last && !p.beside {
		return p.all[i].moving[iterate] // not w(): the compiler would not inline Predicting
	}
	return p.keptVector(i)
}

// keptVector is Predicting if what predicts is no vector that trains. If training has outdated it, keptVector
// first computes it for all planes, in O(Kd).
func (p *Planes) keptVector(i int) []float64 {
	if r := p.reads; p.Keep != Pocket && r.outdated.Load() {
		r.mutex.Lock()
		defer r.mutex.Unlock()
		if r.outdated.Load() { // else another goroutine has computed it while this one waited
			for _, q := range p.all {
				p.computeKept(q)
			}
			r.outdated.Store(false)
		}
	}
	return p.all[i].kept
}

// computeKept computes the vector that predicts: the mean, or under Last a copy of the iterate.
func (p *Planes) computeKept(q *plane) {
	q.kept = vec.Resized(q.kept, p.width+1)
	for j := range p.each { // where it skips an element, kept is 0
		q.kept[j] = q.predicts(j)
	}
}

// Read calls use with the index of each plane, in any order, and its score of a sparse row by the vector that
// predicts. It reports whether all scores are finite. Under Average, it computes only the means that the row
// needs, unless all have been computed.
func (p *Planes) Read(x *vec.Row, use func(i int, score float64)) bool {
	if c := p.ExpectReads(len(x.Index)); c != nil {
		c.fetchRow(x)
		return c.Scores(x, 0, len(c.all), use)
	}
	zero, means := 0.0, p.Keep == Average && p.reads.outdated.Load()
	p.fetchRow(x)
	for i, q := range p.all {
		var s float64
		if means {
			s = q.scoreMean(x)
		} else {
			s = x.Score(p.Predicting(i))
		}
		zero += s * 0 // NaN if s is not finite
		use(i, s)
	}
	return zero == 0
}

// fetchRow requests a row from memory, and its elements of the vectors in bundles.
func (p *Planes) fetchRow(x *vec.Row) {
	if p.distant() {
		vec.FetchSparse(x.Index, x.Value)
	}
	p.fetch(x.Index, kinds(p.Keep))
}

// leastBeside is the least number of planes apart that reads copy side by side, as measured.
const leastBeside = 4

// mostBeside is the largest number of elements that such a copy may have: they take 512 MiB. It is a
// variable for tests.
var mostBeside = 1 << 26

// ExpectReads adds n, the non-zeros of sparse reads, to the count since training. As soon as the count
// pays for it, ExpectReads computes all means, and copies the vectors that predict side by side. It
// returns planes that have them side by side, or nil if there are none.
func (p *Planes) ExpectReads(n int) *Planes {
	r, k, enough := p.reads, len(p.all), p.width+1
	if c := r.copies.Load(); c != nil {
		return c
	}
	if p.beside {
		if p.Keep == Last {
			return p
		}
		enough = enough/8 + 1 // features that have not occurred cost nothing
	}
	pays, means := (p.beside || k >= leastBeside) && p.width+1 <= mostBeside/k, p.Keep == Average && r.outdated.Load()
	if !pays && !means || r.count.Add(int64(n)) < int64(enough) {
		return nil
	}
	if !p.beside {
		p.Predicting(0) // before the lock, which keptVector may take
	}
	if !pays {
		return nil
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.copies.Load() == nil { // else another goroutine has made the copy while this one waited
		c, kept := New(Shape{Many: true}), p.Keep == Pocket || p.Keep == Average && !r.outdated.Load()
		c.width, c.beside, c.coming = p.width, true, k
		for i := range p.all {
			c.add(i)
		}
		c.fill(p, iterate, func(q *plane, j int) float64 {
			if kept {
				return q.kept[j]
			}
			return q.predicts(j)
		})
		r.copies.Store(&c)
	}
	return r.copies.Load()
}
