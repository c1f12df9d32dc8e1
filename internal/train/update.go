package train

import (
	"fmt"
	"slices"

	"perceptron/internal/vec"
)

// A unit is one perceptron in training: one plane, or in Multiclass a plane for each class.
//
// A unit learns an example in two steps. consider asks the rule, computes the update and may return
// an error. accept makes the update. So either all units learn an example, or none does.
type unit struct {
	planes []*plane
	// scores has the score of the present example by each plane. The callers of consider and right
	// set it.
	scores []float64
	// r2 is R² if the rule has R2: the largest ‖x‖² of the examples with an update, or ‖(x, 1)‖² in
	// Affine space. For an update that moves two planes, the square counts twice.
	r2 float64
	// theta is θ: an example whose margin is at most θ needs an update.
	theta  float64
	pocket pocket
	// seen counts the examples, for the averages. An epoch adds its rows at its end. seen is a
	// float64 because Mix makes it a mean of counts.
	seen float64

	// step and margin belong to the present example. If step is not 0, the plane with index rise
	// moves by step, and the plane with index fall by −step. fall is −1 if only one plane moves.
	step, margin float64
	rise, fall   int
	// nextR2 and nextTheta are R² and θ after the update that consider has computed.
	nextR2, nextTheta float64

	norms    []float64 // memory for the method norm
	mistakes int       // updates in this pass
	loss     float64   // the sum of the losses in this pass
}

// errOverflow is the error for an update that makes a weight, θ or a sum of iterates not finite.
var errOverflow = fmt.Errorf("%w: the update overflows, though every feature is finite", ErrNotFinite)

// newUnit returns a unit of new planes, or of planes that have just been loaded.
func newUnit(c *Config, planes []*plane) *unit {
	u := &unit{planes: planes, scores: make([]float64, len(planes))}
	u.normalise(c)
	return u
}

// clone returns a copy of u that trains the given planes. These are copies of u's planes, or u's
// planes and a new plane.
func (u *unit) clone(planes []*plane) *unit {
	v := *u
	v.planes, v.scores, v.norms = planes, make([]float64, len(planes)), nil
	if len(planes) > 1 {
		v.norms = make([]float64, 0, len(planes)) // so that Update does not allocate it
	}
	return &v
}

// scoreAll sets the units' scores of x. All units score x before the first unit learns it, because a
// table scores all planes at once. If t is not nil, it has the vectors of all planes of the units, in
// the order of the units.
func scoreAll(t *table, units []*unit, x *vec.Row) {
	if t == nil {
		for _, u := range units {
			for k, q := range u.planes {
				u.scores[k] = x.Score(q.w)
			}
		}
		return
	}
	scores := t.scores(x)
	for _, u := range units {
		scores = scores[copy(u.scores, scores):]
	}
}

// right reports whether the example whose scores are in u.scores needs no update, because its margin
// exceeds theta, and whether the scores are finite. It sets rise and fall, and the margin if an
// update is needed. In Multiclass, c.Rival returns fall and step, and right sets these too; else
// right sets step to 0.
func (u *unit) right(c *Config, label int, theta float64) (right, finite bool) {
	if c.Rival == nil {
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
	if u.rise = label - u.planes[0].class; uint(u.rise) >= uint(len(u.planes)) || u.planes[u.rise].class != label {
		u.rise = slices.IndexFunc(u.planes, func(q *plane) bool { return q.class == label })
	}
	if u.fall, u.step = (*c.Rival)(u.scores, u.rise, theta, c.Rate); u.step == 0 {
		return true, true
	}
	u.margin = u.scores[u.rise] - u.scores[u.fall]
	return false, true
}

// alone sets and returns the margin y·score of a unit with one plane. It sets step to 0, and rise
// and fall for an update of that plane.
func (u *unit) alone(label int) float64 {
	u.step, u.rise, u.fall = 0, 0, -1
	u.margin = u.planes[0].target(label) * u.scores[0]
	return u.margin
}

// consider asks the rule about an example whose scores are in u.scores. If an update is needed,
// consider sets step, and computes the next iterates in spare vectors and the next R² and θ. It
// changes nothing that predicts. pos is the example's position in the order of an epoch, and 0 in a
// stream. Bad features make a score not finite, so consider finds them. On error the unit has
// learned nothing.
func (u *unit) consider(c *Config, x *vec.Row, label, pos int) error {
	finite := false
	if c.Rival != nil {
		_, finite = u.right(c, label, u.theta)
	} else if m := u.alone(label); satisfied(m, u.theta) { // first, because most examples are right
		return nil
	} else if finite = vec.IsFinite(m); finite {
		u.step = c.step(u.planes[0].target(label), u.scores[0], u.theta, x)
	}
	switch {
	case !finite:
		return scoreError(x, x.Features())
	case u.step == 0:
		return nil
	}
	// n is the number of examples before this one: those before the epoch, and the earlier rows of
	// the epoch.
	n, moved := min(u.seen+float64(pos), countable), 1.0
	ok := u.planes[u.rise].propose(c, x, u.step, n)
	if u.fall >= 0 {
		ok = u.planes[u.fall].propose(c, x, -u.step, n) && ok
		moved++
	}
	if c.Rule.R2 {
		u.nextR2 = max(u.r2, moved*c.square(x))
	}
	if c.Rule.Theta != nil { // else θ stays 0
		u.nextTheta = u.thetaFor(c, u.nextR2)
	}
	if !ok || !vec.IsFinite(u.nextTheta) {
		u.measure(c) // restores the norms: propose has set them for the next iterates
		return errOverflow
	}
	return nil
}

// accept makes the update that consider has computed for x. It cannot fail: consider has checked
// every number.
func (u *unit) accept(x *vec.Row) {
	u.planes[u.rise].move(x)
	if u.fall >= 0 {
		u.planes[u.fall].move(x)
	}
	u.r2, u.theta = u.nextR2, u.nextTheta
	u.countUpdate()
}

// countUpdate counts an update and adds its loss, max(0, −margin). A margin that is a difference of
// finite scores may overflow: then its size counts as the largest float64.
func (u *unit) countUpdate() {
	u.mistakes++
	u.loss += max(0, -vec.NearestFinite(u.margin))
}

// see adds n to the count of examples seen, whether or not they needed an update.
func (u *unit) see(n int) { u.seen = min(u.seen+float64(n), countable) }

// normalise computes what follows from the weights, R² and the fields: θ, and the norms if the rule
// has Norm. Each update also updates θ and the norms. So normalise is called only for a new plane,
// for a loaded or mixed model, and when a training call begins.
func (u *unit) normalise(c *Config) {
	u.measure(c)
	u.theta = u.thetaFor(c, u.r2)
	if c.Rival != nil && len(u.planes) == 1 {
		u.theta = 0 // the margin of one class alone is infinite, so θ stays 0
	}
}

// measure computes the norms of all planes if the rule has Norm, in O(Kd). An update computes only
// the norms of the planes that it moves.
func (u *unit) measure(c *Config) {
	for i := 0; c.Rule.Norm && i < len(u.planes); i++ {
		u.planes[i].norm = vec.Norm(u.planes[i].w)
	}
}

// thetaFor returns θ for R² = r2, and for the norms that the planes have.
func (u *unit) thetaFor(c *Config, r2 float64) float64 {
	norm := 0.0
	switch {
	case c.Rule.Theta == nil:
		return 0
	case c.Rule.Norm:
		norm = u.norm()
	}
	return c.Rule.Theta(c, r2, norm)
}

// norm returns ‖W‖, where W is the vectors (w, b) of all planes, one after another. It takes O(K),
// because it reads the planes' norms, which the caller has computed.
func (u *unit) norm() float64 {
	if len(u.planes) == 1 {
		return u.planes[0].norm
	}
	u.norms = u.norms[:0]
	for _, q := range u.planes {
		u.norms = append(u.norms, q.norm)
	}
	return vec.Norm(u.norms)
}
