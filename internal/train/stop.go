package train

import "perceptron/internal/weights"

// A stopper finds the end of one unit's training. In Fit, each class of OneVsRest stops when a fit
// of that class alone would stop. In Epochs, all classes are trained until every class has a reason
// to stop.
type stopper struct {
	// stop is the reason to stop after the last epoch, or Running.
	stop uint8
	// mistakes counts the updates in all epochs of the run.
	mistakes int64
	// cycle remembers the unit's weights after an earlier epoch.
	cycle cycle
}

// repeatable reports whether equal weights lead to equal epochs. They do if every epoch has the
// rows in the same order, unless θ depends on the number of updates.
func (p *pass) repeatable() bool { return p.fields.Order == Cyclic && !p.fields.Rule.Tally }

// detect sets s.stop after an epoch. epochs is the number of epochs so far. After the last epoch that
// MaxEpochs allows, it sets EpochLimit unless the unit has converged or cycled. A unit that has
// cycled stays Cycled, because its weights cannot leave the cycle. Only an epoch without a mistake
// makes it Converged: the body of a range may have changed a row or a label.
func (s *stopper) detect(p *pass, u *unit, epochs int) error {
	s.mistakes += int64(u.mistakes)
	cycled := s.stop == Cycled // in an earlier epoch, after which another unit still had to train
	s.stop = Running           // after Converged too: the body of a range may have changed a label
	if epochs >= p.fields.MaxEpochs {
		s.stop = EpochLimit
	}
	if u.mistakes > 0 {
		if cycled || p.repeatable() && s.cycle.repeats(&p.planes, u) {
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

// confirm reports whether u has every row right, after an epoch in which it made no mistake. Under
// Cyclic and Shuffled the epoch has shown every row, so the answer is yes. Under Sampled the epoch
// may have left out rows, so confirm scores all rows, in O(nd). It trains nothing.
func (p *pass) confirm(u *unit) (bool, error) {
	if p.fields.Order != Sampled {
		return true, nil
	}
	for i := range p.y {
		x := p.at(i)
		p.score(&x, u.first, u.first+len(u.scores))
		right, finite := u.right(&p.core, p.y[i], u.theta)
		if !finite {
			return false, ErrorAt(i, scoreError(&x, p.planes.Width()))
		}
		if !right {
			return false, nil
		}
	}
	return true, nil
}

// reason returns a model's reason to stop, or Running if a unit must still be trained. A model has
// Converged only if all units have, and EpochLimit if one unit has it. So its reason is the largest
// of the units' reasons, because Converged < Cycled < EpochLimit.
func reason(all []stopper) uint8 {
	last := uint8(Converged)
	for _, s := range all {
		if s.stop == Running {
			return Running
		}
		last = max(last, s.stop)
	}
	return last
}

// A cycle finds out whether a unit returns to earlier weights, by Brent's method (1980). It stores
// the weights and R² after one epoch, and compares the unit with them after each later epoch. After
// 1, 2, 4, … comparisons it stores the present weights and R² instead. So it needs memory for only
// one copy of the weights. If the weights and R² repeat every λ epochs from the μ-th epoch on, the
// repetition is found before the (3·max(λ, μ+1))-th epoch.
type cycle struct {
	// w has the stored vector (w, b) of each plane of the unit.
	w [][]float64
	// r2 is the stored R². Margin's default rule reads it in the next epoch.
	r2 float64
	// power is the number of comparisons with the stored weights before the next are stored.
	power int
	// steps counts the comparisons made with the stored weights.
	steps int
}

// repeats reports whether u has the stored weights and R². The next epoch depends on nothing else,
// so then all later epochs repeat too. The comparison with == is enough: no weight is −0 or NaN, and
// other equal numbers have equal bits. The first call stores the weights and R².
func (c *cycle) repeats(planes *weights.Planes, u *unit) bool {
	same := c.w != nil && c.r2 == u.r2
	for k := 0; same && k < len(c.w); k++ {
		same = planes.Same(c.w[k], u.first+k)
	}
	if same {
		return true
	}
	if c.steps++; c.steps >= c.power {
		if c.w == nil {
			c.w = make([][]float64, len(u.scores))
		}
		for k := range c.w {
			c.w[k] = planes.Copy(c.w[k], u.first+k)
		}
		c.r2, c.power, c.steps = u.r2, max(1, 2*c.power), 0
	}
	return false
}
