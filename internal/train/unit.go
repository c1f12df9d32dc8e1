package train

import (
	"fmt"
	"math"

	"perceptron/internal/vec"
)

// A unit is one perceptron in training. It has one plane, or in Multiclass a plane for
// each class. With one plane, an example's score should have the sign of y and exceed θ. If
// not, the plane moves:
//
//	w ← w + ηyx, b ← b + ηy.
//
// In Multiclass, the plane rise of the example's class should score it higher than fall, the
// best of the others, by more than θ. If not, rise moves as for y = +1, and fall as for y = −1.
//
// A unit learns an example in two steps: consider prepares the update and can fail,
// accept cannot. So units that share a row learn it together, or not at all.
type unit struct {
	planes []*plane
	r2     float64 // R², the largest ‖z‖² updated on so far: ‖x‖² for each plane moved
	theta  float64 // θ, which follows from the planes, r2 and the configuration
	pocket pocket
	seen   float64 // n, the examples seen; within an epoch, before it

	mistaken   bool    // whether consider found an update to make; if so, it sets:
	rise, fall *plane  // the planes to move; fall may be nil
	pace       float64 // of rise: ηy
	nextR2     float64 // the next R²
	nextTheta  float64 // the next θ
	nextLoss   float64 // this example's shortfall: max(0, −m) of decide's m

	norms    []float64 // scratch for nextNorm
	mistakes int       // in this pass
	loss     float64   // in this pass, the sum of the shortfalls
}

// errOverflow is for an update whose result is not finite: weights, θ, or a sum of iterates.
var errOverflow = fmt.Errorf("%w: the update overflows, though every feature is finite", ErrNotFinite)

// newUnit returns a unit of these planes, which have learned nothing.
func newUnit(c *Config, planes []*plane) *unit {
	u := &unit{planes: planes}
	u.normalise(c)
	return u
}

// clone returns a copy with memory of its own, whose planes are planes.
func (u *unit) clone(planes []*plane) *unit {
	v := *u
	v.planes, v.norms = planes, nil
	if len(planes) > 1 {
		v.norms = make([]float64, 0, len(planes)) // so that Update does not allocate it
	}
	v.rise, v.fall = nil, nil
	return &v
}

// consider finds whether an example, at pos of an epoch's order, needs an update, and
// prepares it. The planes have scored it.
func (u *unit) consider(c *Config, x *Row, label, pos int) error {
	m := u.decide(c, label)
	if u.mistaken = !satisfied(m, u.theta); !u.mistaken {
		return nil
	}
	if !vec.IsFinite(m) {
		return x.ScoreError(len(u.planes[0].w) - 1)
	}
	u.nextLoss = max(0, -m)
	return u.propose(c, x, pos)
}

// decide sets rise, fall and pace, and returns m: y·score with one plane, in Multiclass rise's
// score less fall's. It is not finite if a score is not.
func (u *unit) decide(c *Config, label int) float64 {
	if c.Scheme == Kesler {
		u.pace = c.Rate
		return u.contest(label)
	}
	q := u.planes[0]
	y := q.target(label)
	u.rise, u.fall, u.pace = q, nil, y*c.Rate
	return y * q.score
}

// contest is decide in Multiclass: fall is the class other than label with the highest
// score, the lowest of several. A class without a rival is right.
func (u *unit) contest(label int) float64 {
	u.rise, u.fall = nil, nil
	for _, q := range u.planes {
		switch {
		case !vec.IsFinite(q.score):
			return math.NaN()
		case q.class == label:
			u.rise = q
		case u.fall == nil || q.score > u.fall.score:
			u.fall = q
		}
	}
	if u.rise == nil {
		return math.NaN()
	}
	rival := math.Inf(-1)
	if u.fall != nil {
		rival = u.fall.score
	}
	return vec.NearestFinite(u.rise.score - rival)
}

// propose prepares the update of rise and fall. It changes nothing but spare vectors, so
// an overflow leaves the unit as it was.
func (u *unit) propose(c *Config, x *Row, pos int) error {
	n, moved := min(u.seen+float64(pos), countable), 1.0
	ok := u.rise.propose(c, x, u.pace, n)
	if u.fall != nil {
		ok = u.fall.propose(c, x, -c.Rate, n) && ok
		moved++
	}
	if c.Rule == WithinR {
		u.nextR2 = max(u.r2, moved*c.squaredNorm(x))
	}
	if c.Rule != OnMistake { // then θ is always 0
		u.nextTheta = c.thetaFor(u.nextNorm(c), u.nextR2)
	}
	if !ok || !vec.IsFinite(u.nextTheta) {
		return errOverflow
	}
	return nil
}

// moves reports whether the update that consider has prepared moves q.
func (u *unit) moves(q *plane) bool { return q == u.rise || q == u.fall }

// accept applies what consider found for x.
func (u *unit) accept(x *Row) {
	if u.mistaken {
		u.rise.move(x)
		if u.fall != nil {
			u.fall.move(x)
		}
		u.r2, u.theta = u.nextR2, u.nextTheta
		u.mistakes++
		u.loss += u.nextLoss
	}
}

// see counts n examples.
func (u *unit) see(n int) { u.seen = min(u.seen+float64(n), countable) }

// normalise computes the norms that the rule needs, and θ.
func (u *unit) normalise(c *Config) {
	if c.Rule == WithinGamma {
		for _, q := range u.planes {
			q.norm = vec.Norm(q.w)
		}
	}
	u.setTheta(c)
}

// setTheta computes θ from the norms of the planes and R².
func (u *unit) setTheta(c *Config) {
	u.theta = c.thetaFor(u.combinedNorm(c, func(q *plane) float64 { return q.norm }), u.r2)
	if c.Scheme == Kesler && len(u.planes) == 1 {
		u.theta = 0 // right without a rival; and once there is one, a mistake at zero weights
	}
}

// nextNorm returns ‖W‖ after the update, where the rule needs it.
func (u *unit) nextNorm(c *Config) float64 {
	return u.combinedNorm(c, func(q *plane) float64 {
		if u.moves(q) {
			return q.nextNorm
		}
		return q.norm
	})
}

// combinedNorm returns ‖W‖, over all planes with these norms, where the rule needs it.
func (u *unit) combinedNorm(c *Config, norm func(*plane) float64) float64 {
	if c.Rule != WithinGamma {
		return 0
	}
	if len(u.planes) == 1 {
		return norm(u.planes[0])
	}
	u.norms = u.norms[:0]
	for _, q := range u.planes {
		u.norms = append(u.norms, norm(q))
	}
	return vec.Norm(u.norms)
}

// norm returns ‖W‖, whatever the rule is.
func (u *unit) norm() float64 {
	return u.combinedNorm(&Config{Rule: WithinGamma}, func(q *plane) float64 { return vec.Norm(q.w) })
}

// step takes Batch's step, w + η Σ yx and b + η Σ y.
func (u *unit) step(c *Config) error {
	if u.mistakes == 0 {
		return nil
	}
	q := u.planes[0]
	q.next = resized(q.next, len(q.w))
	if !vec.Axpy(q.next, q.w, c.Rate, q.slope) {
		return errOverflow
	}
	q.move(&Row{})
	return nil
}
