package train

import (
	"fmt"
	"math"
	"slices"

	"perceptron/internal/vec"
)

// A unit is one perceptron in training: one plane, or in Multiclass a plane for each class. The
// margin of an example is y·score with one plane. If it is at most θ, the plane moves:
//
//	w ← w + ηyx, b ← b + ηy.
//
// In Multiclass the margin is the score of the example's class less the highest other score. If it
// is at most θ, two planes move. rise is the plane of the example's class: it moves as for y = +1.
// fall is the plane with the highest other score: it moves as for y = −1.
//
// A unit learns an example in two steps. consider computes the update and may return an error.
// accept makes the update. So all units learn an example, or none does.
type unit struct {
	planes []*plane
	scores []float64 // of the example that is being learned, by each plane
	r2     float64   // R²: the largest ‖x‖² of an example learned, times the number of planes moved
	theta  float64   // θ
	pocket pocket
	seen   float64 // the examples seen; an epoch adds its own at its end

	mistaken   bool    // whether consider has computed an update; if so, it has set:
	rise, fall *plane  // the planes that move; fall is nil with one plane, or one class
	pace       float64 // the step of rise: ηy
	nextR2     float64 // R² after the update
	nextTheta  float64 // θ after the update
	nextLoss   float64 // the loss of the example, max(0, −margin)

	norms    []float64 // memory for norm
	mistakes int       // updates in this pass
	loss     float64   // the sum of the losses in this pass
}

// errOverflow is the error for an update that makes a weight, θ or a sum of iterates not finite.
var errOverflow = fmt.Errorf("%w: the update overflows, though every feature is finite", ErrNotFinite)

// newUnit returns a unit of planes that have learned nothing.
func newUnit(c *Config, planes []*plane) *unit {
	u := &unit{planes: planes, scores: make([]float64, len(planes))}
	u.normalise(c)
	return u
}

// clone returns a copy of u that has the given planes, which are copies too.
func (u *unit) clone(planes []*plane) *unit {
	v := *u
	v.planes, v.scores, v.norms = planes, make([]float64, len(planes)), nil
	if len(planes) > 1 {
		v.norms = make([]float64, 0, len(planes)) // so that Update does not allocate it
	}
	v.rise, v.fall = nil, nil
	return &v
}

// scoreAll sets the scores of x, which decide reads. All units score before the first one learns.
// If t is not nil, it has the vectors of the units' planes.
func scoreAll(t *table, units []*unit, x *Row) {
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

// consider computes the update for an example, if it needs one. The unit has the example's scores.
// pos is the example's position in the order of an epoch, and 0 in a stream.
func (u *unit) consider(c *Config, x *Row, label, pos int) error {
	m := u.decide(c, label)
	if u.mistaken = !satisfied(m, u.theta); !u.mistaken {
		return nil
	}
	if !vec.IsFinite(m) {
		return x.ScoreError(x.width())
	}
	u.nextLoss = max(0, -m)
	return u.propose(c, x, pos)
}

// decide returns the margin of an example whose scores the unit has, and sets rise, fall and pace
// for its update. The margin is not finite if a score is not.
func (u *unit) decide(c *Config, label int) float64 {
	if c.Scheme != Kesler {
		q := u.planes[0]
		y := q.target(label)
		u.rise, u.fall, u.pace = q, nil, y*c.Rate
		return y * u.scores[0]
	}
	own := slices.IndexFunc(u.planes, func(q *plane) bool { return q.class == label })
	m, rival := contest(u.scores, own)
	u.rise, u.fall, u.pace = u.planes[own], nil, c.Rate
	if rival >= 0 {
		u.fall = u.planes[rival]
	}
	return m
}

// contest returns the margin in Multiclass of an example of the own-th class, or NaN if a score is
// not finite. rival is the first class with the highest other score. With one class the margin is
// the largest float64, and rival is −1.
func contest(scores []float64, own int) (margin float64, rival int) {
	rival, high := -1, math.Inf(-1)
	for k, s := range scores {
		if !vec.IsFinite(s) {
			return math.NaN(), -1
		}
		if k != own && s > high {
			rival, high = k, s
		}
	}
	return vec.NearestFinite(scores[own] - high), rival
}

// propose computes the update of rise and fall, in spare vectors, and then θ, which follows from
// the new norms and R². If it overflows, propose returns an error, and the unit stays as it was.
func (u *unit) propose(c *Config, x *Row, pos int) error {
	n, moved := min(u.seen+float64(pos), countable), 1.0
	ok := u.rise.propose(c, x, u.pace, n)
	if u.fall != nil {
		ok = u.fall.propose(c, x, -c.Rate, n) && ok
		moved++
	}
	if c.Rule == WithinR {
		square := x.square()
		if c.Space == Affine {
			square++ // ‖(x, 1)‖²
		}
		u.nextR2 = max(u.r2, moved*square)
	}
	if c.Rule != OnMistake { // then θ is always 0
		u.nextTheta = u.thetaFor(c, u.nextR2)
	}
	if !ok || !vec.IsFinite(u.nextTheta) {
		if c.Rule == WithinGamma {
			u.measure() // rise and fall have the norms of iterates that they do not get
		}
		return errOverflow
	}
	return nil
}

// moves reports whether the update that consider has computed moves q.
func (u *unit) moves(q *plane) bool { return q == u.rise || q == u.fall }

// accept makes the update that consider has computed for x.
func (u *unit) accept(x *Row) {
	u.rise.move(x)
	if u.fall != nil {
		u.fall.move(x)
	}
	u.r2, u.theta = u.nextR2, u.nextTheta
	u.mistakes++
	u.loss += u.nextLoss
}

// see adds n to the examples seen.
func (u *unit) see(n int) { u.seen = min(u.seen+float64(n), countable) }

// normalise computes θ, and under WithinGamma the norms of the planes, from the weights and r2.
func (u *unit) normalise(c *Config) {
	if c.Rule == WithinGamma {
		u.measure()
	}
	u.theta = u.thetaFor(c, u.r2)
	if c.Scheme == Kesler && len(u.planes) == 1 {
		u.theta = 0 // the margin of one class alone is the largest float64, so θ stays 0
	}
}

// measure computes the norms of the planes, in O(Kd). An update computes those of rise and fall alone.
func (u *unit) measure() {
	for _, q := range u.planes {
		q.norm = vec.Norm(q.w)
	}
}

// thetaFor returns θ for R² = r2 and, under WithinGamma, for the norms that the planes have.
func (u *unit) thetaFor(c *Config, r2 float64) float64 {
	switch c.Rule {
	case WithinGamma:
		return c.Gamma / 2 * u.norm()
	case WithinTheta:
		return c.Threshold
	case WithinR:
		return c.Rate * r2
	}
	return 0
}

// norm returns ‖W‖, where W is the vectors (w, b) of all planes together. It reads their norms.
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
