package train

import (
	"slices"

	"perceptron/internal/vec"
)

// A stopper finds the end of one unit's training. In Fit, each class of OneVsRest stops when a fit
// of that class alone would stop.
type stopper struct {
	stop     Stop
	mistakes int64 // in all epochs of the run
	cycle    cycle
}

// repeatable reports whether equal weights lead to equal epochs: the order of the rows is fixed.
func (p *pass) repeatable() bool { return p.Order == Cyclic }

// detect finds out after an epoch, the epochs-th of the run, whether the training of u has ended,
// and sets s.stop.
func (s *stopper) detect(p *pass, u *unit, epochs int) error {
	s.mistakes += int64(u.mistakes)
	cycled := s.stop == Cycled // in an earlier epoch, after which other units went on
	s.stop = Running           // the body of a range may have changed a label
	if epochs >= p.MaxEpochs {
		s.stop = EpochLimit
	}
	if u.mistakes > 0 {
		if cycled || p.repeatable() && s.cycle.repeats(u) {
			s.stop = Cycled
		}
		return nil
	}
	converged, err := p.confirm(u)
	if converged {
		s.stop = Converged
	}
	return err
}

// confirm reports, after an epoch without mistakes, whether every row is right. Only Sampled may
// have left out a row.
func (p *pass) confirm(u *unit) (bool, error) {
	if p.Order != Sampled {
		return true, nil
	}
	for i := range p.y {
		x := p.at(i)
		scoreAll(nil, []*unit{u}, &x)
		m := u.decide(&p.Config, p.y[i])
		if !vec.IsFinite(m) {
			return false, &ExampleError{i, x.ScoreError(p.width)}
		}
		if !satisfied(m, u.theta) {
			return false, nil
		}
	}
	return true, nil
}

// reason returns the reason to stop of all units: Running if a unit runs, else EpochLimit if a unit
// has it, else Cycled if a unit has it, else Converged.
func reason(all []stopper) Stop {
	last := Converged
	for _, s := range all {
		if s.stop == Running {
			return Running
		}
		last = max(last, s.stop)
	}
	return last
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
