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
	Many   bool // there may be several planes
}

// Planes are the planes of a model. A copy of the struct is a snapshot: Insert makes new lists, and
// does not change the old ones. Each update changes vectors that the copies share.
type Planes struct {
	Shape
	// width is the number of features of a row, or 0 before the first row.
	width int
	all   []*plane
	// beside says that the vectors that updates change are side by side, in blocks. occurred has the
	// features in which they may not be 0.
	beside   bool
	blocks   []*block
	occurred features
	coming   int // the planes that Reserve expects
	// scratch is memory for ComputeNorm.
	scratch []float64
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
	// mutex is held by the goroutine that computes the means or blocks.
	mutex sync.Mutex
	// blocks points to blocks with a copy of the vectors that predict. It is nil before a read has made the
	// copy.
	blocks atomic.Pointer[[]*block]
	// count counts the non-zeros of sparse reads, until blocks is set. As long as it is 0, blocks is nil.
	count atomic.Int64
}

// outdate makes the next read compute the means again. No other goroutine may use the planes at the
// same time: the callers train them, or have just made them.
func (r *reads) outdate() {
	if !r.outdated.Load() || r.count.Load() != 0 { // a store takes far longer than a load
		r.outdated.Store(true)
		r.count.Store(0)
		r.blocks.Store(nil)
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

// LayOut prepares the planes for training with sparse rows, or with dense ones. For sparse rows, the
// vectors of a model of many classes are side by side, unless an update must read a whole vector: for
// the norm, or under Pocket for a copy. For dense rows, vectors are apart. A model that learns one kind
// of rows alone never moves them. Moving takes O(Kd).
func (p *Planes) LayOut(sparse bool) {
	if beside := sparse && p.Many && !p.Norms && p.Keep != Pocket; beside != p.beside { // nearly never
		p.move(beside)
	}
}

// Apart reports whether the vectors are apart.
func (p *Planes) Apart() bool { return !p.beside }

// move moves the vectors of all planes side by side, or apart. It makes new planes.
func (p *Planes) move(beside bool) {
	former := *p
	p.beside, p.blocks, p.occurred, p.scratch, p.all = beside, nil, nil, nil, make([]*plane, len(former.all))
	if beside {
		p.occurred = newFeatures(p.width)
	}
	if p.Keep == Last { // a mean stays as it is, whatever the layout
		p.reads.outdate()
	}
	p.Reserve(len(p.all))
	for i := range former.all {
		if p.all[i] = former.apart(i); beside {
			p.moveBeside(i)
		}
	}
}

// moveBeside moves the vectors of the i-th plane, which are apart, to a lane of a block.
func (p *Planes) moveBeside(i int) {
	q := p.all[i].copy()
	p.all[i] = q
	apart := [][]float64{q.kept}
	for _, v := range q.moving() {
		apart = append(apart, *v)
	}
	p.seat(i)
	for k, v := range apart {
		for j, a := range v {
			if a == 0 {
				continue // the element need not be touched, now or later
			}
			if p.occurred.add(j); k > 0 {
				(*q.moving()[k-1])[j*q.stride] = a
			}
		}
	}
}

// Reserve says that n planes follow. It lets the next blocks have lanes for them, and no more.
func (p *Planes) Reserve(n int) { p.coming = n }

// seat gives the i-th plane, which is new, a lane of the last block, or of a new one. It makes new lists. The
// vectors are 0, or what an insertion that was taken back has left: the same Start.
func (p *Planes) seat(i int) {
	p.renumber(i)
	last := len(p.blocks) - 1
	switch full := last < 0 || len(p.blocks[last].members) == p.blocks[last].lanes; {
	case !full:
	case p.coming == 0 && last >= 0 && p.blocks[last].lanes < mostLanes:
		p.blocks[last] = p.copyBlock(p.blocks[last], min(2*p.blocks[last].lanes, mostLanes))
	default:
		b := &block{lanes: p.coming}
		switch n := p.coming; {
		case n == 0 && last < 0:
			b.lanes = 1
		case n == 0 || n >= 12:
			b.lanes = mostLanes
		case n > mostLanes:
			b.lanes = (n + 1) / 2 // no block has a single lane
		}
		for k := range p.all[i].moving() {
			b.vectors[k] = make([]float64, (p.width+1)*b.lanes)
		}
		p.blocks = append(p.blocks, b)
		last++
	}
	p.coming = max(0, p.coming-1)
	b := p.blocks[last]
	b.members = append(b.members, i)
	b.view(p.all[i], len(b.members)-1)
}

// renumber adds 1 to the index of each plane from the i-th on. It makes new lists.
func (p *Planes) renumber(i int) {
	blocks := make([]*block, len(p.blocks))
	for n, b := range p.blocks {
		c := *b
		c.members = slices.Clone(b.members)
		for l, m := range c.members {
			if m >= i {
				c.members[l]++
			}
		}
		blocks[n] = &c
	}
	p.blocks = blocks
}

// copyBlock returns a copy of b with at least as many lanes, and replaces its planes by copies with vectors
// in it. It copies only features that have occurred.
func (p *Planes) copyBlock(b *block, lanes int) *block {
	c := &block{lanes: lanes, members: b.members}
	for k, m := range b.vectors {
		if m != nil {
			c.vectors[k] = make([]float64, (p.width+1)*lanes)
			for j := range p.occurred.all {
				copy(c.vectors[k][j*lanes:], m[j*b.lanes:][:b.lanes])
			}
		}
	}
	for l, i := range b.members {
		p.all[i] = p.all[i].copy()
		c.view(p.all[i], l)
	}
	return c
}

// whole returns v, a vector of a plane with this stride, as a slice in which its elements follow each
// other. If they do not in v, the slice is dst, or new. dst is nil, or a vector that whole returned.
func (p *Planes) whole(dst, v []float64, stride int) []float64 {
	if stride == 1 {
		return v
	}
	dst = vec.Resized(dst, p.width+1)
	for j := range p.occurred.all {
		dst[j] = v[j*stride]
	}
	return dst
}

// apart returns the i-th plane, or if it is in a block a copy whose vectors are apart.
func (p *Planes) apart(i int) *plane {
	q := p.all[i]
	if q.stride == 1 {
		return q
	}
	c := q.copy()
	c.stride = 1
	for _, v := range c.moving() {
		*v = p.whole(nil, *v, q.stride)
	}
	return c
}

// Group returns a Group of the planes with the given indexes, which ascend.
func (p *Planes) Group(members []int) *Group {
	g := &Group{scores: make([]float64, len(members))}
	if !p.beside {
		for _, i := range members {
			g.planes = append(g.planes, p.all[i])
		}
		return g
	}
	for _, b := range p.blocks {
		s := span{block: b}
		for l, i := range b.members {
			k, found := slices.BinarySearch(members, i)
			switch {
			case found:
				s.to = append(s.to, k)
			case len(s.to) > 0:
				s.to = append(s.to, -1)
			default:
				s.first = l + 1
			}
		}
		for len(s.to) > 0 && s.to[len(s.to)-1] < 0 {
			s.to = s.to[:len(s.to)-1]
		}
		if len(s.to) > 0 {
			g.spans = append(g.spans, s)
		}
	}
	return g
}

// Scores calls use with the index of each plane, in any order, and its score of x by the iterate in training.
func (p *Planes) Scores(x *vec.Row, use func(i int, score float64)) {
	if p.beside {
		scoreBlocks(p.blocks, x, use)
		return
	}
	for i, q := range p.all {
		use(i, x.Score(q.w))
	}
}
