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
	if p.Keep == Last && !p.beside {
		return p.all[i].w
	}
	return p.predicting(i)
}

// predicting is Predictor if what predicts is no vector that trains. If training has outdated it, predicting
// first computes it for all planes, in O(Kd).
func (p *Planes) predicting(i int) []float64 {
	if r := p.reads; p.Keep != Pocket && r.outdated.Load() {
		r.mutex.Lock()
		defer r.mutex.Unlock()
		if r.outdated.Load() { // else another goroutine has computed it while this one waited
			for _, q := range p.all {
				p.keep(q)
			}
			r.outdated.Store(false)
		}
	}
	return p.all[i].kept
}

// keep computes the vector that predicts: the mean, or under Last a copy of the iterate.
func (p *Planes) keep(q *plane) {
	q.kept = vec.Resized(q.kept, p.width+1)
	if p.beside { // kept is 0 where no feature has occurred
		for j := range p.occurred.all {
			q.kept[j] = q.predicts(j)
		}
		return
	}
	for j := range q.kept {
		q.kept[j] = q.predicts(j)
	}
}

// Read calls use with the index of each plane, in any order, and its score of a sparse row by the vector that
// predicts. Under Average, it computes only the means that the row needs, unless all have been computed.
func (p *Planes) Read(x *vec.Row, use func(i int, score float64)) {
	if blocks := p.ExpectReads(len(x.Index)); blocks != nil {
		if len(blocks[0].vectors[0]) > vec.SecondCache {
			vec.FetchSparse(x.Index, x.Value)
			for _, b := range blocks {
				vec.FetchElements(b.vectors[0], b.lanes, x.Index)
			}
		}
		scoreBlocks(blocks, x, use)
		return
	}
	means := p.Keep == Average && p.reads.outdated.Load()
	if means && len(p.all[0].w) > vec.SecondCache {
		for _, b := range p.blocks {
			for _, v := range b.vectors {
				vec.FetchElements(v, b.lanes, x.Index)
			}
		}
	}
	for i, q := range p.all {
		if means {
			use(i, q.scoreMean(x))
		} else {
			use(i, x.Score(p.Predictor(i)))
		}
	}
}

// leastBeside is the least number of planes apart that reads copy side by side, as measured.
const leastBeside = 4

// mostBeside is the largest number of elements that such a copy may have: they take 512 MiB. It is a
// variable for tests.
var mostBeside = 1 << 26

// ExpectReads adds n, the non-zeros of sparse reads, to the count since training. As soon as the count
// pays for it, ExpectReads computes all means, and copies the vectors that predict side by side. It
// returns blocks with these vectors, or nil if there are none.
func (p *Planes) ExpectReads(n int) []*block {
	r, k := p.reads, len(p.all)
	if p.beside && p.Keep == Last {
		return p.blocks
	}
	if b := r.blocks.Load(); b != nil {
		return *b
	}
	copies, means := (p.beside || k >= leastBeside) && p.width+1 <= mostBeside/k, p.Keep == Average && r.outdated.Load()
	enough := p.width + 1
	if p.beside {
		enough /= 8 // features that have not occurred cost nothing, as measured
	}
	if !copies && !means || r.count.Add(int64(n)) < int64(enough) {
		return nil
	}
	if !p.beside {
		p.Predictor(0) // before the lock, which predicting may take
	}
	if !copies {
		return nil
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.blocks.Load() == nil { // else another goroutine has made the copy while this one waited
		b := p.predictors()
		r.blocks.Store(&b)
	}
	return *r.blocks.Load()
}

// predictors returns new blocks with the vectors that predict.
func (p *Planes) predictors() (blocks []*block) {
	if !p.beside {
		copies := Planes{Shape: Shape{Many: true}, width: p.width, reads: new(reads)}
		for i := range p.all {
			copies.all = append(copies.all, &plane{w: p.Predictor(i), stride: 1})
		}
		copies.move(true)
		return copies.blocks
	}
	for _, b := range p.blocks {
		c := &block{lanes: b.lanes, members: b.members}
		c.vectors[0] = make([]float64, len(b.vectors[0]))
		for j := range p.occurred.all {
			for l, i := range b.members {
				c.vectors[0][j*b.lanes+l] = p.all[i].predicts(j)
			}
		}
		blocks = append(blocks, c)
	}
	return blocks
}
