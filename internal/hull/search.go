package hull

import (
	"cmp"
	"math"
	"slices"

	"perceptron/internal/exact"
	"perceptron/internal/vec"
)

// A search finds the point p nearest the origin. It solves a least-squares problem that gives p. Let
// the rows of Z be the points, and ρ a power of two above the length of each. Find the u that solves
//
//	min ‖Au − b‖ over u ≥ 0,  A = [Zᵀ/ρ; 1ᵀ],  b = (0, …, 0, 1).
//
// Then p = Σλᵢzᵢ for λ = u/Σu. The search is the active-set method of Lawson & Hanson (1974,
// chapter 23). Its steps are those of Wolfe's method for p (1976). But Wolfe's method works with AᵀA,
// whose condition number is the square of A's, and the search works with A.
//
// The support is the rows with uᵢ > 0. The search has the factors Q and R of their columns of A, and
// updates them when a row enters or leaves the support. Let w = Zᵀu/ρ, where u is the best for the
// support. The search ends if ⟨w, zᵢ⟩/ρ ≥ ‖w‖²/Σu for all rows. Then ⟨p, zᵢ⟩ ≥ ‖p‖² for all rows, so
// u solves the problem.
//
// If ρ/‖p‖ is large, the rows of the support are nearly dependent, and p is the small difference of
// long vectors. So u and w are needed in double-double. A small support has factors in
// double-double. A large one has them in float64, and settle computes u in double-double when the
// search would end. If that fails, the factors are in double-double for the rest of the search.
type search struct {
	active

	// atOnce is the number of rows that a pass over all rows selects. It is 1 if a pass takes less
	// time than a step for one row.
	atOnce int

	work  float64 // the work so far: see products
	all   float64 // the work of a pass over all rows
	least float64 // the least score outside the support at the last pass, but at most the limit

	best      []exact.Double // the w with the largest margin so far
	bestScore float64        // the least ⟨w, zᵢ⟩/(ρ‖w‖) of best, up to rounding
}

// rowsAtOnce is search.atOnce for more than cheapPass coordinates.
const rowsAtOnce = 8

// cheapPass is the largest number of coordinates for which a pass takes less time than a step.
const cheapPass = 1 << 16

// slack is how far a score may be below ‖w‖²/Σu, as a share of ‖w‖²/Σu: see limit.
const slack = 0x1p-50

// quickSlack replaces slack while w has only the accuracy of float64.
const quickSlack = 0x1p-20

// newSearch returns a search whose support is the row with the feature of largest magnitude. If the
// search began with a much shorter row, it could end at once, because w would be nothing but rounding
// errors.
func newSearch(p Points, longest float64) *search {
	s := &search{active: newActive(p, longest), atOnce: rowsAtOnce, bestScore: math.Inf(-1)}
	if len(p.X)*p.dims() <= cheapPass {
		s.atOnce = 1
	}
	first, top := 0, 0.0
	for i, x := range p.X {
		if m := vec.Largest(x.Value); m > top {
			first, top = i, m
		}
	}
	s.enter(first)
	return s
}

// step makes a pass over all rows, and adds rows that the pass selects to the support. It reports
// whether the search has ended: no score is below the limit, w has vanished (0 is in the hull), or the
// step did not make w shorter, which only rounding can cause. A search ends: a support determines w, and w
// becomes shorter, so no support occurs twice.
//
// If the search would end while u and w have only the accuracy of float64, settle makes them exact,
// and the search continues.
func (s *search) step() (ended bool) {
	if s.exact && s.vanished() {
		return true
	}
	rows := s.lowest()
	if s.exact && len(rows) == 0 {
		return true
	}
	before := s.square
	s.admit(rows)
	switch {
	case s.square.Less(before):
	case s.quick == nil:
		return true
	case s.exact:
		s.restart() // a row is below the limit, but enter rejected it
	default:
		s.settle()
	}
	return false
}

// A scoredRow is a row and its score ⟨w, zᵢ⟩/ρ.
type scoredRow struct {
	row   int
	score exact.Double
}

// lowest returns rows outside the support whose scores are below the limit: the atOnce rows with the
// lowest scores, in ascending order of score. It sets s.least to the lowest score, or to the limit if
// no score is below the limit. It calls keep with this number if w is exact or the number is negative.
//
// A score is computed in float64 first. If that cannot show on which side of the limit it is, the
// score is computed again in double-double. So it is if the score in float64 is NaN: no row is ever
// left out because its score is unknown.
func (s *search) lowest() []scoredRow {
	w, bias := s.rounded()
	limit := s.limit()
	// doubt is a bound on the rounding error of a float64 score, in units of 2⁻⁵³·‖w‖: 16 for w and
	// its products, and 1/8 for each coordinate, because the sum has 8 lanes or more.
	doubt := 0x1p-53 * (16 + float64(len(s.w))/8) * math.Sqrt(s.square.Hi)
	least := limit
	s.work += s.all
	var rows []scoredRow
	for i := range s.X {
		if s.in[i] {
			continue
		}
		score := exact.Double{Hi: float64(s.Y[i]) * (s.X[i].Dot(w) + bias) * s.scale[1]}
		if score.Hi > limit.Hi+doubt {
			continue
		}
		if !(score.Hi <= limit.Hi-doubt) {
			score = s.score(i)
		}
		if score.Less(least) {
			least = score
		}
		if score.Less(limit) {
			rows = s.insert(rows, scoredRow{i, score})
		}
	}
	s.least = least.Hi
	// If w is not exact, a positive margin is not accurate enough to compare with others.
	if s.exact || least.Hi < 0 {
		s.keep(least)
	}
	return rows
}

// insert inserts r in rows, which ascend by score, and keeps the first atOnce of them.
func (s *search) insert(rows []scoredRow, r scoredRow) []scoredRow {
	at := len(rows)
	for at > 0 && r.score.Less(rows[at-1].score) {
		at--
	}
	rows = slices.Insert(rows, at, r)
	return rows[:min(len(rows), s.atOnce)]
}

// rounded returns w·scale[0] in float64. bias is the coordinate for the appended ones, or 0 without
// ones; the returned w omits it.
func (s *search) rounded() (w []float64, bias float64) {
	d := s.Width
	w = make([]float64, d+1) // w[d] stays 0 if no ones are appended
	for j, v := range s.w {
		w[j] = v.Hi * s.scale[0]
	}
	return w[:d], w[d]
}

// limit returns the score below which a row may enter the support.
func (s *search) limit() exact.Double {
	share := slack
	if !s.exact {
		share = quickSlack
	}
	return s.square.Over(s.sum).Times(exact.Double{Hi: 1 - share})
}

// keep stores w if its margin is the largest so far. The margin is the least score divided by ‖w‖.
func (s *search) keep(least exact.Double) {
	if m := least.Hi / math.Sqrt(s.square.Hi); m >= s.bestScore {
		s.best, s.bestScore = append(s.best[:0], s.w...), m
	}
}

// admit adds the row with the lowest score to the support, computes the scores of the other rows
// with the new w, and repeats this until no score is below the limit. It stops early if w vanishes or
// does not become shorter.
func (s *search) admit(rows []scoredRow) {
	for len(rows) > 0 && !s.vanished() {
		lowest := slices.MinFunc(rows, func(a, b scoredRow) int { return cmp.Compare(a.score.Minus(b.score).Hi, 0) })
		before := s.square
		s.work += float64(s.dims()) * float64(4*len(s.support)+50)
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

// point returns the point that the search has found, with the direction of w.
func (s *search) point(w []exact.Double) Point {
	return Point{s.support, quotients(s.u, s.sum), quotients(w, exact.Dot(w, w).Root())}
}
