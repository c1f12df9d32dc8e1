package main

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// A game is a position of chapter 2: the rules, w, and a place p for its next tip.
type game struct {
	R     float64    `json:"R"`
	Gamma float64    `json:"gamma"`
	W     [2]float64 `json:"w"`
	P     [2]float64 `json:"p"`
}

// A played is what page/maths.js says of a game.
type played struct {
	Lens, Longest, Spiral []float64
	Nearest, Middle       []float64
	Area                  float64
	Broken                []string
}

// games returns positions that obey the rules, with R/γ from 1 to 12.
func games() []game {
	r := rand.New(rand.NewPCG(84, 2))
	all := []game{{R: 2, Gamma: 0.5}, {R: 1, Gamma: 1}, {R: 3, Gamma: 0.25}, {R: 2, Gamma: 2 / math.Sqrt2},
		{R: 2, Gamma: 0.5, P: [2]float64{1, 0.5}}, {R: 2, Gamma: 0.5, P: [2]float64{0, 2}}} // on the edges of the lens
	for range 300 {
		g := game{R: 1 + 2*r.Float64(), Gamma: 0.25 + 0.75*r.Float64()}
		height := r.Float64() * g.R * g.R / g.Gamma
		g.W = [2]float64{(2*r.Float64() - 1) * math.Sqrt(height*(g.R*g.R/g.Gamma-height)), height}
		g.P = [2]float64{g.W[0] + (4*r.Float64()-2)*g.R, g.W[1] + (4*r.Float64()-2)*g.R}
		all = append(all, g)
	}
	return all
}

// TestGame checks the lens of the three rules, its nearest place, and the longest runs, against the
// rules themselves.
func TestGame(t *testing.T) {
	all := games()
	empty := 0
	for i, got := range askNode(t, []string{source(t)}, nil, all)[0].Rules {
		if wrong := all[i].differs(got); wrong != "" {
			t.Errorf("%+v: %s", all[i], wrong)
		}
		if len(got.Lens) == 0 {
			empty++
		}
	}
	if empty < 20 || empty > 280 {
		t.Errorf("%d of %d lenses are empty", empty, len(all))
	}
}

// broken names the rules that the step from w to p breaks by more than slack.
func (g game) broken(w, p [2]float64, slack float64) (rules []string) {
	z := [2]float64{p[0] - w[0], p[1] - w[1]}
	if w[0]*z[0]+w[1]*z[1] > slack {
		rules = append(rules, "back")
	}
	if z[1] < g.Gamma-slack {
		rules = append(rules, "climb")
	}
	if math.Hypot(z[0], z[1]) > g.R+slack {
		rules = append(rules, "short")
	}
	return rules
}

// differs says what is wrong with an answer, or returns "".
func (g game) differs(got played) string {
	if rules := g.broken(g.W, g.P, 1e-9); !slices.Equal(rules, got.Broken) {
		return "broken differs"
	}
	square := g.R * g.R / g.Gamma / g.Gamma
	if wrong := g.walks(got.Longest, int(square/2+1e-9)+1); wrong != "" {
		return "the longest run in the plane " + wrong
	}
	if wrong := g.winds(got.Spiral, int(square+1e-9)); wrong != "" {
		return "the longest run in space " + wrong
	}
	return g.differsLens(got)
}

func (g game) differsLens(got played) string {
	polygon, twice := vectors(got.Lens), 0.0
	for i, q := range polygon {
		p := polygon[(i+len(polygon)-1)%len(polygon)]
		twice += p[0]*q[1] - p[1]*q[0]
		if len(g.broken(g.W, q, 1e-6)) > 0 {
			return "a corner of the lens breaks a rule"
		}
	}
	if !near(got.Area, math.Abs(twice)/2) {
		return "the area differs"
	}
	// A place that obeys the rules by a little more than the circle's corners miss is in the lens.
	least := math.Inf(1)
	strict := game{R: g.R * 0.999, Gamma: g.Gamma + 1e-6}
	for i := range 41 {
		for j := range 41 {
			q := [2]float64{g.W[0] + g.R*float64(i-20)/20, g.W[1] + g.R*float64(j-20)/20}
			if len(strict.broken(g.W, q, -1e-6)) > 0 {
				continue
			}
			if !inside(polygon, q) {
				return "the lens misses a place"
			}
			least = min(least, distance(q, g.P))
		}
	}
	if len(polygon) == 0 {
		return ""
	}
	n, m := [2]float64(got.Nearest), [2]float64(got.Middle)
	switch {
	case len(got.Broken) == 0 && n != g.P:
		return "a place in the lens is moved"
	case len(g.broken(g.W, n, 1e-6)) > 0 || distance(n, g.P) > least+1e-9:
		return "another place is nearer"
	case !inside(polygon, m) && got.Area > 1e-6:
		return "the middle is outside"
	}
	return ""
}

// walks checks a run in the plane: its number of mistakes, and that each obeys the rules.
func (g game) walks(tips []float64, mistakes int) string {
	all := vectors(tips)
	if len(all) != mistakes+1 || all[0] != [2]float64{} {
		return "has another length"
	}
	for k := range mistakes {
		if len(g.broken(all[k], all[k+1], 1e-7)) > 0 {
			return "breaks a rule"
		}
	}
	return ""
}

// winds checks a run in space.
func (g game) winds(tips []float64, mistakes int) string {
	if len(tips) != 3*mistakes+3 {
		return "has another length"
	}
	var w [3]float64
	for k := range mistakes + 1 {
		sin, cos := math.Sincos(tips[3*k+1])
		tip := [3]float64{tips[3*k] * cos, tips[3*k] * sin, tips[3*k+2]}
		z := [3]float64{tip[0] - w[0], tip[1] - w[1], tip[2] - w[2]}
		size, product := math.Hypot(math.Hypot(z[0], z[1]), z[2]), w[0]*z[0]+w[1]*z[1]+w[2]*z[2]
		if k > 0 && (size > g.R+1e-6 || product > 1e-6 || z[2] < g.Gamma-1e-9) || k == 0 && size > 0 {
			return "breaks a rule"
		}
		w = tip
	}
	return ""
}

func vectors(flat []float64) (all [][2]float64) {
	for i := 0; i+1 < len(flat); i += 2 {
		all = append(all, [2]float64{flat[i], flat[i+1]})
	}
	return all
}

func distance(p, q [2]float64) float64 { return math.Hypot(p[0]-q[0], p[1]-q[1]) }

// inside reports whether a convex polygon, counted to the left, contains p.
func inside(polygon [][2]float64, p [2]float64) bool {
	for i, b := range polygon {
		a := polygon[(i+len(polygon)-1)%len(polygon)]
		if (b[0]-a[0])*(p[1]-a[1])-(b[1]-a[1])*(p[0]-a[0]) < -1e-7 {
			return false
		}
	}
	return len(polygon) > 2
}
