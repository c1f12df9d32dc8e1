package perceptron

import (
	"fmt"
	"iter"
	"sync"
	"sync/atomic"

	"perceptron/internal/vec"
)

// Batch minimises the perceptron criterion Σ max(0, −y(⟨w, x⟩ + b)) by gradient
// descent on all rows at once: an epoch finds the misclassified rows,
// y(⟨w, x⟩ + b) ≤ 0, and then
//
//	w ← w + η Σ yx,  b ← b + η Σ y  over the misclassified rows.
//
// On data that a hyperplane separates with margin γ it comes to an end: from
// the zero vector, misclassifications summed over all epochs, and so the epochs
// with any, are at most ‖Z‖₂²/γ² ≤ n(R/γ)², where Z has the rows y(x, 1).
//
// The zero value is ready. An epoch takes O(nd), shared by the workers; training
// holds O(d) memory a worker beside the data. The rows are summed in fixed
// blocks and the blocks in order, so that the count of workers never changes a
// bit.
//
// Any number of goroutines may read a model at once (Predict, Score,
// Hyperplane, Clone); training needs the model alone. A trained model must not
// be copied by value: Clone copies.
type Batch struct {
	Rate      float64    // η; 0 means 1
	Space     Space      // Affine (zero): a bias is learned; Linear: through the origin
	Start     Hyperplane // w(0), b(0); zero means the zero vector
	MaxEpochs int        // per Fit or range over Epochs; 0 means 1000
	Workers   int        // goroutines that share out the rows; 0 means GOMAXPROCS; the count never changes a bit

	learned learned
}

func (p *Batch) settings() (s settings, err error) {
	s = settings{
		rate: p.Rate, space: p.Space, start: p.Start, maxEpochs: p.MaxEpochs,
		workers: p.Workers, rule: onGradient,
	}
	return s, s.check()
}

// Fit trains afresh from Start, whatever the model has learned before, until an
// epoch finds no row misclassified (Converged), the weights repeat (Cycled) or
// MaxEpochs epochs are done (EpochLimit). A run that does not converge is no
// error. Errors are those of [Online.Fit].
func (p *Batch) Fit(X [][]float64, y []int) (Result, error) {
	s, err := p.settings()
	if err != nil {
		return Result{}, err
	}
	return p.learned.fit(s, X, y)
}

// Epochs trains on from where the model stands, from Start if it is untrained,
// and yields after each epoch, as [Online.Epochs] does.
func (p *Batch) Epochs(X [][]float64, y []int) iter.Seq2[Epoch, error] {
	return p.learned.epochs(p.settings, X, y)
}

// Score returns ⟨w, x⟩ + b, in O(d) without allocating; errors as of
// [Online.Score].
func (p *Batch) Score(x []float64) (float64, error) { return p.learned.score(x) }

// Predict returns +1 if the score is at least 0, else −1; errors as of Score.
func (p *Batch) Predict(x []float64) (int, error) { return sign(p.Score(x)) }

// Hyperplane returns a copy of what Predict uses; the zero Hyperplane if the
// model is untrained.
func (p *Batch) Hyperplane() Hyperplane { return p.learned.hyperplane() }

// Clone returns a copy that is trained on its own.
func (p *Batch) Clone() *Batch {
	q := p.fields().(*Batch)
	q.learned.clone(&p.learned)
	return q
}

func (p *Batch) state() *learned { return &p.learned }

func (p *Batch) fields() Model {
	return &Batch{Rate: p.Rate, Space: p.Space, Start: p.Start.clone(), MaxEpochs: p.MaxEpochs, Workers: p.Workers}
}

// blockRows is how many rows are summed before the sum is added to the
// gradient. Results hang on it: it is part of the order of summation.
const blockRows = 256

// A partial is what one block of rows adds to an epoch.
type partial struct {
	sum      []float64 // Σ y(x, 1) over the misclassified rows
	mistakes int
	loss     float64
	failure  failure
}

// descend is one epoch of Batch: its one learner's rows are shared out over the
// workers, or the learners of OneVsRest are.
func (r *run) descend(learners []*learner) error {
	for _, l := range learners {
		clear(l.slope)
	}
	var err error
	if len(learners) == 1 {
		err = r.sumRows(learners[0])
	} else {
		err = r.sumClasses(learners)
	}
	if err != nil {
		return err
	}
	for _, l := range learners {
		if err := l.descend(&r.t.settings); err != nil {
			return err
		}
	}
	return nil
}

// sumRows sums one learner's gradient: workers take blocks of rows as they come,
// and add their sums in the order of the blocks.
func (r *run) sumRows(l *learner) error {
	var claimed atomic.Int64
	var first failure
	turn := newTurn()
	parallel(r.count(len(r.X)/blockRows, 1), func(int) {
		p := partial{sum: make([]float64, len(l.w))}
		for {
			b := int(claimed.Add(1)) - 1
			if b*blockRows >= len(r.X) {
				return
			}
			r.sumBlock(l, &p, b)
			turn.take(b)
			if first.err == nil {
				first = p.failure
				l.addBlock(&p)
			}
			turn.pass()
		}
	})
	return first.err
}

// sumClasses sums many learners' gradients, reading each block of rows once for
// all of a worker's classes.
func (r *run) sumClasses(learners []*learner) error {
	groups := r.share(learners)
	failures := make([]failure, len(groups))
	parallel(len(groups), func(g int) {
		p := partial{sum: make([]float64, r.t.width+1)}
		for b := 0; b*blockRows < len(r.X); b++ {
			for _, l := range groups[g] {
				r.sumBlock(l, &p, b)
				l.addBlock(&p)
				failures[g] = earlier(failures[g], p.failure)
			}
			if failures[g].err != nil {
				return
			}
		}
	})
	return first(failures)
}

// sumBlock sets p to what the b-th block of rows adds to l's gradient.
func (r *run) sumBlock(l *learner, p *partial, b int) {
	clear(p.sum)
	*p = partial{sum: p.sum}
	d, fetch := r.t.width, r.large()
	rows := r.X[b*blockRows:]
	for i, x := range rows[:min(blockRows, len(rows))] {
		if fetch && i+1 < len(rows) {
			vec.Prefetch(rows[i+1])
		}
		i += b * blockRows
		y := l.target(&r.t.settings, r.y[i])
		m, err := margin(l.w, x, y)
		if err != nil {
			p.failure = failure{i, &ExampleError{i, err}}
			return
		}
		if m > 0 {
			continue
		}
		vec.Axpy(p.sum[:d], p.sum[:d], y, x)
		if r.t.space == Affine {
			p.sum[d] += y
		}
		p.mistakes++
		p.loss -= m
	}
}

// addBlock adds a block's sum to the gradient.
func (l *learner) addBlock(p *partial) {
	vec.Axpy(l.slope, l.slope, 1, p.sum)
	l.mistakes += p.mistakes
	l.loss += p.loss
}

// descend takes the step w + η Σ yx.
func (l *learner) descend(s *settings) error {
	if l.mistakes == 0 {
		return nil
	}
	if !vec.Axpy(l.next, l.w, s.rate, l.slope) {
		return fmt.Errorf("%w: the update overflows, though every feature is finite", ErrNotFinite)
	}
	l.w, l.next = l.next, l.w
	return nil
}

// A turn lets goroutines act in the order of their numbers, from 0.
type turn struct {
	mu   sync.Mutex
	cond *sync.Cond
	next int
}

func newTurn() *turn {
	t := new(turn)
	t.cond = sync.NewCond(&t.mu)
	return t
}

// take waits for turn number n, which lasts until pass.
func (t *turn) take(n int) {
	t.mu.Lock()
	for t.next != n {
		t.cond.Wait()
	}
}

func (t *turn) pass() {
	t.next++
	t.mu.Unlock()
	t.cond.Broadcast()
}
