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
// whose condition is the square of A's, and the search works with A.
//
// The support is the rows with uᵢ > 0. The search has the factors Q and R of their columns of A, and
// updates them when a row enters or leaves the support. Let w = Zᵀu/ρ, for the u that is best for the
// support. The search ends if ⟨w, zᵢ⟩/ρ ≥ ‖w‖²/Σu for all rows. This means ⟨p, zᵢ⟩ ≥ ‖p‖², so u
// solves the problem.
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

	work  float64 // about the number of products so far
	all   float64 // the products of a pass
	least float64 // the least score at the last pass over the rows outside the support, or the limit

	best      []exact.Double // the w with the largest margin so far
	bestScore float64        // its least ⟨w, zᵢ⟩/(ρ‖w‖), to rounding
}

// rowsAtOnce is search.atOnce for more than cheapPass coordinates.
const rowsAtOnce = 8

// cheapPass is the number of coordinates that a pass reads in less time than a step takes.
const cheapPass = 1 << 16

// slack is how far a score may be below the limit, as a share of it.
const slack = 0x1p-50

// quickSlack is slack while w has the digits of float64 only.
const quickSlack = 0x1p-20

// newSearch returns a search whose support is the row with the largest feature. A support of a much
// shorter row could end the search at once, because its w would be nothing but rounding errors.
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

// run makes steps until no row is below the limit, until w has vanished (0 is in the hull), or
// until a step does not make w shorter, which only rounding can cause. It ends: each support has a
// w of its own, and w becomes shorter, so that no support occurs twice.
//
// Where the search would end with u and w in float64, settle makes them exact, and the search goes
// on.
func (s *search) run() {
	for !s.step() {
	}
}

// step makes a pass over all rows, and the steps for the rows that it selects. It reports whether
// the search has ended.
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

// lowest returns the rows outside the support whose scores are below the limit: the atOnce lowest
// ones, in ascending order of score. It sets s.least to the least score of all these rows, or to the
// limit if no score is below it. It calls keep with this number if w is exact or the number is negative.
//
// A score is computed in float64 first. If that cannot show on which side of the limit it is, the
// score is computed again in double-double.
func (s *search) lowest() []scoredRow {
	w, bias := s.rounded()
	limit := s.limit()
	// doubt is a bound on the rounding error of a float64 score, in units of 2⁻⁵³·‖w‖: 16 for w and
	// its products, and 1/8 for each coordinate, because the sum has 8 lanes or more.
	doubt := 0x1p-53 * (16 + float64(len(s.w))/8) * math.Sqrt(s.square.Hi)
	least := limit
	s.work += s.all
	var rows []scoredRow
	for i, x := range s.X {
		if s.in[i] {
			continue
		}
		score := exact.Double{Hi: float64(s.Y[i]) * (x.Dot(w) + bias) * s.scale[1]}
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
	s.least = least.Hi
	// If w is not exact, the margin of a plane that separates is not exact enough to compare.
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

// rounded returns w·scale[0] in float64. bias is the coordinate of the ones, or 0.
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
// with the new w, and repeats this until no row is below the limit.
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
