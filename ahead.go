package perceptron

import (
	"perceptron/internal/vec"
)

// Scores are computed ahead of learning, for a block of rows at a time: each
// holds until its learner learns. Five learners read a row together and stay in the
// cache for the block, while the rows to come are fetched from memory.

// aheadRows is how many rows a block has. It changes no result: more of them spare
// loads of the weights, fewer spare scores that learning makes void.
const aheadRows = 8

// A window is the block of an epoch's rows that are being learned, and the next.
type window struct {
	*run
	order      *order
	left       int // rows of the epoch that are in neither block
	rows, next []int
	memory     [2][aheadRows]int
	sure       uint // of the block's rows those that every learner is sure of, a bit each
	fetch      bool // the rows are large, so that fetching them ahead pays
}

func (r *run) newWindow(o *order) *window {
	w := &window{run: r, order: o, left: len(r.X), fetch: r.large()}
	w.rows, w.next = w.memory[0][:0], w.memory[1][:0]
	w.advance()
	return w
}

// large tells whether the rows are too many for a cache, so that each comes from
// memory.
func (r *run) large() bool {
	const cache = 1 << 19 // float64s
	return float64(len(r.X))*float64(r.t.width) > cache
}

// advance moves on to the next block, and tells whether there was one.
func (w *window) advance() bool {
	w.rows, w.next = w.next, w.rows[:min(aheadRows, w.left)]
	for j := range w.next {
		w.next[j] = w.order.next()
	}
	w.left -= len(w.next)
	return len(w.rows) > 0
}

// after returns the row after the j-th, and beyond the j-th of the next block, or
// the j-th itself where there is none to fetch.
func (w *window) after(j int) (next, beyond []float64) {
	next, beyond = w.X[w.rows[j]], w.X[w.rows[j]]
	if !w.fetch {
		return next, beyond
	}
	if j < len(w.next) {
		beyond = w.X[w.next[j]]
	}
	if j+1 < len(w.rows) {
		next = w.X[w.rows[j+1]]
	} else if len(w.next) > 0 {
		next = w.X[w.next[0]]
	}
	return next, beyond
}

// fetchAfter fetches the row after the j-th, where nothing else does.
func (w *window) fetchAfter(j int) {
	if w.fetch {
		next, _ := w.after(j)
		vec.Prefetch(next)
	}
}

// score computes the learners' scores of the block, and notes who is sure of which
// row. One or two learners that are left over would gain nothing: they score in
// their turn.
func (w *window) score(learners []*learner) {
	for _, l := range learners {
		l.scored, l.sure = false, 0
	}
	rest := learners
	if len(rest) > 2 && w.ofWidth(rest[0].width()) {
		for first := true; len(rest) > 2; first = false {
			n := min(5, len(rest))
			w.scoreFive(rest[:n], first)
			rest = rest[n:]
		}
	}
	w.sure = ^uint(0)
	for _, l := range learners {
		w.sure &= l.sure
	}
}

// ofWidth tells whether the block's rows all have d features.
func (w *window) ofWidth(d int) bool {
	for _, i := range w.rows {
		if len(w.X[i]) != d {
			return false
		}
	}
	return true
}

// scoreFive is score for up to five learners. The first to read the block fetch
// each row just before they come to it, the others the rows of the next block.
func (w *window) scoreFive(learners []*learner, first bool) {
	d := learners[0].width()
	var weights [5][]float64
	for k := range weights {
		weights[k] = learners[min(k, len(learners)-1)].w[:d]
	}
	var sums [aheadRows][5]float64
	for j, i := range w.rows {
		next, beyond := w.after(j)
		if !first {
			next = beyond
		}
		vec.Dots5(&sums[j], w.X[i], &weights, next)
	}
	for k, l := range learners {
		b := l.w[d]
		for j, i := range w.rows {
			score := sums[j][k] + b
			l.ahead[j] = score
			if l.right(l.target(&w.t.settings, w.y[i]) * score) {
				l.sure |= 1 << j
			}
		}
		l.scored = true
	}
}

// score returns ⟨w, x⟩ + b for x, the j-th row of the block.
func (l *learner) score(j int, x []float64) float64 {
	if l.scored {
		return l.ahead[j]
	}
	return affine(l.w, x)
}
