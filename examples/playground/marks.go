package main

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"perceptron"
)

// A mark is what a board draws at a point.
type mark struct {
	Name    string   `json:"name"`    // for screen readers
	Score   string   `json:"score"`   // the score of the point, as a sum
	Updated bool     `json:"updated"` // the last update used it
	Wrong   bool     `json:"wrong"`   // it is not right now
	Near    bool     `json:"near"`    // it is nearer to the line of u than the γ that is supposed
	Levels  []level  `json:"levels"`  // its scores, in shares of the largest of all points
	Support bool     `json:"support"` // it is on the edge of the band of the greatest γ
	Rings   []string `json:"rings"`   // its multipliers, if it contradicts others
}

// marks returns what the board draws at each point.
func (t *training) marks(p *playground) []mark {
	marks := make([]mark, len(p.points))
	right, err := t.correctAll()
	all := t.levels()
	for i, at := range p.points {
		m := mark{Score: t.score(i), Updated: slices.Contains(t.updated, i), Rings: t.rings(i), Levels: all[i]}
		m.Wrong = err == nil && t.drawn() && !right[i]
		m.Name = "point " + strconv.Itoa(i+1) + ", class " + sign(at.Label) + ", at " + number(at.X) + ", " + number(at.Y)
		if !t.multiclass() && len(t.problems) > 0 {
			t.problems[0].mark(&m, i, p)
		}
		for _, part := range []struct {
			is   bool
			text string
		}{
			{len(m.Rings) > 0, ", contradicts other points, λ " + strings.Join(m.Rings, ", ")}, {m.Support, ", on the edge of the band of the greatest γ"},
			{m.Near, ", too near for this γ"}, {m.Wrong, ", wrong now"}, {m.Updated, ", in the last update"},
		} {
			if part.is {
				m.Name += part.text
			}
		}
		marks[i] = m
	}
	return marks
}

// mark adds what one problem says about point i.
func (b *problem) mark(m *mark, i int, p *playground) {
	u, y := b.sep.Hyperplane, float64(b.y[i])
	if b.sep.Separable {
		m.Support = p.wide && p.gamma == 0 && b.sep.Multipliers[i] > 0 // a γ that is supposed moves the edge away
		score, err := u.Score(b.X[i])
		m.Near = p.gamma > 0 && (err != nil || y*score < p.gamma*length(u)*(1-1e-9))
	}
}

// A level is the score of a point for a class. Two classes have one score, for +.
type level struct {
	Class int     `json:"class"`
	Share float64 `json:"share"`
}

// levels returns the scores of all points in shares of the largest, or nothing if there is
// no line.
func (t *training) levels() [][]level {
	all, most := make([][]level, len(t.X)), 0.0
	for i := range all {
		all[i] = []level{}
	}
	if !t.drawn() {
		return all
	}
	classes, planes := t.planes()
	for i, x := range t.X {
		for c, h := range planes {
			score, _ := h.Score(x) // NaN or Inf if it overflows, and 0 for a class that has not learned
			all[i] = append(all[i], level{classes[c], score})
			most = max(most, math.Abs(score))
		}
	}
	for i := range all {
		for c := range all[i] {
			if v := share(all[i][c].Share, most); finite(v) {
				all[i][c].Share = v
			} else {
				all[i][c].Share = 0
			}
		}
	}
	return all
}

// rings returns the multipliers of point i in the problems that are proved to be
// inseparable. Those of Multiclass are named by the rival.
func (t *training) rings(i int) []string {
	rings := []string{}
	add := func(class int, lambda float64, proved bool) {
		switch {
		case !proved || lambda == 0:
		case t.multiclass() && (t.joint() || len(t.problems) > 1):
			rings = append(rings, sign(class)+": "+digits(lambda, 2))
		default:
			rings = append(rings, digits(lambda, 2))
		}
	}
	for _, b := range t.problems {
		if !t.joint() {
			add(b.class, b.sep.Multipliers[i], b.proved)
			continue
		}
		rivals := rivals(t.y[i], t.lead.classes)
		for j, r := range rivals {
			add(r, b.sep.Multipliers[i*len(rivals)+j], b.proved)
		}
	}
	return rings
}

// scores writes the scores of point i in all classes.
func (t *training) scores(i int) string {
	classes, planes := t.planes()
	var parts []string
	for c, h := range planes {
		score, err := 0.0, error(nil)
		if len(h.Weights) > 0 { // a class that has not learned has the score 0
			score, err = h.Score(t.X[i])
		}
		if err != nil {
			return ""
		}
		parts = append(parts, digits(score+0, 3)+" for "+sign(classes[c]))
	}
	return strings.Join(parts, ", ")
}

// score writes the score of point i under the line as a sum, or the scores of all
// classes. It is empty if there is no line.
func (t *training) score(i int) string {
	switch {
	case len(t.problems) == 0 || !t.drawn():
		return ""
	case t.multiclass():
		return t.scores(i)
	}
	h, x := t.problems[0].plane, t.X[i]
	score, err := h.Score(x)
	if err != nil {
		return ""
	}
	side := "the + side"
	if score < 0 {
		side = "the − side"
	} else if score == 0 {
		side = "on the line, so not right"
	}
	times := func(w, x float64) string { return bracket(digits(w+0, 3)) + "·" + bracket(digits(x, 3)) }
	bias := ""
	if t.space() == perceptron.Affine {
		bias = " + " + bracket(digits(h.Bias+0, 3))
	}
	return times(h.Weights[0], x[0]) + " + " + times(h.Weights[1], x[1]) + bias + " ≈ " + digits(score+0, 3) + ": " + side
}

// bracket puts brackets around a negative number.
func bracket(text string) string {
	if strings.HasPrefix(text, "−") {
		return "(" + text + ")"
	}
	return text
}
