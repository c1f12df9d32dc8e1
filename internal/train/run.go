package train

import (
	"fmt"
	"math"

	"perceptron/internal/vec"
)

// A run is the training of one Fit, or of one range over Epochs: epoch after epoch on the same
// rows. Saving a model leaves the run out. What a later call needs is in the state.
type run struct {
	pass
	// groups has one group for each worker that scores several planes together.
	groups []group
	// epochs counts the epochs finished in this run. MaxEpochs limits it.
	epochs int
	// stoppers has one stopper for each unit, in the order of the units.
	stoppers []stopper
	// freeze says that a unit that has stopped is not trained further. It is true in Fit, and false
	// in Epochs.
	freeze bool
}

// newRun returns a run that trains t with the rows. It validates the rows and labels, and adds a
// plane for each new class. Where equal weights lead to equal epochs, each stopper stores the
// weights before the first epoch, so that it finds a cycle that leads back to them.
func newRun(t *state, X Rows, y []int, freeze bool) (*run, error) {
	if err := t.admit(&X, y, true); err != nil {
		return nil, err
	}
	if freeze && t.Many() && len(t.planes) == 1 {
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

// renew admits the rows again, which the body of a range may have changed, for the state of the next
// epoch. If the planes become wider, so do the stored weights.
func (r *run) renew() error {
	err := r.admit(&r.Rows, r.y, false)
	for i := range r.stoppers {
		for k, w := range r.stoppers[i].cycle.w {
			if r.slots != nil {
				r.stoppers[i].cycle.w[k] = r.slots.widen(w)
			}
		}
	}
	return err
}

// epoch trains for one epoch, and finds out which units have stopped. If it returns an error, the
// state is trained in part, and the caller must drop it.
//
// Each worker trains some of the units with all rows. So a unit sees the same rows in the same
// order, whatever the number of workers. In an epoch of Batch, the workers share the rows instead.
//
// The units count the rows of an epoch at its end. Until then, the number of examples before a row
// is the count before the epoch plus the position of the row.
func (r *run) epoch() (Epoch, error) {
	r.beginPass()
	r.order = r.order.draw(r.state.Order, len(r.y), &r.gen)
	var bad rowError
	parts := r.split(r.live())
	r.groups = append(r.groups, make([]group, max(0, len(parts)-len(r.groups)))...) // GOMAXPROCS may have grown
	switch {
	case r.Rule.Descend != nil:
		bad = trainBatch(&r.pass, r.live())
	case len(parts) == 1:
		bad = r.work(&r.groups[0], parts[0])
	default:
		bad = parallel(len(parts), func(g int) rowError { return r.work(&r.groups[g], parts[g]) })
	}
	if bad.err != nil {
		return Epoch{}, bad.err
	}
	r.epochs++
	for i, u := range r.units {
		if s := &r.stoppers[i]; !r.freeze || s.stop == Running {
			u.see(len(r.y))
			if err := s.detect(&r.pass, u, r.epochs); err != nil {
				return Epoch{}, err
			}
		}
	}
	r.see(len(r.y))
	r.finishPass()
	e := r.report(len(r.y))
	e.Stop = reason(r.stoppers)
	return e, nil
}

// live returns the units that the next epoch trains. In Fit, a unit that has stopped keeps the
// iterate with which a fit of its class alone would end.
func (r *run) live() []*unit {
	if !r.freeze || len(r.units) == 1 {
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

// work trains units with the rows of an epoch, as the worker with the group g, and returns the first error.
//
// Dense rows take one of two ways. If several planes score a row together, it is read once for all
// of them. That pays for rows that are not short. Else each unit learns a block of rows on its own.
func (r *run) work(g *group, units []*unit) (bad rowError) {
	switch k := len(units); {
	case r.Sparse != nil:
		bad = r.trainSparse(units)
	case r.Rival != nil || r.width > vec.ShortRow && (k > 2 || k == 2 && r.exceeds(vec.SecondCache)):
		bad = g.train(&r.pass, units)
	default:
		bad = r.trainSingly(units)
	}
	if r.Keep == Pocket && bad.err == nil {
		r.challenge(units, r.epochs == 0)
	}
	return bad
}

// upper returns Result.Upper after k updates of each unit: the least ‖w‖/(ηk) of the units. It is
// an upper bound of the margin γ, because each update adds at least ηγ to the product of w and the
// best hyperplane. That holds only from zero weights; from another start, upper returns +Inf. k is
// never 0: with zero weights, the first row is a mistake.
func (r *run) upper() float64 {
	least := math.Inf(1)
	if !r.start.IsZero() {
		return least
	}
	order := r.slots.ordered()
	for i, u := range r.units {
		for _, q := range u.planes {
			if q.norm = vec.Norm(q.w); r.slots != nil {
				p := few(q.w, order, r.width+1)
				q.norm = vec.NormSparse(p.N, p.Index, p.Value)
			}
		}
		least = min(least, u.norm()/r.Rate/float64(r.stoppers[i].mistakes))
	}
	return least
}
