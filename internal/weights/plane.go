package weights

import (
	"slices"

	"perceptron/internal/vec"
)

// Keep says which iterate predicts: the last one, the mean, or the best one.
type Keep uint8

// The values of Keep. Package perceptron's constants have the same numbers.
const Last, Average, Pocket Keep = 0, 1, 2

// KeepNames has the names of the values: KeepNames[Average] is "Average".
var KeepNames = []string{"Last", "Average", "Pocket"}

// Countable is the largest count of examples. A float64 holds every integer up to Countable, but not
// every larger integer. A count that reaches Countable stays there, so that every saved model can be
// loaded. At a million examples a second, a count reaches Countable after 285 years.
const Countable = 1 << 53

// A plane has the vectors of one hyperplane. Each has the weights and then the bias.
type plane struct {
	// w is the iterate in training.
	w []float64
	// norm is ‖(w, b)‖, and nextNorm that of the next iterate, if the shape has Norms.
	norm, nextNorm float64
	// mean has what Average adds, or is nil.
	mean *mean
	// kept predicts under Average and Pocket: it is the mean, once a read has computed it, or the best
	// iterate. longest is, under Pocket, the iterate that had the longest streak of this epoch.
	kept, longest []float64

	// next is the next iterate. For a sparse row it has only an element for each non-zero, and then
	// the bias. part has the elements of w that correspond to those of next.
	next, part []float64
	// stride is the distance between consecutive elements of the vectors that an update changes. It is
	// 1, or the number of planes whose vectors are side by side.
	stride int
	beside *beside
}

// A mean stores a vector u, from which the sum of the iterates follows. An update after n examples,
// from w to w′, adds n·(w′ − w) to u. The sum of the iterates after each of the first n examples is
// then n·w − u, where w is the present iterate. So an example without an update changes only n, and a
// weight that does not change keeps its element of u.
//
// Each addition to u is rounded. Its rounding error is a float64, and a second vector sums these
// errors (Neumaier 1974). So the mean stays accurate over 10⁹ examples.
type mean struct {
	// sum is u, and low is the sum of its rounding errors.
	sum, low []float64
	// nextSum and nextLow are the next sum and low, which Propose has computed.
	nextSum, nextLow []float64
	// seen is n. An epoch adds its rows at its end. It is a float64 because a mixed model has a mean of
	// counts.
	seen float64
	// weight is what the next example adds to seen, a power of two. With a Window, the examples so far come to
	// count half. To halve n and u takes O(d), so an example to come counts double instead: the mean is the
	// same, bit for bit. rescale makes weight 1 again, in a stream before n exceeds Countable.
	weight float64
}

// newPlane returns a plane whose vectors have n elements that are 0.
func newPlane(keep Keep, n int) *plane {
	q := &plane{w: make([]float64, n), stride: 1}
	switch keep {
	case Average:
		q.mean = &mean{sum: make([]float64, n), low: make([]float64, n), weight: 1}
	case Pocket:
		q.kept = make([]float64, n)
	}
	return q
}

// clone returns a copy that shares no memory with q, and has its vectors apart. It leaves out the
// vectors that only one update or one epoch uses. It copies the vector that predicts only if withKept is
// true, because another goroutine may be computing it.
func (q *plane) clone(withKept bool) *plane {
	c := &plane{w: slices.Clone(q.w), norm: q.norm, stride: 1}
	if m := q.mean; m != nil {
		c.mean = &mean{sum: slices.Clone(m.sum), low: slices.Clone(m.low), seen: m.seen, weight: m.weight}
		c.rescale()
	}
	if withKept {
		c.kept = slices.Clone(q.kept)
	}
	if cap(q.next) >= len(q.w) { // dense updates have used the spare vectors, and may need them again
		c.resize(len(c.w))
	}
	return c
}

// moving returns pointers to the vectors that an update changes.
func (q *plane) moving() []*[]float64 {
	if q.mean == nil {
		return []*[]float64{&q.w}
	}
	return []*[]float64{&q.w, &q.mean.sum, &q.mean.low}
}

// A beside has the moving vectors of several planes side by side: the first element of each vector, then
// the second element of each, and so on. So the weights of a feature for all planes are in one place of
// memory, where a sparse row reads them faster. As long as there is a beside, the vectors of the planes
// are strided parts of it.
type beside struct {
	planes []*plane
	// vectors are the iterates, and under Average the sums and their rounding errors.
	vectors [3][]float64
}

// join moves the vectors of planes side by side, one kind of vector after another, so that at most one
// kind is in memory twice.
func join(planes []*plane) *beside {
	b, k := &beside{planes: planes}, len(planes)
	for i := range planes[0].moving() {
		var apart [][]float64
		for _, q := range planes {
			apart = append(apart, *q.moving()[i])
		}
		m := vec.Join(apart)
		for c, q := range planes {
			q.stride, q.beside, *q.moving()[i] = k, b, m[c:len(m)-k+c+1]
		}
		b.vectors[i] = m
	}
	return b
}

// apart moves the plane's vectors into memory of their own, with those of the planes beside it.
func (q *plane) apart() {
	b := q.beside
	if b == nil {
		return
	}
	for i := range q.moving() {
		apart := vec.Split(b.vectors[i], len(b.planes))
		b.vectors[i] = nil // its memory is free for the next vectors
		for c, q := range b.planes {
			q.stride, q.beside, *q.moving()[i] = 1, nil, apart[c]
		}
	}
}

// window copies the elements of v that an update by a sparse row changes to *memory, and returns them.
func (q *plane) window(memory *[]float64, v []float64, x *vec.Row) []float64 {
	*memory = vec.Gather((*memory)[:0], v, q.stride, x.Index)
	return *memory
}

// accumulate computes the next u and its next rounding errors, for an update after n examples more
// than seen. w is the iterate, or for a sparse row its window. The other elements of u stay as they
// are. accumulate reports whether the computed elements are finite.
func (q *plane) accumulate(x *vec.Row, w []float64, n float64) bool {
	m := q.mean
	sum, low := m.sum, m.low
	if x.Index != nil {
		sum, low = q.window(&m.nextSum, m.sum, x), q.window(&m.nextLow, m.low, x)
	}
	return vec.Accumulate(m.nextSum, m.nextLow, sum, low, min(m.seen+float64(m.weight*n), Countable), w, q.next)
}

// normWith returns the norm of the next iterate. The squares of all elements are added in their
// order. For a sparse row, next has only the elements that change. So normWith stores these in w,
// computes the norm, and then restores w. With Norms the planes are apart.
func (q *plane) normWith(x *vec.Row) float64 {
	if x.Index == nil {
		return vec.Norm(q.next)
	}
	vec.Scatter(q.w, 1, x.Index, q.next)
	defer vec.Scatter(q.w, 1, x.Index, q.part)
	return vec.Norm(q.w)
}

// move makes the update that Propose has computed for x. For a dense row it swaps the vectors with
// the spare ones, in O(1). For a sparse row it stores the elements that change.
func (q *plane) move(x *vec.Row) {
	m := q.mean
	q.norm = q.nextNorm
	if x.Index == nil {
		if q.w, q.next = q.next, q.w; m != nil {
			m.sum, m.nextSum = m.nextSum, m.sum
			m.low, m.nextLow = m.nextLow, m.low
		}
		return
	}
	if vec.Scatter(q.w, q.stride, x.Index, q.next); m != nil {
		vec.Scatter(m.sum, q.stride, x.Index, m.nextSum)
		vec.Scatter(m.low, q.stride, x.Index, m.nextLow)
	}
}

// rescale makes the weight of an example 1, in O(d) if it is another.
func (q *plane) rescale() {
	m := q.mean
	if m.weight == 1 {
		return
	}
	for j := 0; j < len(m.sum); j += q.stride {
		m.sum[j] /= m.weight
		m.low[j] /= m.weight
	}
	m.seen, m.weight = m.seen/m.weight, 1
}

// plain returns q, or a copy of q if the weight of an example is not 1.
func (q *plane) plain() *plane {
	if q.mean == nil || q.mean.weight == 1 {
		return q
	}
	return q.clone(false)
}

// resize makes the vectors that Propose computes n elements long. For a dense row, n is the length of
// w. For a sparse row, n is the number of non-zeros plus 1. So a model that learns only sparse rows
// needs little memory for these vectors.
func (q *plane) resize(n int) {
	q.next = vec.Resized(q.next, n)
	if m := q.mean; m != nil {
		m.nextSum, m.nextLow = vec.Resized(m.nextSum, n), vec.Resized(m.nextLow, n)
	}
}

// computeMean computes the mean of the iterates, (n·w − u)/n, where w is the last iterate and n the
// number of examples seen. vec.Mean computes it without overflow, even if n·w overflows.
func (q *plane) computeMean() {
	m := q.mean
	q.kept = vec.Resized(q.kept, len(q.w))
	for j, v := range q.w {
		q.kept[j] = vec.Mean(v, m.sum[j], m.low[j], m.seen)
	}
}

// scoreMean returns the score of a sparse row by the mean of the iterates. It computes only the means
// that the row needs, in O(non-zeros), with the bits of computeMean.
func (q *plane) scoreMean(x *vec.Row) float64 {
	m, d := q.mean, len(q.w)-1
	return vec.DotMeans(q.w[:d], m.sum, m.low, m.seen, x.Index, x.Value) + vec.Mean(q.w[d], m.sum[d], m.low[d], m.seen)
}
