package main

import (
	"slices"
	"strconv"
	"strings"
)

// A mark is what a board draws at a point.
type mark struct {
	Name    string   `json:"name"`    // for screen readers
	Score   string   `json:"score"`   // the score of the point, as a sum
	Updated bool     `json:"updated"` // the last update used it
	Support bool     `json:"support"` // it is on the edge of the largest margin's band
	Rings   []string `json:"rings"`   // its multipliers, if it contradicts others
}

// marks returns what the board draws at each point.
func (t *training) marks(points []point, wide bool) []mark {
	marks := make([]mark, len(points))
	for i, at := range points {
		m := mark{Score: t.score(i), Updated: slices.Contains(t.updated, i), Rings: t.rings(i)}
		if wide && !t.multiclass() && len(t.problems) > 0 && t.problems[0].sep.Separable {
			m.Support = t.problems[0].sep.Multipliers[i] > 0
		}
		m.Name = "point " + strconv.Itoa(i+1) + ", class " + sign(at.Label) + ", at " + number(at.X) + ", " + number(at.Y)
		if len(m.Rings) > 0 {
			m.Name += ", contradicts other points, λ " + strings.Join(m.Rings, ", ")
		}
		if m.Support {
			m.Name += ", on the edge of the largest margin"
		}
		if m.Updated {
			m.Name += ", in the last update"
		}
		marks[i] = m
	}
	return marks
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
	return times(h.Weights[0], x[0]) + " + " + times(h.Weights[1], x[1]) + " + " + bracket(digits(h.Bias+0, 3)) + " ≈ " + digits(score+0, 3) + ": " + side
}

// bracket puts brackets around a negative number.
func bracket(text string) string {
	if strings.HasPrefix(text, "−") {
		return "(" + text + ")"
	}
	return text
}
