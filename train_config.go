package perceptron

import (
	"fmt"
	"slices"

	"perceptron/internal/vec"
)

// A rule says when an example is learned: when y·score ≤ θ.
type rule uint8

const (
	onMistake   rule = iota // θ = 0: Rosenblatt's
	withinGamma             // θ = (γ′/2)‖(w, b)‖
	withinTheta             // a θ that is given
	withinR                 // θ = ηR², R the largest norm updated on so far
	onGradient              // θ = 0, all mistakes of an epoch at once: Batch
)

// String returns the model, and the field that gives the rule, for errors.
func (r rule) String() string {
	return [...]string{"Online", "Margin with Gamma", "Margin with Threshold", "Margin", "Batch"}[r]
}

// A scheme says how the hyperplanes of a model learn.
type scheme uint8

const (
	twoClasses scheme = iota // one hyperplane, for labels +1 and −1
	oneVsRest                // one for each class, and each learns on its own
	kesler                   // one for each class, and all learn together: Multiclass
)

// A config is a model's fields as a training call reads them. Start is apart,
// because only the beginning of training reads it. Two equal configs train alike, so
// Update compares the fields with those of the last call, and validates them only if
// they differ.
type config struct {
	err       error // what is wrong with the fields; the rest is then unused
	rate      float64
	gamma     float64
	threshold float64
	maxEpochs int
	workers   int
	seed      uint64
	space     Space
	order     Order
	keep      Keep
	rule      rule // Margin's is withinR until complete replaces it
	scheme    scheme
}

// complete returns c with its defaults and its rule. If a field makes no sense, err
// describes the first such field. The rule of a Margin that has neither Gamma nor
// Threshold stays withinR.
func (c config) complete() config {
	if c.err == nil {
		c.err = c.check()
	}
	if c.rate == 0 {
		c.rate = 1
	}
	if c.maxEpochs == 0 {
		c.maxEpochs = 1000
	}
	switch {
	case c.gamma > 0:
		c.rule = withinGamma
	case c.threshold > 0:
		c.rule = withinTheta
	}
	return c
}

// same reports whether c == d, and no error was found. It compares field by field:
// reading fields together that were just written one by one makes a processor wait.
func (c *config) same(d *config) bool {
	return c.rate == d.rate && c.gamma == d.gamma && c.threshold == d.threshold &&
		c.maxEpochs == d.maxEpochs && c.workers == d.workers && c.seed == d.seed &&
		c.space == d.space && c.order == d.order && c.keep == d.keep &&
		c.rule == d.rule && c.scheme == d.scheme && c.err == nil
}

// check returns the first field that makes no sense. NaN fails every comparison, so
// !(v >= 0) finds it too.
func (c *config) check() error {
	switch {
	case !(c.rate >= 0) || !vec.IsFinite(c.rate):
		return fmt.Errorf("%w: Rate is %v, want a positive finite number, or 0 for 1", ErrConfig, c.rate)
	case !(c.gamma >= 0) || !vec.IsFinite(c.gamma):
		return fmt.Errorf("%w: Gamma is %v, want a positive finite number, or 0 for another rule", ErrConfig, c.gamma)
	case !(c.threshold >= 0) || !vec.IsFinite(c.threshold):
		return fmt.Errorf("%w: Threshold is %v, want a positive finite number, or 0 for another rule", ErrConfig, c.threshold)
	case c.gamma > 0 && c.threshold > 0:
		return fmt.Errorf("%w: Gamma is %v and Threshold is %v, want at most one of them set", ErrConfig, c.gamma, c.threshold)
	case c.maxEpochs < 0:
		return fmt.Errorf("%w: MaxEpochs is %d, want at least 1, or 0 for 1000", ErrConfig, c.maxEpochs)
	case c.workers < 0:
		return fmt.Errorf("%w: Workers is %d, want at least 1, or 0 for GOMAXPROCS", ErrConfig, c.workers)
	case int(c.space) >= len(spaceNames):
		return noName("Space", int(c.space), spaceNames)
	case int(c.order) >= len(orderNames):
		return noName("Order", int(c.order), orderNames)
	case int(c.keep) >= len(keepNames):
		return noName("Keep", int(c.keep), keepNames)
	}
	return nil
}

// bound returns the rule's parameter, γ′ or θ; 0 if it has none.
func (c *config) bound() float64 {
	switch c.rule {
	case withinGamma:
		return c.gamma
	case withinTheta:
		return c.threshold
	}
	return 0
}

// checkStart checks the values of Start. Its width is checked with the first row.
func (c *config) checkStart(start *Hyperplane) error {
	switch {
	case c.err != nil:
		return c.err
	case c.space == Linear && start.Bias != 0:
		return fmt.Errorf("%w: Start.Bias is %v in Linear space, want 0", ErrConfig, start.Bias)
	case !vec.IsFinite(start.Bias):
		return fmt.Errorf("%w: Start.Bias is %v, want a finite number", ErrConfig, start.Bias)
	}
	if j := slices.IndexFunc(start.Weights, func(v float64) bool { return !vec.IsFinite(v) }); j >= 0 {
		return fmt.Errorf("%w: Start.Weights[%d] is %v, want a finite number", ErrConfig, j, start.Weights[j])
	}
	if c.scheme == kesler && !start.isZero() {
		return fmt.Errorf("%w: Binary has a Start, but Multiclass starts from zero", ErrConfig)
	}
	return nil
}

// checkResume checks that training begun under c may continue under next. The rate, the
// seed, and the limits of epochs and workers may change.
func (c *config) checkResume(next *config) error {
	changed := func(field string, now, then any) error {
		return fmt.Errorf("%w: %s is %v, but training began with %v; Fit starts from scratch", ErrConfig, field, now, then)
	}
	switch {
	case next.err != nil:
		return next.err
	case c.space != next.space:
		return changed("Space", next.space, c.space)
	case c.order != next.order:
		return changed("Order", next.order, c.order)
	case c.keep != next.keep:
		return changed("Keep", next.keep, c.keep)
	case c.rule != next.rule:
		return changed("the rule", next.rule, c.rule)
	case c.bound() != next.bound():
		return changed(c.rule.String(), next.bound(), c.bound())
	}
	return nil
}

// thetaFor returns θ for an iterate of the norm ‖w‖, which only withinGamma needs, and
// for R². A mistake is y·score ≤ θ.
func (c *config) thetaFor(norm, r2 float64) float64 {
	switch c.rule {
	case withinGamma:
		return c.gamma / 2 * norm
	case withinTheta:
		return c.threshold
	case withinR:
		return c.rate * r2
	}
	return 0
}

// squaredNorm returns ‖x‖², or ‖(x, 1)‖² in Affine space.
func (c *config) squaredNorm(x []float64) float64 {
	if c.space == Affine {
		return vec.Dot(x, x) + 1
	}
	return vec.Dot(x, x)
}
