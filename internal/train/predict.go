package train

import (
	"fmt"
	"sync"

	"perceptron/internal/vec"
)

// Any number of goroutines may call the methods below at once. The methods do not change what was
// learned. They compute the following from it once, and store it with the state's meanLock: the
// means under Average, the vectors side by side for sparse reads, the count of non-zeros after which
// that copy is made, and the copy without slots for dense reads.

// errNoExample is the error for a read of an untrained model.
var errNoExample = fmt.Errorf("%w: it has seen no example", ErrUntrained)

// Trained returns nil if the model has seen an example, else ErrUntrained. The other methods need a
// trained model.
func (m *Engine) Trained() error {
	if m.now == nil || m.now.width == 0 {
		return errNoExample
	}
	return nil
}

// Dense returns the state that dense reads use. If the model has slots, Dense returns a copy of the
// state without slots. The first call after training makes the copy. Dense is short enough to be
// inlined.
func (m *Engine) Dense() *state {
	if m.now.slots == nil {
		return m.now
	}
	return m.now.flat()
}

// SingleVector returns Dense().Vector(0) if nothing has to be computed for it: the model is trained,
// and has one hyperplane, Keep Last and no slots. Else it returns nil. It is short enough to be
// inlined.
func (m *Engine) SingleVector() []float64 {
	if t := m.now; t != nil && t.Keep == Last && len(t.planes) == 1 && t.slots == nil {
		return t.planes[0].w
	}
	return nil
}

// Planes returns the number of hyperplanes: one, or one for each class.
func (m *Engine) Planes() int { return len(m.now.planes) }

// Classes returns the classes of the hyperplanes, ascending. The caller must not change them.
func (m *Engine) Classes() []int { return m.now.classes }

// Scores sets scores to the scores of a sparse row by the planes first, first+1, and so on. It
// returns an error if a score is not finite. Under Average, it computes only the elements of the
// means that the row needs, unless the whole means have been computed since training. Once prepare
// has copied the vectors side by side, Scores reads that copy. If the copy is too large for the
// second cache, Scores requests its elements from memory before it reads them.
func (m *Engine) Scores(scores []float64, first int, index []uint32, value []float64) error {
	t, x := m.now, vec.Row{Index: index, Value: value, Width: m.now.width}
	if index == nil {
		x.Index = noIndex
	}
	if t.slots != nil {
		memory := placesPool.Get().(*[]uint32)
		defer placesPool.Put(memory)
		t.slots.place(memory, &x, false)
	}
	read := len(index)
	if first > 0 {
		read = 0 // the call with first == 0 has counted the row's non-zeros
	}
	if beside := t.prepare(read); beside != nil {
		at, ordered := x.Where()
		if first == 0 && len(beside) > vec.SecondCache {
			vec.FetchSparse(at, value)
			vec.FetchElements(beside, len(t.planes), at)
		}
		vec.SparseScores(scores, beside, first, len(t.planes), at, value, ordered)
	} else if t.averages() && t.means.outdated.Load() {
		for i := range scores {
			scores[i] = t.planes[first+i].scoreMean(&x, t.unitOf(first+i).seen)
		}
	} else {
		for i := range scores {
			scores[i] = x.Score(t.Vector(first + i))
		}
	}
	if !vec.Finite(scores) {
		return scoreError(&x, t.width)
	}
	return nil
}

// placesPool has memory for the places of a row that is read.
var placesPool = sync.Pool{New: func() any { return new([]uint32) }}

// mostBeside is the largest number of elements that the copy made by beside may have: they take 512
// MiB. It is a variable for tests.
var mostBeside = 1 << 26

// prepare adds n, the number of non-zeros of a sparse read, to the count since training. As soon as
// the count pays for it, prepare computes all means, and copies the vectors that predict side by side.
// It returns that copy, or nil if there is none: there are fewer than leastBeside planes, or the copy
// would be too large. Any number of goroutines may call prepare at once.
func (t *state) prepare(n int) []float64 {
	m := t.means
	if b := m.beside.Load(); b != nil {
		return *b
	}
	k := len(t.planes)
	copies, means := k >= leastBeside && t.length() <= mostBeside/k, t.averages() && m.outdated.Load()
	if !copies && !means || m.read.Add(int64(n)) < int64(t.length()) {
		return nil
	}
	if !copies {
		t.Vector(0)
		return nil
	}
	var apart [][]float64
	for i := range t.planes {
		apart = append(apart, t.Vector(i)) // before the lock, which Vector may take
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.beside.Load() == nil { // else another goroutine has made the copy while this one waited
		b := vec.Join(apart)
		m.beside.Store(&b)
	}
	return *m.beside.Load()
}

// scoreMean returns the score of a sparse row by the mean of the iterates after n examples. It
// computes the means of only the weights that the row's non-zeros need, in O(non-zeros), with the
// bits that setMean gives.
func (q *plane) scoreMean(x *vec.Row, n float64) float64 {
	a, d := &q.average, len(q.w)-1
	at, ordered := x.Where()
	return vec.DotMeans(q.w[:d], a.sum, a.low, n, at, x.Value, ordered) + vec.Mean(q.w[d], a.sum[d], a.low[d], n)
}

// Many reports whether the model has a hyperplane for each class.
func (m *Engine) Many() bool { return m.now.Many() }

// Summary returns the fields of the last training call, the features of a row, the number of
// examples seen, and the number of passes finished. All are zero for an untrained model. The caller
// must not change the fields.
func (m *Engine) Summary() (c *Config, width int, seen int64, passes int) {
	if t := m.now; t != nil {
		return &t.Config, t.width, t.seen, t.passes
	}
	return &Config{}, 0, 0, 0
}
