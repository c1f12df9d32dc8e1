package train

import (
	"fmt"
	"math"

	"perceptron/internal/vec"
)

// A run is the training of one Fit, or of one range over Epochs: epoch after epoch on the same
// rows. A run is never saved, because all that a later call needs is in the state.
type run struct {
	pass
	// workers has one worker for each part of the units. A worker has the memory to score several planes together.
	workers []worker
	// epochs counts the epochs finished in this run. MaxEpochs limits it.
	epochs int
	// stoppers has one stopper for each unit, in the order of the units.
	stoppers []stopper
	// freeze says that a unit that has stopped is not trained further. It is true in Fit, and false
	// in Epochs.
	freeze bool
}

// newRun returns a run that trains t with the rows. It validates the rows and labels, and adds a
// plane for each new class. If the training is repeatable, each stopper stores the weights before
// the first epoch. So it also finds a cycle that returns to these weights.
func newRun(t *state, X Rows, y []int, freeze bool) (*run, error) {
	if err := t.prepare(&X, y, true); err != nil {
		return nil, err
	}
	if freeze && t.fields.Many() && len(t.classes) == 1 {
		return nil, fmt.Errorf("%w: every label is %d, want at least two classes", ErrLabel, y[0])
	}
	r := &run{pass: pass{state: t, Rows: X, y: y}, freeze: freeze, stoppers: make([]stopper, len(t.units))}
	if r.repeatable() {
		for i, u := range t.units {
			r.stoppers[i].cycle.repeats(&t.planes, u)
		}
	}
	return r, nil
}

// epoch trains for one epoch, and returns why training ends, or Running. If it returns an error, the
// epoch is unfinished, and the caller must discard the state.
//
// Each worker trains some of the units with all rows. So a unit sees the same rows in the same
// order, whatever the number of workers. In an epoch of Batch, the workers share the rows instead.
//
// The units add the rows to their counts only at the end of the epoch. Until then, the number of
// examples before a row is the count before the epoch plus the position of the row.
func (r *run) epoch() (stop uint8, err error) {
	r.beginPass()
	r.order = r.order.draw(r.fields.Order, len(r.y), &r.gen)
	var bad rowError
	parts := r.split(r.live())
	r.workers = append(r.workers, make([]worker, max(0, len(parts)-len(r.workers)))...) // GOMAXPROCS may have grown
	switch {
	case r.fields.Rule.Descend != nil:
		bad = trainBatch(&r.pass, r.live())
	case len(parts) == 1:
		bad = r.work(&r.workers[0], parts[0])
	default:
		bad = parallel(len(parts), func(g int) rowError { return r.work(&r.workers[g], parts[g]) })
	}
	if bad.err != nil {
		return Running, bad.err
	}
	r.epochs++
	for i, u := range r.units {
		if s := &r.stoppers[i]; !r.freeze || s.stop == Running {
			u.countExamples(&r.core, len(r.y))
			if err := s.detect(&r.pass, u, r.epochs); err != nil {
				return Running, err
			}
		}
	}
	r.see(len(r.y))
	r.finishPass()
	return reason(r.stoppers), nil
}

// live returns the units that the epoch trains. In Fit, a unit that has stopped is not trained
// further: it keeps the iterate with which a fit of its class alone would end.
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

// work trains units with the rows of an epoch, as the worker g, and returns the first error.
func (r *run) work(g *worker, units []*unit) (bad rowError) {
	switch {
	case !r.together(len(units)):
		bad = r.trainSingly(units)
	case r.Sparse != nil:
		bad = r.trainSparse(units)
	default:
		bad = g.train(&r.pass, units)
	}
	if r.fields.Keep == Pocket && bad.err == nil {
		r.challenge(units, r.epochs == 0)
	}
	return bad
}

// together reports whether the planes of k units score each row together, so that the row is read only once.
// Else each unit learns a block of rows on its own. Multiclass needs the first. For other units the first is
// faster if there are three units or more, or two units and rows that exceed the second cache, and dense rows
// are not short. For sparse rows it is faster if there are two units or more. Vectors that are side by side need it.
func (r *run) together(k int) bool {
	switch {
	case r.fields.Rival != nil:
		return true
	case r.Sparse != nil:
		return k > 1 || !r.planes.Apart()
	}
	return r.planes.Width() > vec.ShortRow && (k > 2 || k == 2 && r.exceeds(vec.SecondCache))
}

// upper returns Result.Upper: the least ‖W‖/Σ|step| of the units. The sum is over a unit's updates, and
// W is its vectors (w, b), one after another. ‖W‖/Σ|step| is an upper bound of the margin γ, because
// each update adds at least γ|step| to the product of W and the best hyperplane. The bound holds only if
// training began with zero weights; otherwise upper returns +Inf. From zero, the first row of a Fit
// always needs an update, so no sum is 0. If each step is ηy, the sum is ηk for k updates.
func (r *run) upper() float64 {
	least := math.Inf(1)
	if vec.Largest(r.start) != 0 {
		return least
	}
	for i, u := range r.units {
		norm := u.norm(r.planes.ComputeNorm)
		switch {
		case r.fields.Rule.Constant:
			least = min(least, norm/r.fields.Rate/float64(r.stoppers[i].mistakes))
		case u.steps > 0:
			least = min(least, norm/u.steps)
		}
	}
	return least
}
