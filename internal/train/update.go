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
	// scores has the score of the present example by each plane. scoreAll or package vec sets it.
	scores []float64
	// r2 is R² under WithinR: the largest ‖x‖² of an example learned, and twice that if the update
	// moved two planes. It never falls.
	r2 float64
	// theta is θ: an example whose margin is at most θ needs an update.
	theta  float64
	pocket pocket
	// seen counts the examples, for the averages. An epoch adds its rows at its end. It is a
	// float64 because Mix makes it a mean.
	seen float64

	// mistaken says whether consider has computed an update. If so, it has set the fields up to
	// nextLoss. They are of no use after accept.
	mistaken bool
	// rise and fall are the planes that move. fall is nil with one plane, or with one class.
	rise, fall *plane
	// pace is the step of rise, ηy. That of fall is −η.
	pace float64
	// nextR2 and nextTheta are R² and θ after the update.
	nextR2, nextTheta float64
	// nextLoss is the loss of the example, max(0, −margin).
	nextLoss float64

	norms    []float64 // memory for the function norm
	mistakes int       // updates in this pass
	loss     float64   // the sum of the losses in this pass
}

// errOverflow is the error for an update that makes a weight, θ or a sum of iterates not finite.
var errOverflow = fmt.Errorf("%w: the update overflows, though every feature is finite", ErrNotFinite)

// newUnit returns a unit of planes that have learned nothing, or that have just been loaded.
func newUnit(c *Config, planes []*plane) *unit {
	u := &unit{planes: planes, scores: make([]float64, len(planes))}
	u.normalise(c)
	return u
}

// clone returns a copy of u that trains the given planes. They are copies of u's planes, or u's
// planes and a new one.
func (u *unit) clone(planes []*plane) *unit {
	v := *u
	v.planes, v.scores, v.norms = planes, make([]float64, len(planes)), nil
	if len(planes) > 1 {
		v.norms = make([]float64, 0, len(planes)) // so that Update does not allocate it
	}
	v.rise, v.fall = nil, nil
	return &v
}

// scoreAll sets the units' scores of x. All units score before the first one learns: a table scores
// all planes at once. If t is not nil, it has the vectors of the planes, in the order of the units.
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

// consider computes the update for an example, if it needs one, and changes nothing that predicts.
// u.scores has the example's scores. pos is the example's position in the order of an epoch, and 0
// in a stream. A score that is not finite is never satisfied, so bad features are found here.
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

// decide returns the margin of the example whose scores are in u.scores. It also sets rise, fall
// and pace, for an update. The margin is not finite if a score is not.
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

// contest returns the margin in Multiclass of an example of the own-th class, and its rival: the
// class with the highest other score, the first of several. The margin is NaN if a score is not
// finite. A difference of finite scores that overflows is the largest float64. So is the margin
// where there is no other class, and then rival is −1.
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

// propose computes the update of rise and fall in spare vectors. Then it computes the new R², and θ
// from that or from the new norms. If a number overflows, propose returns an error, and the unit
// stays as it was.
func (u *unit) propose(c *Config, x *Row, pos int) error {
	// n iterates have been counted before this example: those before the epoch, and one for each
	// earlier row of it.
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
	if c.Rule != OnMistake { // under OnMistake θ is always 0
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

// accept makes the update that consider has computed for x. It cannot fail: consider has checked
// every number.
func (u *unit) accept(x *Row) {
	u.rise.move(x)
	if u.fall != nil {
		u.fall.move(x)
	}
	u.r2, u.theta = u.nextR2, u.nextTheta
	u.mistakes++
	u.loss += u.nextLoss
}

// see adds n to the examples seen, whether or not they needed an update.
func (u *unit) see(n int) { u.seen = min(u.seen+float64(n), countable) }

// normalise computes what follows from the weights, R² and the fields: θ, and under WithinGamma the
// norms. Updates keep θ up to date, so normalise is called only where weights or fields come from
// elsewhere: a new plane, a loaded or mixed model, another Rate.
func (u *unit) normalise(c *Config) {
	if c.Rule == WithinGamma {
		u.measure()
	}
	u.theta = u.thetaFor(c, u.r2)
	if c.Scheme == Kesler && len(u.planes) == 1 {
		u.theta = 0 // the margin of one class alone is the largest float64, so θ stays 0
	}
}

// measure computes the norms of all planes, in O(Kd). An update computes only those of rise and
// fall.
func (u *unit) measure() {
	for _, q := range u.planes {
		q.norm = vec.Norm(q.w)
	}
}

// thetaFor returns θ by the rule: for R² = r2 under WithinR, and for the norms that the planes have
// under WithinGamma.
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

// norm returns ‖W‖, where W is the vectors (w, b) of all planes, one after another. It takes O(K),
// because the planes have their norms: measure or an update has computed them.
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
