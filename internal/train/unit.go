package train

import (
	"fmt"
	"math"
	"slices"

	"perceptron/internal/vec"
	"perceptron/internal/weights"
)

// A core is what the units of a model share: the fields of the training call, the planes, and the class
// of each, ascending.
type core struct {
	fields  Config
	planes  weights.Planes
	classes []int
}

// A unit is one perceptron in training: one plane, or in Multiclass a plane for each class.
//
// A unit learns an example in two steps. propose asks the rule, computes the update and may return
// an error. commit makes the update. So either all units learn an example, or none does.
type unit struct {
	// first is the index of the unit's first plane. The unit has as many planes as scores.
	first int
	// class is the label of the rows that should score above 0, for a unit of one plane: +1 in a
	// binary model.
	class int
	// scores has the score of the present example by each plane. The callers of propose and right
	// set it.
	scores []float64
	// r2 is R² if the rule has R2: the largest ‖x‖² of the examples with an update, or ‖(x, 1)‖² in
	// Affine space. For an update that moves two planes, the square counts twice.
	r2 float64
	// tally is how far the unit has come, if the rule has Tally.
	tally Tally
	// theta is θ: an example whose margin is at most θ needs an update.
	theta  float64
	pocket pocket

	// step and margin belong to the present example. If step is not 0, the unit's plane rise moves by
	// step, and its plane fall by −step. fall is −1 if only one plane moves.
	step, margin float64
	rise, fall   int
	// nextR2 and nextTheta are R² and θ after the update that propose has computed.
	nextR2, nextTheta float64
	nextTally         Tally

	norms    []float64 // memory for the method norm
	mistakes int       // updates in this pass
	loss     float64   // the sum of the losses in this pass
	steps    float64   // the sum of |step| in this run, for Result.Upper; only commit adds to it
}

// A pocket has a unit's counts for Gallant's pocket algorithm with ratchet (1990), which keeps the best
// iterate. The planes have the iterates.
//
// A streak is a sequence of examples without an update. At the end of an epoch, two iterates may
// replace the best one: the iterate of the epoch's longest streak, and the last iterate. challenge, in
// pocket_count.go, counts the rows that each of them has right. In a stream, rows cannot be counted:
// there the iterate in training replaces the best one if its streak exceeds beat.
type pocket struct {
	// beat is the number that another iterate must exceed to replace the iterate in the pocket: the
	// number of rows that the iterate in the pocket has right, or in a stream the length of its
	// streak.
	beat uint64
	// streak is the length of the present streak in a stream, or at the end of an epoch. Each epoch
	// begins a new streak, and a stream continues the last one.
	streak uint64

	// record is the length of the longest streak that an update has ended in this epoch.
	record uint64
	// from is the position in the epoch's order where the present streak began.
	from uint64
}

// errOverflow is the error for an update that makes a weight, θ or a sum of iterates not finite.
var errOverflow = fmt.Errorf("%w: the update overflows, though every feature is finite", ErrNotFinite)

// newUnit returns a unit of k new planes, or of planes that have just been loaded.
func newUnit(c *core, first, class, k int) *unit {
	u := &unit{first: first, class: class}
	u.resize(k)
	if c.fields.Rule.Tally {
		n := c.planes.ComputeNorm(first)
		u.tally.Norm2 = min(n*n, math.MaxFloat64) // a saved form has no infinity
	}
	u.normalise(c)
	return u
}

// clone returns a copy of u that shares no memory with u.
func (u *unit) clone() *unit {
	v := *u
	v.resize(len(u.scores))
	return &v
}

// resize makes k the number of planes.
func (u *unit) resize(k int) {
	u.scores, u.norms = make([]float64, k), nil
	if k > 1 {
		u.norms = make([]float64, 0, k) // so that Update does not allocate it
	}
}

// right reports whether the example whose scores are in u.scores needs no update, because its margin
// exceeds theta, and whether the scores are finite. It sets rise and fall, and the margin if an
// update is needed. In Multiclass, the Rival returns fall and step, and right sets these too; else
// right sets step to 0.
func (u *unit) right(c *core, label int, theta float64) (right, finite bool) {
	if c.fields.Rival == nil {
		m := u.alone(label)
		return satisfied(m, theta), vec.IsFinite(m)
	}
	u.step, u.rise, u.fall = 0, 0, -1
	zero := 0.0
	for _, s := range u.scores {
		zero += s * 0 // NaN if s is not finite
	}
	if zero != 0 {
		return false, false
	}
	u.rise = indexOf(c.classes, label)
	if u.fall, u.step = (*c.fields.Rival)(u.scores, u.rise, theta, c.fields.Rate); u.step == 0 {
		return true, true
	}
	u.margin = u.scores[u.rise] - u.scores[u.fall]
	return false, true
}

// indexOf returns the index of a label in the ascending classes, or −1. It takes O(log K), or O(1) for
// a label that it finds among classes that are consecutive integers.
func indexOf(classes []int, label int) int {
	if len(classes) > 0 {
		if i := label - classes[0]; uint(i) < uint(len(classes)) && classes[i] == label {
			return i
		}
	}
	if i, found := slices.BinarySearch(classes, label); found {
		return i
	}
	return -1
}

// target returns y for a label: +1 if the label is the class of the unit's only plane, else −1.
func (u *unit) target(label int) float64 { return vec.Sign(label == u.class) }

// alone sets and returns the margin y·score of a unit with one plane. It sets step to 0, and rise
// and fall for an update of that plane.
func (u *unit) alone(label int) float64 {
	u.step, u.rise, u.fall = 0, 0, -1
	u.margin = u.target(label) * u.scores[0]
	return u.margin
}

// propose asks the rule about an example whose scores are in u.scores. If an update is needed,
// propose sets step, and computes the next iterates, R² and θ. It changes nothing that predicts. pos
// is the example's position in the order of an epoch, and 0 in a stream. Bad features make a score not
// finite, so propose finds them. On error the unit has learned nothing.
func (u *unit) propose(c *core, x *vec.Row, label, pos int) error {
	finite := false
	if c.fields.Rival != nil {
		_, finite = u.right(c, label, u.theta)
	} else if m := u.alone(label); satisfied(m, u.theta) { // first, because most examples are right
		return nil
	} else if finite = vec.IsFinite(m); finite {
		u.step = c.fields.step(u.target(label), u.scores[0], u.theta, x)
	}
	switch {
	case !finite:
		return scoreError(x, x.Features())
	case u.step == 0:
		return nil
	}
	squares, ok := 1.0, c.planes.Propose(u.first+u.rise, x, u.step, pos)
	if u.fall >= 0 {
		ok = c.planes.Propose(u.first+u.fall, x, -u.step, pos) && ok
		squares++
	}
	if c.fields.Rule.R2 {
		u.nextR2 = max(u.r2, squares*c.fields.square(x))
	}
	if c.fields.Rule.Tally {
		u.nextTally = u.tally.after(u.step, u.margin, squares*c.fields.square(x))
	}
	if c.fields.Rule.Theta != nil { // else θ stays 0
		u.nextTheta = u.thetaFor(c, u.nextR2, u.nextTally, func(plane int) float64 {
			return c.planes.Norm(plane, plane == u.first+u.rise || plane == u.first+u.fall)
		})
	}
	if !ok || !vec.IsFinite(u.nextTheta) {
		return errOverflow
	}
	return nil
}

// commit makes the update that propose has computed for x. It cannot fail: propose has checked
// every number.
func (u *unit) commit(c *core, x *vec.Row) {
	c.planes.Commit(u.first+u.rise, x)
	if u.fall >= 0 {
		c.planes.Commit(u.first+u.fall, x)
	}
	u.r2, u.tally, u.theta = u.nextR2, u.nextTally, u.nextTheta
	u.steps += math.Abs(u.step)
	u.countUpdate()
}

// countUpdate counts an update and adds its loss, max(0, −margin). A margin that is a difference of
// finite scores may overflow: then its size counts as the largest float64.
func (u *unit) countUpdate() {
	u.mistakes++
	u.loss += max(0, -vec.NearestFinite(u.margin))
}

// countExamples counts n examples, whether or not they needed an update.
func (u *unit) countExamples(c *core, n int) {
	for k := range u.scores {
		c.planes.Count(u.first+k, n, float64(c.fields.Window))
	}
}

// normalise computes θ, which follows from the weights, R² and the fields. Each update also updates θ.
// So normalise is called only for a new plane, for a loaded or mixed model, and when a training call
// begins.
func (u *unit) normalise(c *core) {
	u.theta = u.thetaFor(c, u.r2, u.tally, func(plane int) float64 { return c.planes.Norm(plane, false) })
	if c.fields.Rival != nil && len(u.scores) == 1 {
		u.theta = 0 // the margin of one class alone is infinite, so θ stays 0
	}
}

// thetaFor returns θ for R² = r2, for the tally, and for the norms that of returns.
func (u *unit) thetaFor(c *core, r2 float64, tally Tally, of func(plane int) float64) float64 {
	p := Progress{Config: &c.fields, R2: r2, Tally: tally}
	switch {
	case c.fields.Rule.Theta == nil:
		return 0
	case c.fields.Rule.Norm:
		p.Norm = u.norm(of)
	}
	return c.fields.Rule.Theta(p)
}

// norm returns ‖W‖, where W is the vectors (w, b) of all planes, one after another, from the norms of
// the planes. It takes O(K).
func (u *unit) norm(of func(plane int) float64) float64 {
	if len(u.scores) == 1 {
		return of(u.first)
	}
	u.norms = u.norms[:0]
	for k := range u.scores {
		u.norms = append(u.norms, of(u.first+k))
	}
	return vec.Norm(u.norms)
}

// countStreak counts an example of a stream. If it was a mistake, countStreak is called after the
// update. The iterate in training replaces the iterate in the pocket as soon as its streak exceeds
// beat.
func (u *unit) countStreak(planes *weights.Planes, mistaken bool) {
	k := &u.pocket
	if k.streak = min(k.streak+1, weights.Countable); mistaken {
		k.streak = 0
	}
	u.replace(planes, weights.Training, k.streak)
}

// replace puts an iterate in the pocket, in O(Kd), if number exceeds beat. number counts the rows that
// the iterate has right, or in a stream the examples of its streak.
func (u *unit) replace(planes *weights.Planes, of weights.Iterate, number uint64) {
	if number > u.pocket.beat {
		u.pocket.beat = number
		for k := range u.scores {
			planes.Replace(u.first+k, of)
		}
	}
}

// endStreak ends the streak of the iterate in training. It is called before the update by the row at
// position pos of the order. The iterate is copied if its streak is the longest of this epoch so far.
func (u *unit) endStreak(planes *weights.Planes, pos uint64) {
	k := &u.pocket
	if streak := pos - k.from; streak > k.record {
		k.record = streak
		for i := range u.scores {
			planes.Remember(u.first + i)
		}
	}
	k.from = pos + 1
}
