package train

import (
	"fmt"
	"math"
	"slices"

	"perceptron/internal/vec"
)

// A run is the training of one Fit, or of one range over Epochs. It has the rows, and what finds
// the end of training. Nothing of it is saved. What a later call needs is in the state.
type run struct {
	pass
	order    rowOrder
	groups   []group   // one for each worker
	epochs   int       // the epochs finished in this run
	stoppers []stopper // one for each unit
	freeze   bool      // in Fit: a unit that has stopped is not trained further
}

// A stopper finds the end of one unit's training. In Fit, each class of OneVsRest stops when a fit
// of that class alone would stop.
type stopper struct {
	stop     Stop
	mistakes int64 // in all epochs of the run
	cycle    cycle
}

// newRun returns a run of t over the rows. It validates them, and adds a plane for each new class.
func newRun(t *state, X Rows, y []int, freeze bool) (*run, error) {
	if err := t.admit(&X, y, true); err != nil {
		return nil, err
	}
	if freeze && t.Scheme != TwoClasses && len(t.planes) == 1 {
		return nil, fmt.Errorf("%w: every label is %d, want at least two classes", ErrLabel, y[0])
	}
	r := &run{pass: pass{state: t, Rows: X, y: y}, freeze: freeze, stoppers: make([]stopper, len(t.units))}
	for i, u := range t.units {
		if r.repeatable() {
			r.stoppers[i].cycle.repeats(u)
		}
	}
	return r, nil
}

// repeatable reports whether equal weights lead to equal epochs: the order of the rows is fixed.
func (r *run) repeatable() bool { return r.state.Order == Cyclic }

// epoch trains for one epoch. If it returns an error, the state is trained in part, and the caller
// must drop it.
func (r *run) epoch() (Epoch, error) {
	r.begin()
	live := r.live()
	if err := r.train(live); err != nil {
		return Epoch{}, err
	}
	r.epochs++
	for _, u := range live {
		u.see(len(r.y))
	}
	for i, u := range r.units {
		if err := r.detect(&r.stoppers[i], u); err != nil {
			return Epoch{}, err
		}
	}
	r.see(len(r.y))
	r.finish()
	e := r.report(len(r.y))
	e.Stop = r.stop()
	return e, nil
}

// live returns the units that the next epoch trains. In Fit, a unit that has stopped keeps the
// iterate with which a fit of its class alone would end.
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

// train trains the units for one epoch. The workers share the units.
func (r *run) train(units []*unit) error {
	if r.Rule == OnGradient {
		return descend(&r.pass, units)
	}
	r.order = r.order.draw(r.state.Order, len(r.y), &r.gen)
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
	var first rowError // the error that one worker alone would have found
	for _, err := range errs {
		first = earlier(first, err)
	}
	return first.err
}

// detect finds out after an epoch whether the training of u has ended, and sets s.stop.
func (r *run) detect(s *stopper, u *unit) error {
	s.mistakes += int64(u.mistakes)
	if r.freeze && s.stop != Running {
		return nil
	}
	cycled := s.stop == Cycled // in an earlier epoch, after which other units went on
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

// confirm reports, after an epoch without mistakes, whether every row is right. Only Sampled may
// have left out a row.
func (r *run) confirm(u *unit) (bool, error) {
	if r.state.Order != Sampled {
		return true, nil
	}
	for i := range len(r.y) {
		x := r.at(i)
		scoreAll(nil, []*unit{u}, &x)
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

// stop returns the reason to stop of all units: Running if a unit runs, else EpochLimit if a unit
// has it, else Cycled if a unit has it, else Converged.
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

// upper returns Result.Upper, the least of the units' ‖w‖/(ηk). From another start than zero the
// theorem does not hold, and it is +Inf. No unit has 0 mistakes, as the first row is a mistake of
// zero weights.
func (r *run) upper() float64 {
	least := math.Inf(1)
	if !r.start.IsZero() {
		return least
	}
	for i, u := range r.units {
		u.measure()
		least = min(least, u.norm()/r.Rate/float64(r.stoppers[i].mistakes))
	}
	return least
}

// A cycle finds a repetition in a sequence of states, and stores one of them (Brent 1980). Each
// state is compared with the stored one. After 1, 2, 4, … comparisons the present state is stored
// instead. A loop of λ states that begins at the μ-th state is found before the (3·max(λ, μ+1))-th
// state.
type cycle struct {
	w     [][]float64 // the stored state: (w, b) of each plane of a unit,
	r2    float64     // and R²
	power int         // the number of comparisons with the stored state
	steps int         // how many of them have been made
}

// repeats reports whether u has the stored state. The next epoch depends on the weights and R
// alone, so after equal states all epochs are equal. Equal numbers have equal bits, because no
// weight is −0 or NaN. The first call stores the state.
func (c *cycle) repeats(u *unit) bool {
	same := func(w []float64, q *plane) bool { return slices.Equal(w, q.w) }
	if c.r2 == u.r2 && slices.EqualFunc(c.w, u.planes, same) {
		return true
	}
	if c.steps++; c.steps >= c.power {
		c.w = slices.Grow(c.w, len(u.planes)-len(c.w))[:len(u.planes)]
		for i, q := range u.planes {
			c.w[i] = append(c.w[i][:0], q.w...)
		}
		c.r2, c.power, c.steps = u.r2, max(1, 2*c.power), 0
	}
	return false
}
