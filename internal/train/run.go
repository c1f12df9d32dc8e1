package train

import (
	"fmt"
	"math"
	"slices"

	"perceptron/internal/vec"
)

// A run is one range of epochs over the same rows. It holds what belongs to this range
// alone, and is never saved: the counts, and the detectors of the end. What training
// continues from is in the state.
type run struct {
	pass
	order    rowOrder
	groups   []group   // one for each worker
	epochs   int       // done in this run
	stoppers []stopper // one for each unit
	freeze   bool      // a unit that has stopped is not trained further
}

// A stopper detects the end of one unit's run. In Fit, each class of OneVsRest ends on
// its own, as its separate perceptron would.
type stopper struct {
	stop     Stop
	mistakes int64 // over all epochs
	cycle    cycle
}

// newRun validates the rows, and adds the units that they need.
func newRun(t *state, X Rows, y []int, freeze bool) (*run, error) {
	if err := t.admit(&X, y); err != nil {
		return nil, err
	}
	if freeze && t.Scheme != TwoClasses && len(t.planes) == 1 {
		return nil, fmt.Errorf("%w: every label is %d, want at least two classes", ErrLabel, y[0])
	}
	r := &run{pass: pass{state: t, Rows: X, y: y}, freeze: freeze, stoppers: make([]stopper, len(t.units))}
	for i, u := range t.units {
		if r.repeatable() {
			r.stoppers[i].cycle.save(u)
		}
	}
	return r, nil
}

// repeatable reports whether each epoch is the same function of the weights.
func (r *run) repeatable() bool { return r.state.Order == Cyclic }

// epoch trains for one epoch. On error the state is partly trained, and must be
// discarded.
func (r *run) epoch() (Epoch, error) {
	r.begin()
	live := r.live()
	if err := r.train(live); err != nil {
		return Epoch{}, err
	}
	r.epochs++
	for _, u := range live {
		u.see(r.n())
	}
	for i, u := range r.units {
		if err := r.detect(&r.stoppers[i], u); err != nil {
			return Epoch{}, err
		}
	}
	r.see(r.n())
	r.finish()
	e := r.report(r.n())
	e.Stop = r.stop()
	return e, nil
}

// live returns the units to train in the next epoch.
func (r *run) live() []*unit {
	if !r.freeze {
		return r.units
	}
	var live []*unit
	for i, u := range r.units {
		if r.stoppers[i].stop == Running {
			live = append(live, u)
		}
	}
	return live
}

// train shows every example of an epoch to the units, which the workers share.
func (r *run) train(units []*unit) error {
	if r.Rule == OnGradient {
		return descend(&r.pass, units)
	}
	r.order = r.order.draw(r.state.Order, r.n(), &r.gen)
	parts := r.split(units)
	errs := make([]rowError, len(parts))
	r.groups = append(r.groups, make([]group, max(0, len(parts)-len(r.groups)))...) // GOMAXPROCS may have grown
	parallel(len(parts), func(g int) {
		switch k := len(parts[g]); {
		case r.Sparse != nil:
			errs[g] = r.trainSparse(r.order, parts[g])
		case r.Scheme == Kesler || r.width > vec.ShortRow && (k > 2 || k == 2 && r.exceeds(vec.SecondCache)):
			errs[g] = r.groups[g].trainRows(&r.pass, r.order, parts[g])
		default:
			errs[g] = trainSingly(&r.pass, r.order, parts[g])
		}
		if r.Keep == Pocket && errs[g].err == nil {
			r.challenge(parts[g], r.epochs == 0)
		}
	})
	var first rowError // which a single worker would have met
	for _, err := range errs {
		first = earlier(first, err)
	}
	return first.err
}

// detect looks for the end of u's run after an epoch.
func (r *run) detect(s *stopper, u *unit) error {
	s.mistakes += int64(u.mistakes)
	if r.freeze && s.stop != Running {
		return nil
	}
	cycled := s.stop == Cycled // and other units trained on
	s.stop = Running           // the body of a range may have changed a label
	if r.epochs >= r.MaxEpochs {
		s.stop = EpochLimit
	}
	if u.mistakes > 0 {
		if cycled || r.repeatable() && s.cycle.repeats(u) {
			s.stop = Cycled
		}
		return nil
	}
	converged, err := r.confirm(u)
	if converged {
		s.stop = Converged
	}
	return err
}

// confirm makes sure, after an epoch without mistakes, that every row was seen.
func (r *run) confirm(u *unit) (bool, error) {
	if r.state.Order != Sampled {
		return true, nil
	}
	for i := range r.n() {
		x := r.at(i)
		for _, q := range u.planes {
			q.score = x.Score(q.w)
		}
		m := u.decide(&r.Config, r.y[i])
		if !vec.IsFinite(m) {
			return false, &ExampleError{i, x.ScoreError(r.width)}
		}
		if !satisfied(m, u.theta) {
			return false, nil
		}
	}
	return true, nil
}

// stop combines the units' reasons to stop: Running before EpochLimit before Cycled
// before Converged.
func (r *run) stop() Stop {
	last := Converged
	for _, s := range r.stoppers {
		if s.stop == Running {
			return Running
		}
		last = max(last, s.stop)
	}
	return last
}

// upper returns Result.Upper. From zero the first row is always a mistake, so that
// no unit's count is 0.
func (r *run) upper() float64 {
	least := math.Inf(1)
	if !r.start.IsZero() {
		return least
	}
	for i, u := range r.units {
		least = min(least, u.norm()/r.Rate/float64(r.stoppers[i].mistakes))
	}
	return least
}

// A cycle finds a repetition in a sequence of states, with the memory of one (Brent
// 1980). Each state is compared with an earlier one, which is replaced after 1, 2,
// 4, … comparisons. A loop of length λ that begins at the μ-th state is found
// before the (3·max(λ, μ+1))-th.
type cycle struct {
	w            []float64
	r2           float64
	power, steps int
}

// save keeps u's state for the next comparisons, twice as many as for the last.
func (c *cycle) save(u *unit) {
	c.w = c.w[:0]
	for _, q := range u.planes {
		c.w = append(c.w, q.w...)
	}
	c.r2 = u.r2
	c.power = max(1, 2*c.power)
	c.steps = 0
}

// repeats takes the next state, and reports whether it equals an earlier one bit
// for bit. The next epoch depends on the weights and R, and on nothing else.
func (c *cycle) repeats(u *unit) bool {
	if c.r2 == u.r2 && c.equals(u) {
		return true
	}
	c.steps++
	if c.steps == c.power {
		c.save(u)
	}
	return false
}

// equals reports whether u has the weights that were saved.
func (c *cycle) equals(u *unit) bool {
	same := func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }
	w := c.w
	for _, q := range u.planes {
		if !slices.EqualFunc(w[:len(q.w)], q.w, same) {
			return false
		}
		w = w[len(q.w):]
	}
	return true
}
