package weights

import (
	"cmp"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"

	"perceptron/internal/vec"
)

// A Shape says which vectors the planes have. It does not change after the first row.
type Shape struct {
	Keep   uint8 // what predicts: Last, Average or Pocket
	Linear bool  // the bias stays as it is
	Norms  bool  // the norm ‖(w, b)‖ of each plane is kept, because θ depends on it
	Many   bool  // there may be several planes
}

// Planes are the planes of a model. A copy of the struct is a snapshot: Insert makes new lists, and
// does not change the old ones. Each update changes vectors that the copies share.
type Planes struct {
	Shape
	// width is the number of features of a row, or 0 before the first row.
	width int
	all   []*plane
	// beside says that the vectors that move are side by side, in bundles. order[l] is the plane in lane l: the
	// lanes of the first bundle come first, then those of the second, and so on.
	beside  bool
	bundles []bundle
	order   []int
	coming  int // planes that Reserve expects
	// dense says that dense rows have been learned: planes that are apart have what updates by dense rows
	// need, so that no update allocates it.
	dense bool
	// occurred has the features at which a vector in a bundle may be other than 0, and the bias.
	occurred featureSet
	// scratch is memory for ComputeNorm.
	scratch []float64
	// reads has what reads have computed since the last update.
	reads *reads
}

// A bundle has the vectors of some planes side by side, feature by feature: element j of each of them is in
// one place of memory, where a sparse row reads it faster. The consecutive elements of a vector are lanes
// apart.
type bundle struct {
	moving
	lanes int // the number of planes for which there is room
}

// mostLanes is the largest number of planes in a bundle, and lateLanes that of a bundle whose planes come one by
// one: eight numbers fill a cache line.
const mostLanes, lateLanes = 32, 8

// A reads has what reads compute once after training: the means, and the vectors side by side. Any number of
// goroutines may read at once. One of them computes, and the others wait.
//
// The means are computed at the first dense read, because they take O(Kd), and a service may learn many
// examples between two reads. Sparse reads compute only the means that they need. After they have read
// enough non-zeros, it pays to copy all vectors that predict, side by side.
type reads struct {
	// outdated says whether kept must be computed.
	outdated atomic.Bool
	// mutex is held by the goroutine that computes kept or copies.
	mutex sync.Mutex
	// copies points to planes that have a copy of the vectors that predict, side by side. It is nil before a
	// read has made the copy.
	copies atomic.Pointer[Planes]
	// count counts the non-zeros of sparse reads, until copies is set. As long as it is 0, copies is nil.
	count atomic.Int64
}

// outdate makes the next read compute the means again. No other goroutine may use the planes at the
// same time: the callers train them, or have just made them.
func (r *reads) outdate() {
	if !r.outdated.Load() || r.count.Load() != 0 { // a store takes far longer than a load
		r.outdated.Store(true)
		r.count.Store(0)
		r.copies.Store(nil)
	}
}

// Outdate marks what reads have computed as old. The next read computes it again. Training calls it
// before a read may follow. It is short enough to be inlined.
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
// the norm, or under Pocket for a copy. For dense rows, vectors are apart, and LayOut also allocates what
// updates need. Planes that were loaded or mixed are apart. Otherwise, a model that learns one kind of rows
// alone never moves them. Moving takes O(Kd).
func (p *Planes) LayOut(sparse bool) {
	if beside := sparse && p.Many && !p.Norms && p.Keep != Pocket; beside != p.beside {
		c := p.laid(beside)
		for i, q := range p.all {
			c.all[i].kept = q.kept
			for j, a := range q.kept { // elements that are not 0, and that a later read computes again
				if a != 0 {
					c.occurred.add(j)
				}
			}
		}
		c.reads = p.reads
		if *p = c; p.Keep == Last { // a mean stays as it is, whatever the layout
			p.Outdate()
		}
	}
	if !sparse && !p.dense {
		p.dense = true
		for _, q := range p.all {
			q.resize(p.width + 1)
		}
	}
}

// Apart reports whether the vectors are apart.
func (p *Planes) Apart() bool { return !p.beside }

// laid returns a copy of the planes in a layout, without the vectors that only a read, one update or one
// epoch uses.
func (p *Planes) laid(beside bool) Planes {
	c := New(p.Shape)
	c.width, c.beside, c.dense, c.coming = p.width, beside, p.dense, len(p.all)
	for i, q := range p.all {
		n := c.add(i)
		n.norm, n.counted, n.weight = q.norm, q.counted, q.weight
	}
	for k := range kinds(p.Keep) {
		if beside {
			c.fill(p, k, func(q *plane, j int) float64 { return q.moving[k][j*q.stride] })
			continue
		}
		for i, q := range p.all {
			n := c.all[i].moving[k]
			copy(n, p.whole(n, q.moving[k], q.stride))
		}
	}
	for _, n := range c.all {
		n.rescale()
	}
	return c
}

// fill sets the k-th vector of each plane of c, which are side by side: element j becomes of(q, j), where q is
// p's plane with the same index.
func (c *Planes) fill(p *Planes, k int, of func(q *plane, j int) float64) {
	for j := range p.each {
		for i, n := range c.all {
			if a := of(p.all[i], j); a != 0 { // else the element need not be touched, now or later
				n.moving[k][j*n.stride] = a
				c.occurred.add(j)
			}
		}
	}
}

// Reserve says that n planes follow. It lets the next bundles have lanes for them, and no more.
func (p *Planes) Reserve(n int) { p.coming = n }

// add adds a plane before the i-th. It makes new lists. All elements are 0, but for one case: an insertion
// that was taken back has left Start in its lane. Insert then writes the same Start again.
func (p *Planes) add(i int) (q *plane) {
	if p.beside {
		q = p.inNextLane(i)
	} else if q = newPlane(p.Keep, p.width+1); p.dense {
		q.resize(p.width + 1)
	}
	p.all = slices.Insert(slices.Clone(p.all), i, q)
	return q
}

// inNextLane returns a plane in the next lane, which becomes the i-th. If no lane is free, it makes a bundle.
func (p *Planes) inNextLane(i int) *plane {
	if p.occurred == nil {
		p.occurred = make(featureSet, p.width/64+1)
		p.occurred.add(p.width)
	}
	p.order = slices.Clone(p.order)
	for l, m := range p.order {
		if m >= i {
			p.order[l]++
		}
	}
	p.order = append(p.order, i)
	free := -len(p.order) // after this plane
	for _, b := range p.bundles {
		free += b.lanes
	}
	if free < 0 {
		b := bundle{lanes: cmp.Or(min(p.coming, mostLanes), lateLanes)}
		for k := range kinds(p.Keep) {
			b.moving[k] = make([]float64, (p.width+1)*b.lanes)
		}
		p.bundles = append(slices.Clip(p.bundles), b)
		free += b.lanes
	}
	p.coming = max(0, p.coming-1)
	b := p.bundles[len(p.bundles)-1]
	q := &plane{stride: b.lanes, weight: 1}
	for k := range kinds(p.Keep) {
		m, l := b.moving[k], b.lanes-1-free
		q.moving[k] = m[l : len(m)-b.lanes+l+1] // its last element is the bias
	}
	return q
}

// each yields the features in which vectors may not be 0, ascending, and the bias as feature d.
func (p *Planes) each(yield func(j int) bool) {
	if p.beside {
		p.occurred.all(yield)
		return
	}
	for j := 0; j <= p.width && yield(j); j++ {
	}
}

// whole returns a moving vector of a plane as a slice in which its elements follow each other. If they do
// not in v, the slice is dst, or new. dst is nil, a vector of zeros, or one that whole returned.
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

// Scores calls use with each index i from first to end−1, in any order, and the score of x by the iterate in
// training of the i-th plane. It reports whether all these scores are finite.
func (p *Planes) Scores(x *vec.Row, first, end int, use func(i int, score float64)) bool {
	zero := 0.0 // or NaN if a score is not finite
	for i := first; i < end && !p.beside; i++ {
		s := x.Score(p.all[i].w())
		zero += s * 0
		use(i, s)
	}
	var scores [mostLanes]float64
	order := p.order
	for _, b := range p.bundles {
		members := order[:min(b.lanes, len(order))]
		order = order[len(members):]
		from, to := 0, len(members)
		if end-first < len(p.all) {
			from, to = span(members, first, end)
		}
		if from == to {
			continue
		}
		vec.SparseScores(scores[from:to], b.moving[iterate], from, b.lanes, x.Index, x.Value)
		for l, i := range members[from:to] {
			if first <= i && i < end {
				zero += scores[from+l] * 0
				use(i, scores[from+l])
			}
		}
	}
	return zero == 0
}

// span returns the part of the members, from the index from to to−1, in which those from first to end−1 are. There
// may be others between them.
func span(members []int, first, end int) (from, to int) {
	for l, i := range members {
		if first <= i && i < end {
			if to == 0 {
				from = l
			}
			to = l + 1
		}
	}
	return from, to
}

// Fetch requests the elements of the iterates in bundles at these indexes, unless they fit in the second cache.
func (p *Planes) Fetch(at []uint32) { p.fetch(at, 1) }

// distant reports whether the iterates exceed the second cache.
func (p *Planes) distant() bool { return len(p.all)*p.width > vec.SecondCache }

// fetch is Fetch for the first n vectors of each bundle.
func (p *Planes) fetch(at []uint32, n int) {
	if !p.distant() {
		return
	}
	for _, b := range p.bundles {
		for _, v := range b.moving[:n] {
			vec.FetchElements(v, b.lanes, at)
		}
	}
}

// A featureSet is a set of features. Several goroutines may add to it at once.
type featureSet []atomic.Uint64

// add adds feature j to a set that is not nil.
func (s featureSet) add(j int) {
	if s == nil {
		return
	}
	word, bit := &s[j/64], uint64(1)<<(j%64)
	if word.Load()&bit == 0 { // a load takes less time
		word.Or(bit)
	}
}

// all yields the features, ascending.
func (s featureSet) all(yield func(j int) bool) {
	for i := range s {
		for word := s[i].Load(); word != 0; word &= word - 1 {
			if !yield(i*64 + bits.TrailingZeros64(word)) {
				return
			}
		}
	}
}
