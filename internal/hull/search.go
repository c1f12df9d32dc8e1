package hull

import (
	"cmp"
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
// row comes or goes. The u of a support is best of all if no row has
// ⟨w, zᵢ⟩/ρ < ‖w‖²/Σu, that is ⟨p, zᵢ⟩ < ‖p‖².
//
// u and w are needed in double-double arithmetic, since the rows in use are nearly
// dependent if ρ/‖p‖ is large, and p is shorter than they are by that factor. A small
// support has factors in double-double. A large one has them in float64, and u is
// refined where the search would otherwise end. If that fails, the factors return to
// double-double for good.
type search struct {
	active

	// atOnce is how many rows a pass over all of them selects. It is 1 if a pass
	// costs less than what one row more costs.
	atOnce int

	best      []exact.Double // the w with the largest margin so far
	bestScore float64        // its least ⟨w, zᵢ⟩/(ρ‖w‖), to rounding
}

// rowsAtOnce is search.atOnce where a pass over all rows is not cheap.
const rowsAtOnce = 8

// cheapPass is the most coordinates that a cheap pass reads.
const cheapPass = 1 << 16

// slack is how far a score may be below the limit, relative to it.
const slack = 0x1p-50

// quickSlack is slack while w is known to rounding in float64 only.
const quickSlack = 0x1p-20

// newSearch begins with the row that has the largest feature: w of a short row
// might vanish before the search has seen the others.
func newSearch(p Points, longest float64) *search {
	s := &search{active: newActive(p, longest), atOnce: rowsAtOnce, bestScore: math.Inf(-1)}
	if len(p.X)*p.dims() <= cheapPass {
		s.atOnce = 1
	}
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
		lowest := slices.MinFunc(rows, func(a, b scoredRow) int { return cmp.Compare(a.score.Minus(b.score).Hi, 0) })
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
