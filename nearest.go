package perceptron

import (
	"math"
	"slices"

	"perceptron/internal/vec"
)

// A nearest looks for the point p of the convex hull of the zᵢ = yᵢxᵢ, in Affine
// space yᵢ(xᵢ, 1), that is nearest the origin. With a power of two ρ > R, p = Σλᵢzᵢ
// has the weights λ = u/Σu of
//
//	min ‖Au − b‖ over u ≥ 0,  A = [Zᵀ/ρ; 1ᵀ],  b = (0, …, 0, 1).
//
// It is solved by the active-set method of Lawson & Hanson (1974, chapter 23),
// which is Wolfe's (1976) for p with a factorisation that squares no condition
// number: A's columns for the rows in use, the support, are QR, and Q and R are
// updated when a row comes or goes. All of it is done in double-double arithmetic,
// since the rows in use are nearly dependent where R/γ is large, and p is shorter
// than they are by R/γ.
//
// The best u for the support leaves r = b − Au at right angles to its columns, so
// with w = Zᵀu/ρ, which points as p does, r = (−w, 1 − Σu), ‖r‖² = ⟨b, r⟩ = 1 − Σu
// and ‖w‖² = Σu(1 − Σu). That falls with ‖r‖², as ‖p‖ < ρ makes Σu > ½. And u is
// best of all if no row has ⟨w, zᵢ⟩/ρ < ‖w‖²/Σu, that is ⟨p, zᵢ⟩ < ‖p‖².
type nearest struct {
	X     [][]float64
	y     []int
	d     int        // features of a row
	dims  int        // coordinates of a z: d, and one for the bias in Affine space
	scale [2]float64 // their product is 1/ρ, which may be no float64

	// atOnce is how many rows a look at all of them selects to come in: one if
	// the look costs less than what a row more costs.
	atOnce int

	support []int      // the rows in use, in the order of R's columns
	in      []bool     // whether a row is in use
	u       []double   // of the rows in use, positive
	q       [][]double // Q's columns
	r       [][]double // R's columns, the j-th of length j + 1
	w       []double   // Zᵀu/ρ
	spare   []double   // the column of a row that is looked at
	sum     double     // Σu
	square  double     // ‖w‖²

	best      []double // the w with the largest margin seen
	bestScore float64  // the least ⟨w, zᵢ⟩/(ρ‖w‖), to rounding
}

// negligible is what rounding leaves too little of to go on with: of ‖w‖, of a weight
// beside Σu, and of a column's distance from the span of the others.
const negligible = 0x1p14 * roundoff

// slack is how far a score may stay below its limit, relative to it.
const slack = 0x1p-50

// newNearest begins with the row that has the largest feature, so that w does not
// vanish with a short row before the others were seen. R is positive.
func newNearest(X [][]float64, y []int, s Space, R float64) *nearest {
	_, e := math.Frexp(R)
	h := &nearest{X: X, y: y, d: len(X[0]), dims: len(X[0]), in: make([]bool, len(X)), atOnce: 8}
	h.scale = [2]float64{math.Ldexp(1, -e/2), math.Ldexp(1, -e+e/2)}
	if s == Affine {
		h.dims++
	}
	if len(X)*h.dims <= 1<<16 {
		h.atOnce = 1
	}
	h.spare = make([]double, h.dims+1)
	first, top := 0, 0.0
	for i, x := range X {
		if m := vec.Largest(x); m > top {
			first, top = i, m
		}
	}
	h.bestScore = math.Inf(-1)
	h.enter(first)
	return h
}

// column sets a to A's column of row i.
func (h *nearest) column(a []double, i int) {
	sign := float64(h.y[i])
	for j, v := range h.X[i] {
		a[j].hi = sign * v * h.scale[0] * h.scale[1]
	}
	if h.dims > h.d {
		a[h.d].hi = sign * h.scale[0] * h.scale[1]
	}
	a[h.dims].hi = 1
}

// solve goes on until no row is below its limit, w has vanished (0 is in the hull),
// or a step does not shorten w, as only rounding makes one do. No support comes
// twice, as each has its own w: so it ends.
func (h *nearest) solve() {
	for !h.vanished() {
		rows := h.lowest()
		before := h.square
		h.admit(rows)
		if !h.square.less(before) {
			return
		}
	}
}

func (h *nearest) vanished() bool { return math.Sqrt(h.square.hi) <= negligible }

// A scored row has ⟨w, zᵢ⟩/ρ for its score.
type scored struct {
	row   int
	score double
}

// lowest looks at all rows that are not in use. It returns those of the lowest
// scores below the limit, and notes w if its margin is the best so far.
//
// Scores are computed in float64 first, at the speed at which memory gives the
// rows, and again in double-double where that cannot tell.
func (h *nearest) lowest() []scored {
	w, bias := h.rounded(h.scale[0])
	limit := h.limit()
	doubt := 0x1p-53 * (16 + float64(h.dims)/8) * math.Sqrt(h.square.hi)
	least := limit
	var rows []scored
	for i, x := range h.X {
		if h.in[i] {
			continue
		}
		s := double{float64(h.y[i]) * (vec.Dot(w, x) + bias) * h.scale[1], 0}
		if s.hi > limit.hi+doubt {
			continue
		}
		if s.hi > limit.hi-doubt {
			s = h.score(i)
		}
		if s.less(least) {
			least = s
		}
		if s.less(limit) {
			rows = h.insert(rows, scored{i, s})
		}
	}
	h.note(least)
	return rows
}

// insert keeps the lowest atOnce rows, ascending.
func (h *nearest) insert(rows []scored, s scored) []scored {
	if len(rows) == h.atOnce {
		if !s.score.less(rows[len(rows)-1].score) {
			return rows
		}
		rows = rows[:len(rows)-1]
	}
	at := len(rows)
	for at > 0 && s.score.less(rows[at-1].score) {
		at--
	}
	return slices.Insert(rows, at, s)
}

// rounded returns w times a power of two in float64, its bias apart.
func (h *nearest) rounded(power float64) (w []float64, bias float64) {
	w = make([]float64, h.dims)
	for j := range w {
		w[j] = h.w[j].hi * power
	}
	if h.dims > h.d {
		bias = w[h.d]
	}
	return w[:h.d], bias
}

// limit is what a row's score must be below for it to come into use.
func (h *nearest) limit() double {
	return h.square.over(h.sum).times(double{1 - slack, 0})
}

// score returns ⟨w, zᵢ⟩/ρ.
func (h *nearest) score(i int) double {
	h.column(h.spare, i)
	return dotDouble(h.w, h.spare[:h.dims])
}

// note keeps w if its margin, the least score over ‖w‖, is the best so far.
func (h *nearest) note(least double) {
	if m := least.hi / math.Sqrt(h.square.hi); m >= h.bestScore {
		h.best, h.bestScore = append(h.best[:0], h.w...), m
	}
}

// admit takes the lowest of the rows into use, then of the rest by the scores that
// the new w gives them, until none is left that is below the limit.
func (h *nearest) admit(rows []scored) {
	for len(rows) > 0 && !h.vanished() {
		low := 0
		for k := range rows {
			if rows[k].score.less(rows[low].score) {
				low = k
			}
		}
		before := h.square
		if h.enter(rows[low].row) && !h.square.less(before) {
			return
		}
		rows = slices.Delete(rows, low, low+1)
		limit := h.limit()
		for k := range rows {
			rows[k].score = h.score(rows[k].row)
		}
		rows = slices.DeleteFunc(rows, func(s scored) bool { return !s.score.less(limit) })
	}
}

// enter takes row i into use, lets go of rows until the best u for those in use
// is positive, and tells whether it did: rounding may make the row dependent on
// those in use, or not worth a positive weight.
func (h *nearest) enter(i int) bool {
	if !h.append(i) {
		return false
	}
	u := h.weights()
	if !(u[len(u)-1].hi > negligible) {
		h.drop(len(u) - 1)
		return false
	}
	h.u = append(h.u, double{})
	for {
		k, step := h.blocking(u)
		if k < 0 {
			break
		}
		for j := range h.u {
			h.u[j] = h.u[j].plus(step.times(u[j].minus(h.u[j])))
		}
		h.u = slices.Delete(h.u, k, k+1)
		h.drop(k)
		u = h.weights()
	}
	h.u = u
	h.measure()
	return true
}

// blocking returns the weight that is the first to become 0 on the way from h.u
// to u, and how far on the way that is; −1 if none does.
func (h *nearest) blocking(u []double) (k int, step double) {
	k, step = -1, double{1, 0}
	for j, v := range u {
		if v.hi > negligible {
			continue
		}
		var t double
		if h.u[j].hi > 0 {
			t = h.u[j].over(h.u[j].minus(v))
		}
		if k < 0 || t.less(step) {
			k, step = j, t
		}
	}
	return k, step
}

// append adds row i's column to QR: a = Q(Qᵀa) + ρq, with Qᵀa subtracted twice, so
// that q is orthogonal to Q (Kahan's "twice is enough", Parlett 1980).
func (h *nearest) append(i int) bool {
	a := make([]double, h.dims+1)
	n := len(h.q)
	if n == len(a) {
		return false
	}
	h.column(a, i)
	r := make([]double, n+1)
	for range 2 {
		for j, q := range h.q {
			c := dotDouble(q, a)
			r[j] = r[j].plus(c)
			axpyDouble(a, c.negated(), q)
		}
	}
	r[n] = dotDouble(a, a).root()
	if !(r[n].hi > negligible) {
		return false
	}
	scaleDouble(a, double{1, 0}.over(r[n]))
	h.q, h.r = append(h.q, a), append(h.r, r)
	h.support, h.in[i] = append(h.support, i), true
	return true
}

// drop removes the k-th column from QR. The columns of R after it then reach
// below the diagonal by one, which a rotation each takes away (Givens 1958).
func (h *nearest) drop(k int) {
	h.in[h.support[k]] = false
	h.support = slices.Delete(h.support, k, k+1)
	h.r = slices.Delete(h.r, k, k+1)
	for j := k; j < len(h.r); j++ {
		a, b := h.r[j][j], h.r[j][j+1]
		length := a.times(a).plus(b.times(b)).root()
		c, s := a.over(length), b.over(length)
		rotate(h.q[j], h.q[j+1], c, s)
		for m := j; m < len(h.r); m++ {
			rotate(h.r[m][j:j+1], h.r[m][j+1:j+2], c, s)
		}
		h.r[j] = h.r[j][:j+1]
	}
	h.q = h.q[:len(h.r)]
}

// weights solves Ru = Qᵀb, and so min ‖Au − b‖ over the rows in use. Qᵀb is Q's last
// row.
func (h *nearest) weights() []double {
	u := make([]double, len(h.r))
	for j, q := range h.q {
		u[j] = q[h.dims]
	}
	for j := len(u) - 1; j >= 0; j-- {
		u[j] = u[j].over(h.r[j][j])
		axpyDouble(u[:j], u[j].negated(), h.r[j][:j])
	}
	return u
}

// measure computes w = −(b − QQᵀb) and what depends on it.
func (h *nearest) measure() {
	w := make([]double, h.dims+1)
	for _, q := range h.q {
		axpyDouble(w, q[h.dims], q)
	}
	h.w = w[:h.dims]
	h.sum = w[h.dims]
	h.square = dotDouble(h.w, h.w)
}

// hyperplane returns the best w, its length made 1.
func (h *nearest) hyperplane() Hyperplane {
	length := dotDouble(h.best, h.best).root()
	w := make([]float64, h.dims)
	for j, v := range h.best {
		w[j] = v.over(length).hi
	}
	plane := Hyperplane{Weights: w[:h.d:h.d]}
	if h.dims > h.d {
		plane.Bias = w[h.d]
	}
	return plane
}
