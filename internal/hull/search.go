package hull

import (
	"math"
	"slices"

	"perceptron/internal/exact"
	"perceptron/internal/vec"
)

// A search finds the point p nearest the origin. With a power of two ρ above the
// length of every point, p = Σλᵢzᵢ has the weights λ = u/Σu of
//
//	min ‖Au − b‖ over u ≥ 0,  A = [Zᵀ/ρ; 1ᵀ],  b = (0, …, 0, 1).
//
// The search is the active-set method of Lawson & Hanson (1974, chapter 23). It
// equals Wolfe's (1976) for p, but its factorisation squares no condition number:
// A's columns for the rows in use, the support, are QR. Q and R are updated when a
// row comes or goes. All of this is done in double-double arithmetic, since the rows
// in use are nearly dependent if ρ/‖p‖ is large, and p is shorter than they are by
// that factor.
//
// For the best u of the support, r = b − Au is at right angles to its columns. So
// with w = Zᵀu/ρ, which points as p does, r = (−w, 1 − Σu), ‖r‖² = ⟨b, r⟩ = 1 − Σu
// and ‖w‖² = Σu(1 − Σu). That falls with ‖r‖², as ‖p‖ < ρ makes Σu > ½. And u is
// best of all if no row has ⟨w, zᵢ⟩/ρ < ‖w‖²/Σu, that is ⟨p, zᵢ⟩ < ‖p‖².
type search struct {
	Points
	scale [2]float64 // their product is 1/ρ, which may be no float64

	// atOnce is how many rows a pass over all of them selects. It is 1 if a pass
	// costs less than what one row more costs.
	atOnce int

	support []int          // the rows in use, in the order of A's columns
	in      []bool         // whether a row is in use
	u       []exact.Double // of the rows in use, positive
	factors factors
	quick   *quickQR       // factors, if they are in float64; else nil
	large   int            // the most coordinates of the support for factors in double-double
	exact   bool           // whether u and w are the best of the support to double-double
	settled exact.Double   // ‖w‖² when quick was last refined
	w       []exact.Double // Zᵀu/ρ
	spare   []float64      // the column of the row in question
	sum     exact.Double   // Σu
	square  exact.Double   // ‖w‖²

	best      []exact.Double // the w with the largest margin so far
	bestScore float64        // its least ⟨w, zᵢ⟩/(ρ‖w‖), to rounding
}

// factors are those of A, in double-double or float64.
type factors interface {
	add(column []float64) bool
	drop(k int)
	solve() []exact.Double
	project() []exact.Double
	negligible() float64
}

// slack is how far a score may be below the limit, relative to it.
const slack = 0x1p-50

// quickSlack is slack while w is known to rounding in float64 only.
const quickSlack = 0x1p-20

// newSearch begins with the row that has the largest feature: w of a short row
// might vanish before the search has seen the others.
func newSearch(p Points, longest float64) *search {
	_, e := math.Frexp(longest) // ρ = 2ᵉ
	s := &search{Points: p, in: make([]bool, len(p.X)), atOnce: 8, bestScore: math.Inf(-1), factors: &qr{}, large: 1 << 14}
	s.settled.Hi = math.Inf(1)
	s.scale = [2]float64{math.Ldexp(1, -e/2), math.Ldexp(1, -e+e/2)}
	if len(p.X)*p.dims() <= 1<<16 {
		s.atOnce = 1
	}
	s.spare = make([]float64, p.dims()+1)
	first, top := 0, 0.0
	for i, x := range p.X {
		if m := vec.Largest(x); m > top {
			first, top = i, m
		}
	}
	s.enter(first)
	return s
}

// run ends when no row is below the limit, when w has vanished (0 is in the hull),
// or when a step does not shorten w, which only rounding can cause. It ends, since
// each support has its own w and so none comes twice.
//
// While the factors are in float64, u and w are refined where the search would end
// otherwise, and it ends with refined ones only.
func (s *search) run() {
	for !s.exact || !s.vanished() {
		rows := s.lowest()
		if s.exact && len(rows) == 0 {
			return
		}
		before := s.square
		s.admit(rows)
		switch {
		case s.square.Less(before):
		case s.quick == nil:
			return
		case s.exact:
			s.restart() // a row below the limit is refused
		default:
			s.settle()
		}
	}
}

// vanished reports whether rounding has left no digits of w.
func (s *search) vanished() bool { return math.Sqrt(s.square.Hi) <= negligible }

// A scoredRow has the score ⟨w, zᵢ⟩/ρ.
type scoredRow struct {
	row   int
	score exact.Double
}

// lowest returns, of all rows that are not in use, those of the lowest scores below
// the limit. It keeps w as the best if its margin is the best so far.
//
// Scores are computed in float64 first, at the speed of memory. If that cannot
// decide, they are computed again in double-double.
func (s *search) lowest() []scoredRow {
	w, bias := s.rounded()
	limit := s.limit()
	// doubt is more than the rounding error of a float64 score: 16 for w and the
	// products with it, 1/8 a coordinate for the sum, in 8 lanes or more.
	doubt := 0x1p-53 * (16 + float64(len(s.w))/8) * math.Sqrt(s.square.Hi)
	least := limit
	var rows []scoredRow
	for i, x := range s.X {
		if s.in[i] {
			continue
		}
		score := exact.Double{Hi: float64(s.Y[i]) * (vec.Dot(w, x) + bias) * s.scale[1]}
		if score.Hi > limit.Hi+doubt {
			continue
		}
		if score.Hi > limit.Hi-doubt {
			score = s.score(i)
		}
		if score.Less(least) {
			least = score
		}
		if score.Less(limit) {
			rows = s.insert(rows, scoredRow{i, score})
		}
	}
	// Roughly known, w does not show the last digits of its margin.
	if s.exact || least.Hi < 0 {
		s.keep(least)
	}
	return rows
}

// insert adds a row behind those of its score, and keeps the lowest atOnce.
func (s *search) insert(rows []scoredRow, r scoredRow) []scoredRow {
	at := len(rows)
	for at > 0 && r.score.Less(rows[at-1].score) {
		at--
	}
	rows = slices.Insert(rows, at, r)
	return rows[:min(len(rows), s.atOnce)]
}

// rounded returns w·scale[0] in float64, the coordinate of the ones apart.
func (s *search) rounded() (w []float64, bias float64) {
	d := len(s.X[0])
	w = make([]float64, d+1) // its last element stays 0 if there are no ones
	for j, v := range s.w {
		w[j] = v.Hi * s.scale[0]
	}
	return w[:d], w[d]
}

// limit is the score below which a row comes into use.
func (s *search) limit() exact.Double {
	share := slack
	if !s.exact {
		share = quickSlack
	}
	return s.square.Over(s.sum).Times(exact.Double{Hi: 1 - share})
}

// score returns ⟨w, zᵢ⟩/ρ.
func (s *search) score(i int) exact.Double {
	s.column(s.spare, i, s.scale)
	return exact.DotFloats(s.w, s.spare)
}

// keep makes w the best if its margin, the least score over ‖w‖, is the best so far.
func (s *search) keep(least exact.Double) {
	if m := least.Hi / math.Sqrt(s.square.Hi); m >= s.bestScore {
		s.best, s.bestScore = append(s.best[:0], s.w...), m
	}
}

// admit takes the lowest of the rows into use and computes the scores of the rest
// with the new w, until none of them is below the limit.
func (s *search) admit(rows []scoredRow) {
	for len(rows) > 0 && !s.vanished() {
		lowest := rows[0]
		for _, r := range rows {
			if r.score.Less(lowest.score) {
				lowest = r
			}
		}
		before := s.square
		if s.enter(lowest.row) && !s.square.Less(before) {
			return
		}
		limit, rest := s.limit(), rows[:0]
		for _, r := range rows {
			if r.score = s.score(r.row); r.row != lowest.row && r.score.Less(limit) {
				rest = append(rest, r)
			}
		}
		rows = rest
	}
}

// enter takes row i into use, and then drops rows until the best u of those in use
// is positive. It reports false, and changes nothing, if the row depends on those in
// use or has no positive weight, which rounding can cause.
func (s *search) enter(i int) bool {
	s.column(s.spare, i, s.scale)
	if !s.factors.add(s.spare) {
		return false
	}
	s.support, s.in[i] = append(s.support, i), true
	u := s.factors.solve()
	if !(u[len(u)-1].Hi > s.factors.negligible()) {
		s.drop(len(u) - 1)
		return false
	}
	s.u = append(s.u, exact.Double{})
	s.descend(u)
	return true
}

// descend drops rows until u, the best of the support, is positive.
func (s *search) descend(u []exact.Double) {
	for {
		k, step := s.blocking(u, s.factors.negligible())
		if k < 0 {
			break
		}
		s.approach(u, k, step)
		u = s.factors.solve()
	}
	s.u = u
	s.measure()
}

// approach goes from s.u towards u until weight k becomes 0, and drops its row.
func (s *search) approach(u []exact.Double, k int, step exact.Double) {
	for j := range s.u {
		s.u[j] = s.u[j].Plus(step.Times(u[j].Minus(s.u[j])))
	}
	s.u = slices.Delete(s.u, k, k+1)
	s.drop(k)
}

// blocking returns the first weight to become 0 on the way from s.u to u, and the
// share of the way at which it does; −1 if none does.
func (s *search) blocking(u []exact.Double, negligible float64) (k int, step exact.Double) {
	k, step = -1, exact.Double{Hi: 1}
	for j, v := range u {
		if v.Hi > negligible {
			continue
		}
		var t exact.Double
		if s.u[j].Hi > 0 {
			t = s.u[j].Over(s.u[j].Minus(v))
		}
		if k < 0 || t.Less(step) {
			k, step = j, t
		}
	}
	return k, step
}

// drop removes the k-th row of the support.
func (s *search) drop(k int) {
	s.in[s.support[k]] = false
	s.support = slices.Delete(s.support, k, k+1)
	s.factors.drop(k)
}

// measure computes w and Σu from Au = (w, Σu), and ‖w‖². If the support has become
// large, it rounds the factors to float64.
func (s *search) measure() {
	d := s.dims()
	v := s.factors.project()
	s.w, s.sum = v[:d], v[d]
	s.square, s.exact = exact.Dot(s.w, s.w), s.quick == nil
	if f, ok := s.factors.(*qr); ok && len(s.support)*d > s.large {
		s.quick = quickOf(f)
		s.factors = s.quick
	}
}
