package perceptron

import (
	"math"
	"runtime"
	"slices"
	"sync"

	"perceptron/internal/vec"
)

// A run is one range of epochs over the same rows.
type run struct {
	t      *trainer
	X      [][]float64
	y      []int
	order  order
	epochs int      // done in this run
	ends   []ending // one a learner
	freeze bool     // a learner that has come to its end is not trained on
}

// An ending watches for the end of one learner's run.
type ending struct {
	stop     Stop
	mistakes int64 // over all epochs
	cycle    cycle
}

func newRun(t *trainer, X [][]float64, y []int) (*run, error) {
	r := &run{t: t, X: X, y: y, ends: make([]ending, len(t.learners))}
	r.order = order{kind: t.order, n: len(X)}
	for i, l := range t.learners {
		if r.repeatable() {
			r.ends[i].cycle.save(l)
		}
	}
	if t.keep != Pocket {
		return r, nil
	}
	for _, l := range t.learners {
		right, err := l.countRight(&t.settings, l.pocket.w, X, y, -1)
		if err != nil {
			return nil, err
		}
		l.pocket.right, l.pocket.tried = right, false
	}
	return r, nil
}

// recheck looks for labels that the body of the range has changed. Widths and
// values are seen in training.
func (r *run) recheck() error {
	if r.t.multiclass {
		return nil
	}
	return checkBinary(r.y)
}

// repeatable tells whether each epoch is the same function of the weights.
func (r *run) repeatable() bool { return r.t.order == Cyclic }

// epoch trains for one epoch. On error the trainer is left half-trained, to be
// thrown away.
func (r *run) epoch() (Epoch, error) {
	live := r.live()
	r.t.begin()
	if err := r.pass(live); err != nil {
		return Epoch{}, err
	}
	r.epochs++
	r.t.countPass()
	for i, l := range r.t.learners {
		if err := r.watch(&r.ends[i], l); err != nil {
			return Epoch{}, err
		}
	}
	r.t.publish()
	e := r.t.report(len(r.X))
	e.Stop = r.stop()
	return e, nil
}

// live returns the learners to train in the next epoch.
func (r *run) live() []*learner {
	if !r.freeze {
		return r.t.learners
	}
	var live []*learner
	for i, l := range r.t.learners {
		if r.ends[i].stop == Running {
			live = append(live, l)
		}
	}
	return live
}

// watch looks for the end of l's run after an epoch.
func (r *run) watch(end *ending, l *learner) error {
	end.mistakes += int64(l.mistakes)
	if end.stop != Running {
		return nil
	}
	if l.mistakes == 0 {
		converged, err := r.confirm(l)
		if err != nil {
			return err
		}
		if converged {
			end.stop = Converged
			l.converge(&r.t.settings, len(r.X))
			return nil
		}
	} else if r.repeatable() && end.cycle.repeats(l) {
		end.stop = Cycled
		return nil
	}
	if r.epochs >= r.t.maxEpochs {
		end.stop = EpochLimit
	}
	return nil
}

// confirm makes sure, after an epoch without mistakes, that every row was seen.
func (r *run) confirm(l *learner) (bool, error) {
	if r.order.kind != Sampled {
		return true, nil
	}
	for i, x := range r.X {
		m, err := margin(l.w, x, l.target(&r.t.settings, r.y[i]))
		if err != nil {
			return false, &ExampleError{i, err}
		}
		if !(m > l.theta) {
			return false, nil
		}
	}
	return true, nil
}

// stop is the run's, of its learners'.
func (r *run) stop() Stop {
	var some [EpochLimit + 1]bool
	for _, end := range r.ends {
		some[end.stop] = true
	}
	for _, stop := range []Stop{Running, EpochLimit, Cycled} {
		if some[stop] {
			return stop
		}
	}
	return Converged
}

// upper is Result.Upper. From zero the first row is always a mistake, so that there
// are some to divide by.
func (r *run) upper() float64 {
	least := math.Inf(1)
	if !r.t.fromZero() {
		return least
	}
	for i, l := range r.t.learners {
		least = min(least, vec.Norm(l.w)/r.t.rate/float64(r.ends[i].mistakes))
	}
	return least
}

// pass shows every example of an epoch to the learners, which are shared out
// over the workers.
func (r *run) pass(learners []*learner) error {
	if r.t.rule == onGradient {
		return r.descend(learners)
	}
	r.order.restart(&r.t.gen)
	groups := r.share(learners)
	orders := make([]order, len(groups))
	failures := make([]failure, len(groups))
	for g := range groups {
		orders[g] = r.order
	}
	parallel(len(groups), func(g int) {
		failures[g] = r.walk(&orders[g], groups[g])
	})
	if r.order.kind == Sampled {
		r.t.gen = orders[0].gen
	}
	return first(failures)
}

// walk shows the epoch's examples to some of the learners, reading each row once.
func (r *run) walk(o *order, learners []*learner) failure {
	w := r.newWindow(o)
	for pos := 0; w.advance(); pos += aheadRows {
		w.score(learners)
		for j, i := range w.rows {
			if w.sure>>j&1 != 0 && r.t.keep == Last {
				continue
			}
			if len(learners) < 3 {
				w.fetchAfter(j)
			}
			for _, l := range learners {
				if err := r.show(l, i, j); err != nil {
					return failure{pos + j, atExample(i, err)}
				}
				if l.wrong {
					w.sure = 0
				}
			}
		}
	}
	return failure{}
}

// show shows the i-th row, the j-th of its block, to a learner.
func (r *run) show(l *learner, i, j int) error {
	s := &r.t.settings
	if l.wrong = l.sure>>j&1 == 0; l.wrong {
		x := r.X[i]
		if err := l.consider(s, x, l.target(s, r.y[i]), l.score(j, x)); err != nil {
			return err
		}
	}
	if s.keep == Last && !l.wrong {
		return nil
	}
	l.accept(s)
	if s.keep == Pocket && l.pocket.challenged() {
		return r.challenge(l)
	}
	return nil
}

// challenge holds l's iterate against the one in its pocket.
func (r *run) challenge(l *learner) error {
	right, err := l.countRight(&r.t.settings, l.w, r.X, r.y, l.pocket.right)
	if err != nil {
		return err
	}
	l.pocket.challenge(l.w, right)
	return nil
}

// atExample names the example that err is about, unless err does.
func atExample(i int, err error) error {
	if _, named := err.(*ExampleError); named {
		return err
	}
	return &ExampleError{i, err}
}

// A failure is an error and its place in the epoch's order.
type failure struct {
	pos int
	err error
}

// first returns the error that one worker alone would have met.
func first(failures []failure) error {
	var f failure
	for _, g := range failures {
		f = earlier(f, g)
	}
	return f.err
}

// earlier returns the failure that comes first, f of two at one place.
func earlier(f, g failure) failure {
	if g.err != nil && (f.err == nil || g.pos < f.pos) {
		return g
	}
	return f
}

// share splits the learners into one group a worker.
func (r *run) share(learners []*learner) [][]*learner {
	k := len(learners)
	groups := make([][]*learner, r.count(k, k))
	for g := range groups {
		groups[g] = learners[g*k/len(groups) : (g+1)*k/len(groups)]
	}
	return groups
}

// count is how many workers share out so many parts of an epoch that computes
// the scores of k hyperplanes: one, if the epoch is over sooner than a
// goroutine has started.
func (r *run) count(parts, k int) int {
	const worthwhile = 1 << 16 // multiplications
	workers := r.t.workers
	switch {
	case float64(len(r.X))*float64(r.t.width)*float64(k) < worthwhile:
		return 1
	case workers == 0:
		workers = runtime.GOMAXPROCS(0)
	}
	return max(1, min(workers, parts))
}

// parallel calls f(0), …, f(n−1), each in its own goroutine, and waits for them.
func parallel(n int, f func(i int)) {
	if n == 1 {
		f(0)
		return
	}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { f(i) })
	}
	wg.Wait()
}

// A cycle finds a repetition in a sequence of states with the memory of one
// (Brent 1980): each state is compared with one before it, which is replaced
// after 1, 2, 4, … comparisons. A loop of length λ that begins at the μ-th
// state is found before the (3·max(λ, μ+1))-th.
type cycle struct {
	w            []float64
	r2           float64
	power, steps int
}

func (c *cycle) save(l *learner) {
	c.w = append(c.w[:0], l.w...)
	c.r2 = l.r2
	c.power = max(1, 2*c.power)
	c.steps = 0
}

// repeats takes the next state: what the next epoch depends on, which is the
// weights and R. It tells whether it equals an earlier one, bit for bit.
func (c *cycle) repeats(l *learner) bool {
	same := func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }
	if c.r2 == l.r2 && slices.EqualFunc(c.w, l.w, same) {
		return true
	}
	c.steps++
	if c.steps == c.power {
		c.save(l)
	}
	return false
}
