package train

import (
	"fmt"
	"math"

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
		s := &r.stoppers[i]
		if r.freeze && s.stop != Running {
			continue
		}
		if err := s.detect(&r.pass, u, r.epochs); err != nil {
			return Epoch{}, err
		}
	}
	r.see(len(r.y))
	r.finish()
	e := r.report(len(r.y))
	e.Stop = reason(r.stoppers)
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
