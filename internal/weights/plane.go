package weights

import (
	"slices"

	"perceptron/internal/vec"
)

// What predicts: the last iterate, the mean of the iterates, or the best one so far.
const Last, Average, Pocket = 0, 1, 2

// KeepNames has the names of these numbers.
var KeepNames = []string{"Last", "Average", "Pocket"}

// Countable is the largest count of examples. A float64 holds every integer up to Countable, but not
// every larger integer. A count that reaches Countable stays there, so that every saved model can be
// loaded. At a million examples a second, a count reaches Countable after 285 years.
const Countable = 1 << 53

// moving has the vectors that an update changes: the iterate w, and under Average two more. They are nil
// under another Keep.
//
// The sum of the iterates follows from a vector u. An update after n examples, from w to w′, adds
// n·(w′ − w) to u. The sum of the iterates after each of the first n examples is then n·w − u, where w is
// the present iterate. So an example without an update changes only n, and a weight that does not change
// keeps its element of u.
//
// Each addition to u is rounded. Its rounding error is a float64, and the last vector sums these errors
// (Neumaier 1974). So the mean stays accurate over 10⁹ examples.
type moving [3][]float64

// The indexes of the vectors: w, u, and the sum of u's rounding errors.
const iterate, sums, rests = 0, 1, 2

// A plane has the vectors of one hyperplane. Each has the weights and then the bias.
type plane struct {
	moving
	// stride is the distance between consecutive elements of the vectors that move: 1, or the lanes of the
	// bundle that has them.
	stride int
	// counted is weight·n, under Average, where n is the number of examples that the mean counts. An epoch
	// adds its rows at its end. It is a float64 because a mixed model has a mean of counts.
	counted float64
	// weight is what the next example adds to counted, a power of two. With a Window, earlier examples are to
	// count half. Instead of halving n and u, in O(d), later examples count double: the mean has the same
	// bits. rescale makes weight 1 again, in a stream before counted exceeds Countable.
	weight float64
	// norm is ‖(w, b)‖, and nextNorm that of the next iterate, if the shape has Norms.
	norm, nextNorm float64
	// kept predicts under Average and Pocket: it is the mean, once a read has computed it, or the best
	// iterate. Under Last it is a copy of an iterate in a bundle, for reads. longest is, under Pocket, the
	// iterate that had the longest streak of this epoch.
	kept, longest []float64

	// next is the next update, or nil before the first.
	next *update
}

// An update has the vectors after an update of a plane. For a sparse row they have only an element for each
// non-zero, and then the bias. part has the elements of w that correspond to those of the next iterate.
type update struct {
	moving
	part []float64
}

// newPlane returns a plane whose vectors have n elements that are 0.
func newPlane(keep uint8, n int) *plane {
	q := &plane{stride: 1, weight: 1}
	for k := range kinds(keep) {
		q.moving[k] = make([]float64, n)
	}
	if keep == Pocket {
		q.kept = make([]float64, n)
	}
	return q
}

// kinds returns the number of vectors that move.
func kinds(keep uint8) int {
	if keep == Average {
		return 3
	}
	return 1
}

// w returns the iterate.
func (q *plane) w() []float64 { return q.moving[iterate] }

// window copies elements for an update by a sparse row: those that the update changes to next, and those of
// the iterate to part, which it returns.
func (q *plane) window(x *vec.Row) []float64 {
	for k, v := range q.moving {
		if v != nil {
			q.next.moving[k] = vec.Gather(q.next.moving[k][:0], v, q.stride, x.Index)
		}
	}
	q.next.part = append(q.next.part[:0], q.next.moving[iterate]...)
	return q.next.part
}

// accumulate computes the next u and its next rounding errors, for an update after n examples in all. w is
// the iterate, or for a sparse row its window. accumulate reports whether the computed elements are finite.
func (q *plane) accumulate(x *vec.Row, w []float64, n float64) bool {
	u := q.moving
	if x.Index != nil {
		u = q.next.moving // where window has put them
	}
	return vec.Accumulate(q.next.moving[sums], q.next.moving[rests], u[sums], u[rests], min(n, Countable), w, q.next.moving[iterate])
}

// normWith returns the norm of the next iterate. The squares of all elements are added in their
// order. For a sparse row, next has only the elements that change. So normWith stores these in w,
// computes the norm, and then restores w. With Norms the planes are apart.
func (q *plane) normWith(x *vec.Row) float64 {
	if x.Index == nil {
		return vec.Norm(q.next.moving[iterate])
	}
	vec.Scatter(q.w(), 1, x.Index, q.next.moving[iterate])
	defer vec.Scatter(q.w(), 1, x.Index, q.next.part)
	return vec.Norm(q.w())
}

// move makes the update that Propose has computed for x. For a dense row it swaps the vectors with
// the spare ones, in O(1). For a sparse row it stores the elements that change.
func (q *plane) move(x *vec.Row) {
	if q.norm = q.nextNorm; x.Index == nil {
		q.moving, q.next.moving = q.next.moving, q.moving
		return
	}
	for k, v := range q.moving {
		if v != nil {
			vec.Scatter(v, q.stride, x.Index, q.next.moving[k])
		}
	}
}

// rescale makes the weight of an example 1, in O(d) if it is another.
func (q *plane) rescale() {
	if q.weight == 1 {
		return
	}
	for _, v := range q.moving[sums:] {
		for j := 0; j < len(v); j += q.stride {
			if v[j] != 0 { // a page of zeros takes no memory until it is written
				v[j] /= q.weight
			}
		}
	}
	q.counted, q.weight = q.counted/q.weight, 1
}

// rescaled returns q, or a copy of its vectors if the weight of an example is not 1.
func (q *plane) rescaled() *plane {
	if q.weight == 1 {
		return q
	}
	c := *q
	c.moving[sums], c.moving[rests] = slices.Clone(q.moving[sums]), slices.Clone(q.moving[rests])
	c.rescale()
	return &c
}

// resize makes the vectors that Propose computes n elements long. For a dense row, n is the length of
// w. For a sparse row, n is the number of non-zeros plus 1. So a model that learns only sparse rows
// needs little memory for these vectors.
func (q *plane) resize(n int) {
	if q.next == nil {
		q.next = new(update)
	}
	for k, v := range q.moving {
		if v != nil {
			q.next.moving[k] = vec.Resized(q.next.moving[k], n)
		}
	}
}

// predicts returns element j of the vector that predicts: under Last that of the iterate w, and under
// Average of the mean of the iterates, (n·w − u)/n, where n is counted, and u has the same weight. vec.Mean
// computes it without overflow, even if n·w overflows.
func (q *plane) predicts(j int) float64 {
	w, at := q.w(), j*q.stride
	if u := q.moving[sums]; u != nil {
		return vec.Mean(w[at], u[at], q.moving[rests][at], q.counted)
	}
	return w[at]
}

// scoreMean returns the score of a sparse row by the mean of the iterates. It computes only the means
// that the row needs, in O(non-zeros), with the bits of predicts.
func (q *plane) scoreMean(x *vec.Row) float64 {
	w := q.w()
	last := len(w) - 1
	return vec.DotMeans(w[:last], q.moving[sums], q.moving[rests], q.stride, q.counted, x.Index, x.Value) + q.predicts(last/q.stride)
}
